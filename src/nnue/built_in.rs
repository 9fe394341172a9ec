//! The net embedded in the program.

use std::sync::{Arc, LazyLock};

use super::file::{self, LoadOptions};
use super::net::Net;

/// Its origin is in `eval/README.md`.
const FILE: &[u8] = include_bytes!("../../eval/kawasemi.bin");

/// The embedded net, unpacked at the first call.
pub fn built_in() -> Arc<Net> {
    static NET: LazyLock<Arc<Net>> = LazyLock::new(|| {
        let net = file::from_bytes(FILE, &LoadOptions::default());
        Arc::new(net.expect("a test has loaded the file"))
    });
    NET.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_net_can_be_loaded_and_says_how_its_output_is_scaled() {
        assert!(built_in().scale.is_some());
    }
}
