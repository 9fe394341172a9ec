//! Matches between USI engines: the source of every claim about strength.
//!
//! [`play_match`] brings the parts together. A [`config`] names engines ([`spec`]) and
//! [`opening`](super::opening)s; a [`schedule`] makes games of them; a [`runner`] plays them side
//! by side, each a [`game`] between two [`player`]s, which are engines in processes
//! ([`usi_player`]) or, in tests, scripts. Every finished game goes into the [`record`] and the
//! [`standing`], from which [`report`]s are made ([`stats`], [`sprt`]). Nothing is printed here: an
//! [`Observer`] is told.

pub mod archive;
pub mod clock;
pub mod config;
mod desk;
pub mod game;
pub mod player;
pub mod record;
pub mod report;
pub mod runner;
pub mod schedule;
#[cfg(test)]
mod scripted;
pub mod spec;
pub mod sprt;
pub mod standing;
pub mod stats;
pub mod usage;
pub mod usi_player;

use std::fmt;
use std::io;
use std::path::PathBuf;

use config::{ConfigError, MatchConfig};
use desk::Desk;
use player::Player;
use record::MatchRecordError;
use runner::{NoStart, Starter, Unplayable};
use spec::EngineSpec;
use standing::Standing;
use usi_player::{EngineTimeouts, StartError, UsiPlayer};

/// Is told how a match goes on.
pub trait Observer {
    /// The standing has changed, of a match of so many games.
    fn progress(&mut self, standing: &Standing, games: usize);

    /// Something went wrong with an engine.
    fn trouble(&mut self, text: &str);
}

/// A match that is over, for whatever reason.
#[derive(Debug)]
pub struct MatchEnd {
    pub standing: Standing,
    pub reason: EndReason,
}

#[derive(Debug)]
pub enum EndReason {
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
    Config(ConfigError),
    Record(PathBuf, MatchRecordError),
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
    observer: &mut dyn Observer,
) -> Result<MatchEnd, MatchError> {
    let starter = Engines { specs: &config.engines, patience: config.patience };
    play_match_with(config, &starter, observer)
}

/// The same with players from anywhere.
fn play_match_with(
    config: &MatchConfig,
    starter: &dyn Starter,
    observer: &mut dyn Observer,
) -> Result<MatchEnd, MatchError> {
    config.check().map_err(MatchError::Config)?;
    let schedule = config.schedule();
    let mut desk = Desk::open(config, &schedule, observer)?;
    let hall = config.hall(&schedule);
    let played = desk.take_played();
    if desk.check_end().is_continue() {
        let result = runner::run(&hall, starter, &played, &mut |news| desk.take(news));
        if let Err(Unplayable { engine, reason }) = result {
            let name = config.engines[engine].name.clone();
            desk.end(EndReason::Failure(MatchError::Engine { name, reason }));
        }
    }
    Ok(desk.close())
}

/// Starts the engines of a match.
pub(in crate::tools) struct Engines<'a> {
    pub(in crate::tools) specs: &'a [EngineSpec],
    pub(in crate::tools) patience: EngineTimeouts,
}

impl Starter for Engines<'_> {
    fn start(&self, engine: usize) -> Result<Box<dyn Player>, NoStart> {
        match UsiPlayer::start(&self.specs[engine], self.patience) {
            Ok(player) => Ok(Box::new(player)),
            Err(error) => {
                let retry = matches!(error, StartError::Fault(_));
                Err(NoStart { reason: error.to_string(), retry })
            }
        }
    }
}

#[cfg(test)]
mod tests;
