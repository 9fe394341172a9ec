//! The parts of a book that a format cannot store.

/// How many of each were not written, or were changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteLosses {
    /// Positions with all their moves.
    pub positions: u64,
    pub plies: u64,
    pub replies: u64,
    pub evals: u64,
    pub depths: u64,
    pub counts: u64,
}

impl WriteLosses {
    /// A message for each kind of loss.
    pub fn messages(&self) -> Vec<String> {
        let kinds = [
            (self.positions, "positions could not be written"),
            (self.plies, "positions lost their move number"),
            (self.replies, "moves lost their reply"),
            (self.evals, "evaluations were lost or changed"),
            (self.depths, "depths were lost or changed"),
            (self.counts, "counts were lost or changed"),
        ];
        let lost = kinds.into_iter().filter(|&(count, _)| count > 0);
        lost.map(|(count, what)| format!("{count} {what}")).collect()
    }
}
