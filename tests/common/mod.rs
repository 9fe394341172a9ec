//! What the integration tests share: the slow rules, published figures, random numbers and random
//! setups. Nothing here may import more of the engine than `kawasemi::types`.

// Every test binary compiles this module for itself and uses another part of it.
#![allow(dead_code, unused_imports)]

pub mod cases;
pub mod published;
pub mod setups;
pub mod slow;
pub mod slow_net;
