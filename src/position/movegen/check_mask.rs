//! The target squares that evade a check.

use crate::position::attacks;
use crate::position::board::Position;
use crate::types::Bitboard;

/// The targets of moves and drops that evade a check; all targets if there is none.
pub(super) struct CheckMask {
    pub(super) board: Bitboard,
    pub(super) drops: Bitboard,
}

impl Position {
    pub(super) fn check_mask(&self) -> CheckMask {
        let checkers = self.checkers();
        let empty = !self.occupied();
        let Some(king) = self.king(self.side).filter(|_| !checkers.is_empty()) else {
            return CheckMask { board: Bitboard::ALL, drops: empty };
        };
        if checkers.more_than_one() {
            return CheckMask { board: Bitboard::EMPTY, drops: Bitboard::EMPTY };
        }
        let between = attacks::between(king, checkers.lsb());
        CheckMask { board: between | checkers, drops: between }
    }
}
