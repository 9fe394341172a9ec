//! The net that lies in the program itself, so that nobody has to look for a file.

use std::sync::{Arc, LazyLock};

use super::file::{self, LoadOptions};
use super::net::Net;

/// The file, as it also lies in the repository; `eval/README.md` tells where it comes from.
const FILE: &[u8] = include_bytes!("../../eval/kawasemi.bin");

/// The net of the program. It is unpacked once, at the first call.
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
