//! Matches between USI engines: the source of every claim about strength.

pub mod answer;
pub mod clock;
pub mod fingerprint;
pub mod game;
pub mod info;
pub mod opening;
pub mod player;
pub mod process;
pub mod referee;
pub mod runner;
pub mod schedule;
#[cfg(test)]
mod scripted;
pub mod spec;
pub mod sprt;
pub mod stats;
pub mod usage;
pub mod usi_player;
