//! Offline tools: what works on whole games and is never needed to play one.

pub mod gauntlet;
mod random;
pub mod spsa;
pub mod terminal;
