//! The parts of a book that a format cannot store.

use crate::types::message::{Message, message};

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
        let WriteLosses { positions, plies, replies, evals, depths, counts } = self;
        let kinds = [
            (
                positions,
                message!(
                    "{positions} positions could not be written",
                    "書き出せない局面：{positions}"
                ),
            ),
            (
                plies,
                message!("{plies} positions lost their move number", "手数が失われた局面：{plies}"),
            ),
            (
                replies,
                message!("{replies} moves lost their reply", "応手が失われた指し手：{replies}"),
            ),
            (
                evals,
                message!(
                    "{evals} evaluations were lost or changed",
                    "失われたか変わった評価値：{evals}"
                ),
            ),
            (
                depths,
                message!(
                    "{depths} depths were lost or changed",
                    "失われたか変わった深さ：{depths}"
                ),
            ),
            (
                counts,
                message!(
                    "{counts} counts were lost or changed",
                    "失われたか変わった採択回数：{counts}"
                ),
            ),
        ];
        kinds.into_iter().filter(|(count, _)| **count > 0).map(|(_, message)| message).collect()
    }
}
