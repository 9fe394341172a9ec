//! Checkers, blockers and pinners: the check information of a position.

use super::attacks;
use super::board::Position;
use super::state::StateInfo;
use crate::types::{Bitboard, Color};

impl Position {
    /// The pieces that give check to the side to move.
    pub(super) fn compute_checkers(&self) -> Bitboard {
        match self.kings[self.side] {
            Some(king) => self.attackers(!self.side, king, self.occupied()),
            None => Bitboard::EMPTY,
        }
    }

    /// Updates the blockers after changes on some squares. Only changes on a line of a king matter; the
    /// square that a king leaves is on such a line.
    #[inline(always)]
    pub(super) fn refresh_blockers(&self, state: &mut StateInfo, changed: Bitboard) {
        for color in Color::ALL {
            let Some(king) = self.kings[color] else { continue };
            let lines = attacks::diagonals(king) | attacks::orthogonals(king);
            if lines.intersects(changed) {
                state.blockers[color] = self.pins(color).0;
            }
        }
    }

    /// The enemy sliders that pin a piece to its king.
    pub(super) fn pinners(&self, color: Color) -> Bitboard {
        self.pins(color).1
    }

    /// The blockers of a king and their pinners.
    #[inline]
    fn pins(&self, color: Color) -> (Bitboard, Bitboard) {
        let (mut blockers, mut pinners) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let Some(king) = self.kings[color] else { return (blockers, pinners) };
        for sniper in self.snipers(!color, king) {
            let line = attacks::between(king, sniper) & self.occupied();
            if !line.is_empty() && !line.more_than_one() {
                blockers |= line;
                // A slider behind a piece of its own side pins nothing.
                if line.intersects(self.by_color[color]) {
                    pinners = pinners.with(sniper);
                }
            }
        }
        (blockers, pinners)
    }
}
