//! How the numbers of a net lie in memory while it is trained.
//!
//! The rows of the feature transformer are cut into tiles of [`TILE`] columns, and all tiles of one
//! column range lie together: what belongs to one tile of one block of inputs then fits into a
//! processor's own cache, and tiles are trained side by side without getting into each other's way.
//! A width that is no multiple of a tile is filled up with columns that are always zero, and so are
//! the layers behind, up to what [`matrix`](super::matrix) wants: a weight that meets only zeros
//! stays zero.

use super::matrix::COLUMNS;
use crate::nnue::{Architecture, Topology};

/// Columns of a tile.
pub(super) const TILE: usize = 64;

/// What follows from an architecture, and from the choice whether inputs share rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TensorLayout {
    pub(super) architecture: Architecture,
    /// Tiles of a row.
    pub(super) tiles: usize,
    /// Inputs of a block.
    pub(super) numbers: usize,
    /// Blocks of rows, one for each square of the own king that is told apart; 0 if none are.
    pub(super) blocks: usize,
    /// Whether there is one more block of rows that belongs to all squares of the king, added to
    /// that of the square. Where no squares are told apart it is the only one.
    pub(super) shared: bool,
}

/// Inputs and outputs of a layer, filled up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LayerSize {
    pub(super) inputs: usize,
    pub(super) outputs: usize,
}

impl TensorLayout {
    /// `factorized`: whether the squares of the king share rows besides having their own.
    pub(super) fn new(architecture: Architecture, factorized: bool) -> TensorLayout {
        let features = architecture.features;
        let blocks = if features.king_buckets() == 1 { 0 } else { features.king_buckets() };
        TensorLayout {
            architecture,
            tiles: architecture.width.div_ceil(TILE),
            numbers: features.king_bucket_len(),
            blocks,
            shared: blocks == 0 || factorized,
        }
    }

    /// Whether a training can begin with a net of this architecture: one of the same, or one that
    /// tells no squares of the king apart and else is the same, such as K-P for HalfKA1: its rows
    /// are those that the squares share.
    pub(super) fn grows_from(&self, other: Architecture) -> bool {
        let is_shared = self.shared && other.features.king_bucket_len() == self.numbers;
        let features = if is_shared && other.features.king_buckets() == 1 {
            self.architecture.features
        } else {
            other.features
        };
        Architecture { features, ..other } == self.architecture
    }

    /// Columns of a row, filled up.
    pub(super) fn width(&self) -> usize {
        self.tiles * TILE
    }

    pub(super) fn is_sfnn(&self) -> bool {
        matches!(self.architecture.topology, Topology::Sfnn { .. })
    }

    /// The output of the first layer that is added to that of the net.
    pub(super) fn shortcut(&self) -> Option<usize> {
        match self.architecture.topology {
            Topology::Sfnn { shortcut: true, .. } => Some(self.architecture.h1),
            _ => None,
        }
    }

    /// The layers of a stack, without the last, whose only output takes those of the second.
    pub(super) fn layers(&self) -> [LayerSize; 2] {
        let Architecture { width, h2, .. } = self.architecture;
        let first = self.architecture.l1_outputs().next_multiple_of(COLUMNS);
        let second = h2.next_multiple_of(COLUMNS);
        if self.is_sfnn() {
            // Squares and clipped values stand in halves that are filled up alike.
            let l1 = LayerSize { inputs: width, outputs: first };
            [l1, LayerSize { inputs: 2 * first, outputs: second }]
        } else {
            let l1 = LayerSize { inputs: 2 * self.width(), outputs: first };
            [l1, LayerSize { inputs: first, outputs: second }]
        }
    }

    /// Where an input of the first layer, as files count them, stands here.
    pub(super) fn l1_input(&self, input: usize) -> usize {
        let width = self.architecture.width;
        if self.is_sfnn() { input } else { input / width * self.width() + input % width }
    }

    /// Where an input of the second layer, as files count them, stands here.
    pub(super) fn l2_input(&self, input: usize) -> usize {
        let (h1, [_, l2]) = (self.architecture.h1, self.layers());
        if self.is_sfnn() && input >= h1 { l2.inputs / 2 + input - h1 } else { input }
    }
}
