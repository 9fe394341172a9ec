//! Work on files of training data: what is in them, what of it is kept, in which order, in which
//! form.
//!
//! There are two kinds of file ([`DatasetKind`]): whole games ([`games`](super::game_file)), and single
//! positions as other programs keep them ([`scored`](crate::record::scored_position)). In a file of games,
//! to drop a position is to take away its score: the move stays, or the game would fall apart.
//! What cannot be read is told and passed over.

pub mod convert;
pub mod dedup;
mod distinct_counter;
pub mod filter;
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
use crate::record::scored_position::PositionFormat;

/// What a file consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatasetKind {
    Games,
    Positions(PositionFormat),
}

impl DatasetKind {
    /// What the name of a file says: `.psv` and `.bin` are PackedSfenValue, `.hcpe` is hcpe, all
    /// others are games.
    pub fn of_name(path: &Path) -> DatasetKind {
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        match ending.as_ref().and_then(|ending| ending.to_str()) {
            Some("psv" | "bin") => DatasetKind::Positions(PositionFormat::Psv),
            Some("hcpe") => DatasetKind::Positions(PositionFormat::Hcpe),
            _ => DatasetKind::Games,
        }
    }
}

/// Why the work cannot go on.
#[derive(Debug)]
pub enum DatasetError {
    /// The file cannot be read, or is not what its name says.
    Read(PathBuf, GameReadError),
    Write(PathBuf, GameWriteError),
    /// The files that belong together are not of one kind.
    Mixed(PathBuf),
    /// Files of this kind do not tell what somebody wants to choose by.
    Useless(&'static str),
}

impl fmt::Display for DatasetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DatasetError::Read(path, error) => write!(f, "{}: {error}", path.display()),
            DatasetError::Write(path, error) => write!(f, "{}: {error}", path.display()),
            DatasetError::Mixed(path) => {
                write!(f, "{}: it is of another kind than the others", path.display())
            }
            DatasetError::Useless(what) => write!(f, "such files do not tell {what}"),
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

/// Is told, in words, of what cannot be read.
pub type OnWarning<'a> = &'a mut dyn FnMut(String);

/// How many there were, and how many were kept.
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

/// What a command has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DatasetCounts {
    /// None in files of positions.
    pub games: KeptCount,
    /// With a score.
    pub positions: KeptCount,
}

impl fmt::Display for DatasetCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DatasetCounts { games, positions } = self;
        if games.seen > 0 {
            write!(f, "{} of {} games, ", games.kept, games.seen)?;
        }
        write!(f, "{} of {} positions", positions.kept, positions.seen)
    }
}
