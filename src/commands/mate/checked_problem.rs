//! A problem with its check.

use std::time::Duration;

use kawasemi::position::Position;
use kawasemi::tsume::{CheckReport, CheckVerdict, RecordedVerdict};

use super::problems::{GivenSolution, MateProblem};

/// A problem with its check.
pub struct CheckedProblem<'a> {
    pub problem: &'a MateProblem,
    pub position: Position,
    pub report: CheckReport,
    pub elapsed: Duration,
    /// The user ended the check before everything was decided.
    pub is_stopped: bool,
}

impl CheckedProblem<'_> {
    /// Whether the check refutes the length or the solution that the source promises.
    pub fn is_wrong(&self) -> bool {
        match (self.report.verdict, &self.problem.given) {
            (_, GivenSolution::Nothing) => false,
            (CheckVerdict::NoMate, _) => true,
            (CheckVerdict::Mate(found), GivenSolution::Length(plies)) => {
                usize::from(found) != *plies
            }
            // The length is at most that of the mate that is proved.
            (CheckVerdict::MateWithin(within), GivenSolution::Length(plies)) => {
                usize::from(within) < *plies
            }
            _ => !matches!(
                self.report.recorded,
                None | Some(RecordedVerdict::Right | RecordedVerdict::Undecided)
            ),
        }
    }
}
