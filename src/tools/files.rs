//! Files that the user of a tool names, and errors that say which one it was.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

/// The text of a file.
///
/// # Errors
/// If it cannot be read, in words.
pub fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| in_file(path, error))
}

/// What is wrong with a file, in words.
pub fn in_file(path: &Path, error: impl Display) -> String {
    format!("{}: {error}", path.display())
}

/// The path with this ending added to its name.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}
