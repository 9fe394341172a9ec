//! Reasons why a move is bad, found by rules that compare two lines: the played move with its
//! refutation, and the better move with its line.
//!
//! Replaying the lines proves every reason. If no rule applies, no reason is given.

mod captures;
mod comparison;
mod delays;
mod entering_king;
mod exchanges;
mod explainer;
mod king;
mod material;
mod mates;
mod order;
mod outcome;
mod pieces;
mod promotions;
mod reason;
mod rook_pawn;
mod squares;
mod tactics;
mod tempo;
#[cfg(test)]
mod tests;
mod threats;
mod wording;

pub(super) use explainer::Explainer;
pub use reason::{Reason, ReasonKind};
