//! Finds the files that the settings name, and detects whether they have changed since. Defines the
//! rule for paths: as given, else next to the executable. Reads the metadata of files, never their
//! contents.

use std::env;
use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::types::language::{Localized, localized};

/// Size, time and inode of a file: identifies a version of it without reading its contents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FileStamp {
    bytes: u64,
    modified: Option<SystemTime>,
    /// A file that replaces another by renaming has another inode, whatever its date. `None` if the system
    /// has no inodes.
    inode: Option<u64>,
}

impl FileStamp {
    /// Whether this is the stamp of another file at the same path, as far as the system can tell.
    fn is_another_file(&self, other: &FileStamp) -> bool {
        self.inode.is_some() && self.inode != other.inode
    }

    /// `None` if there is no file; the default stamp if its metadata cannot be read.
    fn of(path: &Path) -> Option<FileStamp> {
        match fs::metadata(path) {
            Ok(metadata) => Some(FileStamp {
                bytes: metadata.len(),
                modified: metadata.modified().ok(),
                inode: inode(&metadata),
            }),
            Err(error) => match error.kind() {
                // A browser has no files.
                ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::Unsupported => None,
                // The program may have been started in a folder of another user. Files in it could not be read.
                ErrorKind::PermissionDenied if path.is_relative() && fs::metadata(".").is_err() => {
                    None
                }
                _ => Some(FileStamp::default()),
            },
        }
    }
}

#[cfg(unix)]
fn inode(metadata: &Metadata) -> Option<u64> {
    Some(std::os::unix::fs::MetadataExt::ino(metadata))
}

#[cfg(not(unix))]
fn inode(_: &Metadata) -> Option<u64> {
    None
}

/// All paths that were looked up, with the stamps of the files found.
#[derive(Clone, Debug, Default)]
pub(super) struct LookupLog(Vec<(PathBuf, Option<FileStamp>)>);

impl LookupLog {
    /// Whether every path still has the same file, or still has none. Opens no file.
    pub(super) fn is_unchanged(&self) -> bool {
        self.0.iter().all(|(path, stamp)| FileStamp::of(path) == *stamp)
    }

    /// The files that were found.
    pub(super) fn files(self) -> Vec<PathBuf> {
        self.0.into_iter().filter(|(_, stamp)| stamp.is_some()).map(|(path, _)| path).collect()
    }
}

/// A file that exists, or whose metadata cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundFile {
    pub(super) path: PathBuf,
    pub(super) stamp: FileStamp,
}

impl FoundFile {
    /// Whether the file exists for certain.
    pub(super) fn is_certain(&self) -> bool {
        self.stamp != FileStamp::default()
    }

    /// Whether the file has not been written to since. It may have been deleted or replaced: a process that
    /// has the file open keeps the old one.
    pub(super) fn is_unmodified(&self) -> bool {
        FileStamp::of(&self.path)
            .is_none_or(|now| now == self.stamp || now.is_another_file(&self.stamp))
    }
}

/// Finds files, and logs every path that was looked up.
#[derive(Debug)]
pub(super) struct FileLookup {
    /// The folder of the executable, if the system tells it.
    program_folder: Option<PathBuf>,
    pub(super) log: LookupLog,
}

impl FileLookup {
    pub(super) fn new() -> FileLookup {
        let program = env::current_exe().ok();
        FileLookup::beside(program.as_deref().and_then(Path::parent))
    }

    /// A lookup for a program in this folder.
    pub(super) fn beside(program_folder: Option<&Path>) -> FileLookup {
        FileLookup { program_folder: program_folder.map(Path::to_owned), log: LookupLog::default() }
    }

    /// The file as given, else next to the executable.
    pub(super) fn find(&mut self, path: &Path) -> Option<FoundFile> {
        let beside = self.program_folder.as_ref().map(|folder| folder.join(path));
        self.find_at(path).or_else(|| self.find_at(&beside.filter(|other| other != path)?))
    }

    /// The file at exactly this path.
    pub(super) fn find_at(&mut self, path: &Path) -> Option<FoundFile> {
        let stamp = FileStamp::of(path);
        self.log.0.push((path.to_owned(), stamp));
        Some(FoundFile { path: path.to_owned(), stamp: stamp? })
    }
}

/// The places that [`FileLookup::find`] tries, appended to the file name in a message.
pub(super) fn searched_places(path: &Path) -> Localized {
    if path.is_absolute() {
        localized("", "")
    } else {
        localized(", here or next to the program", "（現在のフォルダとプログラムの隣）")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_a_file_is_detected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut lookup = FileLookup::beside(None);
        assert!(lookup.find_at(&path).is_none() && lookup.log.is_unchanged());
        fs::write(&path, "1").unwrap();
        assert!(!lookup.log.is_unchanged());
        let mut lookup = FileLookup::beside(None);
        let found = lookup.find_at(&path).unwrap();
        assert!(lookup.log.is_unchanged() && found.is_unmodified());
        fs::write(&path, "12").unwrap();
        assert!(!lookup.log.is_unchanged() && !found.is_unmodified());
    }
}
