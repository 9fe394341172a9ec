//! Loads a network from a file.

use std::path::Path;
use std::sync::Arc;

use super::load_error::{AccessError, LoadError, LoadErrorKind};
use super::load_options::LoadOptions;
use super::open::open;
use super::{bucket_mode, build, detect, header};
use crate::nnue::weights::NetworkWeights;
use crate::sys::MappedFile;
use crate::types::message::{Message, message};

/// Loads a network. Its rows are used in the mapped file if they are aligned there, so that
/// processes share them; all else is copied.
///
/// # Errors
/// If the file cannot be read, is not a supported network, or does not match the options.
pub fn load(path: &Path, options: &LoadOptions) -> Result<NetworkWeights, LoadError> {
    let at_path = |kind| LoadError::new(path, kind);
    let file = Arc::new(open(path).map_err(at_path)?);
    let weights = load_bytes(&file, Some(&file), options, &at_path);
    // Damaged pages read as zeros, so any other error may follow from that.
    if file.is_damaged() {
        return Err(at_path(AccessError::Damaged.into()));
    }
    weights
}

/// A network from the bytes of a file; everything is copied.
///
/// # Errors
/// See [`load`].
pub fn from_bytes(file: &[u8], options: &LoadOptions) -> Result<NetworkWeights, LoadError> {
    load_bytes(file, None, options, &|kind| LoadError { path: None, kind })
}

/// A network from the bytes of a file, `mapped` if they are mapped; `at_path` adds the path to an error.
fn load_bytes(
    file: &[u8],
    mapped: Option<&Arc<MappedFile>>,
    options: &LoadOptions,
    at_path: &dyn Fn(LoadErrorKind) -> LoadError,
) -> Result<NetworkWeights, LoadError> {
    let (header, layout) = detect::detect(file).map_err(at_path)?;
    let buckets = bucket_mode::buckets(file, &header, &layout, options, at_path)?;
    let (fv_scale, note) = match header::fv_scale(header.description_start()).transpose() {
        Ok(fv_scale) => (fv_scale, None),
        Err(text) => (None, Some(unusable_fv_scale(&text))),
    };
    let mut weights = build::weights(file, mapped, &layout, buckets, fv_scale).map_err(at_path)?;
    weights.notes.extend(note);
    Ok(weights)
}

fn unusable_fv_scale(text: &str) -> Message {
    let max = NetworkWeights::MAX_FV_SCALE;
    message!(
        "FV_SCALE in the file is {text}, not a whole number from 1 to {max}, so it is not used",
        "ファイルのFV_SCALEの{text}は1から{max}の整数ではないので、使いません"
    )
}
