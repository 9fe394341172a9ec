//! Errors and warnings of readers, and losses of writers.

use std::collections::BTreeMap;
use std::fmt;
use std::io;

use crate::position::{IllegalMove, IllegalSetup, SfenError};
use crate::types::language::Localized;
use crate::types::message::{Message, message};
use crate::types::{PieceKind, excerpt};

/// Maximum number of moves in a line. Bounds the memory and time that a hostile file can take.
pub const MAX_MOVES: usize = 100_000;

/// Why a cursor rejects a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusedMove {
    Illegal(IllegalMove),
    /// The line already has [`MAX_MOVES`] moves.
    TooLong,
}

impl RefusedMove {
    /// The reason in every language.
    pub fn message(&self) -> Message {
        match self {
            RefusedMove::Illegal(reason) => reason.message(),
            RefusedMove::TooLong => {
                message!("a line has at most {MAX_MOVES} moves", "1つの手順は{MAX_MOVES}手までです")
            }
        }
    }
}

impl fmt::Display for RefusedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for RefusedMove {}

/// Why a text was rejected. What it quotes of the text is short and printable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError {
    /// From 1; 0 for the whole text.
    pub line: usize,
    pub kind: RecordErrorKind,
}

/// Why the games of a file could not be read.
#[derive(Debug)]
pub enum GameStreamError {
    Io(io::Error),
    Record(RecordError),
}

impl GameStreamError {
    /// The error in every language.
    pub fn message(&self) -> Message {
        match self {
            GameStreamError::Io(error) => error.into(),
            GameStreamError::Record(error) => error.message(),
        }
    }
}

impl fmt::Display for GameStreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for GameStreamError {}

impl From<io::Error> for GameStreamError {
    fn from(error: io::Error) -> GameStreamError {
        GameStreamError::Io(error)
    }
}

impl From<RecordError> for GameStreamError {
    fn from(error: RecordError) -> GameStreamError {
        GameStreamError::Record(error)
    }
}

/// The error in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordErrorKind {
    /// The notation is unknown.
    UnknownFormat,
    /// An archive or a compressed file.
    Archive(Localized),
    Json(JsonFault),
    Sfen(SfenError),
    /// The start position is illegal.
    IllegalStart(IllegalSetup),
    /// An invalid part of a position diagram.
    InvalidPosition(String),
    /// A branch at a move number that no line reaches.
    UnreachableBranch(String),
    /// An invalid move; numbers start at 1.
    Move {
        number: usize,
        text: String,
        error: MoveError,
    },
}

/// Why a text is not JKF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonFault {
    /// Neither a comma nor a bracket follows a game of an array.
    NoSeparator,
    TextAfterEnd,
    /// The text ends too early. This and the following hold the English text of the JSON parser.
    Incomplete(String),
    Syntax(String),
    /// A value that JKF does not allow there.
    Value(String),
}

/// Why a move is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// The text is not a move.
    Unreadable,
    Refused(RefusedMove),
    /// The text names the wrong side.
    WrongSide,
    /// Another piece than the named one is on the origin square.
    WrongPiece(PieceKind),
    /// Several pieces could be meant.
    Ambiguous,
    /// The text refers to the move before, and there is none.
    NothingBefore,
}

impl MoveError {
    /// Whether the piece can move this way, but the move breaks a rule and loses.
    pub(super) fn breaks_rule(self) -> bool {
        use IllegalMove::{DoubledPawn, ImmobilePiece, LeavesKingInCheck, PawnDropMate};
        let MoveError::Refused(RefusedMove::Illegal(reason)) = self else { return false };
        matches!(reason, ImmobilePiece | DoubledPawn | LeavesKingInCheck | PawnDropMate)
    }
}

impl From<IllegalMove> for MoveError {
    fn from(reason: IllegalMove) -> MoveError {
        MoveError::Refused(RefusedMove::Illegal(reason))
    }
}

/// What a message quotes of a text of a record.
pub(super) fn quote(text: &str) -> String {
    excerpt(text.trim())
}

impl RecordError {
    /// The error in every language.
    pub fn message(&self) -> Message {
        match self.line {
            0 => self.kind.message(),
            line => message!("line {line}: {}", "{line}行目：{}"; self.kind.message()),
        }
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for RecordError {}

impl RecordErrorKind {
    /// The error in every language.
    pub fn message(&self) -> Message {
        match self {
            RecordErrorKind::UnknownFormat => message!(
                "the notation is not KIF, KI2, CSA, JKF, USI or SFEN",
                "棋譜の形式を判別できません（KIF、KI2、CSA、JKF、USI、SFENに対応しています）"
            ),
            RecordErrorKind::Archive(what) => message!("this is {}", "{}"; what),
            RecordErrorKind::Json(fault) => {
                message!("this is not valid JKF: {}", "JKFとして読めません：{}"; fault.message())
            }
            RecordErrorKind::Sfen(error) => error.message(),
            RecordErrorKind::IllegalStart(reason) => {
                message!("the start cannot be played: {}", "開始局面が不正です：{}"; reason.message())
            }
            RecordErrorKind::InvalidPosition(text) => {
                message!(
                    "`{text}` is not part of a position",
                    "「{text}」は局面の記述として正しくありません"
                )
            }
            RecordErrorKind::UnreachableBranch(text) => message!(
                "no line is long enough for a branch at `{text}`",
                "「{text}」で分岐できる長さの手順がありません"
            ),
            RecordErrorKind::Move { number, text, error } => {
                message!("move {number}, `{text}`: {}", "{number}手目「{text}」：{}"; error.message())
            }
        }
    }
}

impl fmt::Display for RecordErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for RecordErrorKind {}

impl JsonFault {
    /// The reason in every language. The parser has no Japanese texts.
    fn message(&self) -> Message {
        match self {
            JsonFault::NoSeparator => message!("expected `,` or `]`", "「,」か「]」が必要です"),
            JsonFault::TextAfterEnd => {
                message!("text after the end", "末尾に余分な文字があります")
            }
            JsonFault::Incomplete(why) => {
                message!("{why}", "途中で終わっています")
            }
            JsonFault::Syntax(why) => {
                message!("{why}", "JSONの文法に誤りがあります")
            }
            JsonFault::Value(why) => {
                message!("{why}", "項目が足りないか、値が正しくありません")
            }
        }
    }
}

impl MoveError {
    /// The reason in every language.
    pub fn message(&self) -> Message {
        match self {
            MoveError::Unreadable => message!("this is not a move", "指し手として読めません"),
            MoveError::Refused(reason) => reason.message(),
            MoveError::WrongSide => message!("the other side is to move", "相手の手番です"),
            MoveError::WrongPiece(kind) => {
                message!("the piece there is a {}", "そこにある駒は{}です"; kind.name())
            }
            MoveError::Ambiguous => {
                message!("several pieces could be meant", "どの駒を動かすか特定できません")
            }
            MoveError::NothingBefore => {
                message!("there is no move before it", "前の指し手がありません")
            }
        }
    }
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for MoveError {}

/// A problem that a reader tolerated. What it quotes of the text is short and printable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadWarning {
    /// From 1; 0 for the whole text.
    pub line: usize,
    pub kind: WarningKind,
}

/// The kind of a tolerated problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WarningKind {
    /// A line that is not part of the notation.
    UnknownLine(String),
    /// An invalid time.
    InvalidTime(String),
    /// An unknown handicap; the game is read as an even one.
    UnknownHandicap(String),
    /// A handicap with a diagram of another position, where the game begins.
    OtherHandicap(String),
    /// A move with an unexpected number; it is read as the next one.
    UnexpectedNumber(String),
    /// A second ending of the same line.
    DuplicateEnding(String),
    /// A move after the ending of its line; the ending becomes a branch.
    MoveAfterEnding(String),
    /// A second time or bookmark of a move.
    DuplicateAnnotation(String),
    /// A header whose value is not text.
    NonTextHeader(String),
    /// An illegal move, read as the ending of the game.
    IllegalMove(RecordErrorKind),
    /// The rest of the game was skipped because of this error.
    RestSkipped(RecordErrorKind),
    /// Invalid bytes.
    InvalidBytes,
}

impl ReadWarning {
    /// The warning in every language.
    pub fn message(&self) -> Message {
        let (line, what) = (self.line, self.kind.message());
        match line {
            0 => what,
            _ => message!("line {line}: {}", "{line}行目：{}"; what),
        }
    }
}

impl WarningKind {
    fn message(&self) -> Message {
        match self {
            WarningKind::UnknownLine(text) => message!(
                "`{text}` is not understood: left out",
                "「{text}」は読めないので飛ばしました"
            ),
            WarningKind::InvalidTime(text) => {
                message!(
                    "`{text}` is not a time: left out",
                    "「{text}」は時間ではないので省きました"
                )
            }
            WarningKind::UnknownHandicap(text) => message!(
                "the handicap `{text}` is unknown: read as an even game",
                "手合割「{text}」は不明なので平手としました"
            ),
            WarningKind::OtherHandicap(text) => message!(
                "the game begins with the diagram: the handicap `{text}` is left out",
                "局面図から始まる対局なので、手合割「{text}」を省きました"
            ),
            WarningKind::UnexpectedNumber(text) => message!(
                "`{text}` has an unexpected number: read as the next",
                "「{text}」は手数が合わないので次の手としました"
            ),
            WarningKind::DuplicateEnding(text) => message!(
                "`{text}` is a second end of its line: left out",
                "手順がすでに終局しているので「{text}」を省きました"
            ),
            WarningKind::MoveAfterEnding(text) => message!(
                "`{text}` follows an end of its line: that end is read as a branch",
                "「{text}」の前に終局があるので、その終局は分岐としました"
            ),
            WarningKind::DuplicateAnnotation(text) => message!(
                "`{text}` is a second time or bookmark of the move: left out",
                "「{text}」は、同じ指し手の2つ目の時間またはしおりなので省きました"
            ),
            WarningKind::NonTextHeader(text) => message!(
                "the header `{text}` has no text: left out",
                "棋譜の情報「{text}」は文字列でないので省きました"
            ),
            WarningKind::IllegalMove(error) => message!(
                "{}; read as the end of the game",
                "{}。ここを終局としました";
                error.message()
            ),
            WarningKind::RestSkipped(error) => message!(
                "{}; the rest of this game is left out",
                "{}。この対局の残りを省きました";
                error.message()
            ),
            WarningKind::InvalidBytes => message!(
                "invalid bytes were replaced by \u{fffd}",
                "文字として読めないバイトを「\u{fffd}」に置き換えました"
            ),
        }
    }
}

impl fmt::Display for ReadWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

/// Something that a notation cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConversionLoss {
    Headers,
    Moves,
    Branches,
    DeepBranches,
    Comments,
    Remarks,
    Bookmarks,
    Evaluations,
    EvaluationDetails,
    Times,
    TimeFractions,
    Endings,
    /// An ending was written with a more general word.
    EndingWords,
    StartNumbers,
    LineBreaks,
    Characters,
}

/// Counts of each kind of loss.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConversionLosses(BTreeMap<ConversionLoss, usize>);

impl ConversionLosses {
    pub(super) fn add(&mut self, loss: ConversionLoss, count: usize) {
        if count > 0 {
            *self.0.entry(loss).or_default() += count;
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn count(&self, loss: ConversionLoss) -> usize {
        self.0.get(&loss).copied().unwrap_or(0)
    }

    /// One message for each kind of loss.
    pub fn messages(&self) -> impl Iterator<Item = Message> + '_ {
        self.0.iter().map(|(loss, count)| {
            let (words, (what, done)) = (loss.words(*count != 1), loss.japanese());
            message!("{count} {words}", "{what}：{count}件、{done}")
        })
    }
}

impl ConversionLoss {
    /// The lost content, and what happens to it.
    const fn japanese(self) -> (&'static str, &'static str) {
        const LEFT_OUT: &str = "省きました";
        match self {
            ConversionLoss::Headers => ("棋譜の情報", LEFT_OUT),
            ConversionLoss::Moves => ("指し手", LEFT_OUT),
            ConversionLoss::Branches => ("分岐の指し手", LEFT_OUT),
            ConversionLoss::DeepBranches => ("深すぎる分岐の指し手", LEFT_OUT),
            ConversionLoss::Comments => ("コメントの行", LEFT_OUT),
            ConversionLoss::Remarks => ("注釈行", LEFT_OUT),
            ConversionLoss::Bookmarks => ("しおり", LEFT_OUT),
            ConversionLoss::Evaluations => ("評価値", LEFT_OUT),
            ConversionLoss::EvaluationDetails => {
                ("評価値", "深さやノード数などを省き、詰みは30000にしました")
            }
            ConversionLoss::Times => ("消費時間", LEFT_OUT),
            ConversionLoss::TimeFractions => ("消費時間", "1秒未満を切り捨てました"),
            ConversionLoss::Endings => ("終局", LEFT_OUT),
            ConversionLoss::EndingWords => ("終局", "より一般的な語に置き換えました"),
            ConversionLoss::StartNumbers => ("最初の手数", LEFT_OUT),
            ConversionLoss::LineBreaks => ("文字列", "改行などの制御文字を空白にしました"),
            ConversionLoss::Characters => ("文字", "文字コードにないので「?」にしました"),
        }
    }

    fn words(self, plural: bool) -> String {
        let (one, many, tail) = match self {
            ConversionLoss::Headers => ("header", "headers", "left out"),
            ConversionLoss::Moves => ("move", "moves", "left out"),
            ConversionLoss::Branches => ("move of a branch", "moves of branches", "left out"),
            ConversionLoss::DeepBranches => {
                ("move of a branch", "moves of branches", "left out: they are nested too deeply")
            }
            ConversionLoss::Comments => ("line of comment", "lines of comment", "left out"),
            ConversionLoss::Remarks => ("remark", "remarks", "left out"),
            ConversionLoss::Bookmarks => ("bookmark", "bookmarks", "left out"),
            ConversionLoss::Evaluations => ("evaluation", "evaluations", "left out"),
            ConversionLoss::EvaluationDetails => {
                ("evaluation", "evaluations", "without depth and other details, mates as 30000")
            }
            ConversionLoss::Times => ("time", "times", "left out"),
            ConversionLoss::TimeFractions => ("time", "times", "cut to whole seconds"),
            ConversionLoss::Endings => ("ending", "endings", "left out"),
            ConversionLoss::EndingWords => {
                ("ending", "endings", "written with a more general word")
            }
            ConversionLoss::StartNumbers => {
                ("number of the first move", "numbers of first moves", "left out")
            }
            ConversionLoss::LineBreaks => {
                ("text", "texts", "with line breaks or other control characters, now spaces")
            }
            ConversionLoss::Characters => {
                ("character", "characters", "unknown to the encoding, written as ?")
            }
        };
        format!("{} {tail}", if plural { many } else { one })
    }
}
