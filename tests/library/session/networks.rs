//! Network files of random numbers for sessions to load.

use kawasemi::nnue::{Architecture, FeatureSet, RandomNetwork, Topology, file};

use crate::folder::Folder;

/// A network of the smallest architecture with this width.
pub fn write_network(folder: &Folder, name: &str, width: usize) -> String {
    write_network_of(folder, name, architecture(FeatureSet::KP, width))
}

pub fn write_network_of(folder: &Folder, name: &str, architecture: Architecture) -> String {
    let net = RandomNetwork::new(architecture, architecture.width as u64).parameters();
    let mut bytes = Vec::new();
    file::write(&mut bytes, &net, &file::description(&net.architecture, None, None)).unwrap();
    folder.write(name, bytes)
}

pub fn architecture(features: FeatureSet, width: usize) -> Architecture {
    Architecture { features, width, h1: 8, h2: 16, topology: Topology::Classic }
}

/// A description of the network that [`write_network`] writes.
pub fn shape(width: usize) -> String {
    architecture(FeatureSet::KP, width).to_string()
}
