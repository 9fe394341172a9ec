//! The validation of a book when it is opened, and its result.

use crate::types::message::Message;

/// How thoroughly a file is validated when it is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Validation {
    /// The whole file is read.
    Full,
    /// A few thousand samples are read, so that even a very large file is ready at once.
    Sampled,
}

impl Validation {
    /// The distance between the records of a binary book that are checked.
    pub(super) fn record_step(self, records: usize) -> usize {
        const SAMPLES: usize = 4096;
        match self {
            Validation::Full => 1,
            Validation::Sampled => (records / SAMPLES).max(1),
        }
    }
}

/// The result of validating a book when it is opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookSummary {
    /// `None` if the file was not read in full.
    pub positions: Option<u64>,
    /// `None` if the file was not read in full.
    pub moves: Option<u64>,
    /// The positions are not sorted, so an index was built.
    pub indexed: bool,
    /// Messages about skipped parts.
    pub notes: Vec<Message>,
}
