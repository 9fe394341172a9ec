//! A problem as it is written to a file.

use kawasemi::position::Position;
use kawasemi::record::Headers;
use kawasemi::tsume::CheckReport;

/// The comments and remarks of a problem, which come before its first move.
#[derive(Clone, Default)]
pub struct ProblemNotes {
    pub comments: Vec<String>,
    pub remarks: Vec<String>,
}

/// A checked or composed problem, with the check to write.
pub struct WrittenProblem<'a> {
    pub position: &'a Position,
    pub report: &'a CheckReport,
    /// Without control characters.
    pub title: Option<String>,
    pub headers: Headers,
    pub notes: ProblemNotes,
}
