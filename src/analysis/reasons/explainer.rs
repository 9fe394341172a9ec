//! The rules, strongest first.

use super::captures::{does_not_take, leaves_piece};
use super::comparison::Comparison;
use super::entry::{allows_entry, misses_entry};
use super::king::{exposes_king, loses_guards, misses_attack, misses_guards};
use super::mates::{allows_mate, misses_mate};
use super::pieces::{loses_pawn, loses_piece, misses_pawn, misses_piece};
use super::promotions::{allows_promotion, misses_promotion};
use super::reason::Reason;
use super::squares::{allows_move, leaves_square, wrong_order};
use super::tactics::{allows_tactic, better_move};
use super::tempo::{loses_tempo, misses_tempo, moves_back};
use super::threats::ThreatProver;
use crate::analysis::position_analysis::PositionAnalysis;
use crate::position::Position;
use crate::types::Move;

/// Finds reasons, with a mate solver for threats.
#[derive(Debug)]
pub struct Explainer {
    threats: ThreatProver,
}

impl Explainer {
    pub fn new() -> Explainer {
        Explainer { threats: ThreatProver::new() }
    }

    /// The strongest reason why the move is worse than the best one, given the analyses of the positions
    /// before and after it.
    pub fn reason(
        &mut self,
        position: &Position,
        mv: Move,
        before: &PositionAnalysis,
        after: &PositionAnalysis,
    ) -> Option<Reason> {
        let lines = Comparison::new(position, mv, before, after)?;
        let threats = &mut self.threats;
        misses_mate(&lines)
            .or_else(|| allows_mate(&lines))
            .or_else(|| loses_piece(&lines))
            .or_else(|| misses_piece(&lines))
            .or_else(|| threats.too_slow(&lines))
            .or_else(|| threats.allows_threat(&lines))
            .or_else(|| threats.misses_threat(&lines))
            .or_else(|| exposes_king(&lines))
            .or_else(|| misses_attack(&lines))
            .or_else(|| allows_promotion(&lines))
            .or_else(|| misses_promotion(&lines))
            .or_else(|| allows_tactic(&lines))
            .or_else(|| misses_entry(&lines))
            .or_else(|| allows_entry(&lines))
            .or_else(|| loses_pawn(&lines))
            .or_else(|| misses_pawn(&lines))
            .or_else(|| leaves_piece(&lines))
            .or_else(|| does_not_take(&lines))
            .or_else(|| allows_move(&lines))
            .or_else(|| leaves_square(&lines))
            .or_else(|| loses_tempo(&lines))
            .or_else(|| misses_tempo(&lines))
            .or_else(|| moves_back(&lines))
            .or_else(|| loses_guards(&lines))
            .or_else(|| misses_guards(&lines))
            .or_else(|| wrong_order(&lines))
            .or_else(|| better_move(&lines))
    }
}

impl Default for Explainer {
    fn default() -> Explainer {
        Explainer::new()
    }
}
