//! Proof and disproof hands: the smallest hand of the attacker for which a mate holds, and the largest for
//! which a disproof holds. (Proof and disproof pieces after Nagai. The treatment of pieces that are not in
//! hand follows the description by KomoringHeights' author.)

use crate::position::{Position, attacks};
use crate::types::{Bitboard, Color, Hand, Move, Piece, PieceKind};

/// The hand before a move after which it is `after`, with no more pieces than the set has.
pub(super) fn hand_before(position: &Position, mv: Move, after: Hand) -> Hand {
    let mut hand = after;
    if mv.is_drop() {
        let kind = mv.dropped();
        if hand.count(kind) < kind.set_size() {
            hand.add(kind);
        }
    } else if let Some(victim) = position.piece_at(mv.to()) {
        let kind = victim.kind().unpromoted();
        if hand.has(kind) {
            hand.remove(kind);
        }
    }
    hand
}

/// The hand after a move before which it is `before`.
pub(super) fn hand_after(position: &Position, mv: Move, before: Hand) -> Hand {
    let mut hand = before;
    if mv.is_drop() {
        hand.remove(mv.dropped());
    } else if let Some(victim) = position.piece_at(mv.to()) {
        hand.add(victim.kind().unpromoted());
    }
    hand
}

/// The disproof hand of an OR node whose checks are all disproved with `disproved` in hand. Kinds
/// that the attacker lacks and could drop with check are removed, since no child covers such drops.
pub(super) fn remove_new_checks(position: &Position, disproved: Hand) -> Hand {
    let us = position.side_to_move();
    let mut hand = disproved;
    for kind in PieceKind::HAND {
        let is_new = hand.has(kind) && !position.hand(us).has(kind);
        if is_new && can_drop_with_check(position, us, kind) {
            hand = hand.with(kind, 0);
        }
    }
    hand
}

fn can_drop_with_check(position: &Position, us: Color, kind: PieceKind) -> bool {
    let Some(king) = position.king(!us) else { return false };
    let pawns = position.pieces_of(us, PieceKind::Pawn);
    if kind == PieceKind::Pawn && pawns.intersects(Bitboard::file(king.file())) {
        return false;
    }
    let squares = attacks::of(Piece::new(!us, kind), king, position.occupied());
    !squares.without(position.occupied()).is_empty()
}

/// The proof hand of an AND node whose evasions are all mate with `mated` in the attacker's hand.
/// All pieces of the kinds that the defender lacks and could interpose are added, so that the
/// defender has none of them.
pub(super) fn add_interpositions(position: &Position, mated: Hand) -> Hand {
    let us = position.side_to_move();
    let (Some(king), checkers) = (position.king(us), position.checkers()) else { return mated };
    if checkers.len() != 1 {
        return mated;
    }
    let between = attacks::between(king, checkers.lsb());
    if between.is_empty() {
        return mated;
    }
    let mut hand = mated;
    for kind in PieceKind::HAND {
        if position.hand(us).has(kind) {
            continue;
        }
        let pawns = position.pieces_of(us, PieceKind::Pawn);
        if kind == PieceKind::Pawn && between.without(pawns.fill_files()).is_empty() {
            continue;
        }
        hand = hand.with(kind, position.hand(!us).count(kind));
    }
    hand
}

/// The disproof hand of an AND node that a move disproves with `disproved` in the attacker's hand.
/// If the move is a drop, the defender must keep a piece of that kind.
pub(super) fn reserve_drop(position: &Position, mv: Move, disproved: Hand) -> Hand {
    if !mv.is_drop() {
        return disproved;
    }
    let kind = mv.dropped();
    let all: u32 = Color::ALL.into_iter().map(|color| position.hand(color).count(kind)).sum();
    disproved.with(kind, disproved.count(kind).min(all - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(sfen: &str) -> Position {
        Position::from_sfen(sfen).unwrap()
    }

    fn hand(text: &str) -> Hand {
        let mut hand = Hand::EMPTY;
        for letter in text.chars() {
            hand.add(PieceKind::from_letter(letter).unwrap());
        }
        hand
    }

    #[test]
    fn drops_and_captures_change_the_hand_both_ways() {
        let position = position("4k4/9/4+p4/4R4/9/9/9/9/9 b GP 1");
        let (capture, drop) = ("5d5c".parse().unwrap(), "G*5b".parse().unwrap());
        assert_eq!(hand_after(&position, capture, hand("GP")), hand("GPP"));
        assert_eq!(hand_before(&position, capture, hand("GPP")), hand("GP"));
        assert_eq!(hand_before(&position, capture, hand("G")), hand("G"));
        assert_eq!(hand_after(&position, drop, hand("GP")), hand("P"));
        assert_eq!(hand_before(&position, drop, hand("")), hand("G"));
        assert_eq!(hand_before(&position, drop, hand("GGGG")), hand("GGGG"));
    }

    #[test]
    fn a_disproof_does_not_cover_pieces_that_could_be_dropped_with_check() {
        // A knight is in hand, and the square in front of the king is occupied, so that no pawn or
        // lance can be dropped with check. All other kinds can.
        let corner = position("8k/8p/9/9/9/9/9/9/9 b N 1");
        let allowed = remove_new_checks(&corner, Hand::FULL);
        let lance_pawn = hand("LLLL").with(PieceKind::Pawn, 18);
        assert_eq!(allowed, lance_pawn.with(PieceKind::Knight, 4));
        // No second pawn can be dropped on the file.
        let barred = position("4k4/9/9/9/9/9/4P4/9/9 b - 1");
        assert_eq!(remove_new_checks(&barred, Hand::FULL), Hand::EMPTY.with(PieceKind::Pawn, 18));
    }

    #[test]
    fn a_proof_takes_the_pieces_that_could_be_interposed() {
        let far = position("4k4/9/4R4/9/9/9/9/9/9 w 2Pp 1");
        assert_eq!(add_interpositions(&far, Hand::EMPTY), Hand::EMPTY);
        let far = position("4k4/9/4R4/9/9/9/9/9/9 w 2P2Gs 1");
        assert_eq!(add_interpositions(&far, Hand::EMPTY), hand("PPGG"));
        let near = position("4k4/4R4/9/9/9/9/9/9/9 w 2P2Gs 1");
        assert_eq!(add_interpositions(&near, Hand::EMPTY), Hand::EMPTY);
    }

    #[test]
    fn a_drop_that_disproves_stays_with_the_defender() {
        let position = position("4k4/9/4R4/9/9/9/9/9/9 w 2Pp 1");
        let drop = "P*5b".parse().unwrap();
        assert_eq!(reserve_drop(&position, drop, hand("PPPPP")), hand("PP"));
        assert_eq!(reserve_drop(&position, drop, hand("P")), hand("P"));
        assert_eq!(reserve_drop(&position, "5a4a".parse().unwrap(), hand("PPP")), hand("PPP"));
    }
}
