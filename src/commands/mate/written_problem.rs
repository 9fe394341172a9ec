//! A problem to be written.

use kawasemi::position::Position;
use kawasemi::tsume::CheckReport;

/// A problem with its check.
pub struct WrittenProblem<'a> {
    pub position: &'a Position,
    pub report: &'a CheckReport,
    pub title: Option<String>,
}
