//! The principal variations of all plies of the current line.

use crate::types::{MAX_PLY, Move};

/// A triangular table: row `ply` holds the best line from there.
#[derive(Debug)]
pub(super) struct PvTable(Vec<Vec<Move>>);

impl PvTable {
    pub(super) fn new() -> PvTable {
        PvTable((0..MAX_PLY + 2).map(|ply| Vec::with_capacity(MAX_PLY + 2 - ply)).collect())
    }

    #[inline(always)]
    pub(super) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Sets the line from `ply` to this move and the line below it.
    pub(super) fn update(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.0.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
    }

    /// Sets the line from `ply`.
    pub(super) fn set(&mut self, ply: usize, line: &[Move]) {
        self.0[ply].clear();
        self.0[ply].extend_from_slice(line);
    }

    pub(super) fn line(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }
}
