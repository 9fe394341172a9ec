//! Garbage: announcement, offset and fall.

use super::field::{COLUMNS, Field, Puyo};

/// Maximum number of garbage puyos that fall at once; the rest falls after the next pairs.
pub const MAX_AT_ONCE: i32 = 30;

/// Garbage announced for the player to move; negative numbers are for the opponent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Garbage {
    /// Falls after the next pair, unless a chain offsets it.
    pub fixed: i32,
    /// Becomes fixed when the opponent's chain has ended.
    pub unfixed: i32,
    /// The number of frames until then.
    pub frames: u32,
}

impl Garbage {
    /// Lets time pass.
    pub fn pass(&mut self, frames: u32) {
        self.frames = self.frames.saturating_sub(frames);
        if self.frames == 0 {
            self.fixed = self.fixed.saturating_add(self.unfixed);
            self.unfixed = 0;
        }
    }

    /// A chain of the player sends this many garbage puyos. They offset the announced garbage first; the rest goes to
    /// the opponent.
    pub fn offset(&mut self, sent: u32) {
        let sent = i32::try_from(sent).unwrap_or(i32::MAX);
        let against_fixed = sent.min(self.fixed.max(0));
        self.fixed -= against_fixed;
        self.unfixed = self.unfixed.saturating_sub(sent - against_fixed);
    }

    /// Lets fixed garbage fall, full rows first. The columns of the rest depend on a count that the protocol does not
    /// send, so the worst case is assumed, the highest columns.
    pub fn fall(&mut self, field: &mut Field) {
        let falling = self.fixed.clamp(0, MAX_AT_ONCE);
        if falling == 0 {
            return;
        }
        self.fixed -= falling;
        let (rows, rest) = (falling as usize / COLUMNS, falling as usize % COLUMNS);
        let mut columns: [usize; COLUMNS] = std::array::from_fn(|column| column);
        columns.sort_by_key(|&column| std::cmp::Reverse(field.height(column)));
        for (place, &column) in columns.iter().enumerate() {
            for _ in 0..rows + usize::from(place < rest) {
                field.drop_puyo(column, Puyo::Garbage);
            }
        }
    }
}
