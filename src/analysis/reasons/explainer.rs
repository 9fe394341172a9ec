//! Applies the rules, the strongest first.

use super::captures::{does_not_take, leaves_piece};
use super::comparison::Comparison;
use super::delays::gives_time;
use super::entering_king::entering_king;
use super::king::{exposes_king, guards, misses_attack};
use super::mates::mate;
use super::order::wrong_order;
use super::outcome::{ends_behind, ends_pawns_behind};
use super::pieces::{pawn_gain, piece_gain};
use super::promotions::promotion;
use super::reason::Reason;
use super::rook_pawn::rook_pawn;
use super::squares::{allows_move, leaves_square};
use super::tactics::{allows_tactic, better_move};
use super::tempo::{loses_tempo, misses_tempo, moves_back};
use super::threats::ThreatProver;
use crate::analysis::position_analysis::PositionAnalysis;
use crate::position::Position;
use crate::types::Move;

/// Finds reasons, with a mate solver for threats.
#[derive(Debug)]
pub(in crate::analysis) struct Explainer {
    threats: ThreatProver,
}

impl Explainer {
    pub(in crate::analysis) fn new() -> Explainer {
        Explainer { threats: ThreatProver::new() }
    }

    /// The strongest reason why the move is worse than the best one, given the analyses of the positions
    /// before and after it.
    pub(in crate::analysis) fn reason(
        &mut self,
        position: &Position,
        mv: Move,
        before: &PositionAnalysis,
        after: &PositionAnalysis,
    ) -> Option<Reason> {
        let lines = Comparison::new(position, mv, before, after)?;
        let (allowed, missed, threats) = (lines.allowed(), lines.missed(), &mut self.threats);
        mate(&lines, missed)
            .or_else(|| mate(&lines, allowed))
            .or_else(|| piece_gain(&lines, allowed))
            .or_else(|| piece_gain(&lines, missed))
            .or_else(|| threats.too_slow(&lines))
            .or_else(|| threats.allows_threat(&lines))
            .or_else(|| threats.misses_threat(&lines))
            .or_else(|| exposes_king(&lines))
            .or_else(|| misses_attack(&lines))
            .or_else(|| promotion(&lines, allowed))
            .or_else(|| promotion(&lines, missed))
            .or_else(|| allows_tactic(&lines))
            .or_else(|| entering_king(&lines, missed))
            .or_else(|| entering_king(&lines, allowed))
            .or_else(|| pawn_gain(&lines, allowed))
            .or_else(|| pawn_gain(&lines, missed))
            .or_else(|| leaves_piece(&lines))
            .or_else(|| does_not_take(&lines))
            .or_else(|| ends_behind(&lines))
            .or_else(|| allows_move(&lines))
            .or_else(|| leaves_square(&lines))
            .or_else(|| wrong_order(&lines))
            .or_else(|| loses_tempo(&lines))
            .or_else(|| misses_tempo(&lines))
            .or_else(|| gives_time(&lines))
            .or_else(|| moves_back(&lines))
            .or_else(|| rook_pawn(&lines, missed))
            .or_else(|| rook_pawn(&lines, allowed))
            .or_else(|| guards(&lines, allowed))
            .or_else(|| guards(&lines, missed))
            .or_else(|| ends_pawns_behind(&lines))
            .or_else(|| better_move(&lines))
    }
}
