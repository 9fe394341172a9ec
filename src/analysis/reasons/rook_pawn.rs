//! Exchanges of the pawn before the rook, which get a pawn in hand and open the file.

use super::comparison::{Comparison, Opportunity};
use super::reason::{Reason, ReasonKind};
use super::wording::spelled_from;
use crate::analysis::motifs::LineReplay;
use crate::types::message::message;
use crate::types::{Color, PieceKind};

/// The last ply of an exchange that is attributed to the first move of its line.
const LATEST_EXCHANGE: usize = 8;

/// The ply at which the rook of a side takes back the pawn that took the pawn before it.
fn exchange(line: &LineReplay, side: Color) -> Option<usize> {
    let moves = line.moves();
    (2..moves.len()).find(|&ply| {
        let moved = |ply: usize| line.before(ply).moved_kind_before(moves[ply]);
        let to = moves[ply].to();
        let is_there = |other: usize| moves.get(other).is_some_and(|mv| mv.to() == to);
        line.before(ply).side_to_move() == side
            && [2, 1]
                .iter()
                .all(|back| is_there(ply - back) && moved(ply - back) == PieceKind::Pawn)
            && line.captured(ply - 2).is_none()
            && !moves[ply].is_drop()
            && moved(ply) == PieceKind::Rook
            && moves[ply].from().file() == to.file()
            && !moves[ply - 2].is_drop()
            && !is_there(ply + 1)
    })
}

/// A side exchanges the pawn before its rook in one line only.
pub(super) fn rook_pawn(lines: &Comparison, opportunity: Opportunity<'_>) -> Option<Reason> {
    let ply = exchange(opportunity.line, opportunity.side).filter(|&ply| ply <= LATEST_EXCHANGE)?;
    let is_elsewhere = exchange(opportunity.other, opportunity.side).is_some();
    if lines.is_decided() || is_elsewhere || opportunity.other.moves().len() <= ply {
        return None;
    }
    // The push of the pawn, and the rook.
    let [push, rook] = [opportunity.own_ply(ply - 2)?, opportunity.own_ply(ply)?];
    let way = spelled_from(opportunity.own, push, rook);
    Some(if opportunity.is_missed {
        let text = message!(
            "Misses the exchange of the pawn before the rook: {}.",
            "{}の飛車先の歩交換を逃した。";
            way
        );
        Reason::new(ReasonKind::MissesExchange, text)
    } else {
        let text = message!(
            "Lets the opponent exchange the pawn before the rook: {}.",
            "{}と飛車先の歩を交換される。";
            way
        );
        Reason::new(ReasonKind::AllowsExchange, text)
    })
}
