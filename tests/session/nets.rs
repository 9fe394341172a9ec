//! Network files of random numbers, for sessions to load.

use std::fs;
use std::path::PathBuf;

use kawasemi::nnue::{Architecture, FeatureSet, RandomNet, Topology, file};

/// A folder of a test's own, which goes with it.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(test: &str) -> Folder {
        let name = format!("kawasemi-eval-{}-{test}", std::process::id());
        let folder = Folder(std::env::temp_dir().join(name));
        fs::create_dir_all(&folder.0).unwrap();
        folder
    }

    pub fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    pub fn write(&self, name: &str, bytes: &[u8]) -> String {
        fs::write(self.0.join(name), bytes).unwrap();
        self.path(name)
    }

    /// The smallest kind of net, of this width.
    pub fn write_net(&self, name: &str, width: usize) -> String {
        self.write_net_of(name, architecture(FeatureSet::KP, width))
    }

    pub fn write_net_of(&self, name: &str, architecture: Architecture) -> String {
        let net = RandomNet::new(architecture, architecture.width as u64).parameters();
        let mut bytes = Vec::new();
        file::write(&mut bytes, &net, &file::description(&net.architecture, None, None)).unwrap();
        self.write(name, &bytes)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub fn architecture(features: FeatureSet, width: usize) -> Architecture {
    Architecture { features, width, h1: 8, h2: 16, topology: Topology::Classic }
}

/// What [`Folder::write_net`] writes, in words.
pub fn shape(width: usize) -> String {
    architecture(FeatureSet::KP, width).to_string()
}
