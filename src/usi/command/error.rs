//! Errors in a line of input.

use std::fmt;

/// An error in a line. Foreign text in it is already quoted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandError {
    /// No word of the line is a command.
    Unknown {
        token: String,
    },
    /// An argument is missing after this word.
    Missing {
        word: &'static str,
        what: &'static str,
    },
    /// The token is ignored, as is the word before it.
    NotANumber {
        word: &'static str,
        token: String,
    },
    /// The number was clamped to the range of the word.
    Clamped {
        word: &'static str,
        token: String,
        to: u64,
    },
    NotAMove {
        word: &'static str,
        token: String,
    },
    /// An unknown token that was skipped.
    Stray {
        word: &'static str,
        token: String,
    },
    /// Further errors that are not listed.
    More(usize),
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Unknown { token } => write!(f, "unknown command {token}"),
            CommandError::Missing { word, what } => write!(f, "{what} is missing after {word}"),
            CommandError::NotANumber { word, token } => {
                write!(f, "{word} needs a number, not {token}; ignored")
            }
            CommandError::Clamped { word, token, to } => {
                write!(f, "{word} {token} is out of range; taken as {to}")
            }
            CommandError::NotAMove { word, token } => {
                write!(
                    f,
                    "{token} after {word} is not a move (a move looks like 7g7f, 2b3c+, P*5e)"
                )
            }
            CommandError::Stray { word, token } => {
                write!(f, "{token} means nothing after {word}; ignored")
            }
            CommandError::More(count) => write!(f, "{count} more errors in the same line"),
        }
    }
}

impl std::error::Error for CommandError {}
