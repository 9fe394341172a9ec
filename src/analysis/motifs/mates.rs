//! The ways to give check and mate.

use super::motif::Motif;
use super::pawns::square_in_front;
use super::replay::LineReplay;
use crate::types::{Bitboard, PieceKind};

/// The motifs of a check.
pub(super) fn of_check(replay: &LineReplay, ply: usize) -> Vec<Motif> {
    let mv = replay.moves()[ply];
    let checkers = replay.after(ply).checkers();
    let mut found = Vec::new();
    if checkers.more_than_one() {
        found.push(Motif::DoubleCheck);
    } else if !checkers.is_empty() && !checkers.contains(mv.to()) {
        found.push(Motif::DiscoveredCheck);
    }
    found
}

/// The motifs of a move that mates, if it does.
pub(super) fn of_mate(replay: &LineReplay, ply: usize) -> Vec<Motif> {
    let (mv, after) = (replay.moves()[ply], replay.after(ply));
    if !after.in_check() || after.has_legal_move() {
        return Vec::new();
    }
    let mut found = vec![Motif::Mate];
    let loser = after.side_to_move();
    let kind = after.piece_at(mv.to()).map(|piece| piece.kind());
    let is_alone = after.checkers() == Bitboard::from_square(mv.to());
    let at_head =
        after.king(loser).is_some_and(|king| square_in_front(king, loser) == Some(mv.to()));
    if kind == Some(PieceKind::Gold) && at_head {
        found.push(Motif::GoldAtHead);
    }
    if kind == Some(PieceKind::Knight) && is_alone {
        found.push(Motif::HangingKnight);
    }
    found
}
