//! Small positions at random, the same ones every time: a bare defender and a few pieces near it.

use kawasemi::position::{Position, Setup};
use kawasemi::types::{Color, Piece, PieceKind, Square};

/// Every kind but the king, those of short reach twice: lines make for large graphs.
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

pub struct Source(u64);

impl Source {
    pub fn new(seed: u64) -> Source {
        Source(seed)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }

    fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len() as u64) as usize]
    }

    /// A position that the rules allow.
    pub fn position(&mut self) -> Position {
        loop {
            if let Ok(position) = Position::from_setup(&self.setup()) {
                return position;
            }
        }
    }

    fn setup(&mut self) -> Setup {
        let mut setup = Setup::empty();
        let attacker = self.pick(&Color::ALL);
        setup.side = attacker;
        // Mostly at the far edge, where a few pieces can mate.
        let king = Square::new(self.below(9) as u8, self.pick(&[0, 0, 0, 1, 4, 8]));
        let king = if attacker == Color::Black { king } else { king.rotate() };
        setup.board[king.index()] = Some(Piece::new(!attacker, PieceKind::King));
        if self.below(3) == 0 {
            self.put(&mut setup, king, attacker, PieceKind::King);
        }
        for _ in 0..1 + self.below(4) {
            let kind = self.pick(&PIECES);
            self.put(&mut setup, king, attacker, kind);
        }
        for _ in 0..self.below(6) {
            let kind = self.pick(&PIECES);
            self.put(&mut setup, king, !attacker, kind);
        }
        for _ in 0..self.below(3) {
            setup.hands[attacker].add(self.pick(&PieceKind::HAND));
        }
        if self.below(4) == 0 {
            setup.hands[!attacker].add(self.pick(&PieceKind::HAND));
        }
        setup
    }

    /// Puts a piece within a few squares of the king, if there is room.
    fn put(&mut self, setup: &mut Setup, king: Square, color: Color, kind: PieceKind) {
        let (files, ranks) = (self.below(5) as i8 - 2, self.below(5) as i8 - 2);
        if let Some(square) = king.offset(files, ranks)
            && setup.board[square.index()].is_none()
        {
            setup.board[square.index()] = Some(Piece::new(color, kind));
        }
    }
}
