//! Files that take the place of others in one step, so that whoever reads finds a whole one.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A new file on its way to a name. What has that name stays until this one is [put](Self::put)
/// there; if it never is, it leaves nothing behind.
#[derive(Debug)]
pub struct Replacement {
    // Closed before it is removed: the order in which they are dropped.
    out: BufWriter<File>,
    at: Removed,
    to: PathBuf,
}

/// A file that is removed in the end.
#[derive(Debug)]
struct Removed(PathBuf);

impl Drop for Removed {
    fn drop(&mut self) {
        // Not there any more if it has been put in its place.
        let _ = fs::remove_file(&self.0);
    }
}

impl Replacement {
    /// A new file in the folder of `to`, where a change of name is one step.
    ///
    /// # Errors
    /// Those of the system, and if `to` is a folder or names no file.
    pub fn of(to: &Path) -> io::Result<Replacement> {
        if to.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder"));
        }
        let name = to.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let mut hidden = OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.new", std::process::id()));
        let at = to.with_file_name(hidden);
        Ok(Replacement {
            out: BufWriter::new(File::create(&at)?),
            at: Removed(at),
            to: to.to_owned(),
        })
    }

    /// Where the file lies until it is put in its place.
    pub fn path(&self) -> &Path {
        &self.at.0
    }

    /// Gives the file its name, once all of it is on the disk.
    ///
    /// # Errors
    /// Those of the system; then the file is gone, and what had the name before has it still.
    pub fn put(self) -> io::Result<()> {
        let Replacement { out, at, to } = self;
        out.into_inner()?.sync_all()?;
        fs::rename(&at.0, to)
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that is removed in the end.
    struct Place(PathBuf);

    impl Place {
        fn new(name: &str) -> Place {
            let folder = format!("kawasemi-replacement-{name}-{}", std::process::id());
            let place = std::env::temp_dir().join(folder);
            fs::create_dir(&place).unwrap();
            Place(place)
        }

        fn names(&self) -> Vec<OsString> {
            fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name()).collect()
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn the_old_file_stays_until_the_new_one_is_whole() {
        let place = Place::new("whole");
        let file = place.0.join("net.bin");
        fs::write(&file, "old").unwrap();
        let mut fresh = Replacement::of(&file).unwrap();
        fresh.write_all(b"new").unwrap();
        fresh.flush().unwrap();
        assert_eq!(fs::read(fresh.path()).unwrap(), b"new");
        assert_eq!(fs::read(&file).unwrap(), b"old");
        fresh.put().unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(place.names(), ["net.bin"]);
    }

    #[test]
    fn a_file_that_is_given_up_leaves_nothing_behind() {
        let place = Place::new("given-up");
        let file = place.0.join("net.bin");
        fs::write(&file, "old").unwrap();
        let mut fresh = Replacement::of(&file).unwrap();
        fresh.write_all(b"new").unwrap();
        drop(fresh);
        assert_eq!(fs::read(&file).unwrap(), b"old");
        assert_eq!(place.names(), ["net.bin"]);
    }

    #[test]
    fn a_folder_is_not_replaced() {
        let place = Place::new("folder");
        let error = Replacement::of(&place.0).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::IsADirectory);
        assert!(Replacement::of(Path::new("/")).is_err());
        assert!(place.names().is_empty());
    }
}
