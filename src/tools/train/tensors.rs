//! The parameters of a network in training as `f32`, or a value for each of them such as a moment of
//! Adam.

use super::tensor_layout::{LayerSize, TILE, TensorLayout};
use crate::sys::{AllocationError, HugePages};

/// A number for every parameter, laid out as [`TensorLayout`] describes.
#[derive(Debug)]
pub(super) struct NetworkTensors {
    /// `[width]`, biases of the feature transformer.
    pub(super) bias: Vec<f32>,
    /// `[tile][king bucket][feature][TILE]`
    pub(super) bucket_rows: HugePages<f32>,
    /// `[tile][feature][TILE]`, rows shared by all king buckets; empty if there are none.
    pub(super) shared_rows: HugePages<f32>,
    pub(super) stacks: Vec<StackTensors>,
}

/// One layer stack.
#[derive(Clone, Debug)]
pub(super) struct StackTensors {
    pub(super) l1: AffineTensors,
    pub(super) l2: AffineTensors,
    /// One output.
    pub(super) output: AffineTensors,
}

/// One layer.
#[derive(Clone, Debug)]
pub(super) struct AffineTensors {
    /// `[inputs][outputs]`
    pub(super) weights: Vec<f32>,
    /// `[outputs]`
    pub(super) bias: Vec<f32>,
}

impl AffineTensors {
    fn zeros(size: LayerSize) -> AffineTensors {
        let LayerSize { inputs, outputs } = size;
        AffineTensors { weights: vec![0.0; inputs * outputs], bias: vec![0.0; outputs] }
    }

    pub(super) fn outputs(&self) -> usize {
        self.bias.len()
    }
}

impl StackTensors {
    pub(super) fn zeros(layout: &TensorLayout) -> StackTensors {
        let [l1, l2] = layout.layers();
        let output = LayerSize { inputs: l2.outputs, outputs: 1 };
        StackTensors {
            l1: AffineTensors::zeros(l1),
            l2: AffineTensors::zeros(l2),
            output: AffineTensors::zeros(output),
        }
    }

    /// Weights and biases in turn, from the first layer on.
    pub(super) fn arrays(&self) -> [&[f32]; 6] {
        let StackTensors { l1, l2, output } = self;
        [&l1.weights, &l1.bias, &l2.weights, &l2.bias, &output.weights, &output.bias]
    }

    pub(super) fn arrays_mut(&mut self) -> [&mut [f32]; 6] {
        let StackTensors { l1, l2, output } = self;
        [
            &mut l1.weights,
            &mut l1.bias,
            &mut l2.weights,
            &mut l2.bias,
            &mut output.weights,
            &mut output.bias,
        ]
    }
}

impl NetworkTensors {
    /// # Errors
    /// If memory cannot be allocated.
    pub(super) fn zeros(layout: &TensorLayout) -> Result<NetworkTensors, AllocationError> {
        let bucket = layout.tiles * layout.bucket_len * TILE;
        Ok(NetworkTensors {
            bias: vec![0.0; layout.width()],
            bucket_rows: HugePages::zeroed(layout.king_buckets * bucket)?,
            shared_rows: HugePages::zeroed(if layout.shared { bucket } else { 0 })?,
            stacks: vec![StackTensors::zeros(layout); layout.architecture.stacks()],
        })
    }

    /// All arrays in the order of checkpoints.
    pub(super) fn arrays(&self) -> Vec<&[f32]> {
        let first: [&[f32]; 3] = [&self.bias, &self.bucket_rows, &self.shared_rows];
        first.into_iter().chain(self.stacks.iter().flat_map(StackTensors::arrays)).collect()
    }

    /// Whether all numbers are finite.
    pub(super) fn are_finite(&self) -> bool {
        self.arrays().into_iter().flatten().all(|number| number.is_finite())
    }

    pub(super) fn arrays_mut(&mut self) -> Vec<&mut [f32]> {
        let first: [&mut [f32]; 3] = [&mut self.bias, &mut self.bucket_rows, &mut self.shared_rows];
        first.into_iter().chain(self.stacks.iter_mut().flat_map(StackTensors::arrays_mut)).collect()
    }

    /// One tile of a row, `[TILE]`.
    pub(super) fn row_tile(&self, layout: &TensorLayout, tile: usize, row: RowRef) -> &[f32] {
        let (rows, at) = match row {
            RowRef::Own { bucket, feature } => (
                &self.bucket_rows,
                (tile * layout.king_buckets + bucket) * layout.bucket_len + feature,
            ),
            RowRef::Shared { feature } => (&self.shared_rows, tile * layout.bucket_len + feature),
        };
        &rows[at * TILE..][..TILE]
    }

    pub(super) fn row_tile_mut(
        &mut self,
        layout: &TensorLayout,
        tile: usize,
        row: RowRef,
    ) -> &mut [f32] {
        let (rows, at) = match row {
            RowRef::Own { bucket, feature } => (
                &mut self.bucket_rows,
                (tile * layout.king_buckets + bucket) * layout.bucket_len + feature,
            ),
            RowRef::Shared { feature } => {
                (&mut self.shared_rows, tile * layout.bucket_len + feature)
            }
        };
        &mut rows[at * TILE..][..TILE]
    }
}

/// A row of the feature transformer: of a king bucket, or shared by all.
#[derive(Clone, Copy, Debug)]
pub(super) enum RowRef {
    Own { bucket: usize, feature: usize },
    Shared { feature: usize },
}
