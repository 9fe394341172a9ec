//! The parts of a book that are lost when it is read, or that a format cannot store.

use crate::types::message::{Message, counted, message};

/// A message about the moves of a file that are not in its entries.
pub(super) fn unusable_moves(count: u64) -> Option<Message> {
    let moves = counted(count, "invalid or repeated move");
    (count > 0).then(|| {
        message!("{moves} left out", "不正な指し手と重複した指し手を省きました：{count}手")
    })
}

/// The number of parts of each kind that were not written, or were changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteLosses {
    /// Positions with all their moves.
    pub positions: u64,
    /// Move numbers of positions.
    pub plies: u64,
    /// Replies that a move expects.
    pub replies: u64,
    /// Evaluations of moves.
    pub evals: u64,
    /// Depths of these evaluations.
    pub depths: u64,
    /// How often moves were played.
    pub counts: u64,
}

impl WriteLosses {
    /// A message for each kind of loss.
    pub fn messages(&self) -> Vec<Message> {
        let lost = |count: u64, noun: &str, what: &str, ja: &str| {
            let counted = counted(count, noun);
            (count > 0).then(|| message!("{counted} {what}", "{ja}：{count}"))
        };
        let changed = "lost or changed";
        [
            lost(self.positions, "position", "could not be written", "書き出せない局面"),
            lost(self.plies, "position", "lost the move number", "手数が失われた局面"),
            lost(self.replies, "move", "lost the reply", "応手が失われた指し手"),
            lost(self.evals, "evaluation", changed, "失われたか変わった評価値"),
            lost(self.depths, "depth", changed, "失われたか変わった深さ"),
            lost(self.counts, "count", changed, "失われたか変わった採択回数"),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}
