//! Reads and writes canonical SFEN only. Any other SFEN is a mistake in a test, and panics.

use kawasemi::types::{Color, Piece, PieceKind, Square};

use super::SlowPosition;

/// The order of the pieces in the third field.
const HAND_ORDER: [PieceKind; 7] = [
    PieceKind::Rook,
    PieceKind::Bishop,
    PieceKind::Gold,
    PieceKind::Silver,
    PieceKind::Knight,
    PieceKind::Lance,
    PieceKind::Pawn,
];

impl SlowPosition {
    pub fn from_sfen(sfen: &str) -> SlowPosition {
        let fields: Vec<&str> = sfen.split(' ').collect();
        let &[board, side, hands, ply] = &fields[..] else { panic!("four fields: {sfen}") };
        let mut position =
            SlowPosition::empty(if side == "b" { Color::Black } else { Color::White });
        position.read_board(board);
        position.read_hands(hands);
        position.ply = ply.parse().expect("a move number");
        assert_eq!(position.to_sfen(), sfen, "not in canonical form");
        position
    }

    fn read_board(&mut self, text: &str) {
        for (rank, row) in text.split('/').enumerate() {
            // The squares of a rank are written from file 9 down to file 1.
            let mut files = (0..9).rev();
            let mut promoted = false;
            for letter in row.chars() {
                if letter == '+' {
                    promoted = true;
                } else if let Some(empty) = letter.to_digit(10) {
                    files.nth(empty as usize - 1);
                } else {
                    let piece = read_piece(letter);
                    let piece = if promoted { piece.promote() } else { piece };
                    let square = Square::new(files.next().expect("nine files"), rank as u8);
                    self.board[square.index()] = Some(piece);
                    promoted = false;
                }
            }
        }
    }

    fn read_hands(&mut self, text: &str) {
        let mut count = 0;
        for letter in text.chars().filter(|&letter| letter != '-') {
            if let Some(digit) = letter.to_digit(10) {
                count = count * 10 + digit;
            } else {
                let piece = read_piece(letter);
                self.hands[piece.color().index()][piece.kind().index()] = count.max(1);
                count = 0;
            }
        }
    }

    pub fn to_sfen(&self) -> String {
        let rows: Vec<String> = (0..9).map(|rank| self.row_text(rank)).collect();
        let side = if self.side == Color::Black { "b" } else { "w" };
        format!("{} {side} {} {}", rows.join("/"), self.hands_text(), self.ply)
    }

    fn row_text(&self, rank: u8) -> String {
        let mut text = String::new();
        let mut empty = 0;
        for file in (0..9).rev() {
            match self.piece_at(Square::new(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        text += &empty.to_string();
                    }
                    empty = 0;
                    text += &piece.to_string();
                }
            }
        }
        if empty > 0 { text + &empty.to_string() } else { text }
    }

    fn hands_text(&self) -> String {
        let mut text = String::new();
        for color in Color::ALL {
            for kind in HAND_ORDER {
                let letter = Piece::new(color, kind);
                match self.in_hand(color, kind) {
                    0 => {}
                    1 => text += &letter.to_string(),
                    count => text += &format!("{count}{letter}"),
                }
            }
        }
        if text.is_empty() { "-".to_owned() } else { text }
    }
}

fn read_piece(letter: char) -> Piece {
    let color = if letter.is_ascii_uppercase() { Color::Black } else { Color::White };
    let kind = PieceKind::from_letter(letter.to_ascii_uppercase()).expect("a piece letter");
    Piece::new(color, kind)
}
