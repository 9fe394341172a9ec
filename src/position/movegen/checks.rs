//! Generation of checks: normal generation with a filter.

use super::non_promotions::NonPromotions;
use super::sink::MoveSink;
use crate::position::attacks;
use crate::position::board::Position;
use crate::position::check_squares::CheckSquares;
use crate::types::{Bitboard, Color, Piece, PieceKind, Square};

impl Position {
    /// All legal moves that give check, with the given choice of non-promotions; in check, evasions that
    /// give check. None if the other side has no king.
    pub fn generate_checks<S: MoveSink>(&self, non_promotions: NonPromotions, sink: &mut S) {
        let Some(king) = self.king(!self.side) else { return };
        let mut checks = ChecksOnly::new(self, king, sink);
        let targets = checks.possible_targets() & !self.pieces(self.side);
        let mask = self.check_mask();
        self.piece_moves(targets & mask.board, non_promotions, &mut checks);
        // A king can only give discovered check.
        if self.king(self.side).is_some_and(|own| checks.discoverers.contains(own)) {
            self.king_moves(targets, &mut checks);
        }
        self.drop_moves(targets & mask.drops, &mut checks);
    }
}

/// Passes on only the targets that give check.
struct ChecksOnly<'a, S> {
    /// The enemy king.
    king: Square,
    squares: CheckSquares,
    /// Own pieces that can give discovered check (Stockfish: discovered check candidates).
    discoverers: Bitboard,
    sink: &'a mut S,
}

impl<'a, S: MoveSink> ChecksOnly<'a, S> {
    fn new(position: &Position, king: Square, sink: &'a mut S) -> Self {
        let us = position.side;
        let discoverers = position.blockers(!us) & position.pieces(us);
        ChecksOnly { king, squares: position.check_squares(), discoverers, sink }
    }

    /// All squares on which some piece could give check.
    fn possible_targets(&self) -> Bitboard {
        if !self.discoverers.is_empty() {
            return Bitboard::ALL;
        }
        // Horse and dragon together cover the check squares of all other kinds except the knight.
        [PieceKind::Knight, PieceKind::Horse, PieceKind::Dragon]
            .into_iter()
            .map(|kind| self.squares.of(kind))
            .fold(Bitboard::EMPTY, |all, squares| all | squares)
    }

    /// The squares on which the piece itself gives check.
    fn direct_checks(&self, piece: Piece) -> Bitboard {
        self.squares.of(piece.kind())
    }

    /// The squares off the line that the piece on `from` blocks.
    fn off_line(&self, from: Square) -> Bitboard {
        !attacks::ray_through(self.king, from)
    }

    /// The targets of pawns that give discovered check.
    fn discovered_by_pawns(&self, us: Color, targets: Bitboard) -> Bitboard {
        let pawns = targets.forward(!us) & self.discoverers;
        let discovers =
            |&from: &Square| attacks::pawn(us, from).intersects(self.off_line(from) & targets);
        let from: Bitboard = pawns.into_iter().filter(discovers).collect();
        from.forward(us)
    }
}

impl<S: MoveSink> MoveSink for ChecksOnly<'_, S> {
    #[inline]
    fn piece(&mut self, piece: Piece, from: Square, targets: Bitboard, promote: bool) {
        let mut checks = targets & self.direct_checks(piece);
        if self.discoverers.contains(from) {
            checks |= targets & self.off_line(from);
        }
        if !checks.is_empty() {
            self.sink.piece(piece, from, checks, promote);
        }
    }

    #[inline]
    fn pawns(&mut self, piece: Piece, targets: Bitboard, promote: bool) {
        let mut checks = targets & self.direct_checks(piece);
        if !self.discoverers.is_empty() {
            checks |= self.discovered_by_pawns(piece.color(), targets);
        }
        if !checks.is_empty() {
            self.sink.pawns(piece, checks, promote);
        }
    }

    #[inline]
    fn drops(&mut self, piece: Piece, targets: Bitboard) {
        let checks = targets & self.direct_checks(piece);
        if !checks.is_empty() {
            self.sink.drops(piece, checks);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::ScoredMove;

    /// All checks, found by playing every legal move.
    fn slow_checks(position: &Position, non_promotions: NonPromotions) -> Vec<ScoredMove> {
        let mut moves = Vec::new();
        position.generate_legal(non_promotions, &mut moves);
        let checks = |scored: &ScoredMove| {
            let mut after = position.clone();
            after.do_move(scored.mv());
            after.king(after.side_to_move()).is_some_and(|king| {
                let them = !after.side_to_move();
                !after.attackers(them, king, after.occupied()).is_empty()
            })
        };
        moves.retain(checks);
        moves
    }

    fn assert_same(position: &Position) -> usize {
        let sorted = |mut moves: Vec<ScoredMove>| {
            moves.sort_by_key(|scored| scored.mv().bits());
            moves
        };
        let mut count = 0;
        for non_promotions in [NonPromotions::All, NonPromotions::Useful] {
            let mut fast = Vec::new();
            position.generate_checks(non_promotions, &mut fast);
            count += fast.len();
            let slow = slow_checks(position, non_promotions);
            assert_eq!(sorted(fast), sorted(slow), "{non_promotions:?} in {}", position.to_sfen());
        }
        count
    }

    fn checks(sfen: &str) -> Vec<String> {
        let mut moves = Vec::new();
        Position::from_sfen(sfen).unwrap().generate_checks(NonPromotions::All, &mut moves);
        let mut texts: Vec<String> = moves.iter().map(|scored| scored.mv().to_string()).collect();
        texts.sort();
        texts
    }

    #[test]
    fn checks_are_the_legal_moves_after_which_the_king_is_attacked() {
        // The last two are rich in pieces before their own sliders.
        const SFENS: [&str; 5] = [
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
            "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
            "4k4/9/2N3N2/4P4/B7B/9/9/9/K3R4 b GSNP 1",
            "8k/9/6N2/9/4B4/9/8S/8L/8R b 2P 1",
        ];
        let mut count = 0;
        for (seed, sfen) in SFENS.into_iter().enumerate() {
            for walk in 0..20 {
                let mut position = Position::from_sfen(sfen).unwrap();
                let mut random = seed * 20 + walk + 1;
                for _ in 0..60 {
                    count += assert_same(&position);
                    let moves = position.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                    position.do_move(moves[(random >> 33) % moves.len()].mv());
                }
            }
        }
        assert!(count > 10_000, "{count} checks");
    }

    #[test]
    fn a_piece_before_its_own_slider_checks_by_leaving_the_line() {
        // The king too, but not along the line.
        assert_eq!(checks("4k4/9/9/9/4K4/9/9/9/4L4 b - 1").len(), 6);
        // A pawn that goes on along the line uncovers nothing; across a diagonal it does.
        assert_eq!(checks("4k4/9/9/9/4P4/9/9/9/4L4 b - 1").len(), 0);
        assert_eq!(checks("4k4/9/9/7P1/8B/9/9/9/9 b - 1"), ["2d2c", "2d2c+"]);
    }

    #[test]
    fn a_side_in_check_checks_only_by_evasions() {
        // The rook on 5h must be taken, and the king alone can do that: no check.
        assert!(checks("4k4/9/9/9/9/9/9/4r4/4K4 b 2GR 1").is_empty());
        // A gold between king and rook checks back from every square there.
        let checks = checks("9/9/9/5k3/3r3K1/9/9/9/9 b G 1");
        assert_eq!(checks, ["G*3e", "G*4e", "G*5e"]);
    }

    #[test]
    fn there_is_no_check_without_a_king() {
        assert!(checks("9/9/9/9/9/9/9/9/4K4 b 2R2B 1").is_empty());
    }
}
