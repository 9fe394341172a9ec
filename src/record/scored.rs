//! Single positions with a score, a move and the result of their game, as other programs keep them
//! for training: PackedSfenValue of YaneuraOu (40 bytes each), hcpe of cshogi and dlshogi (38).
//!
//! Files are such records one behind the other, without a head. Which game a position comes from,
//! and what happened before, they do not tell; hcpe does not even tell the number of the move.

use std::fmt;

use super::packed::{Coding, PackError, Packed, UnpackError, pack, unpack};
use crate::position::Setup;
use crate::types::{Color, Move, PieceKind, Square};

/// A position as such files have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoredPosition {
    pub setup: Setup,
    /// For the side to move, in units of whoever wrote it.
    pub score: i16,
    /// What was played; [`Move::NONE`] if that is not known. It need not be legal.
    pub mv: Move,
    /// Number of the move; 0 if that is not known. Beyond 65,535 it is written so.
    pub number: u16,
    /// For the side to move: 1 a win, 0 a draw, -1 a loss.
    pub result: i8,
}

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// PackedSfenValue.
    Psv,
    Hcpe,
}

/// What a record cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordError {
    Position(UnpackError),
    /// No move has this code.
    Move(u16),
    /// No result has this code.
    Result(i8),
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Position(error) => error.fmt(f),
            RecordError::Move(code) => write!(f, "no move has the code {code:#06x}"),
            RecordError::Result(code) => write!(f, "no result has the code {code}"),
        }
    }
}

impl std::error::Error for RecordError {}

impl Form {
    /// Bytes of a record.
    pub const fn size(self) -> usize {
        match self {
            Form::Psv => 40,
            Form::Hcpe => 38,
        }
    }

    const fn coding(self) -> Coding {
        match self {
            Form::Psv => Coding::Yaneuraou,
            Form::Hcpe => Coding::Apery,
        }
    }

    /// Adds a record to `bytes`.
    ///
    /// # Errors
    /// If the position has no packed form.
    pub fn write(self, record: &ScoredPosition, bytes: &mut Vec<u8>) -> Result<(), PackError> {
        bytes.extend(pack(&record.setup, self.coding())?);
        bytes.extend(record.score.to_le_bytes());
        bytes.extend(self.move_code(record.mv).to_le_bytes());
        match self {
            Form::Psv => {
                bytes.extend(record.number.to_le_bytes());
                bytes.extend([record.result as u8, 0]);
            }
            Form::Hcpe => bytes.extend([absolute(record.result, record.setup.side), 0]),
        }
        Ok(())
    }

    /// Reads a record.
    ///
    /// # Errors
    /// What is wrong with it.
    ///
    /// # Panics
    /// Unless there are exactly [`Form::size`] bytes.
    pub fn read(self, bytes: &[u8]) -> Result<ScoredPosition, RecordError> {
        assert_eq!(bytes.len(), self.size());
        let pair = |at: usize| [bytes[at], bytes[at + 1]];
        let packed: &Packed = bytes.first_chunk().expect("as long as a record");
        let mut setup = unpack(packed, self.coding()).map_err(RecordError::Position)?;
        let code = u16::from_le_bytes(pair(34));
        let (number, result) = match self {
            Form::Psv => (u16::from_le_bytes(pair(36)), Some(bytes[38] as i8)),
            Form::Hcpe => (0, relative(bytes[36], setup.side)),
        };
        setup.ply = u32::from(number).max(1);
        Ok(ScoredPosition {
            setup,
            score: i16::from_le_bytes(pair(32)),
            mv: self.mv(code).ok_or(RecordError::Move(code))?,
            number,
            result: result
                .filter(|result| (-1..=1).contains(result))
                .ok_or(RecordError::Result(bytes[self.size() - 2] as i8))?,
        })
    }

    fn move_code(self, mv: Move) -> u16 {
        if !mv.is_some() {
            return 0;
        }
        let to = mv.to().index() as u16;
        let drop = |base: usize| ((base + mv.dropped().index()) as u16) << 7;
        let from = || (mv.from().index() as u16) << 7;
        let promotion = u16::from(mv.is_promotion());
        match (self, mv.is_drop()) {
            (Form::Psv, true) => to | drop(0) | PSV_DROP,
            (Form::Psv, false) => to | from() | promotion << 15,
            (Form::Hcpe, true) => to | drop(HCPE_DROPS),
            (Form::Hcpe, false) => to | from() | promotion << 14,
        }
    }

    fn mv(self, code: u16) -> Option<Move> {
        if code == 0 {
            return Some(Move::NONE);
        }
        let to = Some(usize::from(code & 0x7f)).filter(|&to| to < Square::COUNT)?;
        let to = Square::from_index(to);
        let origin = usize::from(code >> 7 & 0x7f);
        let (kind, promotes) = match self {
            Form::Psv if code & PSV_DROP != 0 => (Some(origin), code >> 15 != 0),
            Form::Psv => (None, code >> 15 != 0),
            // The highest bit has no meaning.
            Form::Hcpe if code >> 15 != 0 => return None,
            Form::Hcpe => {
                (origin.checked_sub(HCPE_DROPS).filter(|&kind| kind > 0), code >> 14 != 0)
            }
        };
        let mv = match kind {
            Some(kind @ 1..=7) if !promotes => Move::drop(PieceKind::from_index(kind), to),
            Some(_) => return None,
            None if origin < Square::COUNT => Move::board(Square::from_index(origin), to, promotes),
            None => return None,
        };
        Move::from_bits(mv.bits())
    }
}

/// Marks a drop; the origin is then the kind.
const PSV_DROP: u16 = 1 << 14;
/// Plus the kind: the origin of a drop.
const HCPE_DROPS: usize = 80;

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
