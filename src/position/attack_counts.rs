//! Attack counts: how many pieces of each side attack each square.

use super::attacks;
use super::board::Position;
use crate::types::{Bitboard, Color, PieceKind};

/// Counts saturate at this number.
const MAX_COUNT: usize = 3;

/// By side: the squares with at least one, two and three attackers.
#[derive(Clone, Copy, Debug)]
pub struct AttackCounts([[Bitboard; MAX_COUNT]; 2]);

impl AttackCounts {
    /// Squares that `color` attacks more often than the other side.
    #[inline(always)]
    pub fn controlled_by(&self, color: Color) -> Bitboard {
        let (own, other) = (&self.0[color.index()], &self.0[color.flip().index()]);
        let more = |index: usize| own[index].without(other[index]);
        (0..MAX_COUNT).fold(Bitboard::EMPTY, |squares, index| squares | more(index))
    }

    /// Squares that `color` attacks.
    #[inline(always)]
    pub fn attacked_by(&self, color: Color) -> Bitboard {
        self.0[color.index()][0]
    }
}

impl Position {
    /// Counts the attackers of all squares, without X-ray attacks.
    pub fn attack_counts(&self) -> AttackCounts {
        // With the side as a constant the shifts are constant.
        AttackCounts([self.counts_of(Color::Black), self.counts_of(Color::White)])
    }

    /// Steppers are counted by direction, all pieces at once: in one direction no two of them attack the
    /// same square.
    #[inline(always)]
    fn counts_of(&self, us: Color) -> [Bitboard; MAX_COUNT] {
        let of = |kind| self.pieces_of(us, kind);
        let (silvers, golds, kings) = (of(PieceKind::Silver), self.golds(us), of(PieceKind::King));
        let ahead = (silvers | golds | kings).forward(us);
        let behind = (silvers | kings).forward(!us);
        let jumps = of(PieceKind::Knight).forward(us).forward(us);
        let mut planes = AttackPlanes([
            ahead | of(PieceKind::Pawn).forward(us),
            Bitboard::EMPTY,
            Bitboard::EMPTY,
        ]);
        planes.add((golds | kings).forward(!us));
        for row in [ahead, golds | kings, behind, jumps] {
            planes.add(row.left());
            planes.add(row.right());
        }
        for square in of(PieceKind::Lance) {
            planes.add(attacks::lance(us, square, self.occupied()));
        }
        for square in of(PieceKind::Bishop) {
            planes.add(attacks::bishop(square, self.occupied()));
        }
        for square in of(PieceKind::Horse) {
            planes.add(attacks::horse(square, self.occupied()));
        }
        for square in of(PieceKind::Rook) {
            planes.add(attacks::rook(square, self.occupied()));
        }
        for square in of(PieceKind::Dragon) {
            planes.add(attacks::dragon(square, self.occupied()));
        }
        planes.0
    }
}

/// The squares that were added at least once, twice and three times.
struct AttackPlanes([Bitboard; MAX_COUNT]);

impl AttackPlanes {
    #[inline(always)]
    fn add(&mut self, squares: Bitboard) {
        let [once, twice, thrice] = &mut self.0;
        *thrice |= *twice & squares;
        *twice |= *once & squares;
        *once |= squares;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Square;

    #[test]
    fn attack_counts_equal_the_attackers_of_each_square() {
        for sfen in [
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
            "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
        ] {
            let position = Position::from_sfen(sfen).unwrap();
            let counts = position.attack_counts();
            let count = |color, square| {
                let attackers = position.attackers(color, square, position.occupied());
                (attackers.len() as usize).min(MAX_COUNT)
            };
            for (square, color) in Square::all().flat_map(|s| Color::ALL.map(|color| (s, color))) {
                let (own, other) = (count(color, square), count(!color, square));
                assert_eq!(
                    counts.controlled_by(color).contains(square),
                    own > other,
                    "{sfen} {square}"
                );
                assert_eq!(counts.attacked_by(color).contains(square), own > 0, "{sfen} {square}");
            }
        }
    }
}
