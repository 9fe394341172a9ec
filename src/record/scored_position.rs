//! Single positions with a score, a move and the result of their game, as other programs keep them
//! for training: PackedSfenValue of YaneuraOu (40 bytes each), hcpe of cshogi and dlshogi (38).
//!
//! Files are sequences of encoded positions without a header. They do not contain the game of a position
//! or its history; hcpe does not contain the move number either.

use std::fmt;

use crate::position::Setup;
use crate::position::packed::{PackError, PackedFormat, PackedPosition, UnpackError, pack, unpack};
use crate::types::{Color, Move};

/// A position with its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoredPosition {
    pub setup: Setup,
    /// For the side to move, in the units of the writer.
    pub score: i16,
    /// The move that was played; [`Move::NONE`] if unknown. It need not be legal.
    pub mv: Move,
    /// The move number, at most 65,535; 0 if unknown.
    pub number: u16,
    /// For the side to move: 1 a win, 0 a draw, -1 a loss.
    pub result: i8,
}

/// A format of such files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionFormat {
    /// PackedSfenValue.
    Psv,
    Hcpe,
}

/// Why an encoded position is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoredPositionError {
    Position(UnpackError),
    /// An invalid move code.
    Move(u16),
    /// An invalid result code.
    Result(i8),
}

impl fmt::Display for ScoredPositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScoredPositionError::Position(error) => error.fmt(f),
            ScoredPositionError::Move(code) => write!(f, "no move has the code {code:#06x}"),
            ScoredPositionError::Result(code) => write!(f, "no result has the code {code}"),
        }
    }
}

impl std::error::Error for ScoredPositionError {}

impl PositionFormat {
    /// Size of an encoded position in bytes.
    pub const fn size(self) -> usize {
        match self {
            PositionFormat::Psv => 40,
            PositionFormat::Hcpe => 38,
        }
    }

    const fn packed_format(self) -> PackedFormat {
        match self {
            PositionFormat::Psv => PackedFormat::Yaneuraou,
            PositionFormat::Hcpe => PackedFormat::Apery,
        }
    }

    /// Appends an encoded position to `bytes`.
    ///
    /// # Errors
    /// If the position cannot be packed.
    pub fn write(self, scored: &ScoredPosition, bytes: &mut Vec<u8>) -> Result<(), PackError> {
        bytes.extend(pack(&scored.setup, self.packed_format())?);
        bytes.extend(scored.score.to_le_bytes());
        bytes.extend(self.packed_format().move_code(scored.mv).to_le_bytes());
        match self {
            PositionFormat::Psv => {
                bytes.extend(scored.number.to_le_bytes());
                bytes.extend([scored.result as u8, 0]);
            }
            PositionFormat::Hcpe => bytes.extend([absolute(scored.result, scored.setup.side), 0]),
        }
        Ok(())
    }

    /// Reads an encoded position.
    ///
    /// # Errors
    /// See [`ScoredPositionError`].
    ///
    /// # Panics
    /// Unless there are exactly [`PositionFormat::size`] bytes.
    pub fn read(self, bytes: &[u8]) -> Result<ScoredPosition, ScoredPositionError> {
        assert_eq!(bytes.len(), self.size());
        let pair = |at: usize| [bytes[at], bytes[at + 1]];
        let packed: &PackedPosition = bytes.first_chunk().expect("as long as an encoded position");
        let mut setup =
            unpack(packed, self.packed_format()).map_err(ScoredPositionError::Position)?;
        let code = u16::from_le_bytes(pair(34));
        let (number, result) = match self {
            PositionFormat::Psv => (u16::from_le_bytes(pair(36)), Some(bytes[38] as i8)),
            PositionFormat::Hcpe => (0, relative(bytes[36], setup.side)),
        };
        setup.game_ply = u32::from(number).max(1);
        Ok(ScoredPosition {
            setup,
            score: i16::from_le_bytes(pair(32)),
            mv: self.packed_format().mv(code).ok_or(ScoredPositionError::Move(code))?,
            number,
            result: result
                .filter(|result| (-1..=1).contains(result))
                .ok_or(ScoredPositionError::Result(bytes[self.size() - 2] as i8))?,
        })
    }
}

/// 0 a draw, 1 a win of Black, 2 of White.
fn absolute(result: i8, side: Color) -> u8 {
    match (result, side) {
        (0, _) => 0,
        (1.., Color::Black) | (..0, Color::White) => 1,
        _ => 2,
    }
}

fn relative(code: u8, side: Color) -> Option<i8> {
    let black = match code {
        0 => 0,
        1 => 1,
        2 => -1,
        _ => return None,
    };
    Some(if side == Color::Black { black } else { -black })
}

#[cfg(test)]
mod tests;
