//! Squares, files and ranks.

use std::fmt;
use std::str::FromStr;

use super::color::Color;

/// A file, 0..9 for the files 1 (right, seen from Black) to 9.
pub type File = u8;
/// A rank, 0..9 for the ranks a (top, White's side) to i.
pub type Rank = u8;

/// One of the 81 squares, numbered `file * 9 + rank`, so that a file is nine consecutive bits.
///
/// ```
/// use kawasemi::types::Square;
/// let square: Square = "7f".parse().unwrap();
/// assert_eq!((square.file(), square.rank()), (6, 5));
/// assert_eq!(square.to_string(), "7f");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    pub const COUNT: usize = 81;

    /// The square of this file and rank, both 0..9.
    #[inline(always)]
    pub const fn new(file: File, rank: Rank) -> Square {
        debug_assert!(file < 9 && rank < 9);
        Square(file * 9 + rank)
    }

    /// The square with this number, 0..81.
    #[inline(always)]
    pub const fn from_index(index: usize) -> Square {
        debug_assert!(index < Self::COUNT);
        Square(index as u8)
    }

    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    #[inline(always)]
    pub const fn file(self) -> File {
        self.0 / 9
    }

    #[inline(always)]
    pub const fn rank(self) -> Rank {
        self.0 % 9
    }

    /// The rank from the view of `color`: 0 is the far rank, 8 its own back rank.
    #[inline(always)]
    pub const fn relative_rank(self, color: Color) -> Rank {
        match color {
            Color::Black => self.rank(),
            Color::White => 8 - self.rank(),
        }
    }

    /// The square one rank behind, from the view of `color`. It must exist.
    #[inline(always)]
    pub const fn behind(self, color: Color) -> Square {
        match color {
            Color::Black => Square::from_index(self.index() + 1),
            Color::White => Square::from_index(self.index() - 1),
        }
    }

    /// The square on the board rotated by 180 degrees.
    #[inline(always)]
    pub const fn rotated(self) -> Square {
        Square(80 - self.0)
    }

    /// The square mirrored left to right: files 1 to 9 become 9 to 1.
    #[inline(always)]
    pub const fn mirrored(self) -> Square {
        Square((8 - self.0 / 9) * 9 + self.0 % 9)
    }

    /// The moves that a king needs on an empty board.
    #[inline(always)]
    pub fn distance(self, other: Square) -> u8 {
        self.file().abs_diff(other.file()).max(self.rank().abs_diff(other.rank()))
    }

    /// The square this many files to the left and ranks down, if it is on the board.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let file = self.file() as i8 + files;
        let rank = self.rank() as i8 + ranks;
        if file < 0 || file > 8 || rank < 0 || rank > 8 {
            return None;
        }
        Some(Square::new(file as u8, rank as u8))
    }

    pub fn all() -> impl DoubleEndedIterator<Item = Square> {
        (0..Self::COUNT).map(Square::from_index)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = (b'1' + self.file()) as char;
        let rank = (b'a' + self.rank()) as char;
        write!(f, "{file}{rank}")
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a file 1-9 followed by a rank a-i.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseSquareError;

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a square is a file 1-9 and a rank a-i")
    }
}

impl std::error::Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        match text.as_bytes() {
            &[file @ b'1'..=b'9', rank @ b'a'..=b'i'] => Ok(Square::new(file - b'1', rank - b'a')),
            _ => Err(ParseSquareError),
        }
    }
}
