//! All numbers of a net as `f32`: its weights, or one number of another meaning for each of them,
//! such as a mean of past gradients.

use super::tensor_layout::{LayerSize, TILE, TensorLayout};
use crate::sys::{AllocationError, HugePages};

/// Numbers for everything that is trained, laid out as [`TensorLayout`] says.
#[derive(Debug)]
pub(super) struct NetTensors {
    /// `[width]`, the biases of the feature transformer.
    pub(super) bias: Vec<f32>,
    /// `[tile][block][number][TILE]`
    pub(super) blocks: HugePages<f32>,
    /// `[tile][number][TILE]`, the rows that all blocks share; empty if they share none.
    pub(super) shared: HugePages<f32>,
    pub(super) stacks: Vec<StackTensors>,
}

/// The layers behind.
#[derive(Clone, Debug)]
pub(super) struct StackTensors {
    pub(super) l1: AffineTensors,
    pub(super) l2: AffineTensors,
    /// Has one output.
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
    pub(super) fn zeros(shape: &TensorLayout) -> StackTensors {
        let [l1, l2] = shape.layers();
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

impl NetTensors {
    /// # Errors
    /// If there is no memory for them.
    pub(super) fn zeros(shape: &TensorLayout) -> Result<NetTensors, AllocationError> {
        let block = shape.tiles * shape.numbers * TILE;
        Ok(NetTensors {
            bias: vec![0.0; shape.width()],
            blocks: HugePages::zeroed(shape.blocks * block)?,
            shared: HugePages::zeroed(if shape.shared { block } else { 0 })?,
            stacks: vec![StackTensors::zeros(shape); shape.architecture.stacks()],
        })
    }

    /// All of them in a fixed order, which is that of checkpoints.
    pub(super) fn arrays(&self) -> Vec<&[f32]> {
        let first: [&[f32]; 3] = [&self.bias, &self.blocks, &self.shared];
        first.into_iter().chain(self.stacks.iter().flat_map(StackTensors::arrays)).collect()
    }

    /// Whether all are numbers, and none has grown beyond all bounds.
    pub(super) fn are_finite(&self) -> bool {
        self.arrays().into_iter().flatten().all(|number| number.is_finite())
    }

    pub(super) fn arrays_mut(&mut self) -> Vec<&mut [f32]> {
        let first: [&mut [f32]; 3] = [&mut self.bias, &mut self.blocks, &mut self.shared];
        first.into_iter().chain(self.stacks.iter_mut().flat_map(StackTensors::arrays_mut)).collect()
    }

    /// Visits the row of an input in its tiles: `[TILE]` numbers of a block's own row or, without a
    /// block, of the row that all share.
    pub(super) fn row_tile(&self, shape: &TensorLayout, tile: usize, row: RowRef) -> &[f32] {
        let (rows, at) = match row {
            RowRef::Of { block, number } => {
                (&self.blocks, (tile * shape.blocks + block) * shape.numbers + number)
            }
            RowRef::Shared { number } => (&self.shared, tile * shape.numbers + number),
        };
        &rows[at * TILE..][..TILE]
    }

    pub(super) fn row_tile_mut(
        &mut self,
        shape: &TensorLayout,
        tile: usize,
        row: RowRef,
    ) -> &mut [f32] {
        let (rows, at) = match row {
            RowRef::Of { block, number } => {
                (&mut self.blocks, (tile * shape.blocks + block) * shape.numbers + number)
            }
            RowRef::Shared { number } => (&mut self.shared, tile * shape.numbers + number),
        };
        &mut rows[at * TILE..][..TILE]
    }
}

/// Names a row of the feature transformer.
#[derive(Clone, Copy, Debug)]
pub(super) enum RowRef {
    Of { block: usize, number: usize },
    Shared { number: usize },
}
