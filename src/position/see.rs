//! Static exchange evaluation (SEE).

use std::cmp::Reverse;

use super::board::{GOLDS, Position};
use crate::types::{Bitboard, Move, PieceKind, Square};

/// Piece values on the board, by kind; a pawn is 90 (YaneuraOu's scale).
const VALUES: [i32; PieceKind::TABLE] =
    [0, 90, 315, 405, 495, 855, 990, 540, 15_000, 540, 540, 540, 540, 945, 1_395];

/// The value of a piece on the board for exchanges; a pawn is 90.
#[inline(always)]
pub fn see_value(kind: PieceKind) -> i32 {
    VALUES[kind.index()]
}

/// Whether a quiet move is safe from capture, judged by the squares that the enemy attacks before the
/// move. A piece that leaves an attacked square may open a line to its destination.
#[inline(always)]
pub fn is_safe_quiet(mv: Move, attacked: Bitboard) -> bool {
    !attacked.contains(mv.to()) && (mv.is_drop() || !attacked.contains(mv.from()))
}

/// The order of capturing pieces, least valuable first, with their indices in `by_kind`. Kings come last
/// and are handled separately; golds include all pieces that move like them. (The rook comes before the
/// horse, which is worth a little less, as in YaneuraOu: exchanges with both are too rare to matter.)
const CAPTURE_ORDER: [(PieceKind, usize); 9] = [
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
    /// Whether the exchange started by a pseudo-legal move gains at least `threshold`. Ignores
    /// promotions; pinned pieces do not capture while their pinner is on the board.
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        let to = mv.to();
        let victim = self.piece_at(to).map_or(0, |piece| see_value(piece.kind()));
        let mut swap = victim - threshold;
        if swap < 0 {
            return false;
        }
        swap = see_value(self.moved_kind_before(mv)) - swap;
        if swap <= 0 {
            return true;
        }
        let mut occupied = self.occupied().with(to);
        if !mv.is_drop() {
            occupied ^= Bitboard::from_square(mv.from());
        }
        self.exchange(to, occupied, swap)
    }

    /// One of these legal moves, where nothing can be searched: a mate in one, or the first with the best exchange
    /// on its target square.
    pub fn move_without_search(&self, moves: impl Iterator<Item = Move>) -> Option<Move> {
        let mate = self.mate_in_one();
        let gain = |&mv: &Move| {
            let victim = self.piece_at(mv.to()).map_or(0, |piece| see_value(piece.kind()));
            let kept = if self.see_ge(mv, 0) { victim } else { -1 };
            (Some(mv) != mate, Reverse(kept))
        };
        moves.min_by_key(gain)
    }

    /// Plays out the exchange, as Stockfish's `see_ge`. `swap` is what the side that has just moved would be short of
    /// its goal if its piece were captured.
    fn exchange(&self, to: Square, mut occupied: Bitboard, mut swap: i32) -> bool {
        let mut side = self.side;
        // Whether the side of the first move reaches the threshold if the exchange ends now (Stockfish: `res`).
        let mut good = true;
        loop {
            side = !side;
            // Most exchanges end soon, so the attackers are computed anew for each capture, of one side only.
            let mut own = self.attackers(side, to, occupied) & occupied;
            let blockers = self.blockers(side);
            if own.intersects(blockers) && self.pinners(side).intersects(occupied) {
                own = own.without(blockers);
            }
            let Some((kind, square)) = self.least_valuable(own) else {
                // Only the king can capture, or nothing.
                if own.is_empty() {
                    return good;
                }
                let answered = self.attackers(!side, to, occupied).intersects(occupied);
                return if answered { good } else { !good };
            };
            good = !good;
            swap = see_value(kind) - swap;
            if swap < good as i32 {
                return good;
            }
            occupied ^= Bitboard::from_square(square);
        }
    }

    /// The least valuable piece of a set except kings, with its square. Not inlined, otherwise the loop
    /// around it would load the pieces of every kind in advance.
    #[inline(never)]
    fn least_valuable(&self, set: Bitboard) -> Option<(PieceKind, Square)> {
        if set.is_empty() {
            return None;
        }
        CAPTURE_ORDER.iter().find_map(|&(kind, slot)| {
            let pieces = self.by_kind[slot] & set;
            (!pieces.is_empty()).then(|| (kind, pieces.lsb()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::movegen::NonPromotions;

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
    fn capturing_an_undefended_piece_wins_it_and_a_defended_one_is_exchanged() {
        assert_eq!(see("4k4/9/9/4p4/4P4/9/9/9/4K4 b - 1", "5e5d"), 90);
        assert_eq!(see("4k4/9/4g4/4p4/4R4/9/9/9/4K4 b - 1", "5e5d"), 90 - 990);
        assert_eq!(see("4k4/9/4g4/4r4/4S4/9/9/9/4K4 b - 1", "5e5d"), 990 - 495);
    }

    #[test]
    fn x_ray_attackers_take_part_in_the_exchange() {
        assert_eq!(see("4k4/4r4/4l4/4p4/4L4/4R4/9/9/4K4 b - 1", "5e5d"), 90 - 315);
        assert_eq!(see("4k4/9/4l4/4p4/4L4/4R4/9/9/4K4 b - 1", "5e5d"), 90);
    }

    #[test]
    fn a_dropped_piece_can_be_lost() {
        assert_eq!(see("4k4/9/4g4/9/9/9/9/9/4K4 b S 1", "S*5d"), -495);
        assert_eq!(see("4k4/9/9/9/9/9/9/9/4K4 b S 1", "S*5d"), 0);
    }

    #[test]
    fn a_pinned_piece_does_not_take_back() {
        // The gold on 5c is pinned to 5a by the rook on 5i.
        assert_eq!(see("4k4/9/4g4/3p5/3P5/9/9/9/K3R4 b - 1", "6e6d"), 90);
        assert_eq!(see("4k4/9/4g4/3p5/3P5/9/9/9/K8 b - 1", "6e6d"), 0);
    }

    /// Regression: a slider behind a piece of its own side counted as a pinner, so pinned pieces did not capture even
    /// after their pinner had moved.
    #[test]
    fn a_discovered_check_in_reserve_pins_nothing() {
        // The rook on 5d pins the gold until it captures on 4d.
        let expected = 90 - 990;
        assert_eq!(see("4k4/9/4g4/4Rp3/9/9/9/9/K8 b - 1", "5d4d"), expected);
        // The same with a pawn between the bishop on 1e and the king.
        assert_eq!(see("4k4/9/4g1P2/4Rp3/8B/9/9/9/K8 b - 1", "5d4d"), expected);
    }

    #[test]
    fn a_safe_quiet_move_loses_nothing_by_see() {
        const SFENS: [&str; 3] = [
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
            "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
            // The bishop sees 5d once the gold has left 4e.
            "4k4/9/9/9/5G3/6b2/9/9/4K4 b - 1",
        ];
        let mut found = 0;
        for sfen in SFENS {
            let position = Position::from_sfen(sfen).unwrap();
            let attacked = position.attack_counts().attacked_by(!position.side_to_move());
            let mut moves = Vec::new();
            position.generate_quiets(NonPromotions::All, attacked, &mut moves);
            for mv in moves.iter().map(|scored| scored.mv()) {
                if is_safe_quiet(mv, attacked) {
                    found += 1;
                    assert!(position.see_ge(mv, 0), "{mv} in {sfen}");
                }
            }
        }
        assert!(found > 50, "{found}");
    }
}
