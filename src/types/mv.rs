//! Moves in sixteen bits.

use std::fmt;
use std::str::FromStr;

use super::piece::PieceKind;
use super::square::Square;

/// A move: destination in bits 0-6, origin in bits 7-13 (81 plus the kind for a drop), promotion in
/// bit 14. The moving piece is not included.
///
/// ```
/// use kawasemi::types::Move;
/// for text in ["7g7f", "2b3c+", "P*5e"] {
///     assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct Move(u16);

const FROM_SHIFT: u16 = 7;
const SQUARE_MASK: u16 = 0x7f;
const PROMOTE: u16 = 1 << 14;

impl Move {
    /// No move.
    pub const NONE: Move = Move(0);
    /// The null move of the search.
    pub const NULL: Move = Move(1 << FROM_SHIFT | 1);
    /// Size of a table indexed by [`Move::index`].
    pub const TABLE: usize = 1 << 15;

    /// A move of a piece on the board.
    #[inline(always)]
    pub const fn board(from: Square, to: Square, promote: bool) -> Move {
        let promote = if promote { PROMOTE } else { 0 };
        Move(to.index() as u16 | (from.index() as u16) << FROM_SHIFT | promote)
    }

    /// A drop of a piece from the hand.
    #[inline(always)]
    pub const fn drop(kind: PieceKind, to: Square) -> Move {
        Move(to.index() as u16 | (Square::COUNT as u16 + kind as u16) << FROM_SHIFT)
    }

    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_index((self.0 & SQUARE_MASK) as usize)
    }

    /// Where the piece comes from. Must not be a drop.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_index(self.origin())
    }

    /// The square of origin (0..81), or 81 + kind for a drop.
    #[inline(always)]
    const fn origin(self) -> usize {
        (self.0 >> FROM_SHIFT & SQUARE_MASK) as usize
    }

    #[inline(always)]
    pub const fn is_drop(self) -> bool {
        self.origin() >= Square::COUNT
    }

    /// The dropped kind. Must be a drop.
    #[inline(always)]
    pub const fn dropped(self) -> PieceKind {
        PieceKind::from_index(self.origin() - Square::COUNT)
    }

    #[inline(always)]
    pub const fn is_promotion(self) -> bool {
        self.0 & PROMOTE != 0
    }

    #[inline(always)]
    pub const fn is_none(self) -> bool {
        self.0 == Move::NONE.0
    }

    /// Not [`Move::NONE`]; true for a null move.
    #[inline(always)]
    pub const fn is_some(self) -> bool {
        !self.is_none()
    }

    /// Neither [`Move::NONE`] nor [`Move::NULL`] (the name of Stockfish and YaneuraOu). The move need not be
    /// legal.
    #[inline(always)]
    pub const fn is_ok(self) -> bool {
        self.0 != Move::NONE.0 && self.0 != Move::NULL.0
    }

    /// The move on the board rotated by 180 degrees.
    pub fn rotated(self) -> Move {
        self.with_squares(Square::rotated)
    }

    /// The move on the board mirrored left to right.
    pub fn mirrored(self) -> Move {
        self.with_squares(Square::mirrored)
    }

    fn with_squares(self, of: fn(Square) -> Square) -> Move {
        if !self.is_ok() {
            return self;
        }
        if self.is_drop() {
            Move::drop(self.dropped(), of(self.to()))
        } else {
            Move::board(of(self.from()), of(self.to()), self.is_promotion())
        }
    }

    /// The bits as the index of a table, 0..[`Move::TABLE`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The move with these bits, which must come from [`Move::bits`].
    #[inline(always)]
    pub(crate) const fn from_bits_unchecked(bits: u16) -> Move {
        Move(bits)
    }

    /// The move with these bits, if they are a move. It need not be legal in any position.
    pub fn from_bits(bits: u16) -> Option<Move> {
        let mv = Move(bits);
        let drop = mv.is_drop();
        let known = bits & 0x8000 == 0
            && (bits & SQUARE_MASK) < Square::COUNT as u16
            && !(drop && mv.is_promotion())
            && (!drop || (82..=88).contains(&mv.origin()))
            && (drop || mv.from() != mv.to());
        known.then_some(mv)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Move::NONE => f.write_str("none"),
            Move::NULL => f.write_str("null"),
            mv if mv.is_drop() => write!(f, "{}*{}", mv.dropped().letter(), mv.to()),
            mv => {
                let promotion = if mv.is_promotion() { "+" } else { "" };
                write!(f, "{}{}{promotion}", mv.from(), mv.to())
            }
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a move in USI notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseMoveError;

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a move looks like 7g7f, 2b3c+ or P*5e")
    }
}

impl std::error::Error for ParseMoveError {}

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        let square = |range| -> Result<Square, ParseMoveError> {
            let part: &str = text.get(range).ok_or(ParseMoveError)?;
            part.parse().map_err(|_| ParseMoveError)
        };
        let bytes = text.as_bytes();
        match bytes {
            [letter, b'*', _, _] => {
                let kind = PieceKind::from_letter(*letter as char).ok_or(ParseMoveError)?;
                if kind == PieceKind::King {
                    return Err(ParseMoveError);
                }
                Ok(Move::drop(kind, square(2..4)?))
            }
            [_, _, _, _] | [_, _, _, _, b'+'] => {
                let (from, to) = (square(0..2)?, square(2..4)?);
                if from == to {
                    return Err(ParseMoveError);
                }
                Ok(Move::board(from, to, bytes.len() == 5))
            }
            _ => Err(ParseMoveError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_move_text_is_refused() {
        for text in ["", "7g", "7g7f++", "7g7g", "K*5e", "p*5e", "P*5j", "0a1a", "+7g7f", "ſ7g7"] {
            assert_eq!(text.parse::<Move>(), Err(ParseMoveError), "{text}");
        }
    }

    #[test]
    fn a_move_rotated_or_mirrored_twice_is_the_same() {
        for (text, turned) in [("7g7f", "3c3d"), ("2b3c+", "8h7g+"), ("P*5d", "P*5f")] {
            let mv: Move = text.parse().unwrap();
            assert_eq!(mv.rotated().to_string(), turned);
            assert_eq!(mv.rotated().rotated(), mv);
        }
        for (text, mirrored) in [("7g7f", "3g3f"), ("2b3c+", "8b7c+"), ("P*5d", "P*5d")] {
            let mv: Move = text.parse().unwrap();
            assert_eq!(mv.mirrored().to_string(), mirrored);
            assert_eq!(mv.mirrored().mirrored(), mv);
        }
        assert_eq!(Move::NONE.rotated(), Move::NONE);
        assert_eq!(Move::NONE.mirrored(), Move::NONE);
    }

    #[test]
    fn a_null_move_is_some_but_not_ok() {
        let tests = |mv: Move| (mv.is_none(), mv.is_some(), mv.is_ok());
        assert_eq!(tests(Move::NONE), (true, false, false));
        assert_eq!(tests(Move::NULL), (false, true, false));
        assert_eq!(tests("7g7f".parse().unwrap()), (false, true, true));
    }

    #[test]
    fn every_code_is_a_move_that_reads_back_or_refused() {
        for bits in 0..=u16::MAX {
            if let Some(mv) = Move::from_bits(bits) {
                assert_eq!(mv.to_string().parse(), Ok(mv));
                assert!(mv.is_ok());
            }
        }
    }
}
