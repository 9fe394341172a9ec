//! Maps a file.

use std::path::Path;

use super::load_error::{AccessProblem, LoadProblem};
use crate::sys::MappedFile;

/// Maps a regular, nonempty file.
pub(super) fn open(path: &Path) -> Result<MappedFile, LoadProblem> {
    let metadata = path.metadata().map_err(AccessProblem::Unreadable)?;
    if metadata.is_dir() {
        return Err(AccessProblem::Folder.into());
    }
    if !metadata.is_file() {
        return Err(AccessProblem::NotAFile.into());
    }
    if metadata.len() == 0 {
        return Err(AccessProblem::Empty.into());
    }
    Ok(MappedFile::open(path).map_err(AccessProblem::Unreadable)?)
}
