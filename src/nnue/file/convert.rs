//! The aligned twin of a file: the same net, its rows where they can be used as they lie.
//!
//! Owns the writing of one file from another; the numbers are copied byte by byte, so nothing about
//! them can change. An SFNN file has no such twin, because its numbers are compressed.

use std::io::Write;
use std::path::Path;

use super::error::{LoadError, Problem};
use super::layout;
use super::write;
use crate::sys::Replacement;

/// Writes the aligned twin of one file to another, which is there whole or not at all; what had its
/// name before is replaced.
///
/// # Errors
/// If the first is no net, or is SFNN, or is the second too; or if the second cannot be written.
pub fn convert(from: &Path, to: &Path) -> Result<(), LoadError> {
    let blame = |problem| LoadError::new(from, problem);
    let unwritable = |error| LoadError::new(to, Problem::Unwritable(error));
    let file = super::open(from).map_err(blame)?;
    let recognised = layout::recognise(&file);
    if file.is_damaged() {
        return Err(blame(Problem::Damaged));
    }
    let (header, layout) = recognised.map_err(blame)?;
    if layout.compressed {
        return Err(blame(Problem::Compressed));
    }
    if is_same(from, to) {
        return Err(LoadError::new(to, Problem::SameFile));
    }
    let mut out = Replacement::of(to).map_err(unwritable)?;
    let numbers = &file[layout.bias.start - 4..];
    let description = header.description.trim_ascii_end();
    write::head(&mut out, header.hash, description, layout.architecture.width)
        .and_then(|()| out.write_all(numbers))
        .map_err(unwritable)?;
    if file.is_damaged() {
        return Err(blame(Problem::Damaged));
    }
    out.put().map_err(unwritable)
}

/// Whether both names are of one file, over links too.
fn is_same(from: &Path, to: &Path) -> bool {
    match (from.canonicalize(), to.canonicalize()) {
        (Ok(from), Ok(to)) => from == to,
        _ => false,
    }
}
