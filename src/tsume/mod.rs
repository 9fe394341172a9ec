//! Mate problems (tsume-shogi) as works of composers: how long a problem is by the customary rules, its
//! main line, and whether it has second solutions.
//!
//! Top down: `check` checks a problem. It finds the `main_line` by `customary` lengths, in which futile
//! interpositions do not count, and then every other mate along it (`second_solutions`). `budget` limits
//! the work. [`ProblemComposer`] composes problems by `mutation` and rates them by `aesthetics`. The proofs are those of
//! [`mate`](crate::mate).

mod aesthetics;
mod budget;
mod check;
mod composer;
mod customary;
mod futile;
mod main_line;
mod mutation;
mod second_solutions;

pub use aesthetics::score;
pub use budget::CheckProgress;
pub use check::{CheckReport, CheckVerdict, Checker, RecordedSolution};
pub use composer::{ComposedProblem, ProblemComposer};
pub use main_line::{MainLine, Variation};
pub use second_solutions::{SecondKind, SecondLength, SecondSolution};
