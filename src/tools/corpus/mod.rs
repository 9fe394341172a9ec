//! Work on files of training data: what is in them, what of it is kept, in which order, in which
//! form.
//!
//! There are two kinds of file ([`Kind`]): whole games ([`games`](super::games)), and single
//! positions as other programs keep them ([`scored`](crate::record::scored)). In a file of games,
//! to drop a position is to take away its score: the move stays, or the game would fall apart.
//! What cannot be read is told and passed over.

pub mod convert;
pub mod dedup;
mod distinct;
pub mod filter;
pub mod fit;
mod input;
mod output;
pub mod positions;
mod report;
pub mod shuffle;
pub mod stats;
#[cfg(test)]
mod tests;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::games::{ReadError, WriteError};
use crate::record::scored::Form;

/// What a file consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Games,
    Positions(Form),
}

impl Kind {
    /// What the name of a file says: `.psv` and `.bin` are PackedSfenValue, `.hcpe` is hcpe, all
    /// others are games.
    pub fn of_name(path: &Path) -> Kind {
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        match ending.as_ref().and_then(|ending| ending.to_str()) {
            Some("psv" | "bin") => Kind::Positions(Form::Psv),
            Some("hcpe") => Kind::Positions(Form::Hcpe),
            _ => Kind::Games,
        }
    }
}

/// Why the work cannot go on.
#[derive(Debug)]
pub enum CorpusError {
    /// The file cannot be read, or is not what its name says.
    Read(PathBuf, ReadError),
    Write(PathBuf, WriteError),
    /// The files that belong together are not of one kind.
    Mixed(PathBuf),
    /// Files of this kind do not tell what somebody wants to choose by.
    Useless(&'static str),
}

impl fmt::Display for CorpusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CorpusError::Read(path, error) => write!(f, "{}: {error}", path.display()),
            CorpusError::Write(path, error) => write!(f, "{}: {error}", path.display()),
            CorpusError::Mixed(path) => {
                write!(f, "{}: it is of another kind than the others", path.display())
            }
            CorpusError::Useless(what) => write!(f, "such files do not tell {what}"),
        }
    }
}

impl std::error::Error for CorpusError {}

impl CorpusError {
    fn reading(path: &Path, error: io::Error) -> CorpusError {
        CorpusError::Read(path.into(), ReadError::Io(error))
    }

    fn writing(path: &Path, error: io::Error) -> CorpusError {
        CorpusError::Write(path.into(), WriteError::Io(error))
    }
}

/// Is told, in words, of what cannot be read.
pub type Trouble<'a> = &'a mut dyn FnMut(String);

/// How many there were, and how many were kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub seen: u64,
    pub kept: u64,
}

impl Count {
    fn add(&mut self, seen: usize, kept: usize) {
        self.seen += seen as u64;
        self.kept += kept as u64;
    }
}

/// What a command has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// None in files of positions.
    pub games: Count,
    /// With a score.
    pub positions: Count,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { games, positions } = self;
        if games.seen > 0 {
            write!(f, "{} of {} games, ", games.kept, games.seen)?;
        }
        write!(f, "{} of {} positions", positions.kept, positions.seen)
    }
}
