//! Training of nets for the engine, on games that it played.
//!
//! [`run`] goes the whole way: [`dataset`] makes positions of games, a [`recipe`] says what is done
//! with them, and a net in the engine's format comes out, with a log and a checkpoint. Within, a
//! `Trainer` makes steps: it deals a batch out to threads in `chunk`s, which go through the feature
//! transformer and the layers (`dense`) forwards and back; then the rows in use (`transformer`) and
//! all else follow their gradients (`adam`). Everything is decided by the recipe and the games: not
//! by the number of threads, nor by being interrupted. Nothing is printed here: an [`TrainingObserver`] is
//! told.

mod adam;
pub mod check;
pub mod checkpoint;
pub mod dataset;
mod dense;
mod ema;
mod error;
pub mod export;
mod initial;
pub mod log;
mod matrix;
mod objective;
mod parallel;
pub mod plot;
mod quantize;
mod ranking;
pub mod recipe;
mod rng_streams;
mod run;
mod sample;
mod scales;
mod schedule;
mod sparse_adam;
mod sparse_inputs;
mod td_lambda;
mod tensor_layout;
mod tensors;
#[cfg(test)]
mod tests;
mod trainer;
mod validation;
mod workspace;

pub use error::TrainError;
pub use objective::LossFunction;
pub use run::{
    StopReason, TrainingConfig, TrainingObserver, TrainingOutcome, TrainingStatus, WeightChoice,
    WrittenNet, export_checkpoint, run,
};
pub use sample::{Label, TrainingSample};
pub use schedule::LrSchedule;
pub use validation::ValidationReport;
