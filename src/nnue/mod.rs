//! The neural network that evaluates positions: an efficiently updatable neural network (NNUE, Yu
//! Nasu 2018) in the file formats of YaneuraOu.
//!
//! [`mod@file`] reads and writes networks, `features` indexes their inputs, `accumulator` updates
//! the outputs of the feature transformer incrementally, `buckets` selects a layer stack, `kernels` does
//! the integer arithmetic, and [`Evaluator`] combines them. The search is unknown here: moves arrive as a
//! [`DirtyPieces`](crate::position::DirtyPieces).

mod accumulator;
mod affine_layer;
mod architecture;
mod buckets;
mod built_in;
mod byte_rows;
mod evaluator;
mod features;
pub mod file;
mod kernels;
mod network;
mod parameters;
mod piece_list;
mod placed_piece;
mod random_network;
mod refresh_cache;
mod weights;

pub use affine_layer::AffineLayer;
pub use architecture::{Architecture, FeatureSet, Topology};
pub use buckets::{Buckets, BucketsError, ProgressModel};
pub use built_in::{built_in, load_built_in};
pub use byte_rows::{ByteRows, FeatureRows, MAX_BYTE_WEIGHT};
pub use evaluator::Evaluator;
pub use kernels::{Isa, Kernels, MAX_CLASSIC_WIDTH, MAX_OUTPUTS, MAX_WIDTH};
pub use network::Network;
pub use parameters::{
    LayerParameters, LayerStackParameters, NetworkParameters, ProgressModelParameters,
};
pub use piece_list::PieceList;
pub use random_network::RandomNetwork;
pub use weights::{FeatureTransformer, LayerStack, NetworkWeights};
