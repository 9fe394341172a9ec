//! Reasons why a move is bad, found by rules that compare two lines: the played move with its
//! refutation, and the better move with its line.
//!
//! Replaying the lines proves every reason. If no rule applies, no reason is given.

mod explainer;
mod material;
mod reason;
#[cfg(test)]
mod tests;
mod wording;

pub use explainer::Explainer;
pub use reason::{Reason, ReasonKind};
