//! Errors in a line of input.

use std::fmt;

use crate::types::message::{Message, message};

/// An error in a line. What it quotes of the line is shortened and printable.
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
        to: i128,
    },
    NotAMove {
        word: &'static str,
        token: String,
    },
    /// An unknown token that was skipped.
    UnexpectedToken {
        word: &'static str,
        token: String,
    },
    /// Further errors that are not listed.
    More(usize),
}

impl CommandError {
    /// The error in every language.
    pub fn message(&self) -> Message {
        match self {
            CommandError::Unknown { token } => {
                message!("unknown command \"{token}\"", "「{token}」というコマンドはありません")
            }
            CommandError::Missing { word, what } => {
                message!("{what} is missing after {word}", "{word}の後が足りません（{what}）")
            }
            CommandError::NotANumber { word, token } => message!(
                "{word} needs a number, not \"{token}\"; ignored",
                "{word}には数が必要です。「{token}」は無視します"
            ),
            CommandError::Clamped { word, token, to } => message!(
                "{word} \"{token}\" is out of range; taken as {to}",
                "{word}の「{token}」は範囲外なので{to}とします"
            ),
            CommandError::NotAMove { word, token } => message!(
                "\"{token}\" after {word} is not a move (a move looks like 7g7f, 2b3c+, P*5e)",
                "{word}の後の「{token}」は指し手ではありません（指し手は7g7f、2b3c+、P*5eなど）"
            ),
            CommandError::UnexpectedToken { word, token } => message!(
                "\"{token}\" is not valid after {word}; ignored",
                "{word}の後の「{token}」は意味がないので無視します"
            ),
            CommandError::More(count) => {
                message!(
                    "{count} more errors in the same line",
                    "同じ行にほかにも{count}個の誤りがあります"
                )
            }
        }
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for CommandError {}
