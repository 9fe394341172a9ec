//! The aligned twin of a file: the same net, its rows where they can be used as they lie.
//!
//! Owns the writing of one file from another; the numbers are copied byte by byte, so nothing about
//! them can change. An SFNN file has no such twin, because its numbers are compressed.

use std::io::{self, Write};
use std::path::Path;

use super::file_layout;
use super::load_error::{LoadError, LoadProblem};
use super::write;
use crate::sys::{Replacement, is_same_file};

/// Writes the aligned twin of one file to another, which is there whole or not at all; what had its
/// name before is replaced.
///
/// # Errors
/// If the first is no net, or is SFNN, or is the second too; or if the second cannot be written.
pub fn convert(from: &Path, to: &Path) -> Result<(), LoadError> {
    let at_path = |problem| LoadError::new(from, problem);
    let unwritable = |error| LoadError::new(to, LoadProblem::Unwritable(error));
    let file = super::open(from).map_err(at_path)?;
    let detected = file_layout::detect(&file);
    if file.is_damaged() {
        return Err(at_path(LoadProblem::Damaged));
    }
    let (header, layout) = detected.map_err(at_path)?;
    if layout.compressed {
        return Err(at_path(LoadProblem::Compressed));
    }
    if is_same_file(from, to) {
        return Err(LoadError::new(to, LoadProblem::SameFile));
    }
    let mut out = Replacement::of(to).map_err(unwritable)?;
    let numbers = &file[layout.bias.start - 4..];
    let description = header.description.trim_ascii_end().to_vec();
    write::head(&mut out, header.hash, &description, layout.architecture.width)
        .and_then(|()| write_mapped(&mut out, numbers))
        .map_err(unwritable)?;
    if file.is_damaged() {
        return Err(at_path(LoadProblem::Damaged));
    }
    out.put().map_err(unwritable)
}

/// Writes bytes of a mapped file by way of memory of our own. Where the file has been cut off, a
/// copy finds zeros, but a system call finds no memory, and the new file would be to at_path.
fn write_mapped(out: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    let mut copy = Vec::with_capacity(PIECE);
    bytes.chunks(PIECE).try_for_each(|piece| {
        copy.clear();
        copy.extend_from_slice(piece);
        out.write_all(&copy)
    })
}

/// How much is copied at a time.
const PIECE: usize = 64 << 10;

#[cfg(all(test, unix, not(miri)))]
mod tests {
    use std::fs;

    use tempfile::tempdir;

    use super::*;
    use crate::sys::MappedFile;

    /// The new file was to at_path, with a bad address.
    #[test]
    fn a_net_that_is_cut_off_while_it_is_converted_is_no_fault_of_the_new_file() {
        let folder = tempdir().unwrap();
        let from = folder.path().join("net.bin");
        fs::write(&from, vec![1; 1 << 20]).unwrap();
        let file = MappedFile::open(&from).unwrap();
        fs::File::options().write(true).open(&from).unwrap().set_len(100).unwrap();
        let mut out = Replacement::of(&folder.path().join("new.bin")).unwrap();
        write_mapped(&mut out, &file).unwrap();
        assert!(file.is_damaged());
    }
}
