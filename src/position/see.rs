//! Static exchange evaluation: what a sequence of captures on one square comes to.

use super::{GOLDS, Position};
use crate::types::{Bitboard, Move, PieceKind, Square};

/// What a piece is worth on the board, by kind, a pawn being 90 (YaneuraOu's scale).
const VALUES: [i32; PieceKind::TABLE] =
    [0, 90, 315, 405, 495, 855, 990, 540, 15_000, 540, 540, 540, 540, 945, 1_395];

/// What a piece is worth on the board, a pawn being 90.
#[inline(always)]
pub fn exchange_value(kind: PieceKind) -> i32 {
    VALUES[kind.index()]
}

/// Whether a quiet move puts the piece where nothing can take it, told from the squares that the enemy
/// attacks before the move. A piece that leaves an attacked square may open a line to where it goes.
#[inline(always)]
pub fn is_out_of_reach(mv: Move, attacked: Bitboard) -> bool {
    !attacked.contains(mv.to()) && (mv.is_drop() || !attacked.contains(mv.from()))
}

/// The order in which a side sends its pieces into an exchange, cheapest first, with their slots
/// of `by_kind`. Kings come last and are handled apart; golds stand for all that move like one.
/// (The rook goes before the horse, which is worth a little less, as in YaneuraOu: exchanges with
/// both are too rare to matter.)
const ORDER: [(PieceKind, usize); 9] = [
    (PieceKind::Pawn, PieceKind::Pawn.index()),
    (PieceKind::Lance, PieceKind::Lance.index()),
    (PieceKind::Knight, PieceKind::Knight.index()),
    (PieceKind::Silver, PieceKind::Silver.index()),
    (PieceKind::Gold, GOLDS),
    (PieceKind::Bishop, PieceKind::Bishop.index()),
    (PieceKind::Rook, PieceKind::Rook.index()),
    (PieceKind::Horse, PieceKind::Horse.index()),
    (PieceKind::Dragon, PieceKind::Dragon.index()),
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
        swap = exchange_value(self.mover(mv)) - swap;
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
        // Whether the side of the first move stands well.
        let mut good = true;
        loop {
            side = !side;
            // Most exchanges end soon: attackers are looked up anew, for the side that needs them.
            let mut own = self.attackers(side, to, occupied) & occupied;
            let blockers = self.blockers(side);
            if own.intersects(blockers) && self.pinners(side).intersects(occupied) {
                own = own.without(blockers);
            }
            let Some((kind, square)) = self.cheapest(own) else {
                // Only the king is left to take, or nothing.
                if own.is_empty() {
                    return good;
                }
                let answered = self.attackers(!side, to, occupied).intersects(occupied);
                return if answered { good } else { !good };
            };
            good = !good;
            swap = exchange_value(kind) - swap;
            if swap < good as i32 {
                return good;
            }
            occupied ^= Bitboard::from_square(square);
        }
    }

    /// The cheapest piece of a set, kings left out, with where it stands. Out of line, or the loop
    /// around it would load the pieces of every kind beforehand.
    #[inline(never)]
    fn cheapest(&self, set: Bitboard) -> Option<(PieceKind, Square)> {
        if set.is_empty() {
            return None;
        }
        ORDER.iter().find_map(|&(kind, slot)| {
            let pieces = self.by_kind[slot] & set;
            (!pieces.is_empty()).then(|| (kind, pieces.single()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::movegen::Promotions;

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

    #[test]
    fn what_is_out_of_reach_is_not_taken() {
        const SFENS: [&str; 3] = [
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
            "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
            // The bishop sees 5d once the gold has left 4e.
            "4k4/9/9/9/5G3/6b2/9/9/4K4 b - 1",
        ];
        let mut found = 0;
        for sfen in SFENS {
            let position = Position::from_sfen(sfen).unwrap();
            let attacked = position.attack_counts().reached_by(!position.side_to_move());
            let mut moves = Vec::new();
            position.generate_quiets(Promotions::All, attacked, &mut moves);
            for mv in moves.iter().map(|entry| entry.mv()) {
                if is_out_of_reach(mv, attacked) {
                    found += 1;
                    assert!(position.see_ge(mv, 0), "{mv} in {sfen}");
                }
            }
        }
        assert!(found > 50, "{found}");
    }
}
