//! Files that take the place of others in one step, so that whoever reads finds a whole one.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{Unfinished, sync_file};

/// A new file on its way to a name. What has that name stays until this one is [put](Self::put)
/// there; if it never is, it leaves nothing behind.
#[derive(Debug)]
pub struct Replacement {
    // Closed before it is removed: the order in which they are dropped.
    out: BufWriter<File>,
    at: Unfinished,
    to: PathBuf,
}

impl Replacement {
    /// A new file in the folder of `to`, where a change of name is one step. What a link leads to is
    /// replaced, not the link.
    ///
    /// # Errors
    /// Those of the system, and if `to` names no file: a folder, a pipe or a device.
    pub fn of(to: &Path) -> io::Result<Replacement> {
        if to.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder"));
        }
        if is_stream(to) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "is no regular file"));
        }
        match fs::metadata(to) {
            // Who may not write into a file shall not replace it either.
            Ok(_) => _ = OpenOptions::new().write(true).open(to)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            // A name that no file can have: better told now than when all is written.
            Err(error) => return Err(error),
        }
        let to = end_of_link(to);
        to.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let (at, file) = Unfinished::beside(&to)?;
        Ok(Replacement { out: BufWriter::new(file), at, to })
    }

    /// Where the file lies until it is put in its place.
    pub fn path(&self) -> &Path {
        self.at.path()
    }

    /// Gives the file its name, once all of it is on the disk. Whoever might read the old one may
    /// read the new one.
    ///
    /// # Errors
    /// Those of the system; then the file is gone, and what had the name before has it still.
    pub fn put(self) -> io::Result<()> {
        let Replacement { out, at, to } = self;
        let out = out.into_inner()?;
        if let Ok(old) = fs::metadata(&to) {
            out.set_permissions(old.permissions())?;
        }
        sync_file(&out)?;
        drop(out);
        at.put(&to)
    }
}

/// What a link leads to, though it may not be there yet; else the path itself.
fn end_of_link(path: &Path) -> PathBuf {
    let followed = || Ok(path.with_file_name("").join(fs::read_link(path)?));
    let end = fs::canonicalize(path).or_else(|_: io::Error| followed());
    end.unwrap_or_else(|_: io::Error| path.to_owned())
}

/// Whether this is used as it is, neither replaced nor opened again: a pipe or a device, and also a file
/// that the program was given open, by one of these names.
pub fn is_stream(path: &Path) -> bool {
    let given = ["/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd"];
    let is_given = given.iter().any(|name| path.starts_with(name));
    let is_other = |there: fs::Metadata| !there.is_file() && !there.is_dir();
    is_given || fs::metadata(path).is_ok_and(is_other)
}

/// Makes a file of these bytes, which takes the place of what is there in one step. Pipes and devices
/// are written to instead.
///
/// # Errors
/// Those of the system; a file that was there is still there.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if is_stream(path) {
        return OpenOptions::new().append(true).open(path)?.write_all(bytes);
    }
    let mut fresh = Replacement::of(path)?;
    fresh.write_all(bytes)?;
    fresh.put()
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
    use std::ffi::OsString;

    use tempfile::{TempDir, tempdir};

    use super::*;

    fn names(folder: &TempDir) -> Vec<OsString> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect()
    }

    #[test]
    fn the_old_file_stays_until_the_new_one_is_whole() {
        let folder = tempdir().unwrap();
        let file = folder.path().join("net.bin");
        fs::write(&file, "old").unwrap();
        let mut fresh = Replacement::of(&file).unwrap();
        fresh.write_all(b"new").unwrap();
        fresh.flush().unwrap();
        assert_eq!(fs::read(fresh.path()).unwrap(), b"new");
        assert_eq!(fs::read(&file).unwrap(), b"old");
        fresh.put().unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(names(&folder), ["net.bin"]);
    }

    #[test]
    fn a_file_that_is_given_up_leaves_nothing_behind() {
        let folder = tempdir().unwrap();
        let file = folder.path().join("net.bin");
        fs::write(&file, "old").unwrap();
        let mut fresh = Replacement::of(&file).unwrap();
        fresh.write_all(b"new").unwrap();
        drop(fresh);
        assert_eq!(fs::read(&file).unwrap(), b"old");
        assert_eq!(names(&folder), ["net.bin"]);
    }

    #[cfg(unix)]
    #[test]
    fn what_a_link_leads_to_is_replaced_and_stays_as_private_as_it_was() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempdir().unwrap();
        let (file, link) = (folder.path().join("own.kif"), folder.path().join("link.kif"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&file, &link).unwrap();
        replace(&link, b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_to_nothing_yet_stays_and_leads_to_the_new_file() {
        let folder = tempdir().unwrap();
        let link = folder.path().join("link.kif");
        std::os::unix::fs::symlink("new.kif", &link).unwrap();
        replace(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(folder.path().join("new.kif")).unwrap(), b"new");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_to_and_stays() {
        use std::os::unix::fs::FileTypeExt;
        replace(Path::new("/dev/null"), b"new").unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    }

    /// A network or a book written to a device took its place.
    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_not_replaced_by_one() {
        use std::os::unix::fs::FileTypeExt;
        use std::os::unix::net::UnixListener;
        let folder = tempdir().unwrap();
        let socket = folder.path().join("net.bin");
        let _listener = UnixListener::bind(&socket).unwrap();
        let error = Replacement::of(&socket).unwrap_err();
        assert_eq!(error.to_string(), "is no regular file");
        assert!(fs::metadata(&socket).unwrap().file_type().is_socket());
    }

    /// What was added to a name while its file was written made a long one too long.
    #[test]
    fn the_longest_name_is_as_good_as_any() {
        let folder = tempdir().unwrap();
        let name = "n".repeat(255);
        replace(&folder.path().join(&name), b"new").unwrap();
        assert_eq!(names(&folder), [name.as_str()]);
        assert!(Replacement::of(&folder.path().join("n".repeat(9000))).is_err());
    }

    #[test]
    fn a_write_protected_file_is_not_replaced() {
        let folder = tempdir().unwrap();
        let file = folder.path().join("own.kif");
        fs::write(&file, "old").unwrap();
        let mut permissions = fs::metadata(&file).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&file, permissions).unwrap();
        // Whoever may do everything may do this too.
        if OpenOptions::new().write(true).open(&file).is_err() {
            assert!(replace(&file, b"new").is_err());
            assert_eq!(fs::read(&file).unwrap(), b"old");
        }
    }

    #[test]
    fn a_folder_is_not_replaced() {
        let folder = tempdir().unwrap();
        let error = Replacement::of(folder.path()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::IsADirectory);
        assert!(Replacement::of(Path::new("/")).is_err());
        assert!(names(&folder).is_empty());
    }
}
