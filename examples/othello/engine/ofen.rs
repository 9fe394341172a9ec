//! Squares and positions as the protocol writes them: a square is the letter of its row and the digit of
//! its column, a position (ofen) is 64 squares row by row and the side to move.

use std::fmt;

use crate::engine::board::{Board, Square};

/// Why a text is not an OFEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfenError {
    Length(usize),
    /// The number of the square, and the invalid character.
    Cell(usize, char),
    Side(char),
}

impl fmt::Display for OfenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OfenError::Length(length) => write!(f, "an ofen has 65 characters, not {length}"),
            OfenError::Cell(index, found) => {
                write!(f, "square {} is X, O, 0 or -, not {found:?}", square_name(*index as Square))
            }
            OfenError::Side(found) => write!(f, "the side to move is B or W, not {found:?}"),
        }
    }
}

/// The colour of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Black,
    White,
}

/// A board with the colour of its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub board: Board,
    pub side: Side,
}

impl Position {
    /// The start position.
    pub const START: Position = Position { board: Board::START, side: Side::Black };

    /// Parses an OFEN. `X` is Black and `O` is White. The digit `0`, which the examples of the draft contain, is White
    /// too.
    ///
    /// # Errors
    /// If the text is not an OFEN.
    pub fn from_ofen(text: &str) -> Result<Position, OfenError> {
        let length = text.chars().count();
        if length != 65 {
            return Err(OfenError::Length(length));
        }
        let (mut black, mut white) = (0, 0);
        for (index, cell) in text.chars().take(64).enumerate() {
            match cell {
                'X' => black |= 1 << index,
                'O' | '0' => white |= 1 << index,
                '-' => {}
                found => return Err(OfenError::Cell(index, found)),
            }
        }
        match text.chars().last().unwrap_or_default() {
            'B' => Ok(Position { board: Board { own: black, other: white }, side: Side::Black }),
            'W' => Ok(Position { board: Board { own: white, other: black }, side: Side::White }),
            found => Err(OfenError::Side(found)),
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (black, white, side) = match self.side {
            Side::Black => (self.board.own, self.board.other, 'B'),
            Side::White => (self.board.other, self.board.own, 'W'),
        };
        for index in 0..64 {
            let cell = match (black >> index & 1, white >> index & 1) {
                (1, _) => 'X',
                (_, 1) => 'O',
                _ => '-',
            };
            write!(f, "{cell}")?;
        }
        write!(f, "{side}")
    }
}

/// The name of a square, such as `a2` for the second square of the first row.
pub fn square_name(square: Square) -> String {
    format!("{}{}", char::from(b'a' + square / 8), square % 8 + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::engine::testing::START;

    #[test]
    fn the_start_is_written_as_in_the_draft() {
        assert_eq!(Position::from_ofen(START), Ok(Position::START));
        assert_eq!(Position::START.to_string(), START);
        let with_digits = START.replace('O', "0");
        assert_eq!(Position::from_ofen(&with_digits), Ok(Position::START));
    }

    #[test]
    fn a_square_is_the_letter_of_its_row_and_the_digit_of_its_column() {
        let names = [0, 1, 8, 63].map(square_name);
        assert_eq!(names, ["a1", "a2", "b1", "h8"]);
    }

    #[test]
    fn anything_but_an_ofen_is_refused_with_its_place() {
        let of = |text: &str| Position::from_ofen(text).unwrap_err().to_string();
        assert_eq!(of(""), "an ofen has 65 characters, not 0");
        assert_eq!(of(&START[..64]), "an ofen has 65 characters, not 64");
        assert_eq!(of(&format!("{START} ")), "an ofen has 65 characters, not 66");
        assert_eq!(of(&START.replace('X', "x")), "square d5 is X, O, 0 or -, not 'x'");
        assert_eq!(of(&START.replace('B', "b")), "the side to move is B or W, not 'b'");
        assert_eq!(of(&START.replacen('-', "あ", 2)), "square a1 is X, O, 0 or -, not 'あ'");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(own: u64, other: u64, is_white: bool) {
            let side = if is_white { Side::White } else { Side::Black };
            let position = Position { board: Board { own: own & !other, other }, side };
            prop_assert_eq!(Position::from_ofen(&position.to_string()), Ok(position));
        }
    }
}
