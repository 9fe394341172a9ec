//! Kings that reach the enemy's camp.

use super::comparison::{Comparison, Opportunity};
use super::reason::{Reason, ReasonKind};
use super::wording::spelled;
use crate::analysis::motifs::LineReplay;
use crate::types::Color;
use crate::types::message::message;

/// Minimum length of a line.
const MIN_PLIES: usize = 4;

/// The ply of the move that brings the king of a side into the enemy's camp, where it is at the end.
fn entering_move(line: &LineReplay, side: Color) -> Option<usize> {
    let is_inside = |made: usize| {
        let king = line.before(made).king(side);
        king.is_some_and(|king| king.relative_rank(side) <= 2)
    };
    let plies = line.moves().len();
    let outside = (0..plies).rev().find(|&ply| !is_inside(ply))?;
    let stays = line.end().king(side).is_some_and(|king| king.relative_rank(side) <= 2);
    (stays && !is_inside(0)).then_some(outside)
}

/// A king enters in one line and not in the other.
fn enters_only(line: &LineReplay, other: &LineReplay, side: Color) -> Option<usize> {
    let is_long = other.moves().len() >= MIN_PLIES && line.moves().len() >= MIN_PLIES;
    entering_move(line, side).filter(|_| is_long && entering_move(other, side).is_none())
}

/// The king of a side enters in one line only.
pub(super) fn entering_king(lines: &Comparison, opportunity: Opportunity<'_>) -> Option<Reason> {
    let ply = enters_only(opportunity.line, opportunity.other, opportunity.side)?;
    if lines.is_decided() {
        return None;
    }
    let entry = spelled(opportunity.line, ply);
    Some(if opportunity.is_missed {
        let text = message!("Misses the entry of the king: {}.", "{}の入玉を逃した。"; entry);
        Reason::new(ReasonKind::MissesEntry, text)
    } else {
        let text = message!("Lets the opponent's king enter: {}.", "{}の入玉を許した。"; entry);
        Reason::new(ReasonKind::AllowsEntry, text)
    })
}
