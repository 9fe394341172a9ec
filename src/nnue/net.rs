//! A net in memory, ready to be used: read-only, shared by all threads.
//!
//! Owns where its numbers lie; knows nothing of files but that rows may lie in one.

use super::affine_layer::AffineLayer;
use super::architecture::Architecture;
use super::buckets::Buckets;
use crate::sys::{MappedView, Pages};

/// A whole net.
#[derive(Debug)]
pub struct Net {
    pub architecture: Architecture,
    pub transformer: FeatureTransformer,
    /// As many as the architecture and `buckets` say.
    pub stacks: Vec<LayerStack>,
    /// Which stack judges a position.
    pub buckets: Buckets,
    /// What the output is divided by to make a score (a pawn is 90), where the file says so.
    pub scale: Option<u32>,
}

/// The layers behind the feature transformer.
#[derive(Debug)]
pub struct LayerStack {
    pub l1: AffineLayer,
    pub l2: AffineLayer,
    pub output: AffineLayer,
}

/// The first layer: for each view a bias and a sum of rows, one for every input that is on.
#[derive(Debug)]
pub struct FeatureTransformer {
    width: usize,
    bias: Pages<i16>,
    rows: WeightStorage,
}

/// `[dimensions][width]`, where they lie.
#[derive(Debug)]
pub(super) enum WeightStorage {
    /// In memory of our own.
    Owned(Pages<i16>),
    /// In a mapped file, at a multiple of 64 bytes.
    Mapped(MappedView<i16>),
}

impl FeatureTransformer {
    /// `bias` is `[width]`.
    pub(super) fn new(bias: Pages<i16>, rows: WeightStorage) -> FeatureTransformer {
        FeatureTransformer { width: bias.len(), bias, rows }
    }

    /// Outputs for one view.
    pub fn width(&self) -> usize {
        self.width
    }

    /// `[width]`
    pub fn bias(&self) -> &[i16] {
        &self.bias
    }

    /// `[dimensions][width]`, one row for each input.
    #[inline(always)]
    pub fn rows(&self) -> &[i16] {
        match &self.rows {
            WeightStorage::Owned(rows) => rows,
            WeightStorage::Mapped(rows) => rows,
        }
    }

    /// Whether the rows are used where they lie in the file, so that processes share them.
    pub fn is_mapped(&self) -> bool {
        matches!(self.rows, WeightStorage::Mapped(_))
    }

    /// Whether the file of mapped rows was cut off meanwhile, so that some of them are zeros now.
    pub fn is_damaged(&self) -> bool {
        match &self.rows {
            WeightStorage::Owned(_) => false,
            WeightStorage::Mapped(rows) => rows.file().is_damaged(),
        }
    }
}
