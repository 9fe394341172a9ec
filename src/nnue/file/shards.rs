//! The first layer of an SFNN network whose inputs are divided ("sharded") among groups of outputs,
//! as by YaneuraOu since July 2026.

use std::fmt;

use crate::nnue::architecture::Architecture;
use crate::nnue::parameters::{LayerParameters, layer_shapes};

/// Every output takes the common inputs, and those of one shard, which the outputs of a group
/// share.
///
/// The file has a weight for every input of every output. Those of other shards count as zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shards {
    /// Common inputs; they come first.
    pub common: usize,
    /// Inputs of a shard.
    pub inputs: usize,
    /// Number of shards, and of groups of outputs.
    pub count: usize,
}

impl Shards {
    /// From the parts of a name such as `C1024_S256X8`, in any letter case.
    pub(super) fn parse(common: &str, shards: &str) -> Option<Shards> {
        let number = |text: &str| text.parse().ok().filter(|_| !text.starts_with('+'));
        let after = |text: &str, letter: char| {
            let rest = text.strip_prefix([letter, letter.to_ascii_uppercase()])?;
            Some(rest.to_owned())
        };
        let shards = after(shards, 's')?;
        let (inputs, count) = shards.split_once(['x', 'X'])?;
        Some(Shards {
            common: number(&after(common, 'c')?)?,
            inputs: number(inputs)?,
            count: number(count)?,
        })
    }

    /// Whether they divide the first layer of this architecture.
    pub(super) fn fit(self, architecture: &Architecture) -> bool {
        let total =
            self.inputs.checked_mul(self.count).and_then(|all| all.checked_add(self.common));
        self.count > 1
            && self.inputs > 0
            && total == Some(architecture.l1_inputs())
            && architecture.l1_outputs().is_multiple_of(self.count)
    }

    /// Clears the weights that do not count. The shards must fit the architecture.
    pub(super) fn clear_unused_weights(
        self,
        layer: &mut LayerParameters,
        architecture: &Architecture,
    ) {
        let [shape, ..] = layer_shapes(architecture);
        let group = shape.outputs / self.count;
        let rows = layer.weights.chunks_exact_mut(shape.weights() / shape.outputs);
        for (output, row) in rows.enumerate() {
            let (_, shards) = row[..shape.inputs].split_at_mut(self.common);
            for (shard, weights) in shards.chunks_exact_mut(self.inputs).enumerate() {
                if shard != output / group {
                    weights.fill(0);
                }
            }
        }
    }
}

impl fmt::Display for Shards {
    /// `C1024_S256X8`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "C{}_S{}X{}", self.common, self.inputs, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::architecture::{FeatureSet, Topology};

    #[test]
    fn names_of_shards_are_parsed_and_others_refused() {
        for (common, shards) in [("c1024", "s256x8"), ("C1024", "S256X8")] {
            let shards = Shards::parse(common, shards).unwrap();
            assert_eq!((shards.common, shards.inputs, shards.count), (1024, 256, 8));
            assert_eq!(shards.to_string(), "C1024_S256X8");
        }
        for (common, shards) in [
            ("c", "s256x8"),
            ("c+1", "s256x8"),
            ("1024", "s256x8"),
            ("c0", "s256"),
            ("c0", "sx8"),
            ("c0", "s256x99999999999999999999"),
            ("", ""),
        ] {
            assert_eq!(Shards::parse(common, shards), None, "{common}_{shards}");
        }
    }

    #[test]
    fn shards_must_cover_all_inputs_and_divide_the_outputs() {
        let topology = Topology::Sfnn { stacks: 1, shortcut: true };
        let features = FeatureSet::KA2;
        let architecture = Architecture { features, width: 3072, h1: 7, h2: 64, topology };
        let fit = |common, inputs, count| Shards { common, inputs, count }.fit(&architecture);
        assert!(fit(1024, 256, 8) && fit(0, 384, 8) && fit(0, 768, 4));
        assert!(!fit(1024, 256, 4) && !fit(1024, 2048, 1) && !fit(0, 1024, 3));
        assert!(!fit(3072, 0, 8) && !fit(0, usize::MAX, 8) && !fit(1, usize::MAX / 8, 8));
    }
}
