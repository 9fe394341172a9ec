//! A problem as it is written to a file.

use kawasemi::position::Position;
use kawasemi::record::{HeaderKey, Headers};
use kawasemi::tsume::CheckReport;
use kawasemi::types::{Move, printable};

/// What the record of a problem says before its first move.
#[derive(Clone, Default)]
pub struct ProblemInfo {
    pub headers: Headers,
    pub comments: Vec<String>,
    pub remarks: Vec<String>,
}

impl ProblemInfo {
    /// The title, without control characters. Files of problems name it 作品名 too.
    pub fn title(&self) -> Option<String> {
        let keys = [HeaderKey::Title, HeaderKey::Other("作品名".to_owned())];
        let titles = keys.iter().filter_map(|key| self.headers.get(key));
        titles.map(|title| printable(title).into_owned()).find(|title| !title.trim().is_empty())
    }
}

/// A checked or composed problem, with the check to write.
pub struct WrittenProblem<'a> {
    pub position: &'a Position,
    pub report: &'a CheckReport,
    /// The recorded solution, empty if there is none.
    pub recorded: &'a [Move],
    pub info: &'a ProblemInfo,
}
