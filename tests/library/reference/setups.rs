//! Random positions, from two bare kings to a full board: positions that no game reaches but that a
//! user may enter.

use kawasemi::types::{Color, Piece, PieceKind, Random, Square};

use super::slow::SlowPosition;

/// The parameters of a random setup.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// Which sides have a king.
    pub kings: [bool; 2],
    /// The number of attempts to place a piece on the board.
    pub on_board: usize,
    /// The number of attempts to put a piece into a hand.
    pub in_hand: usize,
}

impl Recipe {
    /// Random parameters: mostly both kings, and any mixture of board and hands.
    pub fn random(random: &mut Random) -> Recipe {
        let kings = match random.below(8) {
            0 => [false, true],
            1 => [true, false],
            2 => [false, false],
            _ => [true, true],
        };
        Recipe { kings, on_board: random.below(39), in_hand: random.below(39) }
    }
}

/// A legal setup with these parameters.
pub fn random_setup(random: &mut Random, recipe: Recipe) -> SlowPosition {
    let mut builder = Builder::new(if random.one_in(2) { Color::Black } else { Color::White });
    for color in Color::ALL.into_iter().filter(|color| recipe.kings[color.index()]) {
        while !builder.place(Piece::new(color, PieceKind::King), random_square(random)) {}
    }
    let not_king: Vec<Piece> = Piece::all().filter(|p| p.kind() != PieceKind::King).collect();
    for _ in 0..recipe.on_board {
        builder.place(*random.pick(&not_king), random_square(random));
    }
    for _ in 0..recipe.in_hand {
        // Pawns about as often as in a full set.
        let kind = if random.one_in(2) { PieceKind::Pawn } else { *random.pick(&PieceKind::HAND) };
        builder.give(*random.pick(&Color::ALL), kind);
    }
    builder.finish()
}

fn random_square(random: &mut Random) -> Square {
    Square::from_index(random.below(Square::COUNT))
}

/// Places pieces one by one, and refuses each that would make the setup illegal.
#[derive(Debug)]
pub struct Builder(SlowPosition);

impl Builder {
    pub fn new(side: Color) -> Builder {
        Builder(SlowPosition::empty(side))
    }

    /// Places a piece on a square, or returns false.
    pub fn place(&mut self, piece: Piece, square: Square) -> bool {
        if self.0.piece_at(square).is_some() {
            return false;
        }
        let before = self.0.clone();
        self.0.board[square.index()] = Some(piece);
        // Checks are removed at the end.
        if !self.0.is_well_formed() {
            self.0 = before;
            return false;
        }
        true
    }

    /// Puts a piece into a hand if the set still has one.
    pub fn give(&mut self, color: Color, kind: PieceKind) {
        if self.0.total(kind) < kind.set_size() {
            self.0.hands[color.index()][kind.index()] += 1;
        }
    }

    /// The setup, without the pieces that give check to the side that is not to move.
    pub fn finish(mut self) -> SlowPosition {
        loop {
            let checkers = self.0.checkers(!self.0.side);
            if checkers.is_empty() {
                break;
            }
            for square in checkers {
                self.0.board[square.index()] = None;
            }
        }
        assert!(self.0.may_be_set_up(), "{}", self.0.to_sfen());
        self.0
    }
}
