//! A position as a plain value. `validate` checks it, and `sfen` reads and writes it.

use crate::types::{ByColor, Color, Hand, Piece, PieceKind, Square};

/// Board, hands, side to move and move number, possibly illegal.
///
/// ```
/// use kawasemi::position::Setup;
/// use kawasemi::types::{Color, Square};
/// let start = Setup::startpos();
/// assert_eq!(start.piece_at("8h".parse().unwrap()).unwrap().to_string(), "B");
/// assert_eq!((start.side, start.game_ply), (Color::Black, 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Indexed by [`Square::index`].
    pub board: [Option<Piece>; Square::COUNT],
    pub hands: ByColor<Hand>,
    /// The side to move.
    pub side: Color,
    /// The number of the next move, from 1.
    pub game_ply: u32,
}

impl Setup {
    /// No pieces, Black to make move 1.
    pub const fn empty() -> Setup {
        Setup {
            board: [None; Square::COUNT],
            hands: ByColor([Hand::EMPTY; 2]),
            side: Color::Black,
            game_ply: 1,
        }
    }

    /// The initial position: the start of an even game.
    pub fn startpos() -> Setup {
        use PieceKind::{Bishop, Gold, King, Knight, Lance, Pawn, Rook, Silver};
        const BACK_RANK: [PieceKind; 9] =
            [Lance, Knight, Silver, Gold, King, Gold, Silver, Knight, Lance];
        let mut setup = Setup::empty();
        for color in Color::ALL {
            // Black's squares; White's are rotated by 180 degrees.
            let mut put = |file, rank, kind| {
                let square = Square::new(file, rank);
                let square = if color == Color::Black { square } else { square.rotated() };
                setup.board[square.index()] = Some(Piece::new(color, kind));
            };
            for (file, kind) in (0..9).zip(BACK_RANK) {
                put(file, 8, kind);
                put(file, 6, Pawn);
            }
            put(7, 7, Bishop);
            put(1, 7, Rook);
        }
        setup
    }

    /// The equivalent position with the board rotated by 180 degrees and the colours exchanged.
    pub fn rotated(&self) -> Setup {
        let mut board = [None; Square::COUNT];
        for (square, piece) in self.pieces() {
            let other = Piece::new(!piece.color(), piece.kind());
            board[square.rotated().index()] = Some(other);
        }
        let hands = ByColor([self.hands[Color::White], self.hands[Color::Black]]);
        Setup { board, hands, side: !self.side, game_ply: self.game_ply }
    }

    /// The position with left and right exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Setup {
        let mut board = [None; Square::COUNT];
        for (square, piece) in self.pieces() {
            board[square.mirrored().index()] = Some(piece);
        }
        Setup { board, ..self.clone() }
    }

    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// The number of pieces of a kind, unpromoted or promoted, on the board and in both hands.
    pub fn count(&self, kind: PieceKind) -> u32 {
        let kind = kind.unpromoted();
        let on_board = self.pieces().filter(|(_, piece)| piece.kind().unpromoted() == kind).count();
        let in_hands: u32 = Color::ALL.into_iter().map(|color| self.hands[color].count(kind)).sum();
        on_board as u32 + in_hands
    }

    /// The pieces of a set that are neither on the board nor in a hand.
    pub fn missing_pieces(&self) -> Hand {
        PieceKind::HAND.into_iter().fold(Hand::EMPTY, |hand, kind| {
            hand.with(kind, kind.set_size().saturating_sub(self.count(kind)))
        })
    }

    /// Puts the [missing pieces](Setup::missing_pieces) into the hand of a side.
    pub fn add_missing_pieces(&mut self, color: Color) {
        let missing = self.missing_pieces();
        let hand = &mut self.hands[color];
        for (kind, count) in missing.iter() {
            *hand = hand.with(kind, hand.count(kind) + count);
        }
    }

    /// Every piece on the board with its square, lowest square first.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> {
        Square::all().filter_map(|square| Some((square, self.piece_at(square)?)))
    }
}

impl Default for Setup {
    fn default() -> Setup {
        Setup::startpos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: of a promoted kind only the pieces in hand were counted.
    #[test]
    fn promoted_and_unpromoted_pieces_are_counted_together() {
        let setup: Setup = "4k4/9/+R8/9/9/9/9/9/4K4 b R 1".parse().unwrap();
        for (kind, count) in [(PieceKind::Rook, 2), (PieceKind::Dragon, 2), (PieceKind::King, 2)] {
            assert_eq!(setup.count(kind), count, "{kind:?}");
        }
    }

    #[test]
    fn the_missing_pieces_make_a_set_with_those_of_the_game() {
        assert_eq!(Setup::empty().missing_pieces(), Hand::FULL);
        assert_eq!(Setup::startpos().missing_pieces(), Hand::EMPTY);
        let mut problem: Setup = "8k/4r1G2/9/9/9/9/9/9/9 b R2b2g4s4n4l15p 1".parse().unwrap();
        problem.add_missing_pieces(Color::White);
        assert_eq!(problem.to_string(), "8k/4r1G2/9/9/9/9/9/9/9 b R2b3g4s4n4l18p 1");
        // More than a set has.
        let rooks: Setup = "8k/9/9/9/9/9/9/9/RRR6 b - 1".parse().unwrap();
        assert!(!rooks.missing_pieces().has(PieceKind::Rook));
    }
}
