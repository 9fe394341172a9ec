//! Moves in two bytes: destination in bits 0-6, origin in bits 7-13. The formats differ in the marks of
//! drops and promotions.

use super::PackedFormat;
use crate::types::{Move, PieceKind, Square};

/// Marks a drop for YaneuraOu; the origin is then the kind.
const DROP: u16 = 1 << 14;
/// Plus the kind: the origin of a drop for Apery.
const APERY_DROPS: usize = 80;

impl PackedFormat {
    /// The code of a move; 0 for none.
    pub fn move_code(self, mv: Move) -> u16 {
        if !mv.is_ok() {
            return 0;
        }
        let to = mv.to().index() as u16;
        let drop = |base: usize| ((base + mv.dropped().index()) as u16) << 7;
        let from = || (mv.from().index() as u16) << 7;
        let promotion = u16::from(mv.is_promotion());
        match (self, mv.is_drop()) {
            (PackedFormat::Yaneuraou, true) => to | drop(0) | DROP,
            (PackedFormat::Yaneuraou, false) => to | from() | promotion << 15,
            (PackedFormat::Apery, true) => to | drop(APERY_DROPS),
            (PackedFormat::Apery, false) => to | from() | promotion << 14,
        }
    }

    /// The move with this code, [`Move::NONE`] for 0; `None` if the code is invalid. The move need not be
    /// legal anywhere.
    ///
    /// ```
    /// use kawasemi::position::packed::PackedFormat;
    /// let mv = "P*5e".parse().unwrap();
    /// assert_eq!(PackedFormat::Yaneuraou.move_code(mv), 0x40a8);
    /// assert_eq!(PackedFormat::Yaneuraou.mv(0x40a8), Some(mv));
    /// // In Apery's format the same bits are another move.
    /// assert_eq!(PackedFormat::Apery.mv(0x40a8).unwrap().to_string(), "1b5e+");
    /// ```
    pub fn mv(self, code: u16) -> Option<Move> {
        if code == 0 {
            return Some(Move::NONE);
        }
        let to = Some(usize::from(code & 0x7f)).filter(|&to| to < Square::COUNT)?;
        let to = Square::from_index(to);
        let origin = usize::from(code >> 7 & 0x7f);
        let (kind, promotes) = match self {
            PackedFormat::Yaneuraou if code & DROP != 0 => (Some(origin), code >> 15 != 0),
            PackedFormat::Yaneuraou => (None, code >> 15 != 0),
            // The highest bit has no meaning.
            PackedFormat::Apery if code >> 15 != 0 => return None,
            PackedFormat::Apery => {
                (origin.checked_sub(APERY_DROPS).filter(|&kind| kind > 0), code >> 14 != 0)
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
