//! The inputs of some positions as their two sides see them, and which sides see an input.
//!
//! A net's sums go from views to inputs, the gradients of its rows from inputs to views: so each is
//! summed up in registers, and written once.

use super::sample::TrainingSample;
use super::tensor_layout::TensorLayout;
use crate::nnue::FeatureSet;

/// The inputs of all views: the side to move of place `p` is the view `2 p`, the other `2 p + 1`.
#[derive(Debug)]
pub(super) struct SparseInputs {
    features: FeatureSet,
    /// The lists of all views, one behind the other.
    numbers: Vec<u16>,
    /// Where each begins; one more behind the last.
    starts: Vec<u32>,
    blocks: Vec<u8>,
    /// All views, ordered by their blocks.
    order: Vec<u32>,
    /// Where each block begins in the order; one more behind the last.
    block_starts: Vec<usize>,
    inverse: InvertedIndex,
}

/// The views of all inputs in use.
#[derive(Debug, Default)]
struct InvertedIndex {
    /// Ordered by blocks, then by inputs.
    users: Vec<u32>,
    /// The number of each input in use within its block, and where its users begin; one more behind
    /// the last.
    inputs: Vec<(u16, u32)>,
    /// Where each block begins among these; one more behind the last.
    block_starts: Vec<usize>,
    /// Room for a number for each input of a block.
    next: Vec<u32>,
}

impl SparseInputs {
    pub(super) fn new(shape: &TensorLayout) -> SparseInputs {
        let blocks = shape.blocks.max(1);
        SparseInputs {
            features: shape.architecture.features,
            numbers: Vec::new(),
            starts: vec![0],
            blocks: Vec::new(),
            order: Vec::new(),
            block_starts: vec![0; blocks + 1],
            inverse: InvertedIndex { next: vec![0; shape.numbers], ..InvertedIndex::default() },
        }
    }

    pub(super) fn clear(&mut self) {
        self.numbers.clear();
        self.starts.truncate(1);
        self.blocks.clear();
    }

    pub(super) fn push(&mut self, sample: &TrainingSample) {
        for color in [sample.side, !sample.side] {
            let block = sample.pieces.append_active(self.features, color, &mut self.numbers);
            self.blocks.push(block as u8);
            self.starts.push(self.numbers.len() as u32);
        }
    }

    /// To be called when all views are there.
    pub(super) fn sort(&mut self) {
        let blocks = self.block_starts.len() - 1;
        let order = counting_sort(blocks, self.blocks.iter().map(|&block| usize::from(block)));
        (self.block_starts, self.order) = order;
    }

    /// Finds the users of all inputs, once the views are sorted.
    pub(super) fn invert(&mut self) {
        let mut inverse = std::mem::take(&mut self.inverse);
        inverse.users.resize(self.numbers.len(), 0);
        inverse.inputs.clear();
        inverse.block_starts.clear();
        let mut users = 0;
        for block in 0..self.block_starts.len() - 1 {
            inverse.block_starts.push(inverse.inputs.len());
            users = inverse.add_block(self, self.of_block(block), users);
        }
        inverse.block_starts.push(inverse.inputs.len());
        inverse.inputs.push((0, users));
        self.inverse = inverse;
    }

    /// Inputs of a view, as numbers within its block.
    #[inline(always)]
    pub(super) fn numbers(&self, view: u32) -> &[u16] {
        let view = view as usize;
        &self.numbers[self.starts[view] as usize..self.starts[view + 1] as usize]
    }

    /// The views of a block.
    #[inline(always)]
    pub(super) fn of_block(&self, block: usize) -> &[u32] {
        &self.order[self.block_starts[block]..self.block_starts[block + 1]]
    }

    /// The inputs of a block that are in use, as numbers within it, and the views of each in the
    /// order of the block.
    #[inline(always)]
    pub(super) fn inputs_of_block(&self, block: usize) -> impl Iterator<Item = (usize, &[u32])> {
        let InvertedIndex { users, inputs, block_starts, .. } = &self.inverse;
        let inputs = &inputs[block_starts[block]..=block_starts[block + 1]];
        inputs.windows(2).map(|pair| {
            let [(number, start), (_, end)] = [pair[0], pair[1]];
            (usize::from(number), &users[start as usize..end as usize])
        })
    }
}

impl InvertedIndex {
    /// Adds the inputs of a block, whose users begin at `start`; returns where they end.
    fn add_block(&mut self, views: &SparseInputs, of_block: &[u32], start: u32) -> u32 {
        if of_block.is_empty() {
            return start;
        }
        self.next.fill(0);
        for &view in of_block {
            views.numbers(view).iter().for_each(|&number| self.next[usize::from(number)] += 1);
        }
        let mut end = start;
        for (number, next) in self.next.iter_mut().enumerate().filter(|(_, next)| **next > 0) {
            self.inputs.push((number as u16, end));
            end += std::mem::replace(next, end);
        }
        for &view in of_block {
            for &number in views.numbers(view) {
                let next = &mut self.next[usize::from(number)];
                self.users[*next as usize] = view;
                *next += 1;
            }
        }
        end
    }
}

/// Where each of `count` keys begins, with one more behind the last, and the numbers of the items in
/// the order of their keys.
pub(super) fn counting_sort(
    count: usize,
    keys: impl ExactSizeIterator<Item = usize> + Clone,
) -> (Vec<usize>, Vec<u32>) {
    let mut starts = vec![0; count + 1];
    keys.clone().for_each(|key| starts[key + 1] += 1);
    for key in 0..count {
        starts[key + 1] += starts[key];
    }
    let mut next = starts.clone();
    let mut order = vec![0; keys.len()];
    for (item, key) in keys.enumerate() {
        order[next[key]] = item as u32;
        next[key] += 1;
    }
    (starts, order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::{Architecture, Buckets, Topology};
    use crate::position::Position;

    fn views(features: FeatureSet) -> (SparseInputs, usize) {
        let architecture =
            Architecture { features, width: 16, h1: 8, h2: 8, topology: Topology::Classic };
        let shape = TensorLayout::new(architecture, true);
        let mut views = SparseInputs::new(&shape);
        views.clear();
        let mut position = Position::startpos();
        for mv in ["7g7f", "3c3d", "5i5h", "8b5b", "8h2b+", "3a2b"] {
            position.do_move(mv.parse().unwrap());
            views.push(&TrainingSample::unlabelled(&position, &Buckets::One));
        }
        views.sort();
        (views, shape.blocks.max(1))
    }

    #[test]
    fn inputs_have_the_views_that_have_them() {
        for features in [FeatureSet::KP, FeatureSet::HalfKp] {
            let (mut views, blocks) = views(features);
            for _ in 0..2 {
                views.invert();
                for block in 0..blocks {
                    let mut expected = Vec::new();
                    for &view in views.of_block(block) {
                        let numbers = views.numbers(view).iter();
                        expected.extend(numbers.map(|&number| (usize::from(number), view)));
                    }
                    expected.sort_by_key(|&(number, _)| number);
                    let inputs = views.inputs_of_block(block);
                    let found =
                        inputs.flat_map(|(number, of)| of.iter().map(move |&view| (number, view)));
                    assert_eq!(found.collect::<Vec<_>>(), expected);
                }
            }
        }
    }
}
