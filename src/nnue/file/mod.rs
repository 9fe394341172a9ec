//! Files of nets, read and written: the classic NNUE file of YaneuraOu, and its SFNN.
//!
//! Owns the formats. Every size is taken from the file and held against its length before anything
//! is allocated, whatever the file says; a shape is known by hashes, counts and size, never by the
//! description alone. It must not know what a net is used for.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::architecture::Architecture;
use super::kernels::{MAX_OUTPUTS, MAX_WIDTH};
use super::net::Net;
use crate::sys::MappedFile;

mod bucket_mode;
mod build;
mod byte_reader;
mod classic;
mod convert;
mod file_layout;
mod header;
mod info;
mod leb128;
mod load_error;
mod parameter_file;
mod sfnn;
#[cfg(test)]
mod tests;
mod write;

pub use convert::convert;
pub use info::{NetInfo, info};
pub use load_error::{LoadError, LoadProblem};
pub use parameter_file::{ParameterFile, ParameterKind, ParameterSlot};
pub use write::{description, write};

/// Widths of the feature transformer that are read, up to what the kernels take: from here on, in
/// steps.
const MIN_WIDTH: usize = 64;
const WIDTH_STEP: usize = 32;
/// Outputs of the layers behind it, up to what the kernels take, from one step on.
const LAYER_STEP: usize = 8;
/// How rows are aligned if they are to be used where they lie: to the widest vectors, which are
/// cache lines too.
const ROW_ALIGNMENT: usize = 64;

fn widths() -> impl Iterator<Item = usize> {
    (MIN_WIDTH..=MAX_WIDTH).step_by(WIDTH_STEP)
}

fn layer_sizes() -> impl Iterator<Item = usize> {
    (LAYER_STEP..=MAX_OUTPUTS).step_by(LAYER_STEP)
}

/// Whether nets of this shape are read, if a file has one.
pub fn is_readable(architecture: &Architecture) -> bool {
    let is_layer = |outputs: usize| layer_sizes().any(|size| size == outputs);
    widths().any(|width| width == architecture.width)
        && is_layer(architecture.l1_outputs())
        && is_layer(architecture.h2)
}

/// What a file of a net does not say itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// How a stack of layers is chosen (the option LS_BUCKET_MODE); by what is usual for their
    /// number if not said. Classic nets need none.
    pub buckets: Option<String>,
    /// A file of coefficients of progress (LS_PROGRESS_COEFF), instead of those in the file.
    pub progress: Option<PathBuf>,
    /// Such a file that merely lies beside the net. It counts only if the net has no coefficients
    /// and nobody names others.
    pub progress_beside: Option<PathBuf>,
}

/// Loads a net. Its rows are used where they lie in the file if they are aligned there, so that
/// processes share them; all else is copied.
///
/// # Errors
/// Whatever is wrong with the file, or with with these options.
pub fn load(path: &Path, options: &LoadOptions) -> Result<Net, LoadError> {
    let at_path = |problem| LoadError::new(path, problem);
    let file = Arc::new(open(path).map_err(at_path)?);
    let net = from_bytes_or(&file, Some(&file), options, &at_path);
    // What was read then may be zeros, so this is what is wrong whatever else seems to be.
    if file.is_damaged() {
        return Err(at_path(LoadProblem::Damaged));
    }
    net
}

/// A net from the bytes of a file, all of it copied.
///
/// # Errors
/// As of [`load`].
pub fn from_bytes(file: &[u8], options: &LoadOptions) -> Result<Net, LoadError> {
    from_bytes_or(file, None, options, &|problem| LoadError { path: None, problem })
}

fn from_bytes_or(
    file: &[u8],
    mapped: Option<&Arc<MappedFile>>,
    options: &LoadOptions,
    at_path: &dyn Fn(LoadProblem) -> LoadError,
) -> Result<Net, LoadError> {
    let (header, layout) = file_layout::detect(file).map_err(at_path)?;
    let buckets = bucket_mode::buckets(file, &header, &layout, options, at_path)?;
    let scale = header::scale(header.hints());
    build::net(file, mapped, &layout, buckets, scale).map_err(at_path)
}

/// Maps a file that ought to be one.
fn open(path: &Path) -> Result<MappedFile, LoadProblem> {
    let kind = path.metadata().map_err(LoadProblem::Unreadable)?;
    if kind.is_dir() {
        return Err(LoadProblem::Folder);
    }
    if !kind.is_file() {
        return Err(LoadProblem::NoFile);
    }
    if kind.len() == 0 {
        return Err(LoadProblem::Empty);
    }
    MappedFile::open(path).map_err(LoadProblem::Unreadable)
}
