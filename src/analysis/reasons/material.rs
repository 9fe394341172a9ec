//! Pieces that a line wins or loses.

use std::cmp::Reverse;

use crate::analysis::motifs::{GAIN, Replay, capture_value};
use crate::position::Position;
use crate::types::{Color, PieceKind};

/// What a side has won, or lost if `value` is negative, at a point of a line after which it keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Settlement {
    pub(super) value: i32,
    /// The pieces taken by the side that gains, and those that it pays, without equal ones on both sides.
    pub(super) taken: Vec<PieceKind>,
    pub(super) paid: Vec<PieceKind>,
    /// The ply of the move that takes the most valuable one.
    pub(super) capture: usize,
}

/// Whether no exchange is going on.
fn is_quiet(position: &Position) -> bool {
    let wins = |mv| position.is_capture(mv) && position.see_ge(mv, GAIN);
    !position.in_check() && !position.legal_moves().iter().any(|entry| wins(entry.mv()))
}

/// The quiet points of a line with the balance of a side there: the number of moves made, the value.
pub(super) fn balances(line: &Replay, side: Color) -> Vec<(usize, i32)> {
    let quiet = (1..=line.moves().len()).filter(|&made| is_quiet(line.after(made - 1)));
    quiet.map(|made| (made, line.balance(side, 0..made))).collect()
}

/// What one side wins for good in a line, if it does; `gainer` wins it.
pub(super) fn settlement(line: &Replay, gainer: Color) -> Option<Settlement> {
    let balances = balances(line, gainer);
    // From here to the end it keeps at least so much.
    let lasting = balances.iter().rposition(|&(_, value)| value < GAIN).map_or(0, |last| last + 1);
    let &(made, value) = balances.get(lasting)?;
    let (mut taken, mut paid) = (Vec::new(), Vec::new());
    for ply in 0..made {
        let Some(piece) = line.captured(ply) else { continue };
        let list = if piece.color() == gainer { &mut paid } else { &mut taken };
        list.push(piece.kind());
    }
    cancel(&mut taken, &mut paid);
    for list in [&mut taken, &mut paid] {
        list.sort_by_key(|&kind| (Reverse(capture_value(kind)), kind.index()));
    }
    let best = *taken.first()?;
    let takes = |&ply: &usize| {
        let captured = line.captured(ply).filter(|piece| piece.color() != gainer);
        captured.is_some_and(|piece| piece.kind() == best)
    };
    // The last one, because earlier ones may have been exchanged for the same.
    let capture = (0..made).rev().find(takes)?;
    Some(Settlement { value, taken, paid, capture })
}

/// Removes what both lists have.
fn cancel(taken: &mut Vec<PieceKind>, paid: &mut Vec<PieceKind>) {
    paid.retain(|kind| {
        let same = taken.iter().position(|other| other == kind);
        same.map(|index| taken.remove(index)).is_none()
    });
}
