//! Which squares a side attacks, and how often: whole-board sets, counted up to three. Owns the
//! counting and the mobility that falls out of it; knows nothing of kings and of worth.

use super::weights;
use crate::position::{Position, attacks};
use crate::types::{Bitboard, Color, PieceKind};

/// The squares that the pieces of a side other than the king attack.
#[derive(Clone, Copy, Default)]
pub(super) struct Effects {
    pub(super) once: Bitboard,
    pub(super) twice: Bitboard,
    pub(super) thrice: Bitboard,
    /// By pawns.
    pub(super) pawns: Bitboard,
    /// The worth of the squares that bishops and rooks, promoted or not, may slide to.
    pub(super) mobility: i32,
}

impl Effects {
    #[inline(always)]
    pub(super) fn of(position: &Position, us: Color) -> Effects {
        let mut effects = Effects::default();
        effects.add_steps(position, us);
        effects.add_sliders(position, us);
        effects
    }

    #[inline(always)]
    fn add(&mut self, attacked: Bitboard) {
        self.thrice |= self.twice & attacked;
        self.twice |= self.once & attacked;
        self.once |= attacked;
    }

    /// All pieces that step in one direction move together: no two of them reach one square.
    #[inline(always)]
    fn add_steps(&mut self, position: &Position, us: Color) {
        let of = |kind| position.pieces_of(us, kind);
        let (silvers, golds) = (of(PieceKind::Silver), position.golds(us));
        // What horses and dragons reach along their lines comes with the sliders.
        let (horses, dragons) = (of(PieceKind::Horse), of(PieceKind::Dragon));

        self.pawns = of(PieceKind::Pawn).forward(us);
        self.add(self.pawns | (silvers | golds | horses).forward(us));
        let front = (silvers | golds | dragons).forward(us);
        self.add(left(front));
        self.add(right(front));
        let beside = golds | horses;
        self.add(left(beside));
        self.add(right(beside));
        self.add(beside.forward(!us));
        let back = (silvers | dragons).forward(!us);
        self.add(left(back));
        self.add(right(back));
        let jump = of(PieceKind::Knight).forward(us).forward(us);
        self.add(left(jump));
        self.add(right(jump));
    }

    #[inline(always)]
    fn add_sliders(&mut self, position: &Position, us: Color) {
        let (occupied, own) = (position.occupied(), position.pieces(us));
        let of = |kind| position.pieces_of(us, kind);
        let [bishop, horse, rook, dragon] = weights::MOBILITY;
        let horses = of(PieceKind::Horse);
        for square in of(PieceKind::Bishop) | horses {
            let attacked = attacks::bishop(square, occupied);
            let weight = if horses.contains(square) { horse } else { bishop };
            self.mobility += weight * attacked.without(own).len() as i32;
            self.add(attacked);
        }
        let dragons = of(PieceKind::Dragon);
        for square in of(PieceKind::Rook) | dragons {
            let attacked = attacks::rook(square, occupied);
            let weight = if dragons.contains(square) { dragon } else { rook };
            self.mobility += weight * attacked.without(own).len() as i32;
            self.add(attacked);
        }
        for square in of(PieceKind::Lance) {
            self.add(attacks::lance(us, square, occupied));
        }
    }
}

#[inline(always)]
const fn left(set: Bitboard) -> Bitboard {
    Bitboard(set.0 << 9 & Bitboard::ALL.0)
}

#[inline(always)]
const fn right(set: Bitboard) -> Bitboard {
    Bitboard(set.0 >> 9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Square;

    /// Counts piece by piece.
    fn slow(position: &Position, us: Color, square: Square) -> usize {
        let attacks = |from: &Square| match position.piece_at(*from) {
            Some(piece) => attacks::of(piece, *from, position.occupied()).contains(square),
            None => false,
        };
        let king = position.pieces_of(us, PieceKind::King);
        position.pieces(us).without(king).into_iter().filter(attacks).count()
    }

    #[test]
    fn whole_board_counting_equals_counting_piece_by_piece() {
        for sfen in [
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
            "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
            "+B7k/9/4+R4/4S4/3+b1s3/4G4/4+r4/9/K8 b - 1",
        ] {
            let position = Position::from_sfen(sfen).unwrap();
            for us in Color::ALL {
                let effects = Effects::of(&position, us);
                for square in Square::all() {
                    let count = slow(&position, us, square);
                    assert_eq!(effects.once.contains(square), count >= 1, "{sfen} {square}");
                    assert_eq!(effects.twice.contains(square), count >= 2, "{sfen} {square}");
                    assert_eq!(effects.thrice.contains(square), count >= 3, "{sfen} {square}");
                }
            }
        }
    }
}
