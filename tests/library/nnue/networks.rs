//! Random networks as files, loaded by the engine and by the slow reference.

use std::sync::Arc;

use kawasemi::nnue::file::{self, LoadOptions};
use kawasemi::nnue::{Architecture, FeatureSet, NetworkWeights, RandomNetwork, Topology};

use crate::reference::slow_network::{SlowNetwork, SlowShape, SlowShards, SlowStacks};

/// A network loaded by both.
pub struct NetworkPair {
    pub name: String,
    pub fast: Arc<NetworkWeights>,
    pub slow: SlowNetwork,
}

/// A random network; `mode` is the bucket mode or empty.
pub fn pair(architecture: Architecture, mode: &str, seed: u64, extreme: bool) -> NetworkPair {
    let description = file::description(&architecture, None, None);
    described_pair(architecture, mode, seed, extreme, &description, None)
}

/// A random network by `k3k3` with a sharded first layer and weights for all its inputs.
pub fn sharded_pair(architecture: Architecture, shards: SlowShards, seed: u64) -> NetworkPair {
    let Architecture { width, h1, h2, .. } = architecture;
    let SlowShards { common, inputs, count } = shards;
    let name = format!("SFNN_X_{width}_{h1}_{h2}_C{common}_S{inputs}X{count}_K3K3");
    let description = format!("Network={name}{{LayerStack=9}}");
    described_pair(architecture, "k3k3", seed, false, &description, Some(shards))
}

fn described_pair(
    architecture: Architecture,
    mode: &str,
    seed: u64,
    extreme: bool,
    description: &str,
    shards: Option<SlowShards>,
) -> NetworkPair {
    let progress = mode.contains("progress");
    let numbers = RandomNetwork {
        extreme,
        has_progress_model: progress,
        ..RandomNetwork::new(architecture, seed)
    }
    .parameters();
    let mut bytes = Vec::new();
    file::write(&mut bytes, &numbers, description).unwrap();
    let bucket_mode = (!mode.is_empty()).then(|| mode.to_string());
    let options = LoadOptions { bucket_mode, ..LoadOptions::default() };
    let fast = file::from_bytes(&bytes, &options).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(fast.architecture, architecture);
    let Architecture { features, width, h1, h2, topology } = architecture;
    let sfnn = match topology {
        Topology::Classic => None,
        Topology::Sfnn { stacks, shortcut } => {
            Some(SlowStacks { count: stacks, shortcut, mode: mode.to_string(), progress, shards })
        }
    };
    let shape = SlowShape {
        features: features.name().replace("(Friend)", ""),
        dimensions: features.dimensions(),
        width,
        h1,
        h2,
        sfnn,
    };
    let slow = SlowNetwork::read(&bytes, shape);
    NetworkPair { name: format!("{architecture} {mode} {extreme}"), fast: Arc::new(fast), slow }
}

pub fn classic(features: FeatureSet, [width, h1, h2]: [usize; 3]) -> Architecture {
    Architecture { features, width, h1, h2, topology: Topology::Classic }
}

/// Has a shortcut if `h1` is one less than a multiple of eight.
pub fn sfnn(features: FeatureSet, [width, h1, h2]: [usize; 3], stacks: usize) -> Architecture {
    let topology = Topology::Sfnn { stacks, shortcut: h1 % 8 == 7 };
    Architecture { features, width, h1, h2, topology }
}
