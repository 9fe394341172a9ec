//! What a reason is.

use crate::analysis::motifs::Motif;

/// The kinds of reasons, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReasonKind {
    MissesMate,
    AllowsMate,
    LosesPiece,
    MissesPiece,
    TooSlow,
    ExposesKing,
    BetterMove,
}

impl ReasonKind {
    /// The name in JSON.
    pub const fn tag(self) -> &'static str {
        match self {
            ReasonKind::MissesMate => "misses_mate",
            ReasonKind::AllowsMate => "allows_mate",
            ReasonKind::LosesPiece => "loses_piece",
            ReasonKind::MissesPiece => "misses_piece",
            ReasonKind::TooSlow => "too_slow",
            ReasonKind::ExposesKing => "exposes_king",
            ReasonKind::BetterMove => "better_move",
        }
    }
}

/// Why a move is bad, in a sentence that replaying the two lines has proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    pub kind: ReasonKind,
    /// The tactic that the move allows or misses.
    pub motif: Option<Motif>,
    pub en: String,
    pub ja: String,
}
