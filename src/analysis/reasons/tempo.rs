//! Moves that gain time by attacking a piece, which has to leave.

use super::comparison::Comparison;
use super::reason::{Reason, ReasonKind};
use super::winning_captures::{newly_attacked, winnable};
use super::wording::{piece, spelled};
use crate::analysis::motifs::{LineReplay, capture_value};
use crate::position::attacks;
use crate::types::{PieceKind, Square};

/// The reply attacks a piece, which the next move only saves; in the better line it does not.
pub(super) fn loses_tempo(lines: &Comparison) -> Option<Reason> {
    let attack = PieceAttack::new(&lines.played, 1)?;
    if lines.is_decided() || PieceAttack::new(&lines.better, 1).is_some() {
        return None;
    }
    let (name_en, name_ja) = piece(attack.target);
    let (reply_en, reply_ja) = spelled(&lines.refutation, 0);
    let (answer_en, answer_ja) = spelled(&lines.refutation, 1);
    let (answered_en, answered_ja) = attack.answered();
    let gained =
        format!("{reply_ja}が{name_ja}取りの先手になり、{answer_ja}と{answered_ja}ことになる。");
    let is_first_piece = attack.at == lines.played.moves()[0].to() && attack.is_flight;
    let (en, ja) = if is_first_piece && needs_one_move_only(&lines.played) {
        let en = format!(
            "Loses a move: {reply_en} attacks the {name_en}, which moves again ({answer_en})."
        );
        (en, format!("手損になる。{gained}"))
    } else {
        let en = format!(
            "Lets {reply_en} gain a move: it attacks the {name_en}, which {answered_en} ({answer_en})."
        );
        (en, gained)
    };
    Some(Reason::new(ReasonKind::LosesTempo, en, ja))
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
    let (name_en, name_ja) = piece(attack.target);
    let ((en, ja), (reply_en, reply_ja)) = (spelled(&lines.better, 0), spelled(&lines.better, 1));
    let (answered_en, answered_ja) = attack.answered();
    Some(Reason::new(
        ReasonKind::MissesTempo,
        format!(
            "Misses the gain of a move: {en} attacks the {name_en}, which {answered_en} ({reply_en})."
        ),
        format!("{ja}なら{name_ja}取りの先手だった（{reply_ja}と{answered_ja}）。"),
    ))
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
    let (name_en, name_ja) = piece(lines.played.after(0).piece_at(first.to())?.kind());
    let (en, ja) = spelled(&lines.played, ply);
    Some(Reason::new(
        ReasonKind::LosesTempo,
        format!("Loses two moves: the {name_en} goes back ({en})."),
        format!("手損になる。{name_ja}が{ja}と元に戻る。"),
    ))
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

    fn answered(&self) -> (&'static str, &'static str) {
        if self.is_flight { ("leaves", "逃げる") } else { ("needs protection", "受ける") }
    }
}
