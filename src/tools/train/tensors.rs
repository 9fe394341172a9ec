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

    /// Multiplies the output of the network, including the shortcut.
    pub(super) fn scale_output(&mut self, layout: &TensorLayout, factor: f32) {
        let StackTensors { l1, output, .. } = self;
        output.weights.iter_mut().chain(&mut output.bias).for_each(|number| *number *= factor);
        if let Some(shortcut) = layout.shortcut() {
            let outputs = l1.outputs();
            let weights = l1.weights.iter_mut().skip(shortcut).step_by(outputs);
            weights.for_each(|weight| *weight *= factor);
            l1.bias[shortcut] *= factor;
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

    /// The weights of another training, with the layout `from`, in a layout that
    /// [can start from it](TensorLayout::can_start_from). Rows that king buckets shared stay shared, or
    /// are added to those of every bucket if `layout` has no shared ones.
    ///
    /// # Errors
    /// If memory cannot be allocated.
    pub(super) fn converted(
        layout: &TensorLayout,
        from: &TensorLayout,
        weights: &NetworkTensors,
    ) -> Result<NetworkTensors, AllocationError> {
        let mut net = NetworkTensors::zeros(layout)?;
        net.bias.copy_from_slice(&weights.bias);
        net.stacks.clone_from(&weights.stacks);
        if layout.shared {
            if from.shared {
                net.shared_rows.copy_from_slice(&weights.shared_rows);
            }
            if from.king_buckets > 0 {
                net.bucket_rows.copy_from_slice(&weights.bucket_rows);
            }
            return Ok(net);
        }
        for input in 0..layout.king_buckets * layout.bucket_len {
            let (bucket, feature) = layout.bucket_and_feature(input);
            for tile in 0..layout.tiles {
                let row = net.row_tile_mut(layout, tile, RowRef::Own { bucket, feature });
                row.copy_from_slice(&weights.folded_row_tile(from, tile, input));
            }
        }
        Ok(net)
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
        let rows = match row {
            RowRef::Own { .. } => &self.bucket_rows,
            RowRef::Shared { .. } => &self.shared_rows,
        };
        &rows[row.start(layout, tile)..][..TILE]
    }

    /// One tile of the row of an input of a file: the row of its king bucket and the shared one in sum.
    pub(super) fn folded_row_tile(
        &self,
        layout: &TensorLayout,
        tile: usize,
        input: usize,
    ) -> [f32; TILE] {
        let (bucket, feature) = layout.bucket_and_feature(input);
        let mut sum = [0.0; TILE];
        let own = (layout.king_buckets > 0).then_some(RowRef::Own { bucket, feature });
        let shared = layout.shared.then_some(RowRef::Shared { feature });
        for row in own.into_iter().chain(shared) {
            let row = self.row_tile(layout, tile, row);
            sum.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
        }
        sum
    }

    pub(super) fn row_tile_mut(
        &mut self,
        layout: &TensorLayout,
        tile: usize,
        row: RowRef,
    ) -> &mut [f32] {
        let rows = match row {
            RowRef::Own { .. } => &mut self.bucket_rows,
            RowRef::Shared { .. } => &mut self.shared_rows,
        };
        &mut rows[row.start(layout, tile)..][..TILE]
    }
}

/// A row of the feature transformer: of a king bucket, or shared by all.
#[derive(Clone, Copy, Debug)]
pub(super) enum RowRef {
    Own { bucket: usize, feature: usize },
    Shared { feature: usize },
}

impl RowRef {
    /// Where one tile of the row starts in its array.
    fn start(self, layout: &TensorLayout, tile: usize) -> usize {
        let (first, feature) = match self {
            RowRef::Own { bucket, feature } => (tile * layout.king_buckets + bucket, feature),
            RowRef::Shared { feature } => (tile, feature),
        };
        (first * layout.bucket_len + feature) * TILE
    }
}
