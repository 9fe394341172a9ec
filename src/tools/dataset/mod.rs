//! Commands for training data: statistics, filtering, removing duplicates, shuffling, conversion.
//!
//! There are two kinds of file ([`DatasetKind`]): [game files](super::game_file), and
//! [single positions](crate::record::scored_position) in the formats of other programs; a third,
//! [game records](crate::record), is only read. In a game file, a removed position loses its score; its move
//! stays. Invalid games and positions are skipped with a warning.

pub mod balance;
pub mod blend;
pub mod convert;
pub mod dedup;
mod distinct_counter;
pub mod filter;
mod game_records;
pub mod join;
pub mod positions;
mod reader;
pub mod shuffle;
pub mod stats;
mod stats_report;
#[cfg(test)]
mod tests;
pub mod win_rate;
mod writer;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::game_file::{GameReadError, GameWriteError};
use crate::record::RecordFormat;
use crate::record::scored_position::PositionFormat;
use crate::types::message::counted;

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatasetKind {
    Games,
    Positions(PositionFormat),
    GameRecords(RecordFormat),
}

impl DatasetKind {
    /// The kind by the extension: `.psv` and `.bin` are PackedSfenValue, `.hcpe` is hcpe, those of
    /// notations are game records, all others are game files.
    pub fn of_name(path: &Path) -> DatasetKind {
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        let ending = ending.as_ref().and_then(|ending| ending.to_str()).unwrap_or_default();
        match (ending, RecordFormat::of_extension(ending)) {
            ("psv" | "bin", _) => DatasetKind::Positions(PositionFormat::Psv),
            ("hcpe", _) => DatasetKind::Positions(PositionFormat::Hcpe),
            (_, Some((format, _))) => DatasetKind::GameRecords(format),
            (_, None) => DatasetKind::Games,
        }
    }
}

/// Why a command fails.
#[derive(Debug)]
pub enum DatasetError {
    /// The file cannot be read or is not of the kind that its name says.
    Read(PathBuf, GameReadError),
    Write(PathBuf, GameWriteError),
    /// The files are not all of one kind.
    Mixed(PathBuf),
    /// Game records, but only game files and position files can be copied.
    ConvertFirst(PathBuf),
    /// Game records are not written.
    ReadOnly(PathBuf),
    /// Files of this kind do not contain what a filter condition needs.
    NotInFormat(&'static str),
    /// A pipe, but the file must be read twice.
    Pipe(PathBuf),
}

impl fmt::Display for DatasetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DatasetError::Read(path, error) => write!(f, "{}: {error}", path.display()),
            DatasetError::Write(path, error) => write!(f, "{}: {error}", path.display()),
            DatasetError::Mixed(path) => {
                write!(f, "{}: it is of a different kind than the other files", path.display())
            }
            DatasetError::ConvertFirst(path) => {
                let name = path.display();
                write!(f, "{name}: game records must be made a game file first, by `convert`")
            }
            DatasetError::ReadOnly(path) => {
                let name = path.display();
                write!(f, "{name}: game records are only read; give the file the extension .games")
            }
            DatasetError::Pipe(path) => {
                write!(f, "{}: it must be read twice, so it cannot be a pipe", path.display())
            }
            DatasetError::NotInFormat(what) => {
                write!(f, "files of this kind do not contain {what}")
            }
        }
    }
}

impl std::error::Error for DatasetError {}

impl DatasetError {
    fn reading(path: &Path, error: io::Error) -> DatasetError {
        DatasetError::Read(path.into(), GameReadError::Io(error))
    }

    fn writing(path: &Path, error: io::Error) -> DatasetError {
        DatasetError::Write(path.into(), GameWriteError::Io(error))
    }
}

/// Receives warnings about invalid games and positions.
pub type OnWarning<'a> = &'a mut dyn FnMut(String);

/// Numbers of items read and kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeptCount {
    pub seen: u64,
    pub kept: u64,
}

impl KeptCount {
    fn add(&mut self, seen: usize, kept: usize) {
        self.seen += seen as u64;
        self.kept += kept as u64;
    }
}

/// The result of a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DatasetCounts {
    /// Zero for position files.
    pub games: KeptCount,
    /// Positions with a score.
    pub positions: KeptCount,
}

impl fmt::Display for DatasetCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DatasetCounts { games, positions } = self;
        if games.seen > 0 {
            write!(f, "{} of {}, ", games.kept, counted(games.seen, "game"))?;
        }
        write!(f, "{} of {}", positions.kept, counted(positions.seen, "position"))
    }
}
