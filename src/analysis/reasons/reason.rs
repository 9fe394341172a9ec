//! A reason, and its kinds.

use crate::analysis::motifs::Motif;
use crate::types::message::Message;

/// The kinds of reasons, in the order in which they are first looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReasonKind {
    MissesMate,
    AllowsMate,
    LosesPiece,
    MissesPiece,
    TooSlow,
    AllowsThreat,
    MissesThreat,
    ExposesKing,
    MissesAttack,
    AllowsPromotion,
    MissesPromotion,
    AllowsTactic,
    MissesEntry,
    AllowsEntry,
    LeavesPiece,
    DoesNotTake,
    EndsBehind,
    AllowsMove,
    LeavesSquare,
    WrongOrder,
    LosesTempo,
    MissesTempo,
    GivesTime,
    MissesExchange,
    AllowsExchange,
    LosesGuards,
    MissesGuards,
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
            ReasonKind::AllowsThreat => "allows_threat",
            ReasonKind::MissesThreat => "misses_threat",
            ReasonKind::ExposesKing => "exposes_king",
            ReasonKind::MissesAttack => "misses_attack",
            ReasonKind::AllowsPromotion => "allows_promotion",
            ReasonKind::MissesPromotion => "misses_promotion",
            ReasonKind::AllowsTactic => "allows_tactic",
            ReasonKind::MissesEntry => "misses_entry",
            ReasonKind::AllowsEntry => "allows_entry",
            ReasonKind::LeavesPiece => "leaves_piece",
            ReasonKind::DoesNotTake => "does_not_take",
            ReasonKind::EndsBehind => "ends_behind",
            ReasonKind::AllowsMove => "allows_move",
            ReasonKind::LeavesSquare => "leaves_square",
            ReasonKind::WrongOrder => "wrong_order",
            ReasonKind::LosesTempo => "loses_tempo",
            ReasonKind::MissesTempo => "misses_tempo",
            ReasonKind::GivesTime => "gives_time",
            ReasonKind::MissesExchange => "misses_exchange",
            ReasonKind::AllowsExchange => "allows_exchange",
            ReasonKind::LosesGuards => "loses_guards",
            ReasonKind::MissesGuards => "misses_guards",
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
    pub text: Message,
}

impl Reason {
    /// A reason without a tactic.
    pub(super) fn new(kind: ReasonKind, text: Message) -> Reason {
        Reason { kind, motif: None, text }
    }
}
