//! Kings that reach the enemy's camp.

use super::comparison::Comparison;
use super::reason::{Reason, ReasonKind};
use super::wording::spelled;
use crate::analysis::motifs::Replay;
use crate::types::Color;

/// The shortest line that says something.
const SHORTEST: usize = 4;

/// The ply of the move that brings the king of a side into the enemy's camp, where it is at the end.
fn entry(line: &Replay, side: Color) -> Option<usize> {
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
fn enters_only(line: &Replay, other: &Replay, side: Color) -> Option<usize> {
    let is_long = other.moves().len() >= SHORTEST && line.moves().len() >= SHORTEST;
    entry(line, side).filter(|_| is_long && entry(other, side).is_none())
}

/// The king enters in the better line only.
pub(super) fn misses_entry(lines: &Comparison) -> Option<Reason> {
    let ply = enters_only(&lines.better, &lines.played, lines.side)?;
    let (en, ja) = spelled(&lines.better, ply);
    (!lines.is_decided()).then(|| Reason {
        kind: ReasonKind::MissesEntry,
        motif: None,
        en: format!("Misses the entry of the king: {en}."),
        ja: format!("{ja}の入玉を逃した。"),
    })
}

/// The opponent's king enters in the line played only.
pub(super) fn allows_entry(lines: &Comparison) -> Option<Reason> {
    let ply = enters_only(&lines.played, &lines.better, !lines.side)?;
    let (en, ja) = spelled(&lines.played, ply);
    (!lines.is_decided()).then(|| Reason {
        kind: ReasonKind::AllowsEntry,
        motif: None,
        en: format!("Lets the king enter: {en}."),
        ja: format!("{ja}の入玉を許した。"),
    })
}
