//! The file of a small network with random numbers that are the same on every machine.

use kawasemi::nnue::{Architecture, FeatureSet, NetworkParameters, RandomNetwork, Topology, file};

/// The numbers, and the bytes of a file without a description.
pub fn small_network() -> (NetworkParameters, Vec<u8>) {
    let (features, topology) = (FeatureSet::KP, Topology::Classic);
    let architecture = Architecture { features, width: 64, h1: 8, h2: 16, topology };
    let numbers = RandomNetwork::new(architecture, 1).parameters();
    let mut bytes = Vec::new();
    file::write(&mut bytes, &numbers, "").unwrap();
    (numbers, bytes)
}
