//! What a match reports: progress, its end, and errors.

use std::fmt;
use std::io;
use std::path::PathBuf;

use super::match_config::MatchConfigError;
use super::match_file::MatchFileError;
use super::match_results::MatchResults;

/// Receives the events of a match.
pub trait MatchObserver {
    /// The results have changed; the match has `games` games in all.
    fn progress(&mut self, results: &MatchResults, games: usize);

    /// An engine failed.
    fn warn(&mut self, text: &str);
}

/// The end of a match, for whatever reason.
#[derive(Debug)]
pub struct MatchEnd {
    pub results: MatchResults,
    pub reason: MatchEndReason,
}

#[derive(Debug)]
pub enum MatchEndReason {
    AllPlayed,
    /// The sequential test has a verdict.
    Verdict,
    /// The stop file appeared. It has been removed.
    StopFile,
    Failure(MatchError),
}

/// Why a match cannot begin or continue.
#[derive(Debug)]
pub enum MatchError {
    Config(MatchConfigError),
    MatchFile(PathBuf, MatchFileError),
    /// The file has a game with this number that does not fit the schedule.
    GameMismatch(PathBuf, usize),
    File(PathBuf, io::Error),
    Engine {
        name: String,
        reason: String,
    },
    /// The system refuses a thread.
    Thread(io::Error),
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchError::Config(error) => error.fmt(f),
            MatchError::MatchFile(path, error) => write!(f, "{}: {error}", path.display()),
            MatchError::GameMismatch(path, number) => {
                write!(f, "{}: game {number} does not belong to this match", path.display())
            }
            MatchError::File(path, error) => write!(f, "{}: {error}", path.display()),
            MatchError::Engine { name, reason } => write!(f, "engine {name}: {reason}"),
            MatchError::Thread(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MatchError {}
