//! What can be wrong with a record, what was passed over in it, and what a notation cannot hold.

use std::collections::BTreeMap;
use std::fmt;

use super::RefusedMove;
use super::japanese;
use crate::position::{IllegalMove, IllegalSetup, SfenError};
use crate::types::PieceKind;

/// Why a text was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError {
    /// From 1.
    pub line: usize,
    pub fault: Fault,
}

/// What is wrong in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The text looks like no notation that is known.
    UnknownFormat,
    Json(Quote),
    Sfen(SfenError),
    /// The position from which the game starts cannot be played.
    Start(IllegalSetup),
    /// A part of a drawn position cannot be understood, or does not fit in.
    Position(Quote),
    /// The number of a move, or of the end, where a branch cannot begin.
    Branch(Quote),
    /// The move of this number, from 1 at the start.
    Move {
        number: usize,
        text: Quote,
        fault: MoveFault,
    },
}

/// What is wrong with a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveFault {
    /// The text is no move.
    Unreadable,
    Refused(RefusedMove),
    /// The text names the side that is not to move.
    WrongSide,
    /// Another piece stands where the text says this one does.
    WrongPiece(PieceKind),
    /// Several pieces could be meant.
    Ambiguous,
    /// The text speaks of the move before, and there is none.
    NothingBefore,
}

impl MoveFault {
    /// Whether a piece goes as it may, and its player loses by it.
    pub(super) fn is_foul(self) -> bool {
        use IllegalMove::{DeadPiece, DoubledPawn, LeavesKingInCheck, PawnDropMate};
        let MoveFault::Refused(RefusedMove::Illegal(reason)) = self else { return false };
        matches!(reason, DeadPiece | DoubledPawn | LeavesKingInCheck | PawnDropMate)
    }
}

impl From<IllegalMove> for MoveFault {
    fn from(reason: IllegalMove) -> MoveFault {
        MoveFault::Refused(RefusedMove::Illegal(reason))
    }
}

/// The beginning of a text that is spoken of: short, without control characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote(String);

impl Quote {
    pub(super) fn of(text: &str) -> Quote {
        Quote::of_length(text, 24)
    }

    /// At most so many characters of a text.
    pub(super) fn of_length(text: &str, length: usize) -> Quote {
        let mut chars = text.trim().chars();
        let shown =
            |c: char| if c.is_control() { c.escape_default().to_string() } else { c.into() };
        let mut quote: String = chars.by_ref().take(length).map(shown).collect();
        if chars.next().is_some() {
            quote.push_str("...");
        }
        Quote(quote)
    }
}

impl fmt::Display for Quote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.0)
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.fault)
    }
}

impl std::error::Error for RecordError {}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::UnknownFormat => f.write_str("this is no notation of shogi games that is known"),
            Fault::Json(error) => write!(f, "this is no JKF: {}", error.0),
            Fault::Sfen(error) => write!(f, "{error}"),
            Fault::Start(reason) => write!(f, "the start cannot be played: {reason}"),
            Fault::Position(text) => write!(f, "{text} is no part of a position"),
            Fault::Branch(text) => write!(f, "no line is long enough for a branch at {text}"),
            Fault::Move { number, text, fault } => write!(f, "move {number}, {text}: {fault}"),
        }
    }
}

impl fmt::Display for MoveFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveFault::Unreadable => f.write_str("this is no move"),
            MoveFault::Refused(reason) => write!(f, "{reason}"),
            MoveFault::WrongSide => f.write_str("the other side is to move"),
            MoveFault::WrongPiece(kind) => {
                write!(f, "the piece there is a {kind:?} ({})", japanese::name(*kind))
            }
            MoveFault::Ambiguous => f.write_str("several pieces could be meant"),
            MoveFault::NothingBefore => f.write_str("there is no move before it"),
        }
    }
}

/// Something that a reader passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// From 1.
    pub line: usize,
    pub what: Passed,
}

/// What a reader passed over, and went on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Passed {
    /// A line that is no part of the notation.
    Line(Quote),
    /// A time that is none.
    Time(Quote),
    /// A handicap without a meaning; the game is read as an even one.
    Handicap(Quote),
    /// A move with a number that does not follow; it was read as the next one.
    Number(Quote),
    /// A second end of the same line.
    End(Quote),
    /// A move behind the end of its line, which goes on; the end was read as a branch.
    EarlyEnd(Quote),
    /// Another time or bookmark for a move that has one.
    Second(Quote),
    /// A header whose value is no text.
    Header(Quote),
    /// A move that loses the game, and is its end.
    Foul(Fault),
    /// What follows in this game, because of this fault.
    Rest(Fault),
    /// Bytes that are no characters.
    Bytes,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        match &self.what {
            Passed::Line(text) => write!(f, "{text} is not understood, and left out"),
            Passed::Time(text) => write!(f, "{text} is no time, and left out"),
            Passed::Handicap(text) => write!(f, "the handicap {text} is unknown: read as none"),
            Passed::Number(text) => write!(f, "{text} has an unexpected number: read as the next"),
            Passed::End(text) => write!(f, "{text} ends a line that has ended otherwise: left out"),
            Passed::EarlyEnd(text) => {
                write!(f, "{text} follows an end of its line: that end is read as a branch")
            }
            Passed::Second(text) => {
                write!(f, "{text} is said of a move that has another one already: left out")
            }
            Passed::Header(text) => write!(f, "the header {text} has no text, and is left out"),
            Passed::Foul(fault) => write!(f, "{fault}; read as the end of the game"),
            Passed::Rest(fault) => write!(f, "{fault}; the rest of this game is left out"),
            Passed::Bytes => f.write_str("some bytes are no characters, and were replaced"),
        }
    }
}

/// A kind of thing that a notation has no place for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
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
    /// An ending was written by a word of wider meaning.
    EndingWords,
    StartNumbers,
    LineBreaks,
    Characters,
}

/// How often each kind of thing was left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Losses(BTreeMap<Loss, usize>);

impl Losses {
    pub(super) fn add(&mut self, loss: Loss, count: usize) {
        if count > 0 {
            *self.0.entry(loss).or_default() += count;
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn count(&self, loss: Loss) -> usize {
        self.0.get(&loss).copied().unwrap_or(0)
    }

    /// One sentence for each kind.
    pub fn sentences(&self) -> impl Iterator<Item = String> + '_ {
        self.0.iter().map(|(loss, count)| format!("{count} {}", loss.words(*count != 1)))
    }
}

impl Loss {
    fn words(self, plural: bool) -> String {
        let (one, many, tail) = match self {
            Loss::Headers => ("header", "headers", "left out"),
            Loss::Moves => ("move", "moves", "left out"),
            Loss::Branches => ("move of a branch", "moves of branches", "left out"),
            Loss::DeepBranches => {
                ("move of a branch", "moves of branches", "left out: they are nested too deeply")
            }
            Loss::Comments => ("line of comment", "lines of comment", "left out"),
            Loss::Remarks => ("remark", "remarks", "left out"),
            Loss::Bookmarks => ("bookmark", "bookmarks", "left out"),
            Loss::Evaluations => ("evaluation", "evaluations", "left out"),
            Loss::EvaluationDetails => {
                ("evaluation", "evaluations", "without depth, nodes and the like, mates as 30000")
            }
            Loss::Times => ("time", "times", "left out"),
            Loss::TimeFractions => ("time", "times", "cut to whole seconds"),
            Loss::Endings => ("ending", "endings", "left out"),
            Loss::EndingWords => ("ending", "endings", "written by a less exact word"),
            Loss::StartNumbers => {
                ("number of the first move", "numbers of first moves", "left out")
            }
            Loss::LineBreaks => ("line break", "line breaks", "replaced within a line"),
            Loss::Characters => {
                ("character", "characters", "unknown to the encoding, written as ?")
            }
        };
        format!("{} {tail}", if plural { many } else { one })
    }
}
