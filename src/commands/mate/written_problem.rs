//! A problem as it is written to a file.

use kawasemi::position::Position;
use kawasemi::tsume::CheckReport;

/// A checked or composed problem, with the check to write.
pub struct WrittenProblem<'a> {
    pub position: &'a Position,
    pub report: &'a CheckReport,
    pub title: Option<String>,
}
