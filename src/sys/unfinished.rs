//! Files that have not come to their name yet, or never will.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use parking_lot::Mutex;

/// How many there were in this process.
static COUNT: AtomicU32 = AtomicU32::new(0);
/// Those that there are.
static ALL: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A place for a file that is being made, beside the one that it is to become. When this goes, so does
/// the file.
#[derive(Debug)]
pub struct Unfinished(PathBuf);

impl Unfinished {
    /// A place in the folder of `to`, where a change of name is one step. No file is made.
    pub fn beside(to: &Path) -> Unfinished {
        // A name of its own, as that of `to` may be as long as a name can be.
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = to.with_file_name(format!(".kawasemi-{}-{number}.new", std::process::id()));
        ALL.lock().push(path.clone());
        Unfinished(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Gives the file the name, in one step.
    ///
    /// # Errors
    /// Those of the system; then the file is gone.
    pub fn put(self, to: &Path) -> io::Result<()> {
        fs::rename(&self.0, to)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        ALL.lock().retain(|path| *path != self.0);
        // Not there any more if it has been put in its place.
        let _ = fs::remove_file(&self.0);
    }
}

/// Removes every such file of this process. For programs that are ended in the midst of their work:
/// nothing is dropped then.
pub fn remove_unfinished() {
    for path in ALL.lock().drain(..) {
        let _ = fs::remove_file(path);
    }
}
