//! Attacks that drive a king out or take its guards.

use super::comparison::{Comparison, Opportunity};
use super::reason::{Reason, ReasonKind};
use super::wording::spelled;
use crate::analysis::motifs::LineReplay;
use crate::position::{Position, attacks};
use crate::record::japanese_square;
use crate::types::message::{Message, message};
use crate::types::{Bitboard, Color, PieceKind, Square};

/// Number of plies in which attacks on a king are counted.
const ATTACK_PLIES: usize = 12;

/// The attack on a king in the first moves of a line.
struct Attack {
    checks: usize,
    /// The checks that drive the king from `from` to `to`.
    driving: usize,
    from: Square,
    to: Square,
    /// The number of generals next to the king that are taken.
    lost: usize,
}

impl Attack {
    /// The attack on the king of a side in the moves from `first` on.
    fn new(line: &LineReplay, first: usize, side: Color) -> Option<Attack> {
        let end = line.moves().len().min(first + ATTACK_PLIES);
        // Checks drive the king only from where it last went by itself.
        let walks = |&ply: &usize| moves_king_unchecked(line, ply, side);
        let home = (first..end).rev().find(walks).map_or(first, |ply| ply + 1);
        let checks = |from: usize| (from..end).filter(|&ply| is_check(line, ply, side)).count();
        Some(Attack {
            checks: checks(first),
            driving: checks(home),
            from: line.before(home).king(side)?,
            to: line.before(end).king(side)?,
            lost: lost_guards(line, first..end, side),
        })
    }

    fn distance(&self) -> u8 {
        self.from.distance(self.to)
    }

    /// Whether checks drive the king out or take its guards.
    fn succeeds(&self) -> bool {
        self.checks >= 4 || self.checks >= 2 && (self.distance() >= 2 || self.lost > 0)
    }

    fn is_empty(&self) -> bool {
        self.checks == 0 && self.lost == 0
    }

    /// Describes the checks.
    fn words(&self) -> Message {
        let Attack { checks, driving, from, to, lost } = self;
        if self.distance() >= 2 {
            let (from_ja, to_ja) = (japanese_square(*from), japanese_square(*to));
            message!(
                "{driving} checks drive it from {from} to {to}",
                "王手が{driving}回かかり、玉が{from_ja}から{to_ja}へ追われる"
            )
        } else if *lost == 0 {
            message!("{checks} checks follow", "王手が{checks}回かかる")
        } else {
            let generals =
                if *lost == 1 { "a general".to_owned() } else { format!("{lost} generals") };
            message!(
                "{checks} checks come with the loss of {generals} beside it",
                "王手が{checks}回かかり、玉のそばの金銀を{lost}枚取られる"
            )
        }
    }
}

/// The opponent attacks the king, in the better line with at least two checks fewer and without success.
pub(super) fn exposes_king(lines: &Comparison) -> Option<Reason> {
    let attack = Attack::new(&lines.played, 1, lines.side)?;
    let other = Attack::new(&lines.better, 0, lines.side)?;
    let reach = lines.better.moves().len();
    if !attack.succeeds()
        || other.checks + 2 > attack.checks
        || other.succeeds()
        || reach < lines.played.moves().len().min(4)
    {
        return None;
    }
    let (first, what) = (spelled(&lines.refutation, 0), attack.words());
    let text = message!(
        "Exposes the king: from {} on, {}.",
        "玉が危なくなる。{}から{}。";
        first, what
    );
    Some(Reason::new(ReasonKind::ExposesKing, text))
}

/// The better line attacks the opponent's king, and the played line not at all.
pub(super) fn misses_attack(lines: &Comparison) -> Option<Reason> {
    let attack = Attack::new(&lines.better, 0, !lines.side)?;
    let other = Attack::new(&lines.played, 0, !lines.side)?;
    let reach = lines.played.moves().len();
    if !attack.succeeds() || !other.is_empty() || reach < lines.better.moves().len().min(4) {
        return None;
    }
    let (first, what) = (spelled(&lines.better, 0), attack.words());
    let text = message!(
        "Misses an attack on the king: from {} on, {}.",
        "玉への攻めを逃した。{}から{}。";
        first, what
    );
    Some(Reason::new(ReasonKind::MissesAttack, text))
}

/// Plies after which the castles of both lines are compared.
const COMPARED_PLIES: std::ops::RangeInclusive<usize> = 6..=16;

/// The guards of a king at the start, after some moves of a line, and after as many of another one.
struct Guards {
    made: usize,
    start: usize,
    left: usize,
    other: usize,
}

impl Guards {
    /// `None` unless the line loses two guards more, in a fight: at least one general is taken.
    fn lost(line: &LineReplay, other: &LineReplay, side: Color) -> Option<Guards> {
        let made = line.moves().len().min(other.moves().len()).min(*COMPARED_PLIES.end());
        let count = |line: &LineReplay, made| guard_count(line.before(made), side);
        let (start, left, other) = (count(line, 0), count(line, made), count(other, made));
        let is_taken =
            |ply: usize| generals(line.before(ply), side).contains(line.moves()[ply].to());
        let is_lost = made >= *COMPARED_PLIES.start() && left + 2 <= start.min(other);
        (is_lost && (0..made).any(is_taken)).then_some(Guards { made, start, left, other })
    }
}

/// The other side's king loses more guards in one line.
pub(super) fn guards(lines: &Comparison, opportunity: Opportunity<'_>) -> Option<Reason> {
    let Guards { made, start, left, other } =
        Guards::lost(opportunity.line, opportunity.other, !opportunity.side)?;
    if lines.is_decided() {
        return None;
    }
    Some(if opportunity.is_missed {
        let first = spelled(opportunity.own, 0);
        let text = message!(
            "Leaves the opponent's king its guards: {made} moves from {} on leave {left} of {start} generals \
             near it, here {other}.",
            "相手玉の守りが残る。{}からの{made}手では玉のまわりの金銀が{start}枚から{left}枚に減るが、\
             この手順では{other}枚ある。";
            first
        );
        Reason::new(ReasonKind::MissesGuards, text)
    } else {
        let text = message!(
            "Loses guards of the king: {made} moves leave {left} of {start} generals near it, \
             in the better line {other}.",
            "玉の守りが薄くなる。{made}手後には玉のまわりの金銀が{start}枚から{left}枚に減る\
             （最善の手順では{other}枚）。"
        );
        Reason::new(ReasonKind::LosesGuards, text)
    })
}

/// The golds and the silvers, without promoted pieces, which players do not call 金銀.
fn generals(position: &Position, side: Color) -> Bitboard {
    position.pieces_of(side, PieceKind::Gold) | position.pieces_of(side, PieceKind::Silver)
}

/// The number of generals of a side within two squares of its king.
fn guard_count(position: &Position, side: Color) -> usize {
    let Some(king) = position.king(side) else { return 0 };
    generals(position, side).into_iter().filter(|&at| king.distance(at) <= 2).count()
}

/// The generals next to the king of a side that a line takes.
fn lost_guards(line: &LineReplay, plies: std::ops::Range<usize>, side: Color) -> usize {
    let position = line.before(plies.start);
    let near = |king| attacks::king(king) & generals(position, side);
    let guards = position.king(side).map_or(Bitboard::EMPTY, near);
    let is_lost = |&ply: &usize| {
        let captured = line.captured(ply).filter(|piece| piece.color() == side);
        let to = line.moves()[ply].to();
        captured.is_some() && guards.contains(to) && captured == position.piece_at(to)
    };
    plies.filter(is_lost).count()
}

/// Whether a side moves its king at a ply without being in check.
fn moves_king_unchecked(line: &LineReplay, ply: usize, side: Color) -> bool {
    let (before, mv) = (line.before(ply), line.moves()[ply]);
    before.side_to_move() == side
        && !before.in_check()
        && before.moved_kind_before(mv) == PieceKind::King
}

/// Whether a move of a line gives check to a side.
fn is_check(line: &LineReplay, ply: usize, side: Color) -> bool {
    let after = line.after(ply);
    after.side_to_move() == side && after.in_check()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: the tokins beside a king in the enemy's camp were counted as golds.
    #[test]
    fn promoted_pieces_beside_a_king_are_no_golds_and_silvers() {
        let position = Position::from_sfen("3+P+N+SK2/4GS3/9/9/9/9/9/9/4k4 b - 1").unwrap();
        assert_eq!(guard_count(&position, Color::Black), 2);
    }
}
