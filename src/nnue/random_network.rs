//! Networks of any architecture with random parameters, for tests and for benchmarks of architectures
//! without a trained network.

use super::architecture::Architecture;
use super::buckets::{Buckets, ProgressModel};
use super::parameters::{
    LayerParameters, LayerShape, LayerStackParameters, NetworkParameters, ProgressModelParameters,
    layer_shapes,
};
use super::weights::NetworkWeights;
use crate::sys::AllocationError;
use crate::types::Random;

/// The specification of a random network; it determines all parameters.
#[derive(Clone, Copy, Debug)]
pub struct RandomNetwork {
    pub architecture: Architecture,
    pub seed: u64,
    /// Whether parameters use the full range of their types, so that sums wrap. Otherwise they are
    /// as large as those of trained networks: the sum of forty rows reaches both ends of the
    /// clipped range, and so do the layers.
    pub extreme: bool,
    /// Whether to include a progress model.
    pub has_progress_model: bool,
}

impl RandomNetwork {
    /// A network with parameters of ordinary size and no progress model.
    pub fn new(architecture: Architecture, seed: u64) -> RandomNetwork {
        RandomNetwork { architecture, seed, extreme: false, has_progress_model: false }
    }

    /// The parameters.
    ///
    /// ```
    /// use kawasemi::nnue::{Architecture, FeatureSet, RandomNetwork, Topology};
    /// let architecture = Architecture {
    ///     features: FeatureSet::KP,
    ///     width: 64,
    ///     h1: 8,
    ///     h2: 16,
    ///     topology: Topology::Classic,
    /// };
    /// let numbers = RandomNetwork::new(architecture, 1).parameters();
    /// assert_eq!(numbers.rows.len(), 1710 * 64);
    /// ```
    pub fn parameters(&self) -> NetworkParameters {
        let architecture = self.architecture;
        let width = architecture.width;
        let mut random = RandomNumbers(Random::new(self.seed));
        let (bias, row) = if self.extreme { (i16::MAX, i16::MAX) } else { (100, 24) };
        NetworkParameters {
            architecture,
            bias: (0..width).map(|_| random.i16(bias)).collect(),
            rows: random.row_numbers(architecture.features.dimensions() * width, row),
            progress_model: self.has_progress_model.then(|| ProgressModelParameters {
                bias: random.i32(1 << 16),
                weights: (0..ProgressModel::WEIGHTS).map(|_| random.i32(1 << 13)).collect(),
            }),
            stacks: (0..architecture.stacks())
                .map(|_| {
                    let [l1, l2, output] = layer_shapes(&architecture);
                    LayerStackParameters {
                        l1: self.layer(&mut random, l1),
                        l2: self.layer(&mut random, l2),
                        output: self.layer(&mut random, output),
                    }
                })
                .collect(),
        }
    }

    /// The weights in the layout of the kernels.
    ///
    /// # Errors
    /// If memory cannot be allocated.
    ///
    /// # Panics
    /// Unless `buckets` match the architecture.
    pub fn packed(&self, buckets: Buckets) -> Result<NetworkWeights, AllocationError> {
        self.parameters().packed(buckets)
    }

    fn layer(&self, random: &mut RandomNumbers, shape: LayerShape) -> LayerParameters {
        // The deviation of a sum of n products grows as the root of n; it should reach 127 << 6.
        let weight = (12_000 / (60 * shape.inputs.isqrt())).clamp(2, 127) as i16;
        let (bias, weight) = if self.extreme { (1 << 24, 127) } else { (4_000, weight) };
        let mut weights = vec![0; shape.weights()];
        for row in weights.chunks_exact_mut(shape.weights() / shape.outputs) {
            row[..shape.inputs].fill_with(|| random.i16(weight) as i8);
        }
        LayerParameters { bias: (0..shape.outputs).map(|_| random.i32(bias)).collect(), weights }
    }
}

/// Random numbers of the widths that a network has.
struct RandomNumbers(Random);

impl RandomNumbers {
    /// From `-size` to `size`, both included.
    fn i16(&mut self, size: i16) -> i16 {
        in_range((self.0.next() >> 48) as u16, size)
    }

    /// From `-size` to `size`, both included.
    fn i32(&mut self, size: i32) -> i32 {
        let count = 2 * i64::from(size) + 1;
        ((((self.0.next() >> 32) as i64 * count) >> 32) - i64::from(size)) as i32
    }

    /// Numbers as from [`RandomNumbers::i16`], four of each random word for speed.
    fn row_numbers(&mut self, count: usize, size: i16) -> Vec<i16> {
        let mut numbers = vec![0; count];
        for four in numbers.chunks_mut(4) {
            let mut bits = self.0.next();
            for number in four {
                *number = in_range(bits as u16, size);
                bits >>= 16;
            }
        }
        numbers
    }
}

fn in_range(bits: u16, size: i16) -> i16 {
    let count = 2 * i64::from(size) + 1;
    (((i64::from(bits) * count) >> 16) - i64::from(size)) as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::{FeatureSet, Topology};

    fn small(topology: Topology) -> RandomNetwork {
        let features = FeatureSet::KP;
        RandomNetwork::new(Architecture { features, width: 64, h1: 8, h2: 16, topology }, 5)
    }

    #[test]
    fn random_networks_have_the_lengths_of_their_architecture() {
        let net = small(Topology::Classic).packed(Buckets::One).unwrap();
        assert_eq!(net.transformer.rows_in_16_bits().len(), 1710 * 64);
        assert_eq!(net.stacks.len(), 1);
        assert_eq!((net.stacks[0].l1.inputs(), net.stacks[0].l1.outputs()), (128, 8));
        let sfnn =
            small(Topology::Sfnn { stacks: 1, shortcut: true }).packed(Buckets::One).unwrap();
        assert_eq!((sfnn.stacks[0].l1.inputs(), sfnn.stacks[0].l1.outputs()), (64, 9));
        assert_eq!((sfnn.stacks[0].l2.inputs(), sfnn.stacks[0].l2.outputs()), (16, 16));
    }

    #[test]
    fn random_numbers_reach_both_ends_of_their_range_and_the_seed_decides() {
        let numbers = small(Topology::Classic).parameters();
        assert_eq!(numbers.rows.iter().min(), Some(&-24));
        assert_eq!(numbers.rows.iter().max(), Some(&24));
        assert_eq!(numbers, small(Topology::Classic).parameters());
        let other = RandomNetwork { seed: 6, ..small(Topology::Classic) };
        assert_ne!(numbers, other.parameters());
        let extreme = RandomNetwork { extreme: true, ..small(Topology::Classic) }.parameters();
        assert!(extreme.rows.iter().max() > Some(&30_000));
        assert!(extreme.rows.iter().min() < Some(&-30_000));
        assert!(extreme.stacks[0].l1.weights.iter().min() < Some(&-120));
    }
}
