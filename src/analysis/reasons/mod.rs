//! Why a move is bad, by rules from two lines: the move played with its refutation, and the better move
//! with its line.
//!
//! Replaying the lines proves every sentence. Where no rule applies there is none, and the better line
//! speaks for itself.

mod explainer;
mod material;
mod reason;
#[cfg(test)]
mod tests;
mod wording;

pub use explainer::Explainer;
pub use reason::{Reason, ReasonKind};
