//! The aligned twin of a file: the same net, its rows where they can be used as they lie.
//!
//! Owns the writing of one file from another; the numbers are copied byte by byte, so nothing about
//! them can change. An SFNN file has no such twin, because its numbers are compressed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::error::{LoadError, Problem};
use super::layout;
use super::write;

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
    let (temporary, mut out) = beside(to).map_err(unwritable)?;
    let numbers = &file[layout.bias.start - 4..];
    let description = header.description.trim_ascii_end();
    let written = write::head(&mut out, header.hash, description, layout.architecture.width)
        .and_then(|()| out.write_all(numbers))
        .and_then(|()| out.sync_all());
    drop(out);
    let done = match written {
        _ if file.is_damaged() => Err(blame(Problem::Damaged)),
        Err(error) => Err(unwritable(error)),
        Ok(()) => fs::rename(&temporary, to).map_err(unwritable),
    };
    if done.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    done
}

/// Whether both names are of one file, over links too.
fn is_same(from: &Path, to: &Path) -> bool {
    match (from.canonicalize(), to.canonicalize()) {
        (Ok(from), Ok(to)) => from == to,
        _ => false,
    }
}

/// A new file in the folder of another, so that renaming it is one step.
fn beside(path: &Path) -> io::Result<(PathBuf, File)> {
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder"));
    }
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut temporary = std::ffi::OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}.new", std::process::id()));
    let temporary = path.with_file_name(temporary);
    let file = OpenOptions::new().write(true).create_new(true).open(&temporary)?;
    Ok((temporary, file))
}
