//! Where the files that the settings name are, and whether they still are what they were.
//!
//! Owns the rule for paths (as given, else beside the executable), how it is told, and the sight of
//! a file from outside. Opens none.

use std::env;
use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What tells one state of a file from another without reading it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stamp {
    bytes: u64,
    modified: Option<SystemTime>,
    /// A file that was put in the place of another has another number, whatever its date says.
    /// `None` where files have no numbers.
    inode: Option<u64>,
}

impl Stamp {
    /// Whether this is another file, as far as the system tells.
    fn is_of_another(&self, other: &Stamp) -> bool {
        self.inode.is_some() && self.inode != other.inode
    }

    /// `None` if there is nothing. What is there and cannot be looked at has a stamp too.
    fn of(path: &Path) -> Option<Stamp> {
        match fs::metadata(path) {
            Ok(metadata) => Some(Stamp {
                bytes: metadata.len(),
                modified: metadata.modified().ok(),
                inode: inode(&metadata),
            }),
            Err(error) => match error.kind() {
                ErrorKind::NotFound | ErrorKind::NotADirectory => None,
                _ => Some(Stamp::default()),
            },
        }
    }
}

/// All the places where one has looked, and what was there.
#[derive(Clone, Debug, Default)]
pub(super) struct Sightings(Vec<(PathBuf, Option<Stamp>)>);

impl Sightings {
    /// Whether everything still looks the same. Quick: no file is opened.
    pub(super) fn hold(&self) -> bool {
        self.0.iter().all(|(path, stamp)| Stamp::of(path) == *stamp)
    }

    /// The files that were there.
    pub(super) fn files(self) -> Vec<PathBuf> {
        self.0.into_iter().filter(|(_, stamp)| stamp.is_some()).map(|(path, _)| path).collect()
    }

    fn look(&mut self, path: &Path) -> Option<Stamp> {
        let stamp = Stamp::of(path);
        self.0.push((path.to_owned(), stamp));
        stamp
    }
}

/// Finds files and remembers where it looked.
#[derive(Debug)]
pub(super) struct Finder {
    /// The folder of the executable, where the system says which.
    home: Option<PathBuf>,
    pub(super) seen: Sightings,
}

#[cfg(unix)]
fn inode(metadata: &Metadata) -> Option<u64> {
    Some(std::os::unix::fs::MetadataExt::ino(metadata))
}

#[cfg(not(unix))]
fn inode(_: &Metadata) -> Option<u64> {
    None
}

/// A file that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) path: PathBuf,
    pub(super) stamp: Stamp,
}

impl Found {
    /// Whether nobody has written into the file since. It may be gone by now, or another may have
    /// come in its place: who has it open still has the old one.
    pub(super) fn is_untouched(&self) -> bool {
        Stamp::of(&self.path).is_none_or(|now| now == self.stamp || now.is_of_another(&self.stamp))
    }
}

/// Where [`Finder::find`] looks for a file, in words to stand behind its name.
pub(super) fn places(path: &Path) -> &'static str {
    if path.is_absolute() { "" } else { ", here or beside the program" }
}

impl Finder {
    pub(super) fn new() -> Finder {
        let program = env::current_exe().ok();
        Finder::at_home_in(program.as_deref().and_then(Path::parent))
    }

    pub(super) fn at_home_in(home: Option<&Path>) -> Finder {
        Finder { home: home.map(Path::to_owned), seen: Sightings::default() }
    }

    /// The file as given, else beside the executable.
    pub(super) fn find(&mut self, path: &Path) -> Option<Found> {
        let at_home = self.home.as_ref().map(|home| home.join(path));
        self.at(path).or_else(|| self.at(&at_home.filter(|other| other != path)?))
    }

    /// The file in just this place.
    pub(super) fn at(&mut self, path: &Path) -> Option<Found> {
        let stamp = self.seen.look(path)?;
        Some(Found { path: path.to_owned(), stamp })
    }
}
