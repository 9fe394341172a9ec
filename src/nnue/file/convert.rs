//! Converts a file so that its rows are aligned and can be used in the mapped file. The parameters
//! are copied byte by byte. SFNN files cannot be converted, because their parameters are
//! compressed.

use std::io::{self, Write};
use std::path::Path;

use super::load_error::{AccessError, FormatError, LoadError};
use super::open::open;
use super::{detect, write};
use crate::sys::{AtomicFile, is_same_file};

/// Writes an aligned copy of one file to another, which is replaced atomically.
///
/// # Errors
/// If the first file is not a classic network or is the same as the second, or if the second cannot
/// be written.
pub fn convert(from: &Path, to: &Path) -> Result<(), LoadError> {
    let at_path = |kind| LoadError::new(from, kind);
    let unwritable = |error| LoadError::new(to, AccessError::Unwritable(error).into());
    let file = open(from).map_err(at_path)?;
    let (header, layout) = detect::detect_mapped(&file).map_err(at_path)?;
    if layout.encoding.is_compressed() {
        return Err(at_path(FormatError::Compressed.into()));
    }
    if is_same_file(from, to) {
        return Err(LoadError::new(to, AccessError::SameFile.into()));
    }
    let mut out = AtomicFile::create(to).map_err(unwritable)?;
    let numbers = &file[layout.bias.start - 4..];
    let description = header.description.trim_ascii_end().to_vec();
    write::write_header(&mut out, header.hash, &description, layout.architecture.width)
        .and_then(|()| write_mapped(&mut out, numbers))
        .map_err(unwritable)?;
    if file.is_damaged() {
        return Err(at_path(AccessError::Damaged.into()));
    }
    out.commit().map_err(unwritable)
}

/// Writes bytes of a mapped file through a buffer. If the file has been truncated, copying yields
/// zeros, but a system call on the mapping would fail and the error would name the new file.
fn write_mapped(out: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    let mut copy = Vec::with_capacity(CHUNK);
    bytes.chunks(CHUNK).try_for_each(|chunk| {
        copy.clear();
        copy.extend_from_slice(chunk);
        out.write_all(&copy)
    })
}

/// Bytes copied at a time.
const CHUNK: usize = 64 << 10;

#[cfg(all(test, unix, not(miri)))]
mod tests {
    use std::fs;

    use tempfile::tempdir;

    use super::*;
    use crate::sys::MappedFile;

    /// Regression: the error named the new file and a bad address.
    #[test]
    fn a_network_truncated_during_its_conversion_is_detected() {
        let folder = tempdir().unwrap();
        let from = folder.path().join("net.bin");
        fs::write(&from, vec![1; 1 << 20]).unwrap();
        let file = MappedFile::open(&from).unwrap();
        fs::File::options().write(true).open(&from).unwrap().set_len(100).unwrap();
        let mut out = AtomicFile::create(&folder.path().join("new.bin")).unwrap();
        write_mapped(&mut out, &file).unwrap();
        assert!(file.is_damaged());
    }
}
