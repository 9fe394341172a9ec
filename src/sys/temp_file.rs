//! Temporary files, which an interrupted program must not leave behind.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;

/// Number of files created in this process, which makes their names unique.
static COUNT: AtomicU32 = AtomicU32::new(0);
/// The existing temporary files.
static ALL: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Exit status after an interrupt, of whichever signal: 128 plus the number of SIGINT, the convention of shells.
const INTERRUPTED: u8 = 130;

/// Maximum number of names of other processes that are skipped.
const MAX_OTHER_FILES: usize = 1000;

/// The errors of Windows for a file that another program has open: `ERROR_ACCESS_DENIED`,
/// `ERROR_SHARING_VIOLATION`, `ERROR_LOCK_VIOLATION`.
const IN_USE: [i32; 3] = [5, 32, 33];
/// The first pause before another attempt. Each pause is twice as long as the one before.
const FIRST_PAUSE: Duration = Duration::from_millis(4);
/// With the pauses between them, about a second.
const MAX_RETRIES: u32 = 8;

/// A file being written next to its final path. Dropping this removes the file.
#[derive(Debug)]
pub struct TempFile(PathBuf);

impl TempFile {
    /// Creates an empty file in the folder of `to`, where a rename is atomic, open for reading and
    /// writing. Files of other processes stay, even of one with the same process ID, which happens
    /// with containers.
    ///
    /// # Errors
    /// I/O errors.
    pub fn create_beside(to: &Path) -> io::Result<(TempFile, File)> {
        // Held until the file is listed: an interrupt before that would leave it.
        let mut all = ALL.lock();
        let mut others = 0;
        loop {
            let path = temp_path(to, COUNT.fetch_add(1, Ordering::Relaxed));
            match File::create_new(&path) {
                Ok(file) => {
                    all.push(path.clone());
                    return Ok((TempFile(path), file));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    others += 1;
                    if others > MAX_OTHER_FILES {
                        return Err(error);
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Renames the file to its final path, atomically.
    ///
    /// # Errors
    /// I/O errors; the file is then removed.
    pub fn persist(self, to: &Path) -> io::Result<()> {
        // Held until the file is off the list: its old name may then belong to another file.
        let mut all = ALL.lock();
        retry_while_in_use(|| fs::rename(&self.0, to))?;
        unlist(&mut all, &self.0);
        Ok(())
    }
}

/// Opens or renames a file. On Windows that fails while another program has the file open without sharing it, as
/// virus scanners and backups do for a moment, so it is tried again for about a second.
pub(super) fn retry_while_in_use<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    if cfg!(windows) { retry(attempt, thread::sleep) } else { attempt() }
}

fn retry<T>(mut attempt: impl FnMut() -> io::Result<T>, pause: impl Fn(Duration)) -> io::Result<T> {
    let is_in_use = |error: &io::Error| error.raw_os_error().is_some_and(|e| IN_USE.contains(&e));
    for retries in 0..MAX_RETRIES {
        match attempt() {
            Err(error) if is_in_use(&error) => pause(FIRST_PAUSE * 2_u32.pow(retries)),
            result => return result,
        }
    }
    attempt()
}

/// Removes a path from the list; returns whether it was listed.
fn unlist(all: &mut Vec<PathBuf>, path: &Path) -> bool {
    let index = all.iter().position(|other| other == path);
    index.map(|index| all.swap_remove(index)).is_some()
}

/// A name independent of that of `to`, which may already be of maximum length.
fn temp_path(to: &Path, number: u32) -> PathBuf {
    to.with_file_name(format!(".kawasemi-{}-{number}.new", process::id()))
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let mut all = ALL.lock();
        if unlist(&mut all, &self.0) {
            let _ = fs::remove_file(&self.0);
        }
    }
}

/// Handles an interrupt of a program that stops cleanly once `stop` is set; the second interrupt ends
/// it at once.
pub fn stop_or_exit(stop: &AtomicBool) {
    if stop.swap(true, Ordering::Relaxed) {
        exit_interrupted();
    }
}

/// Ends the program as an interrupt does, but removes all temporary files first, since nothing is
/// dropped at such an end.
pub fn exit_interrupted() {
    // Held to the end: another thread must not create a file now, or fail to rename one that is gone.
    let mut all = ALL.lock();
    for path in all.drain(..) {
        let _ = fs::remove_file(path);
    }
    process::exit(INTERRUPTED.into());
}

/// The exit code of a program whose work an interrupt has left incomplete.
pub fn interrupted_exit_code() -> ExitCode {
    INTERRUPTED.into()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::io::Write;

    use tempfile::tempdir;

    use super::*;

    /// Regression: two containers with a shared folder, each with a process 1, wrote into one file.
    #[test]
    fn a_temporary_file_of_another_is_not_written_over() {
        let folder = tempdir().unwrap();
        let to = folder.path().join("net.bin");
        let first = COUNT.load(Ordering::Relaxed);
        let others: Vec<PathBuf> =
            (first..first + 100).map(|number| temp_path(&to, number)).collect();
        others.iter().for_each(|other| fs::write(other, "other").unwrap());
        let (ours, mut file) = TempFile::create_beside(&to).unwrap();
        assert!(!others.iter().any(|other| other == ours.path()));
        file.write_all(b"ours").unwrap();
        drop((file, ours));
        assert!(others.iter().all(|other| fs::read(other).unwrap() == b"other"));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), others.len());
    }

    /// Regression: on Windows a virus scanner that had the old file open for a moment cost the results of a long run.
    #[test]
    fn a_file_that_another_program_has_open_is_tried_again_for_a_second() {
        let paused = Cell::new(Duration::ZERO);
        let pause = |time: Duration| paused.set(paused.get() + time);
        let refused = |code| Err::<(), _>(io::Error::from_raw_os_error(code));
        let mut refusals = IN_USE.into_iter();
        retry(|| refusals.next().map_or(Ok(()), refused), pause).unwrap();
        assert_eq!(paused.take(), FIRST_PAUSE * 7);
        for (code, most_ms) in [(IN_USE[1], 1020), (2, 0)] {
            let error = retry(|| refused(code), pause).unwrap_err();
            assert_eq!(error.raw_os_error(), Some(code));
            assert_eq!(paused.take(), Duration::from_millis(most_ms));
        }
    }

    /// Regression: a later file with the temporary name was removed.
    #[test]
    fn a_later_file_with_the_temporary_name_is_not_removed() {
        let folder = tempdir().unwrap();
        let (ours, _) = TempFile::create_beside(&folder.path().join("net.bin")).unwrap();
        let name = ours.path().to_owned();
        ours.persist(&name).unwrap();
        assert!(name.exists());
    }
}
