//! Static exchange evaluation: what a sequence of captures on one square comes to.

use super::{Position, attacks};
use crate::types::{Bitboard, Color, Move, PieceKind, Square};

/// What a piece is worth on the board, by kind, a pawn being 90 (YaneuraOu's scale).
const VALUES: [i32; PieceKind::TABLE] =
    [0, 90, 315, 405, 495, 855, 990, 540, 15_000, 540, 540, 540, 540, 945, 1_395];

/// What a piece is worth on the board, a pawn being 90.
#[inline(always)]
pub fn exchange_value(kind: PieceKind) -> i32 {
    VALUES[kind.index()]
}

/// The order in which a side sends its pieces into an exchange, cheapest first. Kings come last
/// and are handled apart; golds stand for all that move like one.
const ORDER: [PieceKind; 9] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Gold,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::Horse,
    PieceKind::Dragon,
];

impl Position {
    /// Whether the exchange that a pseudo-legal move begins is worth at least `threshold` to the
    /// side to move. Promotions are ignored; pinned pieces stay out while their pinner stands.
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        let to = mv.to();
        let victim = self.piece_at(to).map_or(0, |piece| exchange_value(piece.kind()));
        let mut swap = victim - threshold;
        if swap < 0 {
            return false;
        }
        let mover = if mv.is_drop() { mv.dropped() } else { self.moving_piece(mv).kind() };
        swap = exchange_value(mover) - swap;
        if swap <= 0 {
            return true;
        }
        let mut occupied = self.occupied().with(to);
        if !mv.is_drop() {
            occupied ^= Bitboard::from_square(mv.from());
        }
        self.exchange(to, occupied, swap)
    }

    /// Plays the exchange out. `swap` is what the side that just moved risks beyond the threshold.
    fn exchange(&self, to: Square, mut occupied: Bitboard, mut swap: i32) -> bool {
        let mut side = self.side;
        let mut attackers =
            self.attackers(side, to, occupied) | self.attackers(!side, to, occupied);
        // Whether the side of the first move stands well.
        let mut good = true;
        loop {
            side = !side;
            attackers &= occupied;
            let mut own = attackers & self.pieces(side);
            if self.state().pinners[side].intersects(occupied) {
                own = own.without(self.blockers(side));
            }
            let Some((kind, square)) = self.cheapest(own) else {
                // Only the king is left to take, or nothing.
                let king = own & self.kind(PieceKind::King);
                if king.is_empty() {
                    return good;
                }
                let answered = !attackers.without(self.pieces(side)).is_empty();
                return if answered { good } else { !good };
            };
            good = !good;
            swap = exchange_value(kind) - swap;
            if swap < good as i32 {
                return good;
            }
            occupied ^= Bitboard::from_square(square);
            attackers |= self.uncovered(to, square, occupied);
        }
    }

    /// The cheapest piece of a set, kings left out, with where it stands.
    #[inline(always)]
    fn cheapest(&self, set: Bitboard) -> Option<(PieceKind, Square)> {
        for kind in ORDER {
            let slot = if kind == PieceKind::Gold { super::GOLDS } else { kind.index() };
            if let Some(square) = (self.by_kind[slot] & set).first() {
                return Some((kind, square));
            }
        }
        None
    }

    /// The slider that attacks `to` now that `gone` has left the line.
    #[inline(always)]
    fn uncovered(&self, to: Square, gone: Square, occupied: Bitboard) -> Bitboard {
        let line = attacks::ray_through(to, gone);
        if line.is_empty() {
            return line;
        }
        let diagonal = self.kind(PieceKind::Bishop) | self.kind(PieceKind::Horse);
        let straight = self.kind(PieceKind::Rook) | self.kind(PieceKind::Dragon);
        if line.intersects(attacks::diagonals(to)) {
            return attacks::bishop(to, occupied) & diagonal & line;
        }
        let mut lances = Bitboard::EMPTY;
        for color in Color::ALL {
            lances |= attacks::lance_ray(!color, to) & self.pieces_of(color, PieceKind::Lance);
        }
        attacks::rook(to, occupied) & (straight | lances) & line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of the exchange, found by asking for every threshold.
    fn see(sfen: &str, mv: &str) -> i32 {
        let position = Position::from_sfen(sfen).unwrap();
        let mv = mv.parse().unwrap();
        assert!(position.is_legal(mv));
        let (mut low, mut high) = (-20_000_i32, 20_000);
        while low < high {
            let middle = (low + high + 1).div_euclid(2);
            if position.see_ge(mv, middle) { low = middle } else { high = middle - 1 }
        }
        low
    }

    #[test]
    fn a_free_piece_is_won_and_a_defended_one_is_traded() {
        assert_eq!(see("4k4/9/9/4p4/4P4/9/9/9/4K4 b - 1", "5e5d"), 90);
        assert_eq!(see("4k4/9/4g4/4p4/4R4/9/9/9/4K4 b - 1", "5e5d"), 90 - 990);
        assert_eq!(see("4k4/9/4g4/4r4/4S4/9/9/9/4K4 b - 1", "5e5d"), 990 - 495);
    }

    #[test]
    fn sliders_behind_sliders_join_in() {
        assert_eq!(see("4k4/4r4/4l4/4p4/4L4/4R4/9/9/4K4 b - 1", "5e5d"), 90 - 315);
        assert_eq!(see("4k4/9/4l4/4p4/4L4/4R4/9/9/4K4 b - 1", "5e5d"), 90);
    }

    #[test]
    fn a_drop_risks_the_piece() {
        assert_eq!(see("4k4/9/4g4/9/9/9/9/9/4K4 b S 1", "S*5d"), -495);
        assert_eq!(see("4k4/9/9/9/9/9/9/9/4K4 b S 1", "S*5d"), 0);
    }

    #[test]
    fn a_pinned_piece_does_not_take_back() {
        // The gold on 5c is pinned to 5a by the rook on 5i.
        assert_eq!(see("4k4/9/4g4/3p5/3P5/9/9/9/K3R4 b - 1", "6e6d"), 90);
        assert_eq!(see("4k4/9/4g4/3p5/3P5/9/9/9/K8 b - 1", "6e6d"), 0);
    }
}
