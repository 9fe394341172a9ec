//! Labels from a teacher: a policy-value network that runs in another process.
//!
//! [`LabelConfig`] is a job of [`selfplay`](super::selfplay): it replays games, makes the
//! network's [input](PlaneEncoder) from our own board, and keeps its predictions as scores.

mod contact_mate;
mod input;
mod label;
mod model;
mod policy;
mod predict;
mod predictions;
mod selection;
#[cfg(test)]
mod tests;
mod wrong_values;

pub use input::{BIT_PLANES, INPUT_BYTES, PlaneEncoder, SCALARS};
pub use label::{LabelConfig, PredictionSource};
pub use model::{Prediction, TeacherPool};
pub use policy::policy_index;
pub use predict::{PredictConfig, PredictProgress};
pub use predictions::PackedPredictions;
pub use selection::PositionSelection;
pub use wrong_values::WrongValues;
