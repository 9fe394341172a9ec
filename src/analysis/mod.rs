//! Games looked at move by move: what every position is worth, what each move gave away, and how
//! well each side played.
//!
//! [`Analyst`] examines the positions of a game, [`Review`] judges its moves by what was found, and
//! [`annotate`] writes that into the game. None of them knows of files or of how anything is shown.

mod analyst;
mod annotate;
mod chance;
mod finding;
mod path;
mod review;
mod rules;
#[cfg(test)]
mod tests;
mod worth;

pub use analyst::{Analyst, Effort, Halt, Limit};
pub use annotate::{Form, annotate};
pub use chance::winning_chance;
pub use finding::{Finding, Findings, Variation};
pub use path::{Branch, GamePath, Place, branches};
pub use review::{Grade, JudgedMove, Loss, Openings, Review, Tally};
pub use worth::{Estimate, Means, Worth};
