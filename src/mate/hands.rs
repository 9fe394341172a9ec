//! What a value needs in hand: the least with which a proof holds, the most with which a disproof
//! does. (Proof and disproof pieces are Nagai's; their care about pieces that are not there, for
//! the defender's drops and the attacker's, follows the account of KomoringHeights' author.)

use crate::position::{Position, attacks};
use crate::types::{Bitboard, Color, Hand, Move, Piece, PieceKind};

/// The hand of the mover before a move after which it is `after`, as far as the set allows.
pub(super) fn before(position: &Position, mv: Move, after: Hand) -> Hand {
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

/// The attacker's hand after its move.
pub(super) fn after(position: &Position, mv: Move, before: Hand) -> Hand {
    let mut hand = before;
    if mv.is_drop() {
        hand.remove(mv.dropped());
    } else if let Some(victim) = position.piece_at(mv.to()) {
        hand.add(victim.kind().unpromoted());
    }
    hand
}

/// The disproof hand of an attacker's node all of whose checks are refuted with `refuted` in hand:
/// less what is not in hand and could be dropped with check, since no child speaks of that.
pub(super) fn without_new_checks(position: &Position, refuted: Hand) -> Hand {
    let us = position.side_to_move();
    let mut hand = refuted;
    for kind in PieceKind::HAND {
        let unheard_of = hand.has(kind) && !position.hand(us).has(kind);
        if unheard_of && can_drop_with_check(position, us, kind) {
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

/// The proof hand of a defender's node all of whose evasions are mated with `mated` in the
/// attacker's hand: with all of what the defender lacks and could interpose if it were his.
pub(super) fn with_all_interpositions(position: &Position, mated: Hand) -> Hand {
    let us = position.side_to_move();
    let (Some(king), checkers) = (position.king(us), position.checkers()) else { return mated };
    if checkers.len() != 1 {
        return mated;
    }
    let between = attacks::between(king, checkers.single());
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

/// The disproof hand of a defender's node that a move refutes with `refuted` in the attacker's
/// hand: a piece to be dropped must be left to the defender.
pub(super) fn leaving_the_drop(position: &Position, mv: Move, refuted: Hand) -> Hand {
    if !mv.is_drop() {
        return refuted;
    }
    let kind = mv.dropped();
    let all: u32 = Color::ALL.into_iter().map(|color| position.hand(color).count(kind)).sum();
    refuted.with(kind, refuted.count(kind).min(all - 1))
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
    fn hands_follow_drops_and_captures_both_ways() {
        let position = position("4k4/9/4+p4/4R4/9/9/9/9/9 b GP 1");
        let (capture, drop) = ("5d5c".parse().unwrap(), "G*5b".parse().unwrap());
        assert_eq!(after(&position, capture, hand("GP")), hand("GPP"));
        assert_eq!(before(&position, capture, hand("GPP")), hand("GP"));
        assert_eq!(before(&position, capture, hand("G")), hand("G"));
        assert_eq!(after(&position, drop, hand("GP")), hand("P"));
        assert_eq!(before(&position, drop, hand("")), hand("G"));
        assert_eq!(before(&position, drop, hand("GGGG")), hand("GGGG"));
    }

    #[test]
    fn a_refutation_says_nothing_of_pieces_that_could_be_dropped_with_check() {
        // Everything but a knight can be dropped next to the king in the corner, but the square in
        // front of it is taken, so that no pawn or lance checks.
        let corner = position("8k/8p/9/9/9/9/9/9/9 b N 1");
        let allowed = without_new_checks(&corner, Hand::FULL);
        let lance_pawn = hand("LLLL").with(PieceKind::Pawn, 18);
        assert_eq!(allowed, lance_pawn.with(PieceKind::Knight, 4));
        // An own pawn on the file bars another one.
        let barred = position("4k4/9/9/9/9/9/4P4/9/9 b - 1");
        assert_eq!(without_new_checks(&barred, Hand::FULL), Hand::EMPTY.with(PieceKind::Pawn, 18));
    }

    #[test]
    fn a_proof_needs_what_could_be_interposed() {
        let far = position("4k4/9/4R4/9/9/9/9/9/9 w 2Pp 1");
        assert_eq!(with_all_interpositions(&far, Hand::EMPTY), Hand::EMPTY);
        let far = position("4k4/9/4R4/9/9/9/9/9/9 w 2P2Gs 1");
        assert_eq!(with_all_interpositions(&far, Hand::EMPTY), hand("PPGG"));
        let near = position("4k4/4R4/9/9/9/9/9/9/9 w 2P2Gs 1");
        assert_eq!(with_all_interpositions(&near, Hand::EMPTY), Hand::EMPTY);
    }

    #[test]
    fn a_drop_that_refutes_is_left_to_the_defender() {
        let position = position("4k4/9/4R4/9/9/9/9/9/9 w 2Pp 1");
        let drop = "P*5b".parse().unwrap();
        assert_eq!(leaving_the_drop(&position, drop, hand("PPPPP")), hand("PP"));
        assert_eq!(leaving_the_drop(&position, drop, hand("P")), hand("P"));
        assert_eq!(leaving_the_drop(&position, "5a4a".parse().unwrap(), hand("PPP")), hand("PPP"));
    }
}
