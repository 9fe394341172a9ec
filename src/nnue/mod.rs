//! The network that judges positions: an efficiently updatable neural network (NNUE, Yu Nasu 2018)
//! in the file formats of YaneuraOu and its relatives.
//!
//! Owns what a net is, how its file is read and written, which inputs a position switches on, and
//! the integer arithmetic from there to the output. It must not know the search: it is told of
//! moves by their [`Delta`](crate::position::Delta) alone.

mod accumulator;
mod affine_layer;
mod architecture;
mod buckets;
mod built_in;
mod evaluator;
mod features;
pub mod file;
mod kernels;
mod net;
mod network;
mod parameters;
mod piece_list;
mod random_net;

pub use affine_layer::AffineLayer;
pub use architecture::{Architecture, FeatureSet, Topology};
pub use buckets::{Buckets, BucketsError, ProgressModel};
pub use built_in::built_in;
pub use evaluator::Evaluator;
pub use kernels::{Isa, Kernels, MAX_OUTPUTS, MAX_WIDTH};
pub use net::{FeatureTransformer, LayerStack, Net};
pub use network::Network;
pub use parameters::{
    LayerParameters, LayerStackParameters, NetParameters, ProgressModelParameters,
};
pub use piece_list::PieceList;
pub use random_net::RandomNet;
