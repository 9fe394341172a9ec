//! The trainer of networks, on games of self-play.
//!
//! [`run`] trains: [`training_data`] turns games into samples, a [`recipe`] holds all settings, and the
//! result is a network in the format of the engine with a log and a checkpoint. A `Trainer` makes the
//! steps: it splits a batch into micro-batches, each of which goes forward and backward through the
//! feature transformer and the layers (`dense`) in a `Workspace`; then `sparse_adam` updates the
//! rows in use and `adam` everything else.
//!
//! The result depends on the recipe and the games only, not on the number of threads nor on
//! interruptions. Nothing is printed: a [`TrainingObserver`] receives events.

mod adam;
pub mod average;
mod calibration;
pub mod check;
pub mod checkpoint;
mod clipped_stacks;
mod dense;
mod ema;
mod error;
pub mod export;
mod initial;
pub mod log;
mod matrix;
mod objective;
mod output_bias;
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
pub mod training_data;
mod validation;
mod workspace;

pub use calibration::Calibration;
pub use error::TrainError;
pub use objective::LossFunction;
pub use run::{
    StopReason, TrainingConfig, TrainingObserver, TrainingOutcome, TrainingStatus, WeightChoice,
    WrittenNetwork, export_checkpoint, run,
};
pub use sample::{Label, TrainingSample};
pub use schedule::LrSchedule;
pub use validation::ValidationReport;
