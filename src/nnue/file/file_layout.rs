//! Where the parameters of a network are in its file.

use std::ops::Range;

use super::shards::Shards;
use crate::nnue::architecture::Architecture;
use crate::types::language::Localized;
use crate::types::message::Message;

/// Rows that are used in the mapped file are aligned to the widest vectors, which are cache lines.
pub(super) const ROW_ALIGNMENT: usize = 64;

/// How the 16-bit numbers of the feature transformer are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// Two bytes each.
    Plain,
    Leb128,
    /// The biases as LEB128, the rows as in [`deflate`](super::deflate).
    Deflate,
}

impl Encoding {
    pub(super) fn is_compressed(self) -> bool {
        self != Encoding::Plain
    }
}

/// The architecture of a network and the byte ranges of its parameters.
#[derive(Clone, Debug)]
pub(super) struct FileLayout {
    pub(super) architecture: Architecture,
    /// 16-bit biases of the feature transformer.
    pub(super) bias: Range<usize>,
    /// 16-bit weights of the feature transformer.
    pub(super) rows: Range<usize>,
    /// How these two are stored.
    pub(super) encoding: Encoding,
    /// The progress model: its bias and weights of 32 bits.
    pub(super) progress: Option<Range<usize>>,
    /// Offset of the first layer of the first stack, in bytes.
    pub(super) stacks_at: usize,
    /// Bytes from one stack to the next.
    pub(super) stack_step: usize,
    /// How the first layer is sharded.
    pub(super) shards: Option<Shards>,
    /// Assumptions about properties that the file does not contain.
    pub(super) assumption: Option<Message>,
    /// Harmless irregularities.
    pub(super) warnings: Vec<Localized>,
}
