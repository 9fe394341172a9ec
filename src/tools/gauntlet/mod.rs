//! Matches between USI engines: the source of every claim about strength.
//!
//! [`play_match`] plays what a [`match_config`] describes: the [`schedule`] numbers the games, the
//! [`runner`] plays them in parallel, and each [`match_game`] runs between two [`match_player`]s,
//! which are engine processes ([`usi_match_player`]) or, in tests, scripts. Finished games go into the
//! [`match_file`] and the [`match_results`], from which [`report`]s are made ([`elo`], [`sprt`]).
//! Nothing is printed here: a [`MatchObserver`] gets the events.

pub mod elo;
pub mod engine_spec;
pub mod game_text;
pub mod match_config;
mod match_controller;
mod match_end;
pub mod match_file;
pub mod match_game;
pub mod match_player;
pub mod match_results;
mod play_match;
pub mod report;
pub mod runner;
pub mod schedule;
#[cfg(test)]
mod scripted_player;
pub mod search_stats;
pub mod sprt;
#[cfg(test)]
mod tests;
pub mod time_control;
pub mod usi_match_player;

pub use match_end::{MatchEnd, MatchEndReason, MatchError, MatchObserver};
pub use play_match::play_match;
