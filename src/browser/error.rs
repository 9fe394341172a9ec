//! The errors of calls.

use crate::position::{IllegalMove, SfenError};
use crate::record::{
    MoveError, ReadWarning, RecordError, RefusedMove, UnknownEncoding, UnknownFormat,
};
use crate::types::excerpt;
use crate::types::message::{Message, message};

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
    /// The line already ends otherwise.
    SecondEnding,
    Time,
    /// The winner in an evaluation is no side.
    Winner,
}

impl CallError {
    /// The error in every language.
    pub(super) fn message(&self) -> Message {
        match self {
            CallError::TooLarge { bytes, max } => {
                let mib = |bytes: usize| bytes as f64 / f64::from(1 << 20);
                let (bytes, max) = (mib(*bytes), mib(*max));
                message!(
                    "{bytes:.1} MiB is too much: at most {max:.1} are read",
                    "{bytes:.1}MiBは大きすぎます（{max:.1}MiBまで読めます）"
                )
            }
            CallError::TooManyMoves { moves, max } => message!(
                "the game has {moves} moves with its branches: at most {max} are shown",
                "分岐を含めて{moves}手あり、表示できる{max}手を超えています"
            ),
            // A fault of the page. The JSON parser has no Japanese texts.
            CallError::Request(error) => {
                message!("the request cannot be read: {error}", "呼び出しが正しくありません")
            }
            CallError::UnknownCall(name) => {
                let name = excerpt(name);
                message!("there is no call \"{name}\"", "「{name}」という呼び出しはありません")
            }
            CallError::Base64 => message!("this is not base64", "base64として読めません"),
            CallError::Sfen(error) => error.message(),
            CallError::Unreadable { number } => message!(
                "move {number}: {}",
                "{number}手目：{}";
                MoveError::Unreadable.message()
            ),
            CallError::Illegal { number, reason } => {
                message!("move {number}: {}", "{number}手目：{}"; reason.message())
            }
            CallError::Record(error) => error.message(),
            CallError::NoGame(Some(reason)) => reason.message(),
            CallError::NoGame(None) => {
                message!("there is no game in this text", "棋譜が見つかりません")
            }
            CallError::Format(error) => error.message(),
            CallError::Encoding(error) => error.message(),
            CallError::Tree { node, reason } => {
                message!("node {node}: {}", "ノード{node}：{}"; reason.message())
            }
        }
    }
}

impl TreeFault {
    /// The fault in every language.
    fn message(&self) -> Message {
        match self {
            TreeFault::Parent => message!(
                "the parent must be a move before it",
                "親はこれより前の指し手でなければなりません"
            ),
            TreeFault::Step => message!(
                "it must have either a move or an end",
                "指し手か終局のどちらか一方が必要です"
            ),
            TreeFault::Move => MoveError::Unreadable.message(),
            TreeFault::Refused(reason) => reason.message(),
            TreeFault::Ending => {
                message!("no line ends with this word", "終局を表す語ではありません")
            }
            TreeFault::SecondEnding => {
                message!("the line already has another end", "この手順にはすでに別の終局があります")
            }
            TreeFault::Time => message!("this is not a time", "時間として読めません"),
            TreeFault::Winner => message!(
                "the winner must be black or white",
                "winnerはblackかwhiteでなければなりません"
            ),
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
