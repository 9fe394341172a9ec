//! The errors of calls.

use std::fmt;

use crate::position::{IllegalMove, SfenError};
use crate::record::{ReadWarning, RecordError, RefusedMove, UnknownEncoding, UnknownFormat};

/// The error of a call, for the user.
#[derive(Debug)]
pub(super) enum CallError {
    TooLarge {
        bytes: usize,
        max: usize,
    },
    TooManyMoves {
        moves: usize,
        max: usize,
    },
    Request(serde_json::Error),
    UnknownCall(String),
    Base64,
    Sfen(SfenError),
    Unreadable {
        number: usize,
    },
    Illegal {
        number: usize,
        reason: IllegalMove,
    },
    Record(RecordError),
    /// The text has no game, for this reason if one is known.
    NoGame(Option<ReadWarning>),
    Format(UnknownFormat),
    Encoding(UnknownEncoding),
    Tree {
        node: usize,
        reason: TreeFault,
    },
}

/// The fault of a node of a game tree.
#[derive(Debug)]
pub(super) enum TreeFault {
    Parent,
    Step,
    Move,
    Refused(RefusedMove),
    Ending,
    Time,
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallError::TooLarge { bytes, max } => {
                let mib = |bytes: usize| bytes as f64 / f64::from(1 << 20);
                write!(f, "{:.1} MiB is too much: at most {:.1} are read", mib(*bytes), mib(*max))
            }
            CallError::TooManyMoves { moves, max } => {
                write!(f, "the game has {moves} moves with its branches: at most {max} are shown")
            }
            CallError::Request(error) => write!(f, "the request cannot be read: {error}"),
            CallError::UnknownCall(name) => {
                let short: String = name.chars().take(24).collect();
                write!(f, "there is no call {short:?}")
            }
            CallError::Base64 => f.write_str("this is not base64"),
            CallError::Sfen(error) => error.fmt(f),
            CallError::Unreadable { number } => write!(f, "move {number}: this is not a move"),
            CallError::Illegal { number, reason } => write!(f, "move {number}: {reason}"),
            CallError::Record(error) => error.fmt(f),
            CallError::NoGame(Some(reason)) => reason.fmt(f),
            CallError::NoGame(None) => f.write_str("there is no game in this text"),
            CallError::Format(error) => error.fmt(f),
            CallError::Encoding(error) => error.fmt(f),
            CallError::Tree { node, reason } => write!(f, "node {node}: {reason}"),
        }
    }
}

impl fmt::Display for TreeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TreeFault::Parent => f.write_str("the parent must be a move before it"),
            TreeFault::Step => f.write_str("it must have either a move or an end"),
            TreeFault::Move => f.write_str("this is not a move"),
            TreeFault::Refused(reason) => reason.fmt(f),
            TreeFault::Ending => f.write_str("no line ends with this word"),
            TreeFault::Time => f.write_str("this is not a time"),
        }
    }
}

impl From<serde_json::Error> for CallError {
    fn from(error: serde_json::Error) -> CallError {
        CallError::Request(error)
    }
}

impl From<SfenError> for CallError {
    fn from(error: SfenError) -> CallError {
        CallError::Sfen(error)
    }
}

impl From<RecordError> for CallError {
    fn from(error: RecordError) -> CallError {
        CallError::Record(error)
    }
}

impl From<UnknownFormat> for CallError {
    fn from(error: UnknownFormat) -> CallError {
        CallError::Format(error)
    }
}

impl From<UnknownEncoding> for CallError {
    fn from(error: UnknownEncoding) -> CallError {
        CallError::Encoding(error)
    }
}
