//! Errors of the configuration of a job.

use std::fmt;

/// Why a job cannot be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelfplayConfigError {
    /// Neither a number of games nor of positions is given.
    Endless,
    NodesOutOfRange,
    NoThread,
    NoHash,
    Children,
    Percent,
    /// One search alone must not decide a game.
    WinPlies,
    DrawPlies,
    /// The opening in this line, with its random moves, is as long as a whole game may be.
    LongOpening(usize),
    /// The random moves at the start alone are.
    LongStart,
}

impl fmt::Display for SelfplayConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SelfplayConfigError::Endless => "give a number of games or positions",
            SelfplayConfigError::NodesOutOfRange => {
                "a search needs at least one node, and no more than 2^40"
            }
            SelfplayConfigError::NoThread => "at least one thread is needed",
            SelfplayConfigError::NoHash => "the transposition table must have at least one MiB",
            SelfplayConfigError::Children => "a position can have at most 64 children",
            SelfplayConfigError::Percent => "a percentage is a number from 0 to 100",
            SelfplayConfigError::WinPlies => {
                "a win needs at least two plies, so that both sides agree"
            }
            SelfplayConfigError::DrawPlies => "a draw needs at least one ply",
            SelfplayConfigError::LongOpening(line) => {
                return write!(
                    f,
                    "the opening in line {line} with its random moves may be as long as a whole game"
                );
            }
            SelfplayConfigError::LongStart => {
                "the random moves at the start may be as long as a whole game"
            }
        })
    }
}

impl std::error::Error for SelfplayConfigError {}

/// The first of these errors whose condition holds.
pub(super) fn first_error<const N: usize>(
    checks: [(bool, SelfplayConfigError); N],
) -> Result<(), SelfplayConfigError> {
    checks.into_iter().find(|(is_wrong, _)| *is_wrong).map_or(Ok(()), |(_, error)| Err(error))
}
