//! Atomic file replacement: a reader finds the whole old file or the whole new one.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::iter;
use std::path::{Component, Path, PathBuf, Prefix, absolute};

use super::fsync::sync_file;
use super::regular_file::not_regular;
use super::temp_file::{TempFile, retry_while_in_use};
use crate::types::message::{Message, message};

/// Maximum number of links that are followed. Linux follows as many.
const MAX_LINKS: usize = 40;

/// A new file that will replace the one at a path. The old file stays until this one is
/// [committed](Self::commit); dropped before that, it leaves nothing.
#[derive(Debug)]
pub struct AtomicFile {
    // Declared first, so that it is closed before the file is removed.
    out: BufWriter<File>,
    temp: TempFile,
    to: PathBuf,
}

impl AtomicFile {
    /// A new file in the folder of `to`, where a rename is atomic. A link is followed: its target is
    /// replaced.
    ///
    /// # Errors
    /// I/O errors, and if `to` is a folder, a pipe or a device, or ends like the path of a folder.
    pub fn create(to: &Path) -> io::Result<AtomicFile> {
        if to.is_dir() || is_stream(to) {
            return Err(not_regular(to));
        }
        match fs::metadata(to) {
            // A user without write permission must not replace the file either.
            Ok(_) => _ = retry_while_in_use(|| OpenOptions::new().write(true).open(to))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            // An impossible name is reported now, not when everything is written.
            Err(error) => return Err(error),
        }
        let to = link_target(to);
        let name = to.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        // Nothing but a folder can be renamed to `name/` or `name/.`.
        if !to.as_os_str().as_encoded_bytes().ends_with(name.as_encoded_bytes()) {
            let why = message!("this is the path of a folder", "フォルダのパスです");
            return Err(io::Error::new(io::ErrorKind::IsADirectory, why));
        }
        let created = TempFile::create_beside(&to);
        let (temp, file) = created.map_err(|error| in_folder_of(&to, &error))?;
        Ok(AtomicFile { out: BufWriter::new(file), temp, to })
    }

    /// Where the file is until it is committed.
    pub fn path(&self) -> &Path {
        self.temp.path()
    }

    /// Flushes the file to disk and renames it to its final name. It gets the permissions of the old
    /// file.
    ///
    /// # Errors
    /// I/O errors; the new file is then removed, and the old one is unchanged.
    pub fn commit(self) -> io::Result<()> {
        let AtomicFile { out, temp, to } = self;
        let out = out.into_inner()?;
        if let Ok(old) = fs::metadata(&to) {
            give_permissions(&out, old.permissions())?;
        }
        sync_file(&out)?;
        drop(out);
        temp.persist(&to)
    }
}

/// Names the folder, because the file itself may be writable.
fn in_folder_of(to: &Path, error: &io::Error) -> io::Error {
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).display();
    let text = message!(
        "no file can be created in the folder {folder}: {}",
        "フォルダ{folder}にファイルを作れません：{}";
        Message::from(error)
    );
    io::Error::new(error.kind(), text)
}

/// Gives a file these permissions, unless it has them. Where the system gives all files of a disk the same (FAT and
/// NTFS, a Windows disk under WSL), it refuses to set them, even to what they are.
fn give_permissions(file: &File, permissions: Permissions) -> io::Result<()> {
    if file.metadata()?.permissions() == permissions {
        return Ok(());
    }
    file.set_permissions(permissions)
}

/// The target of a link, or of several that lead to one another, which need not exist yet; otherwise the path itself.
fn link_target(path: &Path) -> PathBuf {
    let next = |link: &PathBuf| Some(link.with_file_name("").join(fs::read_link(link).ok()?));
    let links = || iter::successors(Some(path.to_owned()), next).take(MAX_LINKS + 1);
    fs::canonicalize(path).unwrap_or_else(|_| links().last().expect("the path itself"))
}

/// Whether the path is written to in place instead of being replaced: a pipe, a device, or a standard
/// stream by its name in `/dev`.
pub fn is_stream(path: &Path) -> bool {
    let given = ["/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd"];
    let is_given = given.iter().any(|name| path.starts_with(name));
    let is_other = |there: fs::Metadata| !there.is_file() && !there.is_dir();
    is_given || is_windows_device(path) || fs::metadata(path).is_ok_and(is_other)
}

/// Whether Windows takes the path for a device such as `NUL`, of which it gives no metadata.
fn is_windows_device(path: &Path) -> bool {
    let is_device = |first: Component<'_>| match first {
        Component::Prefix(prefix) => matches!(prefix.kind(), Prefix::DeviceNS(_)),
        _ => false,
    };
    cfg!(windows)
        && absolute(path).is_ok_and(|full| full.components().next().is_some_and(is_device))
}

/// Replaces a file atomically by one with these bytes. Pipes and devices are written to instead.
///
/// # Errors
/// I/O errors; an old file is then unchanged.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if is_stream(path) {
        return OpenOptions::new().append(true).open(path)?.write_all(bytes);
    }
    let mut fresh = AtomicFile::create(path)?;
    fresh.write_all(bytes)?;
    fresh.commit()
}

impl Write for AtomicFile {
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
        let mut fresh = AtomicFile::create(&file).unwrap();
        fresh.write_all(b"new").unwrap();
        fresh.flush().unwrap();
        assert_eq!(fs::read(fresh.path()).unwrap(), b"new");
        assert_eq!(fs::read(&file).unwrap(), b"old");
        fresh.commit().unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(names(&folder), ["net.bin"]);
    }

    #[test]
    fn a_file_that_is_given_up_leaves_nothing_behind() {
        let folder = tempdir().unwrap();
        let file = folder.path().join("net.bin");
        fs::write(&file, "old").unwrap();
        let mut fresh = AtomicFile::create(&file).unwrap();
        fresh.write_all(b"new").unwrap();
        drop(fresh);
        assert_eq!(fs::read(&file).unwrap(), b"old");
        assert_eq!(names(&folder), ["net.bin"]);
    }

    #[cfg(unix)]
    #[test]
    fn the_target_of_a_link_is_replaced_and_keeps_its_permissions() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempdir().unwrap();
        let (file, link) = (folder.path().join("own.kif"), folder.path().join("link.kif"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&file, &link).unwrap();
        write_atomically(&link, b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    /// Regression: on such a disk a file could be created, but not replaced.
    #[cfg(target_os = "linux")]
    #[test]
    fn permissions_that_nobody_may_set_are_kept() {
        let file = File::open("/proc/self/status").unwrap();
        let permissions = file.metadata().unwrap().permissions();
        assert!(file.set_permissions(permissions.clone()).is_err());
        give_permissions(&file, permissions).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_to_nothing_yet_stays_and_leads_to_the_new_file() {
        let folder = tempdir().unwrap();
        let link = folder.path().join("link.kif");
        std::os::unix::fs::symlink("new.kif", &link).unwrap();
        write_atomically(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(folder.path().join("new.kif")).unwrap(), b"new");
    }

    /// Regression: the second link was replaced by the file.
    #[cfg(unix)]
    #[test]
    fn links_that_lead_to_one_another_stay_too() {
        let folder = tempdir().unwrap();
        let links = ["one.kif", "two.kif", "three.kif"].map(|name| folder.path().join(name));
        for (link, target) in links.iter().zip(["two.kif", "three.kif", "new.kif"]) {
            std::os::unix::fs::symlink(target, link).unwrap();
        }
        write_atomically(&links[0], b"new").unwrap();
        assert!(links.iter().all(|link| fs::symlink_metadata(link).unwrap().is_symlink()));
        assert_eq!(fs::read(folder.path().join("new.kif")).unwrap(), b"new");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_to_and_stays() {
        use std::os::unix::fs::FileTypeExt;
        write_atomically(Path::new("/dev/null"), b"new").unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    }

    /// Regression: nothing could be written to the null device of Windows.
    #[cfg(windows)]
    #[test]
    fn a_device_of_windows_is_written_to_and_not_replaced() {
        for name in ["NUL", "nul", "CON", r"\\.\NUL"] {
            assert!(is_stream(Path::new(name)), "{name}");
        }
        assert!(!is_stream(Path::new("NULL")) && !is_stream(Path::new(r"\\?\C:\")));
        write_atomically(Path::new("NUL"), b"new").unwrap();
        let error = AtomicFile::create(Path::new("NUL")).unwrap_err();
        assert_eq!(error.to_string(), "this is not a regular file");
    }

    /// Regression: a network or a book that was written to a device replaced it.
    #[cfg(unix)]
    #[test]
    fn a_device_or_socket_is_not_replaced_by_a_file() {
        use std::os::unix::fs::FileTypeExt;
        use std::os::unix::net::UnixListener;
        let folder = tempdir().unwrap();
        let socket = folder.path().join("net.bin");
        let _listener = UnixListener::bind(&socket).unwrap();
        let error = AtomicFile::create(&socket).unwrap_err();
        assert_eq!(error.to_string(), "this is not a regular file");
        assert!(fs::metadata(&socket).unwrap().file_type().is_socket());
    }

    /// Regression: it was refused only after the long work, when the file was renamed.
    #[test]
    fn the_path_of_a_new_folder_is_refused_at_once() {
        let folder = tempdir().unwrap();
        for name in ["new.kif/", "new.kif//", "new.kif/."] {
            assert!(AtomicFile::create(&folder.path().join(name)).is_err(), "{name}");
        }
        assert!(names(&folder).is_empty());
    }

    /// Regression: the suffix of the temporary file made a long name too long.
    #[test]
    fn a_file_with_the_longest_allowed_name_is_replaced() {
        let folder = tempdir().unwrap();
        let name = "n".repeat(255);
        write_atomically(&folder.path().join(&name), b"new").unwrap();
        assert_eq!(names(&folder), [name.as_str()]);
        assert!(AtomicFile::create(&folder.path().join("n".repeat(9000))).is_err());
    }

    #[test]
    fn a_write_protected_file_is_not_replaced() {
        let folder = tempdir().unwrap();
        let file = folder.path().join("own.kif");
        fs::write(&file, "old").unwrap();
        let mut permissions = fs::metadata(&file).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&file, permissions).unwrap();
        // The superuser may do this too.
        if OpenOptions::new().write(true).open(&file).is_err() {
            assert!(write_atomically(&file, b"new").is_err());
            assert_eq!(fs::read(&file).unwrap(), b"old");
        }
    }

    /// Regression: a writable file in a folder without write permission was said to be the one that is not.
    #[test]
    fn a_folder_in_which_no_file_can_be_created_is_named() {
        let folder = tempdir().unwrap();
        let missing = folder.path().join("missing");
        let error = AtomicFile::create(&missing.join("net.bin")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        let start = format!("no file can be created in the folder {}: ", missing.display());
        assert!(error.to_string().starts_with(&start), "{error}");
    }

    #[test]
    fn a_folder_is_not_replaced() {
        let folder = tempdir().unwrap();
        let error = AtomicFile::create(folder.path()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::IsADirectory);
        assert!(AtomicFile::create(Path::new("/")).is_err());
        assert!(names(&folder).is_empty());
    }
}
