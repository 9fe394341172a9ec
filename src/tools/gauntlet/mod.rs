//! Matches between USI engines: the source of every claim about strength.

pub mod sprt;
pub mod stats;
