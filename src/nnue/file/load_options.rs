//! The settings of a network that its file does not contain.

use std::path::PathBuf;

/// How to load a network.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// The bucket mode (option LS_BUCKET_MODE). If `None`, the description or the number of layer
    /// stacks decides. Classic networks ignore it.
    pub bucket_mode: Option<String>,
    /// A file of progress coefficients (LS_PROGRESS_COEFF), instead of those in the network.
    pub progress_file: Option<PathBuf>,
    /// A file of progress coefficients next to the network, used if neither the network nor
    /// `progress_file` has any.
    pub default_progress_file: Option<PathBuf>,
}

impl LoadOptions {
    /// The name under which progress coefficients are published next to networks.
    pub const PROGRESS_NAME: &'static str = "progress.bin";
}
