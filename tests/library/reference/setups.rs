//! Positions made at random, from a bare pair of kings to a full board: what no game reaches and
//! every user may type.

use kawasemi::types::{Color, Piece, PieceKind, Random, Square};

use super::slow::SlowPosition;

/// What a random setup should look like.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// Which sides have a king.
    pub kings: [bool; 2],
    /// How many pieces are tried on the board.
    pub on_board: usize,
    /// How many are tried in the hands.
    pub in_hand: usize,
}

impl Recipe {
    /// Any recipe: mostly both kings, and every mixture of board and hand.
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

/// A legal setup after the recipe.
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
        // Pawns as often as the set has them.
        let kind = if random.one_in(2) { PieceKind::Pawn } else { *random.pick(&PieceKind::HAND) };
        builder.give(*random.pick(&Color::ALL), kind);
    }
    builder.finish()
}

fn random_square(random: &mut Random) -> Square {
    Square::from_index(random.below(Square::COUNT))
}

/// Puts pieces down one by one and refuses each that would make the setup illegal.
#[derive(Debug)]
pub struct Builder(SlowPosition);

impl Builder {
    pub fn new(side: Color) -> Builder {
        Builder(SlowPosition::empty(side))
    }

    /// Puts a piece on a square, or leaves it away and says so.
    pub fn place(&mut self, piece: Piece, square: Square) -> bool {
        if self.0.piece_at(square).is_some() {
            return false;
        }
        let before = self.0.clone();
        self.0.board[square.index()] = Some(piece);
        // Checks are seen to in the end.
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

    /// The setup, without the pieces that could take a king out of turn.
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
