//! Pieces that a line wins or loses.

use std::cmp::Reverse;

use crate::analysis::motifs::{GAIN, Replay, capture_value};
use crate::position::Position;
use crate::types::{Color, PieceKind};

/// What happens later in a line has other causes than its first move.
const HORIZON: usize = 12;

/// The material that a side has gained at a point of a line and keeps until its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LastingGain {
    /// At least [`GAIN`].
    pub(super) value: i32,
    /// The pieces taken by the side that gains, and those that it pays, without equal ones on both sides.
    pub(super) taken: Vec<PieceKind>,
    pub(super) paid: Vec<PieceKind>,
    /// The ply of the move that takes the most valuable one.
    pub(super) capture: usize,
}

/// The last ply of a capture that the first move of its line can answer for.
const LATEST: usize = 5;
/// Pieces in a sentence, without pawns.
const MOST: usize = 3;

/// A piece that a move takes, as it was at the start of the line: a pawn that promotes on the way and
/// is taken is a pawn lost.
struct Victim {
    color: Color,
    kind: PieceKind,
    /// The ply at which it was dropped, if in this line.
    dropped: Option<usize>,
}

fn victim(line: &Replay, ply: usize) -> Option<Victim> {
    let color = line.captured(ply)?.color();
    let mut square = line.moves()[ply].to();
    for earlier in (0..ply).rev() {
        let mv = line.moves()[earlier];
        if mv.to() != square || line.before(earlier).side_to_move() != color {
            continue;
        }
        if mv.is_drop() {
            return Some(Victim { color, kind: mv.dropped(), dropped: Some(earlier) });
        }
        square = mv.from();
    }
    let kind = line.before(0).piece_at(square)?.kind();
    Some(Victim { color, kind, dropped: None })
}

/// Whether no exchange is going on.
fn is_quiet(position: &Position) -> bool {
    let wins = |mv| position.is_capture(mv) && position.see_ge(mv, GAIN);
    !position.in_check() && !position.legal_moves().iter().any(|entry| wins(entry.mv()))
}

/// The quiet points of a line with the balance of a side there: the number of moves made, the value.
pub(super) fn quiet_balances(line: &Replay, side: Color) -> Vec<(usize, i32)> {
    let mut value = 0;
    let mut found = Vec::new();
    for ply in 0..line.moves().len() {
        if let Some(victim) = victim(line, ply) {
            let taken = capture_value(victim.kind);
            value += if victim.color == side { -taken } else { taken };
        }
        if is_quiet(line.after(ply)) {
            found.push((ply + 1, value));
        }
    }
    found
}

/// The material that one side gains in a line and keeps, if any.
pub(super) fn lasting_gain(line: &Replay, gainer: Color) -> Option<LastingGain> {
    let quiet_balances = quiet_balances(line, gainer);
    // From here to the end it keeps at least so much.
    let lasting =
        quiet_balances.iter().rposition(|&(_, value)| value < GAIN).map_or(0, |last| last + 1);
    let made = quiet_balances.get(lasting)?.0;
    if made > HORIZON {
        return None;
    }
    let victims: Vec<(usize, Victim)> =
        (0..made).filter_map(|ply| Some((ply, victim(line, ply)?))).collect();
    let kinds = |of: Color| -> Vec<PieceKind> {
        victims.iter().filter(|(_, it)| it.color == of).map(|(_, it)| it.kind).collect()
    };
    let (mut taken, mut paid) = (kinds(!gainer), kinds(gainer));
    cancel(&mut taken, &mut paid);
    for list in [&mut taken, &mut paid] {
        list.sort_by_key(|&kind| (Reverse(capture_value(kind)), kind.index()));
    }
    let sum = |kinds: &[PieceKind]| kinds.iter().map(|&kind| capture_value(kind)).sum::<i32>();
    let value = sum(&taken) - sum(&paid);
    let pieces = taken.iter().chain(&paid).filter(|&&kind| kind != PieceKind::Pawn).count();
    let best = *taken.first().filter(|_| value >= GAIN && pieces <= MOST)?;
    // What is dropped on the way is given up on purpose.
    let is_it = |(ply, it): &&(usize, Victim)| {
        it.color != gainer
            && it.kind.unpromoted() == best.unpromoted()
            && *ply <= LATEST
            && it.dropped.is_none_or(|ply| ply == 0)
    };
    // The last one, because earlier ones may have been exchanged for the same.
    let capture = victims.iter().rev().find(is_it)?.0;
    Some(LastingGain { value, taken, paid, capture })
}

/// Removes what both lists have, promoted or not.
fn cancel(taken: &mut Vec<PieceKind>, paid: &mut Vec<PieceKind>) {
    paid.retain(|kind| {
        let same = taken.iter().position(|other| other.unpromoted() == kind.unpromoted());
        same.map(|index| taken.remove(index)).is_none()
    });
}
