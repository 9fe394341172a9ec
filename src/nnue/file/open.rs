//! Maps a file.

use std::path::Path;

use super::load_error::{AccessError, LoadErrorKind};
use crate::sys::MappedFile;

/// Maps a regular, nonempty file.
pub(super) fn open(path: &Path) -> Result<MappedFile, LoadErrorKind> {
    let metadata = path.metadata().map_err(AccessError::Unreadable)?;
    if metadata.is_dir() {
        return Err(AccessError::Folder.into());
    }
    if !metadata.is_file() {
        return Err(AccessError::NotAFile.into());
    }
    if metadata.len() == 0 {
        return Err(AccessError::Empty.into());
    }
    Ok(MappedFile::open(path).map_err(AccessError::Unreadable)?)
}
