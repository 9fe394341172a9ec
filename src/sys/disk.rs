//! Files brought to the disk, so that they outlast a loss of power.

use std::fs::File;
use std::io;

/// Waits until the system has all of a file on its disk.
///
/// # Errors
/// Those of the system.
#[cfg(not(unix))]
pub fn sync_file(file: &File) -> io::Result<()> {
    file.sync_all()
}

/// Waits until the system has all of a file on its disk.
///
/// # Errors
/// Those of the system.
#[cfg(unix)]
pub fn sync_file(file: &File) -> io::Result<()> {
    unless_unknown(file.sync_all(), || sync_without_disk(file))
}

/// On Apple's systems the standard library has the disk itself empty its memory (`F_FULLFSYNC`). Shares
/// in a network and some disks, such as those of exFAT, do not know that request, each with an error of
/// its own; there what every system can do is all that can be had. What has failed otherwise is not
/// tried again: the second time a system may say that all is well.
#[cfg(unix)]
fn unless_unknown(
    synced: io::Result<()>,
    otherwise: impl FnOnce() -> io::Result<()>,
) -> io::Result<()> {
    const UNKNOWN: [i32; 3] = [libc::ENOTSUP, libc::EINVAL, libc::ENOTTY];
    match synced.as_ref().err().and_then(io::Error::raw_os_error) {
        Some(code) if UNKNOWN.contains(&code) => otherwise(),
        _ => synced,
    }
}

/// Hands all of a file to its disk, which may still hold it in its own memory for a while.
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

    /// On a Mac no file could be written to a share in a network, nor to a disk of exFAT.
    #[test]
    fn a_disk_that_cannot_be_asked_is_written_to_all_the_same() {
        let file = tempfile::tempfile().unwrap();
        for code in [libc::ENOTSUP, libc::EINVAL, libc::ENOTTY] {
            let refused = Err(io::Error::from_raw_os_error(code));
            unless_unknown(refused, || sync_without_disk(&file)).unwrap();
        }
    }

    #[test]
    fn a_disk_that_fails_is_not_asked_again() {
        let again = || -> io::Result<()> { panic!("it was asked again") };
        let failed = Err(io::Error::from_raw_os_error(libc::EIO));
        let error = unless_unknown(failed, again).unwrap_err();
        assert_eq!(error.raw_os_error(), Some(libc::EIO));
        unless_unknown(Ok(()), again).unwrap();
    }
}
