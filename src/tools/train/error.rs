//! Why a training cannot start or continue.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::checkpoint::CheckpointError;
use super::export::ExportError;
use super::recipe::RecipeError;
use super::training_data::{SampleCounts, TrainingDataError};
use crate::nnue::Architecture;
use crate::nnue::file::LoadError;
use crate::sys::AllocationError;

#[derive(Debug)]
pub enum TrainError {
    Recipe(RecipeError),
    Data(TrainingDataError),
    /// No training position passed the filter.
    NoTrainingPositions,
    /// No position of the files for validation passed the filter.
    NoValidationPositions(SampleCounts),
    Checkpoint(PathBuf, CheckpointError),
    /// The checkpoint to continue belongs to a training with other settings: those that differ, with the value
    /// of this run and that of the checkpoint.
    OtherRecipe {
        path: PathBuf,
        differences: Vec<(&'static str, String, String)>,
    },
    /// The checkpoint belongs to a training on other positions: their numbers then and now.
    OtherData {
        then: usize,
        now: usize,
    },
    Load(LoadError),
    /// The initial network has another architecture.
    OtherNetwork {
        path: Box<Path>,
        has: Architecture,
        needs: Architecture,
    },
    /// The initial network, a checkpoint, has another bucket mode.
    OtherBucketMode {
        path: Box<Path>,
        has: String,
        needs: String,
    },
    /// After this number of steps a weight is not finite.
    Diverged(u64),
    Export(ExportError),
    /// What is wrong with the log, and its path.
    Log(String),
    Io(PathBuf, io::Error),
    Memory(AllocationError),
}

impl TrainError {
    pub(super) fn io(path: &Path) -> impl Fn(io::Error) -> TrainError + '_ {
        |error| TrainError::Io(path.to_owned(), error)
    }
}

impl fmt::Display for TrainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrainError::Recipe(error) => error.fmt(f),
            TrainError::Data(error) => error.fmt(f),
            TrainError::NoTrainingPositions => f.write_str("there is no position to train on"),
            TrainError::NoValidationPositions(counts) => {
                write!(f, "there is no position to evaluate the network on: {counts}")
            }
            TrainError::Checkpoint(path, error) => write!(f, "{}: {error}", path.display()),
            TrainError::OtherRecipe { path, differences } => {
                write!(f, "{} belongs to a training with other settings:", path.display())?;
                differences.iter().try_for_each(|(name, here, there)| {
                    write!(f, "\n  {name} = {there}, not {here}")
                })?;
                f.write_str(
                    "\ncontinue that training with these settings, or begin another one in another \
                     folder (--out)",
                )
            }
            TrainError::OtherData { then, now } => write!(
                f,
                "the checkpoint belongs to a training on other positions: {then} then, {now} now; \
                 give the same games in the same order, also for validation, or begin another \
                 training in another folder (--out)"
            ),
            TrainError::Load(error) => error.fmt(f),
            TrainError::OtherNetwork { path, has, needs } => {
                write!(f, "{} is {has}, but {needs} is to be trained", path.display())
            }
            TrainError::OtherBucketMode { path, has, needs } => {
                let path = path.display();
                write!(f, "{path} has the bucket mode {has}, but {needs} is to be trained")
            }
            TrainError::Diverged(steps) => write!(
                f,
                "the training has diverged: after {steps} steps weights are not finite; start again \
                 with a smaller lr or weight-decay"
            ),
            TrainError::Export(error) => error.fmt(f),
            TrainError::Log(error) => error.fmt(f),
            TrainError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            TrainError::Memory(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TrainError {}
