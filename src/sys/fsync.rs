//! Flushing files to disk, so that they survive a power failure.

use std::fs::File;
use std::io;

/// Flushes a file to disk.
///
/// # Errors
/// I/O errors.
#[cfg(not(unix))]
pub fn sync_file(file: &File) -> io::Result<()> {
    file.sync_all()
}

/// Flushes a file to disk.
///
/// # Errors
/// I/O errors.
#[cfg(unix)]
pub fn sync_file(file: &File) -> io::Result<()> {
    unless_unsupported(file.sync_all(), || sync_without_disk(file))
}

/// On Apple's systems the standard library also flushes the cache of the disk (`F_FULLFSYNC`). Network
/// shares and some file systems, such as exFAT, do not support that and return various errors; a plain
/// `fsync` is the best there. Other errors are not retried: a second `fsync` may report success
/// although data is lost.
#[cfg(unix)]
fn unless_unsupported(
    synced: io::Result<()>,
    otherwise: impl FnOnce() -> io::Result<()>,
) -> io::Result<()> {
    const UNSUPPORTED: [i32; 3] = [libc::ENOTSUP, libc::EINVAL, libc::ENOTTY];
    match synced.as_ref().err().and_then(io::Error::raw_os_error) {
        Some(code) if UNSUPPORTED.contains(&code) => otherwise(),
        _ => synced,
    }
}

/// Plain `fsync`: the disk may still hold the data in its cache.
#[cfg(unix)]
fn sync_without_disk(file: &File) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    loop {
        // SAFETY: the file keeps its descriptor open, and the call touches no memory of this process.
        if unsafe { libc::fsync(file.as_raw_fd()) } == 0 {
            return Ok(());
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Regression: on a Mac no file could be written to a network share or an exFAT disk.
    #[test]
    fn a_disk_of_unknown_free_space_is_written_to() {
        let file = tempfile::tempfile().unwrap();
        for code in [libc::ENOTSUP, libc::EINVAL, libc::ENOTTY] {
            let refused = Err(io::Error::from_raw_os_error(code));
            unless_unsupported(refused, || sync_without_disk(&file)).unwrap();
        }
    }

    #[test]
    fn a_failing_disk_is_not_tried_again() {
        let again = || -> io::Result<()> { panic!("it was asked again") };
        let failed = Err(io::Error::from_raw_os_error(libc::EIO));
        let error = unless_unsupported(failed, again).unwrap_err();
        assert_eq!(error.raw_os_error(), Some(libc::EIO));
        unless_unsupported(Ok(()), again).unwrap();
    }
}
