//! The parameters of a network as plain lists in the order of the file, for trainers and for
//! writing files. Loading a file packs the large lists directly and does not pass through here.

use super::affine_layer::{AffineLayer, padded_inputs};
use super::architecture::Architecture;
use super::buckets::Buckets;
use super::weights::{FeatureTransformer, LayerStack, NetworkWeights, WeightStorage};
use crate::sys::{AllocationError, HugePages};

/// All parameters of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkParameters {
    pub architecture: Architecture,
    /// `[width]`
    pub bias: Vec<i16>,
    /// `[dimensions][width]`, one row per feature.
    pub rows: Vec<i16>,
    /// For networks that select their layer stack by progress.
    pub progress_model: Option<ProgressModelParameters>,
    /// `[stacks]`
    pub stacks: Vec<LayerStackParameters>,
}

/// A linear model of the progress of the game; its output is a logit in units of 1/65536.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgressModelParameters {
    pub bias: i32,
    /// `[81][1548]`, one weight per feature of `HalfKP`.
    pub weights: Vec<i32>,
}

/// The parameters of one layer stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerStackParameters {
    pub l1: LayerParameters,
    pub l2: LayerParameters,
    pub output: LayerParameters,
}

/// The parameters of one affine layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerParameters {
    /// `[outputs]`
    pub bias: Vec<i32>,
    /// `[outputs][padded inputs]`; the padding is zero.
    pub weights: Vec<i8>,
}

impl NetworkParameters {
    /// All zero, without a progress model.
    pub fn zeros(architecture: Architecture) -> NetworkParameters {
        let width = architecture.width;
        let [l1, l2, output] = layer_shapes(&architecture);
        let layer = |shape: LayerShape| LayerParameters {
            bias: vec![0; shape.outputs],
            weights: vec![0; shape.weights()],
        };
        let stack = LayerStackParameters { l1: layer(l1), l2: layer(l2), output: layer(output) };
        NetworkParameters {
            architecture,
            bias: vec![0; width],
            rows: vec![0; architecture.features.dimensions() * width],
            progress_model: None,
            stacks: vec![stack; architecture.stacks()],
        }
    }

    /// The weights in the layout of the kernels.
    ///
    /// # Errors
    /// If memory cannot be allocated.
    ///
    /// # Panics
    /// Unless all lengths and `buckets` match the architecture.
    pub fn packed(&self, buckets: Buckets) -> Result<NetworkWeights, AllocationError> {
        let architecture = self.architecture;
        assert_eq!(self.bias.len(), architecture.width);
        assert_eq!(self.rows.len(), architecture.features.dimensions() * architecture.width);
        assert_eq!(self.stacks.len(), architecture.stacks());
        assert_eq!(buckets.count(), architecture.stacks());
        let rows = WeightStorage::in_memory(copied(&self.rows)?, architecture.width)?;
        let transformer = FeatureTransformer::new(copied(&self.bias)?, rows);
        let pack = |stack: &LayerStackParameters| stack.packed(&architecture);
        let stacks = self.stacks.iter().map(pack).collect::<Result<_, _>>()?;
        Ok(NetworkWeights {
            architecture,
            transformer,
            stacks,
            buckets,
            fv_scale: None,
            notes: Vec::new(),
        })
    }
}

fn copied(numbers: &[i16]) -> Result<HugePages<i16>, AllocationError> {
    let mut pages = HugePages::zeroed(numbers.len())?;
    pages.copy_from_slice(numbers);
    Ok(pages)
}

impl NetworkWeights {
    /// The parameters as in the file, without the progress model, which training does not change.
    pub fn parameters(&self) -> NetworkParameters {
        NetworkParameters {
            architecture: self.architecture,
            bias: self.transformer.bias().to_vec(),
            rows: self.transformer.rows_in_16_bits(),
            progress_model: None,
            stacks: self.stacks.iter().map(LayerStackParameters::of).collect(),
        }
    }
}

impl LayerStackParameters {
    fn of(stack: &LayerStack) -> LayerStackParameters {
        let LayerStack { l1, l2, output } = stack;
        let [l1, l2, output] = [l1, l2, output].map(LayerParameters::of);
        LayerStackParameters { l1, l2, output }
    }

    pub(super) fn packed(
        &self,
        architecture: &Architecture,
    ) -> Result<LayerStack, AllocationError> {
        let [l1, l2, output] = layer_shapes(architecture);
        Ok(LayerStack {
            l1: self.l1.packed(l1)?,
            l2: self.l2.packed(l2)?,
            output: self.output.packed(output)?,
        })
    }
}

impl LayerParameters {
    fn of(layer: &AffineLayer) -> LayerParameters {
        let padded = padded_inputs(layer.inputs());
        let mut weights = vec![0; layer.outputs() * padded];
        let rows = layer.rows().chunks_exact(layer.row_bytes());
        for (to, row) in weights.chunks_exact_mut(padded).zip(rows) {
            to[..layer.inputs()].copy_from_slice(&row[..layer.inputs()]);
        }
        LayerParameters { bias: layer.bias()[..layer.outputs()].to_vec(), weights }
    }

    fn packed(&self, shape: LayerShape) -> Result<AffineLayer, AllocationError> {
        AffineLayer::new(shape.inputs, shape.outputs, &self.bias, &self.weights)
    }
}

/// The size of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LayerShape {
    pub(super) inputs: usize,
    pub(super) outputs: usize,
}

impl LayerShape {
    /// Number of weights, including padding.
    pub(super) const fn weights(self) -> usize {
        self.outputs * padded_inputs(self.inputs)
    }

    /// Size in a file, in bytes.
    pub(super) const fn bytes(self) -> usize {
        4 * self.outputs + self.weights()
    }
}

/// The layers of one stack in the order of the file.
pub(super) const fn layer_shapes(architecture: &Architecture) -> [LayerShape; 3] {
    let outputs = architecture.l1_outputs();
    [
        LayerShape { inputs: architecture.l1_inputs(), outputs },
        LayerShape { inputs: architecture.l2_inputs(), outputs: architecture.h2 },
        LayerShape { inputs: architecture.h2, outputs: 1 },
    ]
}
