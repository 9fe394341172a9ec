//! Training of nets for the engine, on games that it played.
//!
//! [`run`] goes the whole way: [`data`] makes positions of games, a [`recipe`] says what is done
//! with them, and a net in the engine's format comes out, with a log and a checkpoint. Within, a
//! `Trainer` makes steps: it deals a batch out to threads in `chunk`s, which go through the feature
//! transformer and the layers (`dense`) forwards and back; then the rows in use (`transformer`) and
//! all else follow their gradients (`adam`). Everything is decided by the recipe and the games: not
//! by the number of threads, nor by being interrupted. Nothing is printed here: an [`Observer`] is
//! told.

mod adam;
mod average;
pub mod check;
pub mod checkpoint;
mod chunk;
mod crew;
pub mod data;
mod dense;
mod error;
pub mod export;
mod foresight;
mod goal;
mod initial;
pub mod log;
mod matrix;
mod numbers;
pub mod plot;
mod quantize;
pub mod recipe;
mod report;
mod rivals;
mod run;
mod sample;
mod scales;
mod schedule;
mod shape;
mod streams;
#[cfg(test)]
mod tests;
mod trainer;
mod transformer;
mod views;

pub use error::TrainError;
pub use goal::Loss;
pub use report::Report;
pub use run::{
    Finish, Observer, Outcome, RunConfig, Status, Weights, Written, export_checkpoint, run,
};
pub use sample::{Label, Sample};
pub use schedule::Fall;
