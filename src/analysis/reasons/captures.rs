//! Captures of a single piece that one side makes in one line only.

use super::comparison::Comparison;
use super::material::wins_more;
use super::reason::{Reason, ReasonKind};
use super::wording::spelled;
use crate::analysis::motifs::{GAIN, LineReplay, capture_value};
use crate::types::message::message;
use crate::types::{Color, Square};

/// Whether a side takes something on a square in a line.
fn captures_on(line: &LineReplay, side: Color, at: Square) -> bool {
    let is_it = |(ply, mv): (usize, &crate::types::Move)| {
        mv.to() == at && line.before(ply).side_to_move() == side
    };
    line.moves().iter().enumerate().any(is_it)
}

/// The reply takes a piece for nothing, which it never takes in the better line.
pub(super) fn leaves_piece(lines: &Comparison) -> Option<Reason> {
    let (taken, reply) = (lines.refutation.captured(0)?, lines.refutation.moves()[0]);
    let is_won = lines.refutation.before(0).see_ge(reply, GAIN);
    let is_worth = lines.is_worth(capture_value(taken.kind()));
    let is_taken_there = captures_on(&lines.better, !lines.side, reply.to());
    if !is_won || !is_worth || is_taken_there || !wins_more(&lines.played, 1, &lines.better) {
        return None;
    }
    let (take, name) = (spelled(&lines.refutation, 0), taken.kind().name());
    let text = message!("Lets the opponent take the {1}: {0}.", "{1}を{0}と取られる。"; take, name);
    Some(Reason::new(ReasonKind::LeavesPiece, text))
}

/// The better move takes a piece with a gain, or takes back, and the side never does so in the played line.
pub(super) fn does_not_take(lines: &Comparison) -> Option<Reason> {
    let (before, first) = (lines.better.before(0), lines.better.moves()[0]);
    let taken = lines.better.captured(0)?;
    let captures_last_mover =
        before.history().next_back().is_some_and(|last| last.to() == first.to());
    let is_won = before.see_ge(first, if captures_last_mover { 1 } else { GAIN });
    let is_more = captures_last_mover || wins_more(&lines.better, 0, &lines.played);
    if lines.is_decided()
        || !is_won
        || !is_more
        || captures_on(&lines.played, lines.side, first.to())
    {
        return None;
    }
    let (take, name) = (spelled(&lines.better, 0), taken.kind().name());
    let text = if captures_last_mover && before.captured().is_some() {
        message!("Does not take back: {}.", "{}と取り返さなかった。"; take)
    } else {
        message!("Does not take the {1}: {0}.", "{1}を{0}と取らなかった。"; take, name)
    };
    Some(Reason::new(ReasonKind::DoesNotTake, text))
}
