//! File helpers of the tools: reading text, appending, locks, paths of new files, comparing file headers.

use std::fmt::{self, Display};
use std::fs::{self, File, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::sys::{in_file, is_open_at, is_same_file, open_input};

/// The text of a file, without a byte order mark.
///
/// # Errors
/// If it cannot be read.
pub fn read(path: &Path) -> Result<String, String> {
    let text = read_text(path).map_err(|error| in_file(path, error))?;
    match text.strip_prefix('\u{feff}') {
        Some(rest) => Ok(rest.to_owned()),
        None => Ok(text),
    }
}

/// The text of a file as it is.
///
/// # Errors
/// As for [`open_input`], and if it is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    open_input(path).and_then(io::read_to_string)
}

/// Writes bytes at the end of a file, which is its current offset. If only some of them can be written, as to a full
/// disk, they are removed: what is appended later must not follow a fragment.
///
/// # Errors
/// If not all bytes can be written.
pub fn append_whole(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    let end = file.stream_position()?;
    let written = file.write_all(bytes);
    if written.is_err() {
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
    }
    written
}

/// Keeps other processes from appending to the same file while it lives.
#[derive(Debug)]
pub struct FileLock {
    _file: File,
    path: PathBuf,
}

impl FileLock {
    /// Takes the lock at this path. It is a separate file, so others can still read the data.
    ///
    /// # Errors
    /// If another process has it or the file cannot be created.
    pub fn take(path: PathBuf) -> io::Result<FileLock> {
        loop {
            let file = File::options().write(true).create(true).truncate(false).open(&path)?;
            // On a file system without locks, write anyway.
            if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
                let busy = "another process writes it";
                return Err(io::Error::new(io::ErrorKind::ResourceBusy, busy));
            }
            // The process that had the lock may have removed the file since it was opened.
            if is_open_at(&file, &path) {
                return Ok(FileLock { _file: file, path });
            }
        }
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // The lock is still held. If the file stays, it does no harm.
        let _ = fs::remove_file(&self.path);
    }
}

/// Checks that a new file can have this path.
///
/// # Errors
/// If there is a file or anything else at the path.
pub fn check_absent(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(_) => {
            let exists = "it exists already; give the new file another name";
            Err(io::Error::new(io::ErrorKind::AlreadyExists, exists))
        }
        Err(_) => Ok(()),
    }
}

/// Checks that the output of a command is not its input: a mistyped name would destroy that.
///
/// # Errors
/// If both are the same file.
pub fn check_not_input(from: &Path, to: &Path) -> Result<(), String> {
    if is_same_file(from, to) {
        Err(in_file(to, "it is the input; give the new file another name"))
    } else {
        Ok(())
    }
}

/// The path with this suffix added to the file name.
pub fn with_suffix(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// A file has another header than expected: the first lines that differ.
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

/// Compares headers line by line.
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

    /// Regression: two processes could have the lock, one of them on a file that a third had removed.
    #[test]
    fn a_lock_on_a_removed_file_does_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.lock");
        let removed = File::create(&path).unwrap();
        assert!(is_open_at(&removed, &path));
        fs::remove_file(&path).unwrap();
        assert!(!is_open_at(&removed, &path));
        let lock = FileLock::take(path.clone()).unwrap();
        assert!(FileLock::take(path.clone()).is_err());
        drop(lock);
        assert!(!path.exists());
    }

    /// Regression: the error was "entity already exists".
    #[test]
    fn an_output_that_exists_needs_another_name() {
        let folder = tempfile::tempdir().unwrap();
        check_absent(&folder.path().join("new.games")).unwrap();
        let error = check_absent(folder.path()).unwrap_err();
        assert_eq!(error.to_string(), "it exists already; give the new file another name");
    }

    /// Regression: a byte order mark hid a comment and made a setting unknown.
    #[test]
    fn a_byte_order_mark_is_not_part_of_the_text() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        for text in ["# a remark\nstartpos\n", "", "\u{feff}"] {
            fs::write(&path, format!("\u{feff}{text}")).unwrap();
            assert_eq!(read(&path).unwrap(), text);
        }
    }
}
