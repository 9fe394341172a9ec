//! Matches between USI engines: the source of every claim about strength.
//!
//! [`play_match`] brings the parts together. A [`config`] names engines ([`spec`]) and
//! [`opening`](super::opening)s; a [`schedule`] makes games of them; a [`runner`] plays them side
//! by side, each a [`game`] between two [`player`]s, which are engines in processes
//! ([`usi_player`]) or, in tests, scripts. Every finished game goes into the [`record`] and the
//! [`standing`], from which [`report`]s are made ([`stats`], [`sprt`]). Nothing is printed here: an
//! [`MatchObserver`] is told.

pub mod elo;
pub mod engine_spec;
pub mod game_text;
pub mod match_config;
mod match_controller;
pub mod match_file;
pub mod match_game;
pub mod match_player;
pub mod match_results;
pub mod report;
pub mod runner;
pub mod schedule;
#[cfg(test)]
mod scripted_player;
pub mod search_stats;
pub mod sprt;
pub mod time_control;
pub mod usi_match_player;

use std::fmt;
use std::io;
use std::path::PathBuf;

use engine_spec::EngineSpec;
use match_config::{MatchConfig, MatchConfigError};
use match_controller::MatchController;
use match_file::MatchFileError;
use match_player::MatchPlayer;
use match_results::MatchResults;
use runner::{EngineFailure, PlayerFactory, StartFailure};
use usi_match_player::{EngineTimeouts, StartError, UsiMatchPlayer};

/// Is told how a match goes on.
pub trait MatchObserver {
    /// The standing has changed, of a match of so many games.
    fn progress(&mut self, results: &MatchResults, games: usize);

    /// Something went wrong with an engine.
    fn trouble(&mut self, text: &str);
}

/// A match that is over, for whatever reason.
#[derive(Debug)]
pub struct MatchEnd {
    pub results: MatchResults,
    pub reason: MatchEndReason,
}

#[derive(Debug)]
pub enum MatchEndReason {
    AllPlayed,
    /// The sequential test has its verdict.
    Verdict,
    /// The stop file appeared; it is gone now.
    StopFile,
    Failure(MatchError),
}

/// Why a match cannot begin or go on.
#[derive(Debug)]
pub enum MatchError {
    Config(MatchConfigError),
    Record(PathBuf, MatchFileError),
    /// The record has a game of this number that is none of this match.
    StrangeGame(PathBuf, usize),
    File(PathBuf, io::Error),
    Engine {
        name: String,
        reason: String,
    },
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchError::Config(error) => error.fmt(f),
            MatchError::Record(path, error) => write!(f, "{}: {error}", path.display()),
            MatchError::StrangeGame(path, number) => {
                write!(f, "{}: game {number} is none of this match", path.display())
            }
            MatchError::File(path, error) => write!(f, "{}: {error}", path.display()),
            MatchError::Engine { name, reason } => write!(f, "engine {name}: {reason}"),
        }
    }
}

impl std::error::Error for MatchError {}

/// Plays a match, or what is left of it.
///
/// # Errors
/// What keeps it from beginning. What ends it early is part of the result.
pub fn play_match(
    config: &MatchConfig,
    observer: &mut dyn MatchObserver,
) -> Result<MatchEnd, MatchError> {
    let starter = EngineFactory { specs: &config.engines, patience: config.patience };
    play_match_with(config, &starter, observer)
}

/// The same with players from anywhere.
fn play_match_with(
    config: &MatchConfig,
    starter: &dyn PlayerFactory,
    observer: &mut dyn MatchObserver,
) -> Result<MatchEnd, MatchError> {
    config.check().map_err(MatchError::Config)?;
    let schedule = config.schedule();
    let mut controller = MatchController::open(config, &schedule, observer)?;
    let setup = config.setup(&schedule);
    let played = controller.take_played();
    if controller.check_end().is_continue() {
        let result = runner::run(&setup, starter, &played, &mut |news| controller.take(news));
        if let Err(EngineFailure { engine, reason }) = result {
            let name = config.engines[engine].name.clone();
            controller.end(MatchEndReason::Failure(MatchError::Engine { name, reason }));
        }
    }
    Ok(controller.close())
}

/// Starts the engines of a match.
pub(in crate::tools) struct EngineFactory<'a> {
    pub(in crate::tools) specs: &'a [EngineSpec],
    pub(in crate::tools) patience: EngineTimeouts,
}

impl PlayerFactory for EngineFactory<'_> {
    fn start(&self, engine: usize) -> Result<Box<dyn MatchPlayer>, StartFailure> {
        match UsiMatchPlayer::start(&self.specs[engine], self.patience) {
            Ok(player) => Ok(Box::new(player)),
            Err(error) => {
                let retry = matches!(error, StartError::Fault(_));
                Err(StartFailure { reason: error.to_string(), retry })
            }
        }
    }
}

#[cfg(test)]
mod tests;
