//! Blocks: some games together behind a marker and checksums.
//!
//! The marker lets a reader find the next block behind damage; the checksum of a block's own head
//! keeps it from trusting a length that is none.

use super::scored_game::ScoredGame;

/// Where a block begins.
pub(super) const MARKER: [u8; 8] = *b"\xb1KWBLOCK";
/// Bytes before the games of a block.
pub(super) const HEAD: usize = 32;
/// A block is written as soon as its games take so many bytes.
pub(super) const FULL: usize = 64 << 10;
/// No block has games of more bytes.
pub(super) const MAX_BODY: usize = FULL + ScoredGame::MAX_BYTES;

/// What stands before the games of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockHeader {
    /// Number of its first game in the file, from 0, lost ones counted.
    pub(super) first: u64,
    pub(super) games: u32,
    /// Bytes of the games.
    pub(super) length: u32,
    checksum: u32,
}

impl BlockHeader {
    /// The head of a block of these games.
    pub(super) fn of(first: u64, games: u32, body: &[u8]) -> BlockHeader {
        BlockHeader { first, games, length: body.len() as u32, checksum: crc32fast::hash(body) }
    }

    pub(super) fn to_bytes(self) -> [u8; HEAD] {
        let mut bytes = [0; HEAD];
        bytes[..8].copy_from_slice(&MARKER);
        bytes[8..16].copy_from_slice(&self.first.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.games.to_le_bytes());
        bytes[20..24].copy_from_slice(&self.length.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.checksum.to_le_bytes());
        let own = crc32fast::hash(&bytes[..28]);
        bytes[28..].copy_from_slice(&own.to_le_bytes());
        bytes
    }

    /// The head that these bytes begin with, if it is whole and sound.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<BlockHeader> {
        let bytes: &[u8; HEAD] = bytes.first_chunk()?;
        let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| bytes[at + i]));
        let sound = bytes.starts_with(&MARKER) && crc32fast::hash(&bytes[..28]) == word(28);
        let head = BlockHeader {
            first: u64::from(word(8)) | u64::from(word(12)) << 32,
            games: word(16),
            length: word(20),
            checksum: word(24),
        };
        (sound && head.length as usize <= MAX_BODY).then_some(head)
    }

    /// Whether these are the games of the block.
    pub(super) fn is_of(&self, body: &[u8]) -> bool {
        crc32fast::hash(body) == self.checksum
    }
}
