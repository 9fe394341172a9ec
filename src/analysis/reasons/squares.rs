//! Squares and moves that the better line denies the opponent.

use super::comparison::Comparison;
use super::reason::{Reason, ReasonKind};
use super::wording::{spelled, spelled_with_square};
use crate::analysis::motifs::{GAIN, can_be_captured, capture_value};
use crate::position::Position;
use crate::types::message::message;

/// The reply is safe, and after the better move it would lose a piece.
pub(super) fn allows_move(lines: &Comparison) -> Option<Reason> {
    let (reply, after) = (lines.refutation.moves()[0], lines.better.after(0));
    // A reply on the square of the move is an exchange.
    let is_answer = reply.to() == lines.played.moves()[0].to();
    if lines.is_decided() || is_answer || !after.is_legal(reply) {
        return None;
    }
    let mut there = after.clone();
    there.do_move(reply);
    let won = |position: &Position| {
        position.piece_at(reply.to()).map_or(0, |piece| capture_value(piece.kind()))
    };
    let (won_here, won_there) = (won(lines.played.after(0)), won(after));
    if can_be_captured(lines.refutation.after(0), reply.to(), won_here + 1)
        || !can_be_captured(&there, reply.to(), won_there + GAIN)
    {
        return None;
    }
    let (reply, better) = (spelled(&lines.refutation, 0), spelled_with_square(&lines.better, 0));
    let text = message!(
        "Allows {}: after {} the piece could have been taken.",
        "{}を許した。{}なら取れる手だった。";
        reply, better
    );
    Some(Reason::new(ReasonKind::AllowsMove, text))
}

/// The reply goes to the square of the better move.
pub(super) fn leaves_square(lines: &Comparison) -> Option<Reason> {
    let (reply, at) = (lines.refutation.moves()[0], lines.better.moves()[0].to());
    let is_free = lines.better.captured(0).is_none() && lines.refutation.captured(0).is_none();
    if lines.is_decided() || !is_free || reply.to() != at {
        return None;
    }
    let (reply, better) = (spelled(&lines.refutation, 0), spelled(&lines.better, 0));
    let text = message!(
        "Leaves {at} to {}: {} takes the square first.",
        "{}と指される。先に{}と指すところだった。";
        reply, better
    );
    Some(Reason::new(ReasonKind::LeavesSquare, text))
}
