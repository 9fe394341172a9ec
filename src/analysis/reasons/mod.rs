//! Reasons why a move is bad, found by rules that compare two lines: the played move with its
//! refutation, and the better move with its line.
//!
//! Replaying the lines proves every reason. If no rule applies, no reason is given. `docs/analyze.md` says what each
//! kind of reason proves.
//!
//! A rule makes a [`Reason`] from a [`Comparison`](comparison::Comparison) of the lines, or none; [`Explainer`] tries
//! the rules in order. A rule for both sides takes an [`Opportunity`](comparison::Opportunity), which the move allows
//! or misses. `comparison`, `material`, `winning_captures` and `wording` are what the rules share; the other files have
//! the rules.

mod captures;
mod comparison;
mod delays;
mod entering_king;
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
mod winning_captures;
mod wording;

pub(super) use explainer::Explainer;
pub use reason::{Reason, ReasonKind};
