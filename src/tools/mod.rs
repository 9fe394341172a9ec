//! Offline tools: what works on whole games and is never needed to play one.

pub mod corpus;
pub mod files;
pub mod games;
pub mod gauntlet;
pub mod random;
pub mod selfplay;
pub mod spsa;
pub mod terminal;
pub mod train;
