//! The network embedded in the program.

use std::sync::{Arc, OnceLock};

use super::file::{self, LoadError, LoadOptions};
use super::weights::NetworkWeights;

/// Its origin is in `eval/README.md`.
const FILE: &[u8] = include_bytes!("../../eval/kawasemi.bin");

static WEIGHTS: OnceLock<Arc<NetworkWeights>> = OnceLock::new();

/// Unpacks the embedded network, if that is not done yet.
///
/// # Errors
/// If the system refuses the memory.
pub fn load_built_in() -> Result<(), LoadError> {
    if WEIGHTS.get().is_none() {
        let weights = file::from_bytes(FILE, &LoadOptions::default())?;
        let _ = WEIGHTS.set(Arc::new(weights));
    }
    Ok(())
}

/// The embedded network, unpacked at the first call.
///
/// # Panics
/// If [`load_built_in`] fails, which programs therefore call first.
pub fn built_in() -> Arc<NetworkWeights> {
    load_built_in().expect("a test has loaded the file, and there is memory");
    WEIGHTS.get().expect("it is loaded").clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_network_can_be_loaded_and_says_how_its_output_is_scaled() {
        assert!(built_in().fv_scale.is_some());
    }
}
