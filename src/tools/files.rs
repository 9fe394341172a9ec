//! Files that the user of a tool names: reading them, locks, and heads that say what made them.

use std::fmt::{self, Display};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::sys::in_file;

/// The text of a file, without the mark that editors put in front of UTF-8.
///
/// # Errors
/// If it cannot be read, in words.
pub fn read(path: &Path) -> Result<String, String> {
    let text = fs::read_to_string(path).map_err(|error| in_file(path, error))?;
    match text.strip_prefix('\u{feff}') {
        Some(rest) => Ok(rest.to_owned()),
        None => Ok(text),
    }
}

/// Keeps a second process away from files that are written bit by bit, as long as it lives.
#[derive(Debug)]
pub struct FileLock {
    _file: File,
    path: PathBuf,
}

impl FileLock {
    /// Takes the lock of this name, a file of its own: others may still read what is written.
    ///
    /// # Errors
    /// If another process has it, or the file cannot be made.
    pub fn take(path: PathBuf) -> io::Result<FileLock> {
        let file = File::options().write(true).create(true).truncate(false).open(&path)?;
        // File systems without locks are no reason to write nothing.
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, "another process writes it"));
        }
        Ok(FileLock { _file: file, path })
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // A file that nobody has locked is in nobody's way.
        let _ = fs::remove_file(&self.path);
    }
}

/// The path with this ending added to its name.
pub fn with_suffix(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// A file was made by something else than what wants to go on with it: the first lines of its head
/// that differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderMismatch {
    found: String,
    expected: String,
}

impl Display for HeaderMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let HeaderMismatch { found, expected } = self;
        write!(f, "it says\n  {found}\nwhere it should say\n  {expected}")
    }
}

/// Compares heads line by line.
///
/// # Errors
/// If they differ.
pub fn check_header(
    found: impl IntoIterator<Item = impl Into<String>>,
    expected: impl IntoIterator<Item = impl Into<String>>,
) -> Result<(), HeaderMismatch> {
    let mut found = found.into_iter().map(Into::<String>::into);
    let mut expected = expected.into_iter().map(Into::<String>::into);
    loop {
        match (found.next(), expected.next()) {
            (None, None) => return Ok(()),
            (found, expected) if found == expected => {}
            (found, expected) => {
                let line = |line: Option<String>| line.unwrap_or_else(|| "(nothing)".into());
                return Err(HeaderMismatch { found: line(found), expected: line(expected) });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Behind the mark of an editor a remark was none, and a setting had an unknown name.
    #[test]
    fn the_mark_of_an_editor_is_no_part_of_a_text() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        for text in ["# a remark\nstartpos\n", "", "\u{feff}"] {
            fs::write(&path, format!("\u{feff}{text}")).unwrap();
            assert_eq!(read(&path).unwrap(), text);
        }
    }
}
