//! Forks, skewers, pins and other attacks that win a piece.
//!
//! Each is recognised by its move and by the capture in the line that carries it out.

use super::motif::Motif;
use super::replay::{GAIN, LineReplay, can_be_captured, capture_value};
use crate::position::{Position, attacks};
use crate::types::{Bitboard, Color, Move, PieceKind, Square};

/// A motif, and the squares of the attacked pieces.
pub(super) type MotifTargets = (Motif, Vec<Square>);

/// The attacks that the move at `ply` makes and a later move of the line carries out.
pub(super) fn of_move(replay: &LineReplay, ply: usize) -> Vec<MotifTargets> {
    let finders = [fork, skewer, discovered, pin, trapped];
    finders.into_iter().filter_map(|find| find(replay, ply)).collect()
}

fn is_slider(kind: PieceKind) -> bool {
    use PieceKind::{Bishop, Dragon, Horse, Lance, Rook};
    matches!(kind, Lance | Bishop | Rook | Horse | Dragon)
}

/// The squares that the piece on a square attacks.
fn attacks_from(position: &Position, square: Square) -> Bitboard {
    let piece = position.piece_at(square);
    piece.map_or(Bitboard::EMPTY, |piece| attacks::of(piece, square, position.occupied()))
}

fn kind_at(position: &Position, square: Square) -> Option<PieceKind> {
    position.piece_at(square).map(|piece| piece.kind())
}

/// The pieces of a side that are worth an attack.
fn non_pawns(position: &Position, side: Color) -> Bitboard {
    position.pieces(side).without(position.pieces_of(side, PieceKind::Pawn))
}

/// The capture two plies after a move, if it gains, by itself and with what the move and its answer take.
fn capture_after(replay: &LineReplay, ply: usize) -> Option<Move> {
    let capture = ply + 2;
    let mv = replay.moves().get(capture).copied()?;
    let gains = replay.gains(capture, capture) && replay.gains(ply, capture);
    (replay.captured(capture).is_some() && gains).then_some(mv)
}

/// A piece attacks two, and takes one of them.
fn fork(replay: &LineReplay, ply: usize) -> Option<MotifTargets> {
    let (mv, after) = (replay.moves()[ply], replay.after(ply));
    let enemy = after.side_to_move();
    let targets = attacks_from(after, mv.to()) & non_pawns(after, enemy);
    let capture = capture_after(replay, ply)?;
    if targets.len() < 2 || capture.is_drop() || capture.from() != mv.to() {
        return None;
    }
    let takes_target =
        targets.contains(capture.to()) && replay.captured(ply + 2) == after.piece_at(capture.to());
    let won = winnable_targets(after, mv.to(), targets);
    if !takes_target || won.len() < 2 {
        return None;
    }
    let kinds: Vec<PieceKind> = targets.into_iter().filter_map(|at| kind_at(after, at)).collect();
    let has = |kind| kinds.contains(&kind);
    let mover = kind_at(after, mv.to())?;
    let behind = |at: Square| at.relative_rank(!enemy) > mv.to().relative_rank(!enemy);
    let motif = if has(PieceKind::King) && (has(PieceKind::Rook) || has(PieceKind::Dragon)) {
        Motif::KingRookFork
    } else if mover == PieceKind::Knight && !has(PieceKind::King) {
        Motif::KnightFork
    } else if mover == PieceKind::Rook && is_cross(mv.to(), &won) {
        Motif::RookFork
    } else if mv.is_drop()
        && mover == PieceKind::Silver
        && are_golds_and_rooks(&kinds)
        && targets.into_iter().all(behind)
    {
        Motif::SilverFork
    } else {
        Motif::Fork
    };
    Some((motif, targets.into_iter().collect()))
}

/// Gold and rook, or two golds.
fn are_golds_and_rooks(kinds: &[PieceKind]) -> bool {
    use PieceKind::{Dragon, Gold, Rook};
    kinds.contains(&Gold) && kinds.iter().all(|kind| matches!(kind, Gold | Rook | Dragon))
}

/// Whether some squares lie on the file of a rook, and others on its rank.
fn is_cross(rook: Square, squares: &[Square]) -> bool {
    let is_on_file = |at: &Square| at.file() == rook.file();
    squares.iter().any(is_on_file) && !squares.iter().all(is_on_file)
}

/// Those of the attacked pieces that are the king or could be taken with a gain.
fn winnable_targets(after: &Position, from: Square, targets: Bitboard) -> Vec<Square> {
    let attacker = kind_at(after, from).map_or(0, capture_value);
    let enemy = after.side_to_move();
    let is_gain = |&at: &Square| {
        let defenders = after.attackers(enemy, at, after.occupied());
        let value = kind_at(after, at).map_or(0, capture_value);
        kind_at(after, at) == Some(PieceKind::King)
            || value >= GAIN && (defenders.is_empty() || value >= attacker)
    };
    targets.into_iter().filter(is_gain).collect()
}

/// A slider attacks a piece and another one behind it.
fn skewer(replay: &LineReplay, ply: usize) -> Option<MotifTargets> {
    let (mv, after) = (replay.moves()[ply], replay.after(ply));
    let slider = kind_at(after, mv.to()).filter(|&kind| is_slider(kind))?;
    let enemy = after.side_to_move();
    let capture = capture_after(replay, ply)?;
    if capture.is_drop() || capture.from() != mv.to() {
        return None;
    }
    let worthwhile = non_pawns(after, enemy);
    for front in attacks_from(after, mv.to()) & worthwhile {
        let ray = attacks::ray_through(mv.to(), front);
        let seen = attacks::of(
            after.piece_at(mv.to())?,
            mv.to(),
            after.occupied().without(Bitboard::from_square(front)),
        );
        let Some(back) = (seen & ray & worthwhile).without(Bitboard::from_square(front)).first()
        else {
            continue;
        };
        let reply = replay.moves()[ply + 1];
        let steps_aside = !reply.is_drop() && reply.from() == front;
        let takes_back = capture.to() == back && steps_aside && !ray.contains(reply.to());
        let takes_front =
            capture.to() == front && slider == PieceKind::Lance && reply.to() != front;
        if takes_back || takes_front {
            let motif = if slider == PieceKind::Lance { Motif::LanceSkewer } else { Motif::Skewer };
            return Some((motif, vec![front, back]));
        }
    }
    None
}

/// A piece steps out of the line of a slider, which takes a piece on it.
fn discovered(replay: &LineReplay, ply: usize) -> Option<MotifTargets> {
    let (mv, before, after) = (replay.moves()[ply], replay.before(ply), replay.after(ply));
    let capture = capture_after(replay, ply)?;
    if mv.is_drop() || capture.is_drop() || capture.from() == mv.to() {
        return None;
    }
    let (from, to) = (capture.from(), capture.to());
    let slider = kind_at(before, from).filter(|&kind| is_slider(kind))?;
    let is_uncovered = kind_at(after, from) == Some(slider)
        && attacks::between(from, to).contains(mv.from())
        && attacks_from(after, from).contains(to)
        && !attacks_from(before, from).contains(to);
    let is_same = replay.captured(ply + 2) == after.piece_at(to);
    let is_worthwhile = non_pawns(after, after.side_to_move()).contains(to);
    (is_uncovered && is_same && is_worthwhile).then(|| (Motif::DiscoveredAttack, vec![to]))
}

/// The pieces of a side that may not leave the line to their king.
pub(super) fn pinned(position: &Position, side: Color) -> Bitboard {
    position.blockers(side) & position.pieces(side)
}

/// A slider pins a piece, which is taken where it stands.
fn pin(replay: &LineReplay, ply: usize) -> Option<MotifTargets> {
    let (mv, before, after) = (replay.moves()[ply], replay.before(ply), replay.after(ply));
    let enemy = after.side_to_move();
    let fresh = pinned(after, enemy).without(pinned(before, enemy)) & non_pawns(after, enemy);
    let slider = kind_at(after, mv.to()).filter(|&kind| is_slider(kind));
    let king = after.king(enemy)?;
    let by_mover = |at: &Square| slider.is_some() && attacks::between(king, mv.to()).contains(*at);
    for at in fresh.into_iter().filter(by_mover) {
        for capture in [ply + 2, ply + 4] {
            let Some(taken) = replay.moves().get(capture) else { break };
            let has_stayed = (ply + 1..capture).all(|ply| replay.moves()[ply].to() != at)
                && replay.before(capture).piece_at(at) == after.piece_at(at);
            if taken.to() == at && has_stayed && replay.gains(ply, capture) {
                return Some((Motif::Pin, vec![at]));
            }
        }
    }
    None
}

/// A rook or bishop is attacked, loses wherever it goes, and is taken.
fn trapped(replay: &LineReplay, ply: usize) -> Option<MotifTargets> {
    use PieceKind::{Bishop, Dragon, Horse, Rook};
    let (mv, after) = (replay.moves()[ply], replay.after(ply));
    let capture = capture_after(replay, ply)?;
    let at = capture.to();
    let kind = kind_at(after, at).filter(|kind| matches!(kind, Bishop | Rook | Horse | Dragon))?;
    // The side could not take it at once with a gain, instead of its move.
    let was_safe = mv.to() != at && !can_be_captured(replay.before(ply), at, GAIN);
    let is_same = replay.captured(ply + 2) == after.piece_at(at);
    let mut board = after.clone();
    let flights = after.legal_moves();
    let mut flights = flights.moves().filter(|mv| !mv.is_drop() && mv.from() == at);
    let loses = |flight: Move| {
        let paid = after.piece_at(flight.to()).map_or(0, |piece| capture_value(piece.kind()));
        board.do_move(flight);
        let loses = can_be_captured(&board, flight.to(), GAIN + paid);
        board.undo_move(flight);
        loses
    };
    let is_attacked = after.attackers(!after.side_to_move(), at, after.occupied());
    // A piece that has no move because of a check is not trapped.
    let is_trapped = !after.in_check() && !is_attacked.is_empty() && flights.all(loses);
    (is_same && was_safe && is_trapped && capture_value(kind) > GAIN)
        .then(|| (Motif::TrappedPiece, vec![at]))
}

/// A capture that nothing can take back, and that no exchange prepared.
pub(super) fn free_piece(replay: &LineReplay, ply: usize) -> Option<MotifTargets> {
    let (mv, after) = (replay.moves()[ply], replay.after(ply));
    let value = capture_value(replay.captured(ply)?.kind());
    let replies = after.legal_moves();
    let is_free = replies.iter().all(|reply| reply.mv().to() != mv.to());
    // A capture on the square of the last move is the end of an exchange.
    let last = replay.before(ply).history().next_back().map(Move::to);
    let is_exchange = last == Some(mv.to()) && replay.before(ply).captured().is_some();
    (is_free && !is_exchange && value >= GAIN).then(|| (Motif::FreePiece, vec![mv.to()]))
}

/// A move that lets a piece be taken for less, where the line mates or wins it back with more.
pub(super) fn sacrifice(replay: &LineReplay, ply: usize) -> Option<MotifTargets> {
    let mv = replay.moves()[ply];
    let side = replay.before(ply).side_to_move();
    let reply = replay.moves().get(ply + 1)?;
    let given = replay.balance(side, ply..ply + 2);
    // Taken back at once it is an exchange.
    let exchanged = replay.moves().get(ply + 2).is_some_and(|next| next.to() == mv.to());
    let is_given = reply.to() == mv.to() && given <= -GAIN && !exchanged;
    (is_given && replay.succeeds(ply)).then(|| (Motif::Sacrifice, vec![mv.to()]))
}
