//! Handles finished games: writes them to the files of the match, updates the results, and decides
//! when the match ends.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::ops::ControlFlow;
use std::path::Path;

use super::game_text;
use super::match_config::MatchConfig;
use super::match_end::{MatchEnd, MatchEndReason, MatchError, MatchObserver};
use super::match_file::{MatchFile, MatchGameLine};
use super::match_game::PlayedGame;
use super::match_results::MatchResults;
use super::runner::MatchEvent;
use super::schedule::{Schedule, ScheduledGame};

use crate::tools::files::with_suffix;
use crate::types::ByColor;

/// Receives the finished games of all threads, one at a time.
pub(super) struct MatchController<'a> {
    config: &'a MatchConfig,
    games: usize,
    observer: &'a mut dyn MatchObserver,
    match_file: Option<MatchFile>,
    /// Numbers of the games that were played elsewhere or are in the match file.
    played: HashSet<usize>,
    results: MatchResults,
    reason: Option<MatchEndReason>,
}

impl<'a> MatchController<'a> {
    pub(super) fn open(
        config: &'a MatchConfig,
        schedule: &Schedule,
        observer: &'a mut dyn MatchObserver,
    ) -> Result<MatchController<'a>, MatchError> {
        let names: Vec<&str> = config.engines.iter().map(|engine| engine.name.as_str()).collect();
        let controls = config.engines.iter().map(|engine| engine.control);
        let results = MatchResults::new(&names, schedule.pairings(), config.sprt)
            .with_earlier_pairs(config.earlier_pairs);
        let earlier_games = 2 * config.earlier_pairs.pairs() as usize;
        let mut controller = MatchController {
            config,
            games: schedule.games(),
            observer,
            match_file: None,
            played: (0..earlier_games).collect(),
            results: results.with_time_controls(controls),
            reason: None,
        };
        if let Some(path) = &config.files.match_file {
            controller.open_match_file(path)?;
        }
        if let Some(path) = &config.files.csa {
            fs::create_dir_all(path).map_err(|error| MatchError::File(path.clone(), error))?;
        }
        Ok(controller)
    }

    fn open_match_file(&mut self, path: &Path) -> Result<(), MatchError> {
        let (match_file, games) = MatchFile::open(path, &self.config.header())
            .map_err(|error| MatchError::MatchFile(path.into(), error))?;
        self.match_file = Some(match_file);
        for game in games {
            if !self.played.insert(game.number) || !self.results.add(&game) {
                return Err(MatchError::GameMismatch(path.into(), game.number));
            }
        }
        Ok(())
    }

    /// Numbers of the games that were played elsewhere or are in the match file.
    pub(super) fn take_played(&mut self) -> HashSet<usize> {
        std::mem::take(&mut self.played)
    }

    pub(super) fn handle(&mut self, event: MatchEvent) -> ControlFlow<()> {
        match event {
            MatchEvent::Game(scheduled, played) => self.add_game(scheduled, &played),
            MatchEvent::Restart { engine, reason } => {
                let name = &self.config.engines[engine].name;
                self.observer.warn(&format!("{name} is restarted: {reason}"));
            }
            MatchEvent::Idle => {}
        }
        self.check_end()
    }

    fn add_game(&mut self, scheduled: ScheduledGame, played: &PlayedGame) {
        let line = self.line(scheduled, played);
        if let Err(error) = self.write(&line, scheduled, played) {
            self.end(MatchEndReason::Failure(error));
        }
        self.results.add(&line);
        if let Some(first) = game_text::fault_text(&line, played).lines().next() {
            self.observer.warn(first);
        }
        self.observer.progress(&self.results, self.games);
    }

    fn line(&self, scheduled: ScheduledGame, played: &PlayedGame) -> MatchGameLine {
        let opening = &self.config.openings[scheduled.opening];
        let name = |engine: usize| self.config.engines[engine].name.clone();
        MatchGameLine {
            number: scheduled.number,
            opening: opening.line,
            names: ByColor([name(scheduled.black), name(scheduled.white)]),
            end: played.end,
            plies: opening.moves().len() + played.moves.len(),
            stats: played.stats,
            late_faults: played
                .late_faults
                .iter()
                .map(|(color, fault)| (*color, fault.kind))
                .collect(),
            position: opening.position_command(played.moves.iter().map(|played| played.mv)),
        }
    }

    /// The match file is written last: its line says that the game need not be played again.
    fn write(
        &mut self,
        line: &MatchGameLine,
        scheduled: ScheduledGame,
        played: &PlayedGame,
    ) -> Result<(), MatchError> {
        let files = &self.config.files;
        if let Some(directory) = &files.csa {
            let [black, white] = line.names.0.each_ref();
            let base = directory.join(format!("{:05}-{black}-{white}", line.number));
            let text = game_text::csa_text(line, &self.config.openings[scheduled.opening], played);
            write_new(&base, &text)?;
        }
        let faults = game_text::fault_text(line, played);
        if let Some(path) = files.faults.as_ref().filter(|_| !faults.is_empty()) {
            append(path, &faults).map_err(|error| MatchError::File(path.clone(), error))?;
        }
        if let (Some(match_file), Some(path)) = (&mut self.match_file, &files.match_file) {
            match_file.add(line).map_err(|error| MatchError::File(path.clone(), error))?;
        }
        Ok(())
    }

    /// Ends the match for this reason, unless it has already ended.
    pub(super) fn end(&mut self, reason: MatchEndReason) {
        self.reason.get_or_insert(reason);
    }

    /// Whether the match continues.
    pub(super) fn check_end(&mut self) -> ControlFlow<()> {
        if self.results.verdict().is_some() {
            self.end(MatchEndReason::Verdict);
        }
        // Removed, so that it does not stop the next match.
        if self.config.files.stop.as_ref().is_some_and(|path| fs::remove_file(path).is_ok()) {
            self.end(MatchEndReason::StopFile);
        }
        if self.reason.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// The end of the match.
    pub(super) fn close(self) -> MatchEnd {
        MatchEnd { results: self.results, reason: self.reason.unwrap_or(MatchEndReason::AllPlayed) }
    }
}

/// Writes a CSA file of this name, with a number appended if the name is taken: that file may be a game
/// of another match.
fn write_new(base: &Path, text: &str) -> Result<(), MatchError> {
    let mut path = with_suffix(base, ".csa");
    for number in 2.. {
        match File::create_new(&path) {
            Ok(file) => return fill(file, &path, text),
            Err(error) if error.kind() == ErrorKind::AlreadyExists && path.is_file() => {
                path = with_suffix(base, &format!("-{number}.csa"));
            }
            Err(error) => return Err(MatchError::File(path, error)),
        }
    }
    unreachable!("there is no end of numbers")
}

/// Writes a file, and removes it after an error: the game is played again and needs the name.
fn fill(mut file: File, path: &Path, text: &str) -> Result<(), MatchError> {
    file.write_all(text.as_bytes()).map_err(|error| {
        drop(file);
        let _ = fs::remove_file(path);
        MatchError::File(path.into(), error)
    })
}

fn append(path: &Path, text: &str) -> io::Result<()> {
    OpenOptions::new().append(true).create(true).open(path)?.write_all(text.as_bytes())
}
