//! The index of a text book that is not sorted.

use std::hash::{BuildHasher, RandomState};

use super::line::{PositionLine, TextLine, TextLines};
use crate::book::entry::MAX_DUPLICATES;

/// Sixteen bytes for each position: a hash of its key, and the offset of its line.
pub(super) struct TextIndex {
    /// Sorted by hash, then by offset.
    entries: Vec<(u64, u64)>,
    /// Random for each index, so that nobody can write a file whose positions share a hash value.
    hasher: RandomState,
}

impl std::fmt::Debug for TextIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TextIndex").field("positions", &self.entries.len()).finish_non_exhaustive()
    }
}

impl TextIndex {
    /// The index of these lines. Skips lines that are not positions.
    pub(super) fn of(lines: TextLines<'_>) -> TextIndex {
        let hasher = RandomState::new();
        let mut entries = Vec::new();
        for (start, bytes) in lines {
            if let TextLine::Position(text) = TextLine::of(bytes)
                && let Ok(position) = PositionLine::read(text)
            {
                let key = position.setup.sfen_without_ply();
                entries.push((hasher.hash_one(key.as_bytes()), start as u64));
            }
        }
        entries.sort_unstable();
        entries.shrink_to_fit();
        TextIndex { entries, hasher }
    }

    /// The offsets of positions that may have this key, ascending.
    pub(super) fn offsets(&self, key: &[u8]) -> impl Iterator<Item = usize> {
        let hash = self.hasher.hash_one(key);
        let first = self.entries.partition_point(|&(other, _)| other < hash);
        let same = self.entries[first..].iter().take_while(move |&&(other, _)| other == hash);
        same.take(MAX_DUPLICATES).map(|&(_, start)| start as usize)
    }
}
