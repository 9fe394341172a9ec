//! Where the numbers of a net lie in its file, whatever kind it is.
//!
//! Owns the finding out, which allocates nothing that grows with the numbers; reads none of them.

use std::ops::Range;

use super::byte_reader::ByteReader;
use super::header::NetHeader;
use super::load_error::LoadProblem;
use super::{classic, leb128, sfnn};
use crate::nnue::architecture::Architecture;

/// A file of a net, detected.
#[derive(Clone, Debug)]
pub(super) struct FileLayout {
    pub(super) architecture: Architecture,
    /// Numbers of 16 bits.
    pub(super) bias: Range<usize>,
    /// Numbers of 16 bits.
    pub(super) rows: Range<usize>,
    /// Whether these two are coded as LEB128.
    pub(super) compressed: bool,
    /// The judge of progress: its bias and weights, of 32 bits.
    pub(super) progress: Option<Range<usize>>,
    /// The first layer of the first stack.
    pub(super) stacks: usize,
    /// From there to the next stack's.
    pub(super) stack_step: usize,
    /// What is odd about the file and yet does not matter.
    pub(super) warnings: Vec<&'static str>,
}

/// Recognises the whole of a file.
pub(super) fn detect(file: &[u8]) -> Result<(NetHeader<'_>, FileLayout), LoadProblem> {
    let mut reader = ByteReader::new(file);
    let header = NetHeader::read(&mut reader)?;
    let before = reader.clone();
    let hash = reader.u32("the hash of the feature transformer")?;
    // The hash alone does not tell: a classic net may have the very same (HalfKA1 768 wide has).
    let layout = if leb128::is_next(&reader) {
        sfnn::detect(&header, hash, reader)?
    } else {
        classic::detect(&header, before, file.len())?
    };
    Ok((header, layout))
}
