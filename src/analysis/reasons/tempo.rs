//! Moves that gain time by attacking a piece, which has to leave.

use super::comparison::Comparison;
use super::reason::{Reason, ReasonKind};
use super::winning_captures::{newly_attacked, winnable};
use super::wording::spelled;
use crate::analysis::motifs::{LineReplay, capture_value};
use crate::position::attacks;
use crate::types::language::{Localized, localized};
use crate::types::message::{Message, message};
use crate::types::{PieceKind, Square};

/// The reply attacks a piece, which the next move only saves; in the better line it does not.
pub(super) fn loses_tempo(lines: &Comparison) -> Option<Reason> {
    let attack = PieceAttack::new(&lines.played, 1)?;
    if lines.is_decided() || PieceAttack::new(&lines.better, 1).is_some() {
        return None;
    }
    let (name, answered) = (attack.target.name(), attack.answered());
    let (reply, answer) = (spelled(&lines.refutation, 0), spelled(&lines.refutation, 1));
    let mut text = message!(
        "Lets {0} gain a move: it attacks the {1}, which {2} ({3}).",
        "{0}が{1}取りの先手になり、{3}と{2}ことになる。";
        reply, name, answered, answer
    );
    let is_first_piece = attack.at == lines.played.moves()[0].to() && attack.is_flight;
    if is_first_piece && needs_one_move_only(&lines.played) {
        let (reply, name, answer) = (reply.en, name.en, answer.en);
        text = Message {
            en: format!("Loses a move: {reply} attacks the {name}, which moves again ({answer})."),
            ja: format!("手損になる。{}", text.ja),
        };
    }
    Some(Reason::new(ReasonKind::LosesTempo, text))
}

/// Whether one move would have brought the piece of the first move to where it stands after its second one, at ply 2:
/// a piece that is driven forward loses no move.
fn needs_one_move_only(line: &LineReplay) -> bool {
    let (before, first, second) = (line.before(0), line.moves()[0], line.moves()[2]);
    if first.is_drop() {
        return before.piece_at(second.to()).is_none() && !second.is_promotion();
    }
    let reaches = before.piece_at(first.from()).is_some_and(|piece| {
        attacks::of(piece, first.from(), before.occupied()).contains(second.to())
    });
    second.to() == first.from() || reaches
}

/// The better move attacks a piece, which the reply only saves; the move played attacks nothing.
pub(super) fn misses_tempo(lines: &Comparison) -> Option<Reason> {
    let attack = PieceAttack::new(&lines.better, 0)?;
    if lines.is_decided() || newly_attacked(&lines.played, 0).is_some_and(|found| !found.is_empty())
    {
        return None;
    }
    let (name, answered) = (attack.target.name(), attack.answered());
    let (better, reply) = (spelled(&lines.better, 0), spelled(&lines.better, 1));
    let text = message!(
        "Misses the gain of a move: {0} attacks the {1}, which {2} ({3}).",
        "{0}なら{1}取りの先手だった（{3}と{2}）。";
        better, name, answered, reply
    );
    Some(Reason::new(ReasonKind::MissesTempo, text))
}

/// The last ply at which the piece that was moved may go back.
const LATEST_RETURN: usize = 6;

/// The piece goes back to where it was.
pub(super) fn moves_back(lines: &Comparison) -> Option<Reason> {
    let first = lines.played.moves()[0];
    let is_idle =
        |ply: usize| lines.played.captured(ply).is_none() && !lines.played.after(ply).in_check();
    if first.is_drop() || !is_idle(0) || lines.is_decided() {
        return None;
    }
    let is_back = |&ply: &usize| {
        let back = lines.played.moves()[ply];
        !back.is_drop() && back.from() == first.to() && back.to() == first.from() && is_idle(ply)
    };
    let plies = lines.played.moves().len().min(LATEST_RETURN + 1);
    let ply = (2..plies).step_by(2).find(is_back)?;
    let name = lines.played.after(0).piece_at(first.to())?.kind().name();
    let back = spelled(&lines.played, ply);
    let text = message!(
        "Loses two moves: the {} goes back ({}).",
        "手損になる。{}が{}と元に戻る。";
        name, back
    );
    Some(Reason::new(ReasonKind::LosesTempo, text))
}

/// An attack on a piece, which the next move of the line only saves: it takes nothing and gives no check.
struct PieceAttack {
    at: Square,
    target: PieceKind,
    is_flight: bool,
}

impl PieceAttack {
    /// The attack that the move at a ply makes.
    fn new(line: &LineReplay, ply: usize) -> Option<PieceAttack> {
        let answer = *line.moves().get(ply + 1)?;
        let (after, answered) = (line.after(ply), line.after(ply + 1));
        if line.captured(ply + 1).is_some() || answered.in_check() {
            return None;
        }
        let saved = newly_attacked(line, ply)?.without(winnable(answered));
        let leaves = |at: Square| !answer.is_drop() && answer.from() == at;
        let at = saved.into_iter().max_by_key(|&at| {
            (leaves(at), after.piece_at(at).map_or(0, |piece| capture_value(piece.kind())))
        })?;
        let target = after.piece_at(at)?.kind();
        Some(PieceAttack { at, target, is_flight: leaves(at) })
    }

    fn answered(&self) -> Localized {
        if self.is_flight {
            localized("leaves", "逃げる")
        } else {
            localized("needs protection", "受ける")
        }
    }
}
