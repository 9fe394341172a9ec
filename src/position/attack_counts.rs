//! How many pieces of each side attack each square.

use super::{Position, attacks};
use crate::types::{Bitboard, Color, PieceKind};

/// From this many attackers on nobody counts further.
const MOST: usize = 3;

/// The attackers of every square, counted by side: the squares with at least one, two and three.
#[derive(Clone, Copy, Debug)]
pub struct AttackCounts([[Bitboard; MOST]; 2]);

impl AttackCounts {
    /// Squares that `color` attacks more often than the other side does.
    #[inline(always)]
    pub fn won_by(&self, color: Color) -> Bitboard {
        let (own, other) = (&self.0[color.index()], &self.0[color.flip().index()]);
        let more = |least: usize| own[least].without(other[least]);
        (0..MOST).fold(Bitboard::EMPTY, |squares, least| squares | more(least))
    }

    /// Squares that `color` attacks at all.
    #[inline(always)]
    pub fn reached_by(&self, color: Color) -> Bitboard {
        self.0[color.index()][0]
    }
}

impl Position {
    /// Counts the attackers of all squares. Pieces behind others on the same line do not count.
    pub fn attack_counts(&self) -> AttackCounts {
        AttackCounts(Color::ALL.map(|color| self.counts_of(color)))
    }

    fn counts_of(&self, color: Color) -> [Bitboard; MOST] {
        let pawns = self.pieces_of(color, PieceKind::Pawn);
        // No two pawns of a side attack the same square.
        let [mut once, mut twice, mut thrice] =
            [pawns.forward(color), Bitboard::EMPTY, Bitboard::EMPTY];
        for square in self.pieces(color).without(pawns) {
            let Some(piece) = self.piece_at(square) else { continue };
            let targets = attacks::of(piece, square, self.occupied());
            thrice |= twice & targets;
            twice |= once & targets;
            once |= targets;
        }
        [once, twice, thrice]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Square;

    #[test]
    fn counts_are_those_of_each_square_asked_for_alone() {
        for sfen in [
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
            "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
        ] {
            let position = Position::from_sfen(sfen).unwrap();
            let counts = position.attack_counts();
            let count = |color, square| {
                let attackers = position.attackers(color, square, position.occupied());
                (attackers.len() as usize).min(MOST)
            };
            for (square, color) in Square::all().flat_map(|s| Color::ALL.map(|color| (s, color))) {
                let (own, other) = (count(color, square), count(!color, square));
                assert_eq!(counts.won_by(color).contains(square), own > other, "{sfen} {square}");
                assert_eq!(counts.reached_by(color).contains(square), own > 0, "{sfen} {square}");
            }
        }
    }
}
