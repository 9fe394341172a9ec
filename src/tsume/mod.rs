//! Mate problems (tsume-shogi) as works of composers: how long a problem is by the customary rules, its
//! main line, and whether it has second solutions.
//!
//! Top down: `problem_checker` checks a problem. It finds the `main_line` by the `customary_length` of
//! positions, in which futile interpositions do not count, and then every other mate along it
//! (`second_solutions`). `budget` limits the work. [`ProblemComposer`] composes problems by `mutation`, gives
//! the other pieces to the `defender_hand`, and rates them by `aesthetics`. The proofs come from
//! [`mate`](crate::mate).

mod aesthetics;
mod budget;
mod composer;
mod customary_length;
mod defender_hand;
mod futile_interposition;
mod main_line;
mod mutation;
mod problem_checker;
mod second_solutions;

pub use budget::CheckProgress;
pub use composer::{ComposedProblem, ProblemComposer};
pub use defender_hand::with_full_hand;
pub use main_line::{EqualDefence, MainLine};
pub use problem_checker::{CheckReport, CheckVerdict, ProblemChecker, RecordedVerdict};
pub use second_solutions::{SecondSolution, SecondSolutionKind, SecondSolutionLength};
