//! A second, slow and simple implementation of the rules and the networks, with published figures and
//! random setups. Nothing here may import more of the engine than `kawasemi::types`.

pub mod cases;
pub mod published;
pub mod setups;
pub mod slow;
pub mod slow_network;
