//! A loaded network: read-only, shared by all threads.

use super::affine_layer::AffineLayer;
use super::architecture::Architecture;
use super::buckets::Buckets;
use super::byte_rows::{ByteRows, FeatureRows};
use crate::sys::{AllocationError, HugePages, MappedView};
use crate::types::message::Message;

/// All weights of a network, in the layout of the kernels.
#[derive(Debug)]
pub struct NetworkWeights {
    pub architecture: Architecture,
    pub transformer: FeatureTransformer,
    /// At least as many as `buckets` select among.
    pub stacks: Vec<LayerStack>,
    /// Selects the layer stack of a position.
    pub buckets: Buckets,
    /// The divisor that turns the output into a score (a pawn is 90), if the file states it; up to
    /// [`NetworkWeights::MAX_FV_SCALE`].
    pub fv_scale: Option<u32>,
    /// For the user: what was assumed about properties that the file does not contain, and what is unusable.
    pub notes: Vec<Message>,
}

impl NetworkWeights {
    /// The largest divisor that a file or an option may state.
    pub const MAX_FV_SCALE: u32 = 128;
}

/// The layers after the feature transformer.
#[derive(Debug)]
pub struct LayerStack {
    pub l1: AffineLayer,
    pub l2: AffineLayer,
    pub output: AffineLayer,
}

/// The feature transformer: for each perspective the bias plus one row of weights per active feature. (The
/// layers after it are numbered from 1.)
#[derive(Debug)]
pub struct FeatureTransformer {
    width: usize,
    bias: HugePages<i16>,
    rows: WeightStorage,
}

/// `[dimensions][width]`
#[derive(Debug)]
pub(super) enum WeightStorage {
    /// Copied into memory in 16 bits.
    Words(HugePages<i16>),
    /// Copied into memory in 8 bits.
    Bytes(ByteRows),
    /// In the mapped file, at a multiple of 64 bytes.
    Mapped(MappedView<i16>),
}

impl WeightStorage {
    /// Rows in memory, in 8 bits if their weights fit.
    ///
    /// # Errors
    /// If memory cannot be allocated.
    pub(super) fn in_memory(
        rows: HugePages<i16>,
        width: usize,
    ) -> Result<WeightStorage, AllocationError> {
        let bytes = ByteRows::of(&rows, width)?;
        Ok(bytes.map_or(WeightStorage::Words(rows), WeightStorage::Bytes))
    }
}

impl FeatureTransformer {
    /// `bias` is `[width]`.
    pub(super) fn new(bias: HugePages<i16>, rows: WeightStorage) -> FeatureTransformer {
        FeatureTransformer { width: bias.len(), bias, rows }
    }

    /// Outputs per perspective.
    pub fn width(&self) -> usize {
        self.width
    }

    /// `[width]`
    pub fn bias(&self) -> &[i16] {
        &self.bias
    }

    /// One row per feature, in the layout of the kernels.
    #[inline(always)]
    pub fn rows(&self) -> FeatureRows<'_> {
        match &self.rows {
            WeightStorage::Words(rows) => FeatureRows::Words(rows),
            WeightStorage::Bytes(rows) => FeatureRows::Bytes(rows),
            WeightStorage::Mapped(rows) => FeatureRows::Words(rows),
        }
    }

    /// A copy of the rows in 16 bits: `[dimensions][width]`.
    pub fn rows_in_16_bits(&self) -> Vec<i16> {
        match self.rows() {
            FeatureRows::Words(rows) => rows.to_vec(),
            FeatureRows::Bytes(rows) => rows.to_vec(),
        }
    }

    /// Whether the rows are used in the mapped file, so that processes share them.
    pub fn is_mapped(&self) -> bool {
        matches!(self.rows, WeightStorage::Mapped(_))
    }

    /// Whether the mapped file has been truncated, so that some rows read as zeros.
    pub fn is_damaged(&self) -> bool {
        match &self.rows {
            WeightStorage::Words(_) | WeightStorage::Bytes(_) => false,
            WeightStorage::Mapped(rows) => rows.file().is_damaged(),
        }
    }
}
