//! Matches between USI engines: the source of every claim about strength.
//!
//! [`play_match`] brings the parts together. A [`config`] names engines ([`spec`]) and
//! [`opening`]s; a [`schedule`] makes games of them; a [`runner`] plays them side by side, each a
//! [`game`] between two [`player`]s, which are processes ([`usi_player`], [`process`]) or, in
//! tests, scripts. Every finished game goes into the [`record`] and the [`standing`], from which
//! [`report`]s are made ([`stats`], [`sprt`]). Nothing is printed here: an [`Observer`] is told.

pub mod answer;
pub mod archive;
pub mod clock;
pub mod config;
pub mod fingerprint;
pub mod game;
pub mod info;
pub mod opening;
pub mod player;
pub mod process;
pub mod record;
pub mod referee;
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

use std::collections::HashSet;
use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use config::{ConfigError, MatchConfig};
use game::Played;
use player::Player;
use record::{GameLine, RecordError, RecordFile};
use runner::{Hall, News, NoStart, Starter};
use schedule::{Fixture, Schedule};
use spec::EngineSpec;
use standing::Standing;
use usi_player::{Patience, StartError, UsiPlayer};

use crate::types::ByColor;

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
    Record(PathBuf, RecordError),
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
    let hall = Hall {
        schedule: &schedule,
        engines: &config.engines,
        openings: &config.openings,
        rules: &config.rules,
        longest_move: config.longest_move,
        concurrency: config.concurrency,
    };
    let played = std::mem::take(&mut desk.played);
    if desk.check_end().is_continue() {
        let result = runner::run(&hall, starter, &played, &mut |news| desk.take(news));
        if let Err(runner::Unplayable { engine, reason }) = result {
            let name = config.engines[engine].name.clone();
            desk.end(EndReason::Failure(MatchError::Engine { name, reason }));
        }
    }
    Ok(MatchEnd { standing: desk.standing, reason: desk.reason.unwrap_or(EndReason::AllPlayed) })
}

/// Starts the engines of a match.
struct Engines<'a> {
    specs: &'a [EngineSpec],
    patience: Patience,
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

/// Where finished games arrive: they are written down and counted, and the match is ended when it
/// is time.
struct Desk<'a> {
    config: &'a MatchConfig,
    games: usize,
    observer: &'a mut dyn Observer,
    record: Option<RecordFile>,
    /// Numbers of the games that were in the record.
    played: HashSet<usize>,
    standing: Standing,
    reason: Option<EndReason>,
}

impl<'a> Desk<'a> {
    fn open(
        config: &'a MatchConfig,
        schedule: &Schedule,
        observer: &'a mut dyn Observer,
    ) -> Result<Desk<'a>, MatchError> {
        let names: Vec<&str> = config.engines.iter().map(|engine| engine.name.as_str()).collect();
        let mut desk = Desk {
            config,
            games: schedule.games(),
            observer,
            record: None,
            played: HashSet::new(),
            standing: Standing::new(&names, schedule.pairings(), config.sprt),
            reason: None,
        };
        if let Some(path) = &config.files.record {
            desk.open_record(path)?;
        }
        if let Some(path) = &config.files.csa {
            fs::create_dir_all(path).map_err(|error| MatchError::File(path.clone(), error))?;
        }
        Ok(desk)
    }

    fn open_record(&mut self, path: &Path) -> Result<(), MatchError> {
        let (record, games) = RecordFile::open(path, &self.config.head())
            .map_err(|error| MatchError::Record(path.into(), error))?;
        self.record = Some(record);
        for game in games {
            if !self.played.insert(game.number) || !self.standing.add(&game) {
                return Err(MatchError::StrangeGame(path.into(), game.number));
            }
        }
        Ok(())
    }

    fn take(&mut self, news: News) -> ControlFlow<()> {
        match news {
            News::Game(fixture, played) => self.take_game(fixture, &played),
            News::Restart { engine, reason } => {
                let name = &self.config.engines[engine].name;
                self.observer.trouble(&format!("{name} is started anew: {reason}"));
            }
            News::Quiet => {}
        }
        self.check_end()
    }

    fn take_game(&mut self, fixture: Fixture, played: &Played) {
        let line = self.line(fixture, played);
        if let Err(error) = self.write(&line, fixture, played) {
            self.end(EndReason::Failure(error));
        }
        self.standing.add(&line);
        if let Some(first) = archive::fault_text(&line, played).lines().next() {
            self.observer.trouble(first);
        }
        self.observer.progress(&self.standing, self.games);
    }

    fn line(&self, fixture: Fixture, played: &Played) -> GameLine {
        let opening = &self.config.openings[fixture.opening];
        let name = |engine: usize| self.config.engines[engine].name.clone();
        let own: String = played.moves.iter().map(|played| format!(" {}", played.mv)).collect();
        let moves = if opening.moves().is_empty() && !own.is_empty() { " moves" } else { "" };
        GameLine {
            number: fixture.number,
            opening: opening.line,
            names: ByColor([name(fixture.black), name(fixture.white)]),
            end: played.end,
            plies: opening.moves().len() + played.moves.len(),
            usage: played.usage,
            late: played.late_faults.iter().map(|(color, fault)| (*color, fault.kind)).collect(),
            game: format!("{opening}{moves}{own}"),
        }
    }

    fn write(
        &mut self,
        line: &GameLine,
        fixture: Fixture,
        played: &Played,
    ) -> Result<(), MatchError> {
        let files = &self.config.files;
        if let (Some(record), Some(path)) = (&mut self.record, &files.record) {
            record.add(line).map_err(|error| MatchError::File(path.clone(), error))?;
        }
        if let Some(directory) = &files.csa {
            let [black, white] = line.names.0.each_ref();
            let path = directory.join(format!("{:05}-{black}-{white}.csa", line.number));
            let text = archive::csa_text(line, &self.config.openings[fixture.opening], played);
            fs::write(&path, text).map_err(|error| MatchError::File(path, error))?;
        }
        let faults = archive::fault_text(line, played);
        match &files.faults {
            Some(path) if !faults.is_empty() => {
                append(path, &faults).map_err(|error| MatchError::File(path.clone(), error))
            }
            _ => Ok(()),
        }
    }

    /// Ends the match for this reason, unless there is one already.
    fn end(&mut self, reason: EndReason) {
        self.reason.get_or_insert(reason);
    }

    /// Whether the match goes on.
    fn check_end(&mut self) -> ControlFlow<()> {
        if self.standing.verdict().is_some() {
            self.end(EndReason::Verdict);
        }
        // Removed when it is obeyed, so that the next match is not ended by it.
        if self.config.files.stop.as_ref().is_some_and(|path| fs::remove_file(path).is_ok()) {
            self.end(EndReason::StopFile);
        }
        if self.reason.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn append(path: &Path, text: &str) -> io::Result<()> {
    OpenOptions::new().append(true).create(true).open(path)?.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests;
