//! Files that have not come to their name yet, or never will, and the end of an interrupted program,
//! which must not leave them behind.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use parking_lot::Mutex;

/// How many there were in this process.
static COUNT: AtomicU32 = AtomicU32::new(0);
/// Those that there are.
static ALL: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// So many names that others have are passed over.
const MOST_OTHERS: usize = 1000;

/// The place of a file that is being made, beside the one that it is to become. When this goes, so does
/// the file.
#[derive(Debug)]
pub struct Unfinished(PathBuf);

impl Unfinished {
    /// Makes an empty file in the folder of `to`, where a change of name is one step; it can be written
    /// and read. What another process has there stays, even one of the same number, as those in
    /// containers may be.
    ///
    /// # Errors
    /// Those of the system.
    pub fn beside(to: &Path) -> io::Result<(Unfinished, File)> {
        // Held until the file is among them, or it might be left when they are removed.
        let mut all = ALL.lock();
        let mut others = 0;
        loop {
            let path = place(to, COUNT.fetch_add(1, Ordering::Relaxed));
            match File::create_new(&path) {
                Ok(file) => {
                    all.push(path.clone());
                    return Ok((Unfinished(path), file));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    others += 1;
                    if others > MOST_OTHERS {
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

    /// Gives the file the name, in one step.
    ///
    /// # Errors
    /// Those of the system; then the file is gone.
    pub fn put(self, to: &Path) -> io::Result<()> {
        // Held until the file is none of them any more: what has its name then is another's.
        let mut all = ALL.lock();
        fs::rename(&self.0, to)?;
        forget(&mut all, &self.0);
        Ok(())
    }
}

/// Takes a file from among them; whether it was there.
fn forget(all: &mut Vec<PathBuf>, path: &Path) -> bool {
    let place = all.iter().position(|other| other == path);
    place.map(|place| all.swap_remove(place)).is_some()
}

/// A name of its own, as that of `to` may be as long as a name can be.
fn place(to: &Path, number: u32) -> PathBuf {
    to.with_file_name(format!(".kawasemi-{}-{number}.new", process::id()))
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let mut all = ALL.lock();
        if forget(&mut all, &self.0) {
            let _ = fs::remove_file(&self.0);
        }
    }
}

/// What an interrupt does to a program that ends in good order once this is set: whoever asks twice
/// does not want to wait for that.
pub fn stop_or_end(stop: &AtomicBool) {
    if stop.swap(true, Ordering::Relaxed) {
        end_interrupted();
    }
}

/// Ends the program as an interrupt does, but removes every such file first: nothing is dropped where
/// a program ends in the midst of its work.
pub fn end_interrupted() {
    for path in ALL.lock().drain(..) {
        let _ = fs::remove_file(path);
    }
    // 128 and the number of SIGINT, as shells count.
    process::exit(130);
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use tempfile::tempdir;

    use super::*;

    /// Two containers that share a folder, with a process 1 in each, wrote into one file.
    #[test]
    fn a_temporary_file_of_another_is_not_written_over() {
        let folder = tempdir().unwrap();
        let to = folder.path().join("net.bin");
        let first = COUNT.load(Ordering::Relaxed);
        let others: Vec<PathBuf> = (first..first + 100).map(|number| place(&to, number)).collect();
        others.iter().for_each(|other| fs::write(other, "other").unwrap());
        let (ours, mut file) = Unfinished::beside(&to).unwrap();
        assert!(!others.iter().any(|other| other == ours.path()));
        file.write_all(b"ours").unwrap();
        drop((file, ours));
        assert!(others.iter().all(|other| fs::read(other).unwrap() == b"other"));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), others.len());
    }

    /// What had come to the temporary name since was removed.
    #[test]
    fn what_has_its_name_after_it_was_put_in_its_place_stays() {
        let folder = tempdir().unwrap();
        let (ours, _) = Unfinished::beside(&folder.path().join("net.bin")).unwrap();
        let name = ours.path().to_owned();
        ours.put(&name).unwrap();
        assert!(name.exists());
    }
}
