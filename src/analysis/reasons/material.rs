//! The pieces that a line wins or loses, for the rules about material.

use std::cmp::Reverse;

use crate::analysis::motifs::{GAIN, LineReplay, capture_value};
use crate::position::Position;
use crate::types::{Color, PieceKind};

/// The last ply of a gain that is attributed to the first move of its line.
const LATEST_GAIN: usize = 12;

/// The material that a side has gained at a point of a line and keeps until its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LastingGain {
    pub(super) value: i32,
    pub(super) net: NetCaptures,
    /// The ply of the move that takes the most valuable one of those taken soon.
    pub(super) capture_ply: usize,
}

/// The pieces that a side takes and those that it loses in some moves of a line, without equal pieces on both
/// sides. The most valuable ones come first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NetCaptures {
    pub(super) taken: Vec<PieceKind>,
    pub(super) lost: Vec<PieceKind>,
}

impl NetCaptures {
    /// The captures in the first `made` moves of a line.
    pub(super) fn new(line: &LineReplay, side: Color, made: usize) -> NetCaptures {
        NetCaptures::of(&victims(line, made), side)
    }

    fn of(victims: &[(usize, Victim)], side: Color) -> NetCaptures {
        let kinds = |of: Color| -> Vec<PieceKind> {
            victims.iter().filter(|(_, it)| it.color == of).map(|(_, it)| it.kind).collect()
        };
        let (mut taken, mut lost) = (kinds(!side), kinds(side));
        cancel(&mut taken, &mut lost);
        for list in [&mut taken, &mut lost] {
            list.sort_by_key(|&kind| (Reverse(capture_value(kind)), kind.index()));
        }
        NetCaptures { taken, lost }
    }

    /// The material that the side has won.
    pub(super) fn value(&self) -> i32 {
        let sum = |kinds: &[PieceKind]| kinds.iter().map(|&kind| capture_value(kind)).sum::<i32>();
        sum(&self.taken) - sum(&self.lost)
    }

    /// The number of pieces that are not pawns.
    pub(super) fn pieces(&self) -> usize {
        self.taken.iter().chain(&self.lost).filter(|&&kind| kind != PieceKind::Pawn).count()
    }
}

/// The last ply of a capture that is attributed to the first move of its line.
const LATEST_CAPTURE: usize = 5;
/// Maximum number of pieces in a sentence, without pawns.
const MAX_PIECES: usize = 4;

/// A piece that a move takes, as it was at the start of the line: a pawn that promotes on the way and
/// is taken is a pawn lost.
struct Victim {
    color: Color,
    kind: PieceKind,
    /// The ply at which it was dropped, if in this line.
    dropped: Option<usize>,
    /// Whether it moved or was dropped after the first move of the line.
    has_moved: bool,
}

fn victim(line: &LineReplay, ply: usize) -> Option<Victim> {
    let color = line.captured(ply)?.color();
    let mut square = line.moves()[ply].to();
    let mut has_moved = false;
    for earlier in (0..ply).rev() {
        let mv = line.moves()[earlier];
        if mv.to() != square || line.before(earlier).side_to_move() != color {
            continue;
        }
        has_moved |= earlier > 0;
        if mv.is_drop() {
            return Some(Victim { color, kind: mv.dropped(), dropped: Some(earlier), has_moved });
        }
        square = mv.from();
    }
    let kind = line.before(0).piece_at(square)?.kind();
    Some(Victim { color, kind, dropped: None, has_moved })
}

/// Whether no exchange is going on: no capture wins at least this much, and there is no check.
fn is_quiet(position: &Position, min: i32) -> bool {
    let wins = |mv| position.is_capture(mv) && position.see_ge(mv, min);
    !position.in_check() && !position.legal_moves().moves().any(wins)
}

/// The material that a side is ahead at a point of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Balance {
    /// The number of moves made.
    pub(super) made: usize,
    pub(super) value: i32,
    /// Whether the point is quiet; otherwise the side is to move and might win more.
    pub(super) is_quiet: bool,
}

/// The material that a side wins in some plies, less what it loses; each piece counts as it was at the start
/// of the line.
pub(super) fn net_material(line: &LineReplay, side: Color, plies: std::ops::Range<usize>) -> i32 {
    let value = |victim: Victim| {
        let value = capture_value(victim.kind);
        if victim.color == side { -value } else { value }
    };
    plies.filter_map(|ply| victim(line, ply)).map(value).sum()
}

/// Whether the next move takes on the same square.
fn is_taken_back(line: &LineReplay, ply: usize) -> bool {
    line.moves().get(ply + 1).is_some_and(|next| next.to() == line.moves()[ply].to())
}

/// The balances of a side at those points of a line where the other side does not win `min` or more at once:
/// the side is to move and not in check, or no capture gains as much.
pub(super) fn balances(line: &LineReplay, side: Color, min: i32) -> Vec<Balance> {
    let mut value = 0;
    let mut found = Vec::new();
    for ply in 0..line.moves().len() {
        value += net_material(line, side, ply..ply + 1);
        let after = line.after(ply);
        let is_quiet = is_quiet(after, min);
        if is_quiet || after.side_to_move() == side && !after.in_check() {
            found.push(Balance { made: ply + 1, value, is_quiet });
        }
    }
    found
}

/// Whether the balance of a side is at least `value` at all quiet points of a line (at least one), and at its
/// end. `min` is that of [`balances`].
pub(super) fn keeps(line: &LineReplay, side: Color, value: i32, min: i32) -> bool {
    let mut quiet = balances(line, side, min).into_iter().filter(|it| it.is_quiet).peekable();
    quiet.peek().is_some()
        && quiet.all(|it| it.value >= value)
        && net_material(line, side, 0..line.moves().len()) >= value
}

/// The material of at least this much that one side gains in a line and keeps, if any.
pub(super) fn lasting_gain(line: &LineReplay, gainer: Color, min: i32) -> Option<LastingGain> {
    let balances = balances(line, gainer, min);
    // From this point to the end the side keeps at least `min`.
    let is_less = |it: &Balance| it.is_quiet && it.value < min;
    let lasting = balances.iter().rposition(is_less).map_or(0, |last| last + 1);
    let made = balances[lasting..].iter().find(|it| it.value >= min)?.made;
    // If no later point is quiet, nothing may be given back either.
    let last = balances.last()?;
    let kept = last.value + net_material(line, gainer, last.made..line.moves().len());
    if last.value < min || kept < min || made > LATEST_GAIN {
        return None;
    }
    let victims = victims(line, made);
    let net = NetCaptures::of(&victims, gainer);
    let value = net.value();
    if value < min || net.pieces() > MAX_PIECES {
        return None;
    }
    // Pieces dropped and pawns pushed within the line are given up on purpose.
    let is_it = |kind: PieceKind, (ply, it): &&(usize, Victim)| {
        it.color != gainer
            && it.kind.unpromoted() == kind.unpromoted()
            && *ply <= LATEST_CAPTURE
            && it.dropped.is_none_or(|ply| ply == 0)
            && (kind != PieceKind::Pawn || !it.has_moved && !is_taken_back(line, *ply))
    };
    // The last one, because earlier ones may have been exchanged for the same.
    let of_kind = |&kind: &PieceKind| victims.iter().rev().find(|it| is_it(kind, it));
    let is_main_part = |kind: &&PieceKind| capture_value(**kind) * 2 >= value;
    let capture_ply = net.taken.iter().filter(is_main_part).find_map(of_kind)?.0;
    Some(LastingGain { value, net, capture_ply })
}

/// The pieces that the first moves of a line take, with their plies.
fn victims(line: &LineReplay, made: usize) -> Vec<(usize, Victim)> {
    (0..made).filter_map(|ply| Some((ply, victim(line, ply)?))).collect()
}

/// Removes pieces that both lists have, promoted or not.
fn cancel(taken: &mut Vec<PieceKind>, lost: &mut Vec<PieceKind>) {
    lost.retain(|kind| {
        let same = taken.iter().position(|other| other.unpromoted() == kind.unpromoted());
        same.map(|index| taken.remove(index)).is_none()
    });
}

/// Maximum number of plies from a capture to its answer in an exchange.
const MAX_EXCHANGE_PLIES: usize = 6;

/// Whether the capture at a ply wins material with what follows on its square, and its side wins more in the
/// line than in another one, at once and at the end.
pub(super) fn wins_more(line: &LineReplay, capture: usize, other: &LineReplay) -> bool {
    let side = line.before(capture).side_to_move();
    let plies = line.moves().len();
    let within = |max: usize| 0..plies.min(max);
    let is_there = |&ply: &usize| line.moves()[ply].to() == line.moves()[capture].to();
    let last =
        (capture..plies.min(capture + MAX_EXCHANGE_PLIES)).rev().find(is_there).unwrap_or(capture);
    let all = |line: &LineReplay| net_material(line, side, 0..line.moves().len());
    net_material(line, side, capture..last + 1) >= GAIN
        && net_material(line, side, within(MAX_EXCHANGE_PLIES)) >= GAIN
        && all(line) >= GAIN.max(all(other) + GAIN)
}
