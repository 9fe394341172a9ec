//! What a format cannot hold of a book.

/// How many of each were not written, or not as they were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteLosses {
    /// Positions, with all that is said of them.
    pub positions: u64,
    pub plies: u64,
    pub replies: u64,
    pub evals: u64,
    pub depths: u64,
    pub counts: u64,
}

impl WriteLosses {
    /// In words, a sentence for each kind.
    pub fn sentences(&self) -> Vec<String> {
        let kinds = [
            (self.positions, "positions could not be written"),
            (self.plies, "positions lost the number of their move"),
            (self.replies, "moves lost their reply"),
            (self.evals, "evaluations were not written as they were"),
            (self.depths, "depths were not written as they were"),
            (self.counts, "counts were not written as they were"),
        ];
        let lost = kinds.into_iter().filter(|&(count, _)| count > 0);
        lost.map(|(count, what)| format!("{count} {what}")).collect()
    }
}
