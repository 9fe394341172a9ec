//! Where the positions of an unsorted text stand.

use std::hash::{BuildHasher, RandomState};

use super::line::{Line, Lines, Placed};
use crate::book::entry::sfen_key;

/// Sixteen bytes for each position: a hash of its name, and where its line begins.
pub(super) struct Index {
    /// By hash, then by place.
    entries: Vec<(u64, u64)>,
    /// Drawn anew for each index, so that nobody can write a file whose positions share a hash.
    hasher: RandomState,
}

impl std::fmt::Debug for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Index").field("positions", &self.entries.len()).finish_non_exhaustive()
    }
}

impl Index {
    /// Passes over what is no position.
    pub(super) fn of(lines: Lines<'_>) -> Index {
        let hasher = RandomState::new();
        let mut entries = Vec::new();
        for (start, bytes) in lines {
            if let Line::Position(text) = Line::of(bytes)
                && let Ok(placed) = Placed::read(text)
            {
                let name = sfen_key(&placed.setup);
                entries.push((hasher.hash_one(name.as_bytes()), start as u64));
            }
        }
        entries.sort_unstable();
        entries.shrink_to_fit();
        Index { entries, hasher }
    }

    /// Where positions stand that may have this name, the first of the file first.
    pub(super) fn places(&self, name: &[u8]) -> impl Iterator<Item = usize> {
        let hash = self.hasher.hash_one(name);
        let first = self.entries.partition_point(|&(other, _)| other < hash);
        let same = self.entries[first..].iter().take_while(move |&&(other, _)| other == hash);
        same.take(super::MAX_DUPLICATES).map(|&(_, start)| start as usize)
    }
}
