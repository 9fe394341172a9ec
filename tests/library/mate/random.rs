//! Reproducible random positions: a king of the defender and a few pieces near it.

use kawasemi::position::{Position, Setup};
use kawasemi::types::{Color, Piece, PieceKind, Random, Square};

/// All kinds except the king; those of short range more often, because sliders make large graphs.
const PIECES: [PieceKind; 20] = [
    PieceKind::Pawn,
    PieceKind::Pawn,
    PieceKind::Pawn,
    PieceKind::Knight,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Silver,
    PieceKind::Gold,
    PieceKind::Gold,
    PieceKind::Gold,
    PieceKind::ProPawn,
    PieceKind::ProPawn,
    PieceKind::ProLance,
    PieceKind::ProKnight,
    PieceKind::ProSilver,
    PieceKind::Lance,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::Horse,
    PieceKind::Dragon,
];

pub struct PositionSource(Random);

impl PositionSource {
    pub fn new(seed: u64) -> PositionSource {
        PositionSource(Random::new(seed))
    }

    /// A legal position.
    pub fn position(&mut self) -> Position {
        loop {
            if let Ok(position) = Position::from_setup(&self.setup()) {
                return position;
            }
        }
    }

    fn setup(&mut self) -> Setup {
        let mut setup = Setup::empty();
        let attacker = *self.0.pick(&Color::ALL);
        setup.side = attacker;
        // Mostly on the last rank, where a few pieces can mate.
        let king = Square::new(self.0.below(9) as u8, *self.0.pick(&[0, 0, 0, 1, 4, 8]));
        let king = if attacker == Color::Black { king } else { king.rotated() };
        setup.board[king.index()] = Some(Piece::new(!attacker, PieceKind::King));
        if self.0.one_in(3) {
            self.put(&mut setup, king, attacker, PieceKind::King);
        }
        for _ in 0..1 + self.0.below(4) {
            let kind = *self.0.pick(&PIECES);
            self.put(&mut setup, king, attacker, kind);
        }
        for _ in 0..self.0.below(6) {
            let kind = *self.0.pick(&PIECES);
            self.put(&mut setup, king, !attacker, kind);
        }
        for _ in 0..self.0.below(3) {
            setup.hands[attacker].add(*self.0.pick(&PieceKind::HAND));
        }
        if self.0.one_in(4) {
            setup.hands[!attacker].add(*self.0.pick(&PieceKind::HAND));
        }
        setup
    }

    /// Puts a piece within two squares of the king, if the square is empty.
    fn put(&mut self, setup: &mut Setup, king: Square, color: Color, kind: PieceKind) {
        let (files, ranks) = (self.0.below(5) as i8 - 2, self.0.below(5) as i8 - 2);
        if let Some(square) = king.offset(files, ranks)
            && setup.board[square.index()].is_none()
        {
            setup.board[square.index()] = Some(Piece::new(color, kind));
        }
    }
}
