//! Blocks: several games with a marker and checksums in front.
//!
//! The marker lets a reader find the next block after damage; the checksum of the block header keeps
//! it from trusting a damaged length.

use super::scored_game::ScoredGame;

/// The first bytes of a block.
pub(super) const MARKER: [u8; 8] = *b"\xb1KWBLOCK";
/// Size of a block header in bytes.
pub(super) const HEADER_BYTES: usize = 32;
/// A block is written when its games take this many bytes.
pub(super) const FULL_BYTES: usize = 64 << 10;
/// Upper bound of the bytes of the games in a block.
pub(super) const MAX_BODY_BYTES: usize = FULL_BYTES + ScoredGame::MAX_BYTES;

/// The header of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockHeader {
    /// Number of its first game in the file, from 0, including games lost to damage.
    pub(super) first: u64,
    pub(super) games: u32,
    /// Size of the games in bytes.
    pub(super) length: u32,
    checksum: u32,
}

impl BlockHeader {
    /// The header for a block with this body.
    pub(super) fn of(first: u64, games: u32, body: &[u8]) -> BlockHeader {
        BlockHeader { first, games, length: body.len() as u32, checksum: crc32fast::hash(body) }
    }

    pub(super) fn to_bytes(self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..8].copy_from_slice(&MARKER);
        bytes[8..16].copy_from_slice(&self.first.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.games.to_le_bytes());
        bytes[20..24].copy_from_slice(&self.length.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.checksum.to_le_bytes());
        let own = crc32fast::hash(&bytes[..28]);
        bytes[28..].copy_from_slice(&own.to_le_bytes());
        bytes
    }

    /// Reads a header; `None` if it is incomplete or damaged.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<BlockHeader> {
        let bytes: &[u8; HEADER_BYTES] = bytes.first_chunk()?;
        let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| bytes[at + i]));
        let sound = bytes.starts_with(&MARKER) && crc32fast::hash(&bytes[..28]) == word(28);
        let header = BlockHeader {
            first: u64::from(word(8)) | u64::from(word(12)) << 32,
            games: word(16),
            length: word(20),
            checksum: word(24),
        };
        (sound && header.length as usize <= MAX_BODY_BYTES).then_some(header)
    }

    /// Whether the checksum of the body is right.
    pub(super) fn is_of(&self, body: &[u8]) -> bool {
        crc32fast::hash(body) == self.checksum
    }
}
