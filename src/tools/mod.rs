//! Offline tools: what works on whole games and is never needed to play one.

pub mod games;
pub mod gauntlet;
pub mod train;
