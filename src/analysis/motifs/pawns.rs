//! Tactics of dropped pawns.

use super::attacks::MotifTargets;
use super::motif::Motif;
use super::replay::LineReplay;
use crate::position::{Position, attacks};
use crate::types::{Color, Move, PieceKind, Square};

/// The motif of a pawn drop that the line carries out.
pub(super) fn of_drop(replay: &LineReplay, ply: usize) -> Option<MotifTargets> {
    let mv = replay.moves()[ply];
    if !mv.is_drop() || mv.dropped() != PieceKind::Pawn {
        return None;
    }
    let finders = [repeated, focal, striking, dangling, joining, anchor];
    finders.into_iter().find_map(|find| find(replay, ply))
}

/// The square in front of a square, from the view of a side.
pub(super) fn square_in_front(square: Square, side: Color) -> Option<Square> {
    square.offset(0, if side == Color::Black { -1 } else { 1 })
}

/// The enemy piece in front of a dropped pawn, with its square.
fn enemy_in_front(position: &Position, mv: Move) -> Option<(PieceKind, Square)> {
    let side = position.side_to_move();
    let at = square_in_front(mv.to(), side)?;
    let piece = position.piece_at(at).filter(|piece| piece.color() != side)?;
    Some((piece.kind(), at))
}

/// 連打の歩: a pawn dropped in front of a piece, which takes it, and then another one on the same file.
fn repeated(replay: &LineReplay, ply: usize) -> Option<MotifTargets> {
    let (mv, reply, next) =
        (replay.moves()[ply], replay.moves().get(ply + 1)?, replay.moves().get(ply + 2)?);
    let (kind, at) = enemy_in_front(replay.before(ply), mv)?;
    let (_, again) = enemy_in_front(replay.before(ply + 2), *next)?;
    let is_strike = kind != PieceKind::Pawn
        && reply.to() == mv.to()
        && next.is_drop()
        && next.dropped() == PieceKind::Pawn
        && again == mv.to();
    (is_strike && replay.succeeds(ply)).then(|| (Motif::RepeatedPawns, vec![at]))
}

/// 焦点の歩: an unsupported pawn that several enemy pieces attack, and one of them takes it.
fn focal(replay: &LineReplay, ply: usize) -> Option<MotifTargets> {
    let (mv, after) = (replay.moves()[ply], replay.after(ply));
    let reply = replay.moves().get(ply + 1)?;
    let takers = after.attackers(after.side_to_move(), mv.to(), after.occupied());
    let support = after.attackers(!after.side_to_move(), mv.to(), after.occupied());
    let is_focus = takers.len() >= 2 && support.is_empty() && reply.to() == mv.to();
    (is_focus && replay.succeeds(ply)).then(|| (Motif::FocalPawn, takers.into_iter().collect()))
}

/// 叩きの歩: a pawn dropped in front of a piece, which takes it, leaves, or is taken.
fn striking(replay: &LineReplay, ply: usize) -> Option<MotifTargets> {
    let mv = replay.moves()[ply];
    let (kind, at) = enemy_in_front(replay.before(ply), mv)?;
    let reply = replay.moves().get(ply + 1)?;
    let reacts = reply.to() == mv.to() || !reply.is_drop() && reply.from() == at;
    let takes = replay
        .moves()
        .get(ply + 2)
        .is_some_and(|next| !next.is_drop() && next.from() == mv.to() && next.to() == at);
    let is_strike = kind != PieceKind::Pawn && (reacts || takes);
    (is_strike && replay.succeeds(ply)).then(|| (Motif::StrikingPawn, vec![at]))
}

/// 垂れ歩: a pawn dropped one step before the promotion zone or in it, which attacks nothing and promotes next.
fn dangling(replay: &LineReplay, ply: usize) -> Option<MotifTargets> {
    let mv = replay.moves()[ply];
    let side = replay.before(ply).side_to_move();
    let front = square_in_front(mv.to(), side)?;
    let is_close = (1..=3).contains(&mv.to().relative_rank(side));
    let is_quiet = replay.before(ply).piece_at(front).is_none();
    let promotes = |&later: &usize| {
        let next = replay.moves().get(later);
        next.is_some_and(|next| *next == Move::board(mv.to(), front, true))
    };
    let promotes = [ply + 2, ply + 4].iter().any(promotes);
    (is_close && is_quiet && promotes).then(|| (Motif::DanglingPawn, vec![front]))
}

/// 合わせの歩: a supported pawn dropped in front of a pawn, which takes it and is taken back.
fn joining(replay: &LineReplay, ply: usize) -> Option<MotifTargets> {
    let (mv, reply, next) =
        (replay.moves()[ply], replay.moves().get(ply + 1)?, replay.moves().get(ply + 2)?);
    let (kind, at) = enemy_in_front(replay.before(ply), mv)?;
    let is_pawn = kind == PieceKind::Pawn && !reply.is_drop() && reply.from() == at;
    let is_exchange = reply.to() == mv.to() && next.to() == mv.to();
    (is_pawn && is_exchange).then(|| (Motif::JoiningPawn, vec![at]))
}

/// 底歩: a pawn dropped on the last rank below a gold, against a rook on that rank.
fn anchor(replay: &LineReplay, ply: usize) -> Option<MotifTargets> {
    let (mv, before) = (replay.moves()[ply], replay.before(ply));
    let side = before.side_to_move();
    let above = square_in_front(mv.to(), side)?;
    let gold = before.piece_at(above);
    let is_below = mv.to().relative_rank(side) == 8
        && gold.is_some_and(|gold| gold.kind() == PieceKind::Gold && gold.color() == side);
    let rooks =
        before.pieces_of(!side, PieceKind::Rook) | before.pieces_of(!side, PieceKind::Dragon);
    let faces = |rook: Square| {
        rook.rank() == mv.to().rank()
            && !attacks::between(rook, mv.to()).intersects(before.occupied())
    };
    (is_below && rooks.into_iter().any(faces)).then(|| (Motif::AnchorPawn, vec![above]))
}
