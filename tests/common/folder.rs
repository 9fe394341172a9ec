//! A temporary folder for one test, which is removed at its end.

use std::fs;

use tempfile::{TempDir, tempdir};

pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempdir().unwrap())
    }

    /// The path of a file of this name in the folder.
    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, contents).unwrap();
        path
    }
}
