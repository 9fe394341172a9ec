//! Layer stacks that training hardly changes.
//!
//! Where all outputs of the second layer are clipped, the gradients of this layer and of the one before are zero. A
//! stack in which this is so in nearly all positions is only its shortcut and a constant. It happens to stacks with few
//! positions in a batch, because the steps of Adam have the same size however few they are.

use super::ranking::MicroBatch;
use super::sample::TrainingSample;
use super::tensor_layout::TensorLayout;
use super::tensors::NetworkTensors;
use super::workspace::{MAX_MICRO_BATCH, Workspace};

/// Fewer positions of a stack show nothing.
const MIN_POSITIONS: usize = 100;
/// The smallest share of clipped positions of a stack that is reported.
const MIN_PERCENT: usize = 95;

/// A layer stack whose second layer is clipped in nearly all of its positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ClippedStack {
    pub(super) stack: usize,
    /// Positions in which all outputs are clipped.
    pub(super) clipped: usize,
    pub(super) positions: usize,
}

impl ClippedStack {
    /// The message to the user.
    pub(super) fn message(&self) -> String {
        let ClippedStack { stack, clipped, positions } = self;
        format!(
            "stack {stack}: all outputs of the second layer are clipped in {clipped} of {positions} \
             positions, so training hardly changes the layers of this stack"
        )
    }
}

/// Such stacks, among those that evaluate enough of these positions.
pub(super) fn clipped_stacks(
    layout: &TensorLayout,
    weights: &NetworkTensors,
    samples: &[TrainingSample],
) -> Vec<ClippedStack> {
    let none = |stack: usize| ClippedStack { stack, clipped: 0, positions: 0 };
    let mut stacks: Vec<ClippedStack> = (0..layout.architecture.stacks()).map(none).collect();
    let [_, second] = layout.layers();
    let mut workspace = Workspace::new(layout);
    for samples in samples.chunks(MAX_MICRO_BATCH) {
        workspace.fill(MicroBatch::labelled(samples.iter().copied()));
        workspace.forward_with_second(weights, |stack, rows| {
            let counts = &mut stacks[stack];
            for row in rows.chunks_exact(second.outputs) {
                let is_clipped = row.iter().all(|&value| value <= 0.0 || value >= 1.0);
                counts.positions += 1;
                counts.clipped += usize::from(is_clipped);
            }
        });
    }
    stacks.retain(|stack| {
        stack.positions >= MIN_POSITIONS && 100 * stack.clipped >= MIN_PERCENT * stack.positions
    });
    stacks
}
