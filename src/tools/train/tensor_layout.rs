//! The memory layout of the tensors of a network in training.
//!
//! Rows of the feature transformer are cut into tiles of [`TILE`] columns, stored tile by tile: one
//! tile of one king bucket fits into the cache of a core, and tiles are trained in parallel. Widths
//! are padded to whole tiles and layers to what [`matrix`](super::matrix) needs, with columns that
//! stay zero.

use super::matrix::COLUMNS;
use crate::nnue::{Architecture, Topology};

/// Columns of a tile.
pub(super) const TILE: usize = 64;

/// The layout of an architecture with or without shared rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TensorLayout {
    pub(super) architecture: Architecture,
    /// Tiles per row.
    pub(super) tiles: usize,
    /// Features per king bucket.
    pub(super) bucket_len: usize,
    /// King buckets; 0 if the features ignore the square of the own king.
    pub(super) king_buckets: usize,
    /// Whether there are rows shared by all king buckets ("virtual features" of a factorizer),
    /// which are added to those of the bucket. Without king buckets they are the only ones.
    pub(super) shared: bool,
}

/// Padded inputs and outputs of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LayerSize {
    pub(super) inputs: usize,
    pub(super) outputs: usize,
}

impl TensorLayout {
    /// `factorized`: whether king buckets have shared rows apart from their own.
    pub(super) fn new(architecture: Architecture, factorized: bool) -> TensorLayout {
        let features = architecture.features;
        let king_buckets = if features.king_buckets() == 1 { 0 } else { features.king_buckets() };
        TensorLayout {
            architecture,
            tiles: architecture.width.div_ceil(TILE),
            bucket_len: features.king_bucket_len(),
            king_buckets,
            shared: king_buckets == 0 || factorized,
        }
    }

    /// The king bucket of an input of the file, and its feature in that bucket.
    pub(super) fn bucket_and_feature(&self, input: usize) -> (usize, usize) {
        (input / self.bucket_len, input % self.bucket_len)
    }

    /// Whether a network of the architecture `other` can be the initial network: the same one, or one
    /// without king buckets that is the same otherwise, such as K-P for HalfKA1, whose rows become the
    /// shared ones.
    pub(super) fn can_start_from(&self, other: Architecture) -> bool {
        let is_shared = self.shared && other.features.king_bucket_len() == self.bucket_len;
        let features = if is_shared && other.features.king_buckets() == 1 {
            self.architecture.features
        } else {
            other.features
        };
        Architecture { features, ..other } == self.architecture
    }

    /// Padded width.
    pub(super) fn width(&self) -> usize {
        self.tiles * TILE
    }

    pub(super) fn is_sfnn(&self) -> bool {
        matches!(self.architecture.topology, Topology::Sfnn { .. })
    }

    /// The output of the first layer that is added to the output of the network.
    pub(super) fn shortcut(&self) -> Option<usize> {
        match self.architecture.topology {
            Topology::Sfnn { shortcut: true, .. } => Some(self.architecture.h1),
            _ => None,
        }
    }

    /// The first two layers of a stack.
    pub(super) fn layers(&self) -> [LayerSize; 2] {
        let Architecture { width, h2, .. } = self.architecture;
        let first = self.architecture.l1_outputs().next_multiple_of(COLUMNS);
        let second = h2.next_multiple_of(COLUMNS);
        if self.is_sfnn() {
            // Squares and clipped values are halves with the same padding.
            let l1 = LayerSize { inputs: width, outputs: first };
            [l1, LayerSize { inputs: 2 * first, outputs: second }]
        } else {
            let l1 = LayerSize { inputs: 2 * self.width(), outputs: first };
            [l1, LayerSize { inputs: first, outputs: second }]
        }
    }

    /// The position of an input of the first layer, given its index in files.
    pub(super) fn l1_input(&self, input: usize) -> usize {
        let width = self.architecture.width;
        if self.is_sfnn() { input } else { input / width * self.width() + input % width }
    }

    /// The position of an input of the second layer, given its index in files.
    pub(super) fn l2_input(&self, input: usize) -> usize {
        let (h1, [_, l2]) = (self.architecture.h1, self.layers());
        if self.is_sfnn() && input >= h1 { l2.inputs / 2 + input - h1 } else { input }
    }
}
