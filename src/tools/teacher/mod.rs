//! Labels from a teacher: a policy-value network that runs in another process.
//!
//! [`LabelConfig`] is a job of [`selfplay`](super::selfplay): it replays games, makes the
//! network's [input](PlaneEncoder) from our own board, and keeps the answers as scores.

mod answers;
mod ask;
mod contact_mate;
mod input;
mod label;
mod model;
mod policy;
mod questions;
#[cfg(test)]
mod tests;

pub use answers::PackedAnswers;
pub use ask::{AskConfig, AskProgress};
pub use input::{BIT_PLANES, PlaneEncoder, RECORD_BYTES, SCALARS};
pub use label::{AnswerSource, LabelConfig};
pub use model::{TeacherAnswer, TeacherPool};
pub use policy::policy_index;
pub use questions::QuestionSource;
