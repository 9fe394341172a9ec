//! Pieces that promote and stay.

use super::comparison::{Comparison, Opportunity};
use super::reason::{Reason, ReasonKind};
use super::wording::spelled_up_to;
use crate::analysis::motifs::{GAIN, LineReplay, can_be_captured};
use crate::types::message::message;
use crate::types::{Color, PieceKind, Square};

/// The last ply of a promotion that is attributed to the first move of its line.
const LATEST_PROMOTION: usize = 7;

/// A piece that promotes in a line and is still there at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Promotion {
    ply: usize,
    /// Unpromoted.
    kind: PieceKind,
}

impl Promotion {
    fn is_major(self) -> bool {
        matches!(self.kind, PieceKind::Rook | PieceKind::Bishop)
    }
}

/// The promotions of a side that last, the rook and the bishop first. A silver becomes hardly stronger.
fn lasting(line: &LineReplay, side: Color) -> Vec<Promotion> {
    promotions(line, side, stays)
}

/// The promotions of a side, except of silvers, for which `is_it` holds, the rook and the bishop first.
fn promotions(
    line: &LineReplay,
    side: Color,
    is_it: impl Fn(&LineReplay, usize) -> bool,
) -> Vec<Promotion> {
    let mut found = Vec::new();
    for (ply, &mv) in line.moves().iter().enumerate() {
        let kind = line.before(ply).moved_kind_before(mv);
        if line.before(ply).side_to_move() == side
            && mv.is_promotion()
            && kind != PieceKind::Silver
            && is_it(line, ply)
        {
            found.push(Promotion { ply, kind });
        }
    }
    found.sort_by_key(|it| (!it.is_major(), it.ply));
    found
}

/// The square of the piece that moves at a ply at the end of the line, if it is not taken.
fn survives(line: &LineReplay, ply: usize) -> Option<Square> {
    let mut at = line.moves()[ply].to();
    for later in &line.moves()[ply + 1..] {
        if later.to() == at {
            return None;
        }
        if !later.is_drop() && later.from() == at {
            at = later.to();
        }
    }
    Some(at)
}

/// Whether the piece that moves at a ply is still there at the end of the line and cannot be taken.
fn stays(line: &LineReplay, ply: usize) -> bool {
    let Some(at) = survives(line, ply) else { return false };
    let end = line.end();
    let owner = line.before(ply).side_to_move();
    let is_answered = ply + 1 < line.moves().len();
    is_answered && (end.side_to_move() == owner || !can_be_captured(end, at, GAIN))
}

/// A promotion that a side has in one line and not in the other, without allowing more promotions of the
/// other side.
fn difference(line: &LineReplay, other: &LineReplay, side: Color) -> Option<Promotion> {
    let (here, there) = (lasting(line, side), lasting(other, side));
    let is_there = |line: &LineReplay, ply| survives(line, ply).is_some();
    let (ours, theirs) = (promotions(line, !side, is_there), lasting(other, !side));
    let &first = here.iter().find(|it| it.ply <= LATEST_PROMOTION)?;
    let count =
        |found: &[Promotion]| found.iter().filter(|it| it.is_major() || !first.is_major()).count();
    let is_new = count(&there) == 0 && count(&ours) <= count(&theirs);
    // A promotion that costs a piece is a sacrifice.
    let is_cheap = line.balance(side, 0..line.moves().len()) > -GAIN;
    (is_new && is_cheap && other.moves().len() > first.ply).then_some(first)
}

/// A side gets a dragon, a horse or a tokin in one line only.
pub(super) fn promotion(lines: &Comparison, opportunity: Opportunity<'_>) -> Option<Reason> {
    let found = difference(opportunity.line, opportunity.other, opportunity.side)?;
    if lines.is_decided() || !lines.is_worth(GAIN) {
        return None;
    }
    let way = spelled_up_to(opportunity.own, opportunity.own_ply(found.ply)?);
    let (name, promoted) = (found.kind.name().en, found.kind.promoted()?.name().ja);
    Some(if opportunity.is_missed {
        let text = message!(
            "Misses the promotion of a {name}: {}.",
            "{}で{promoted}を作る手を逃した。";
            way
        );
        Reason::new(ReasonKind::MissesPromotion, text)
    } else {
        let text = message!("Lets a {name} promote: {}.", "{}で{promoted}を作られる。"; way);
        Reason::new(ReasonKind::AllowsPromotion, text)
    })
}
