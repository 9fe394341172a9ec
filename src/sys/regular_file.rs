//! Opening files that are read to their end, and regular files only where nobody waits: opening a pipe blocks
//! until its other end is opened, and reading from a device may have side effects.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, StdinLock};
use std::path::Path;

use crate::types::message::message;

/// The longest beginning of a log, in bytes.
const HEAD_BYTES: u64 = 64;

/// Opens a file, a pipe or a terminal to read it to its end.
///
/// # Errors
/// I/O errors, a folder, and a device without an end, such as `/dev/zero`.
pub fn open_input(path: &Path) -> io::Result<File> {
    // The system's message does not always mention a folder.
    if path.is_dir() {
        return Err(not_regular(path));
    }
    let file = File::open(path)?;
    check_end(&file)?;
    Ok(file)
}

/// Standard input, to read it to its end.
///
/// # Errors
/// A device without an end.
pub fn open_stdin() -> io::Result<StdinLock<'static>> {
    let input = io::stdin().lock();
    #[cfg(unix)]
    check_end(&File::from(std::os::fd::AsFd::as_fd(&input).try_clone_to_owned()?))?;
    Ok(input)
}

fn check_end(file: &File) -> io::Result<()> {
    if is_endless(file) {
        let why = message!("this is a device without an end", "終わりのないデバイスです");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    Ok(())
}

/// Whether reading may never end. Of the character devices, only terminals and `/dev/null` are known to end.
#[cfg(unix)]
fn is_endless(file: &File) -> bool {
    use std::io::IsTerminal;
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let Ok(opened) = file.metadata() else { return false };
    let is_null = |null: std::fs::Metadata| null.rdev() == opened.rdev();
    opened.file_type().is_char_device()
        && !Path::new("/dev/null").metadata().is_ok_and(is_null)
        && !file.is_terminal()
}

#[cfg(not(unix))]
fn is_endless(_: &File) -> bool {
    false
}

/// Opens a regular file to read it, without blocking.
///
/// # Errors
/// I/O errors, and anything that is not a regular file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    open(path, OpenOptions::new().read(true))
}

/// Opens a log to append to it, or creates it. An existing file is used only if it is empty or begins like a
/// log: appending would corrupt a network or a book. `starts` are the beginnings of logs; a `0` in them
/// stands for any digit. Also returns whether the log is empty.
///
/// # Errors
/// I/O errors, anything that is not a regular file, and `InvalidData` for a file that is not a log.
pub fn open_log(path: &Path, starts: &[&str]) -> io::Result<(File, bool)> {
    let file = open(path, OpenOptions::new().read(true).append(true).create(true))?;
    let mut head = Vec::new();
    (&file).take(HEAD_BYTES).read_to_end(&mut head)?;
    if !head.is_empty() && !starts.iter().any(|start| begins_like(&head, start.as_bytes())) {
        let why = message!(
            "the file exists and was not begun by this log",
            "このプログラムのログではないファイルがすでにあります"
        );
        return Err(io::Error::new(io::ErrorKind::InvalidData, why));
    }
    Ok((file, head.is_empty()))
}

/// Whether the bytes begin with this pattern, in which a `0` stands for any digit.
fn begins_like(head: &[u8], pattern: &[u8]) -> bool {
    let matches = |(&byte, &expected): (&u8, &u8)| {
        if expected == b'0' { byte.is_ascii_digit() } else { byte == expected }
    };
    head.len() >= pattern.len() && head.iter().zip(pattern).all(matches)
}

fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    without_blocking(options);
    // Windows does not say that it is a folder.
    let file = options
        .open(path)
        .map_err(|error| if path.is_dir() { not_regular(path) } else { error })?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(not_regular(path)) }
}

/// The error about a path that is not a regular file: it is a folder, a pipe or a device.
pub(super) fn not_regular(path: &Path) -> io::Error {
    if path.is_dir() {
        let why = message!("this is a folder, not a file", "ファイルではなくフォルダです");
        return io::Error::new(io::ErrorKind::IsADirectory, why);
    }
    let why = message!("this is not a regular file", "通常のファイルではありません");
    io::Error::new(io::ErrorKind::InvalidInput, why)
}

#[cfg(unix)]
fn without_blocking(options: &mut OpenOptions) {
    use std::os::unix::fs::OpenOptionsExt;
    // Neither flag has an effect on regular files.
    options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY);
}

#[cfg(not(unix))]
fn without_blocking(_: &mut OpenOptions) {}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;

    /// Regression: the client waited endlessly for a writer of the pipe.
    #[cfg(unix)]
    #[test]
    fn a_pipe_or_a_device_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [&*pipe, Path::new("/dev/null"), folder.path()] {
            assert!(open_regular(path).is_err() && open_log(path, &["0"]).is_err(), "{path:?}");
        }
        assert_eq!(open_regular(&pipe).unwrap_err().to_string(), "this is not a regular file");
    }

    /// Regression: such a device was read until the disk or the memory was full.
    #[cfg(unix)]
    #[test]
    fn an_input_is_no_device_without_an_end() {
        for endless in ["/dev/zero", "/dev/urandom"] {
            let error = open_input(endless.as_ref()).unwrap_err();
            assert_eq!(error.to_string(), "this is a device without an end", "{endless}");
        }
        let mut bytes = Vec::new();
        open_input("/dev/null".as_ref()).unwrap().read_to_end(&mut bytes).unwrap();
        assert!(bytes.is_empty());
        let missing = open_input("/dev/null/no".as_ref()).unwrap_err();
        assert_ne!(missing.kind(), io::ErrorKind::InvalidInput);
    }

    #[test]
    fn a_folder_is_named_as_such() {
        let folder = tempfile::tempdir().unwrap();
        for error in [
            open_input(folder.path()).unwrap_err(),
            open_regular(folder.path()).unwrap_err(),
            open_log(folder.path(), &["0"]).unwrap_err(),
        ] {
            assert_eq!(error.kind(), io::ErrorKind::IsADirectory);
            assert_eq!(error.to_string(), "this is a folder, not a file");
        }
    }

    #[test]
    fn only_a_log_is_appended_to() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let starts = ["0000-00 > ", "0000-00 < "];
        let (mut file, is_empty) = open_log(&path, &starts).unwrap();
        assert!(is_empty);
        file.write_all(b"2026-11 < one\n").unwrap();
        let (mut file, is_empty) = open_log(&path, &starts).unwrap();
        assert!(!is_empty);
        file.write_all(b"two\n").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"2026-11 < one\ntwo\n");
        for other in ["2026-1", "2026-1x < one", "a book", "\0"] {
            fs::write(&path, other).unwrap();
            let error = open_log(&path, &starts).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{other:?}");
            assert_eq!(fs::read(&path).unwrap(), other.as_bytes());
        }
    }
}
