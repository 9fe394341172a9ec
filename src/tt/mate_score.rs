//! Mate scores in the table. The search counts the plies to a mate from the root, the table from the
//! position, which may be reached at any ply.

use super::entry::TtEntry;
use crate::types::Score;

/// Converts a score at `ply` for the table: mates count from the node. A mate nearer than possible
/// becomes the limit.
#[inline]
fn score_to_tt(score: Score, ply: usize) -> Score {
    if score == Score::NONE {
        score
    } else if score.is_win() {
        (score + ply as i32).min(Score::MATE)
    } else if score.is_loss() {
        (score - ply as i32).max(-Score::MATE)
    } else {
        score
    }
}

/// Converts a score of the table for a node at `ply`: mates count from the root. A mate farther than a
/// score can hold becomes the longest mate.
#[inline]
fn score_from_tt(score: Score, ply: usize) -> Score {
    if score == Score::NONE {
        score
    } else if score.is_win() {
        (score - ply as i32).max(Score::MATE_IN_MAX_PLY)
    } else if score.is_loss() {
        (score + ply as i32).min(-Score::MATE_IN_MAX_PLY)
    } else {
        score
    }
}

impl TtEntry {
    /// The entry with its score for a node at `ply`: mates count from the root.
    #[inline(always)]
    pub fn at_ply(self, ply: usize) -> TtEntry {
        TtEntry { score: score_from_tt(self.score, ply), ..self }
    }

    /// The entry of a node at `ply` with its score for the table: mates count from the node.
    #[inline(always)]
    pub fn for_table(self, ply: usize) -> TtEntry {
        TtEntry { score: score_to_tt(self.score, ply), ..self }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::types::MAX_PLY;

    #[test]
    fn a_mate_is_counted_from_the_node_in_the_table_and_from_the_root_outside() {
        // Found at ply 3, mate at ply 7: 4 plies from the node.
        assert_eq!(score_to_tt(Score::mate_in(7), 3), Score::mate_in(4));
        assert_eq!(score_to_tt(Score::mated_in(8), 3), Score::mated_in(5));
        // Found again at ply 10.
        assert_eq!(score_from_tt(Score::mate_in(4), 10), Score::mate_in(14));
        assert_eq!(score_from_tt(Score::mated_in(5), 10), Score::mated_in(15));
    }

    #[test]
    fn scores_other_than_mates_are_unchanged() {
        let largest = Score::MATE_IN_MAX_PLY - 1;
        for score in [Score::ZERO, Score::MAX_EVAL, -Score::MAX_EVAL, largest, -largest] {
            assert_eq!(score_to_tt(score, 100), score);
            assert_eq!(score_from_tt(score, 100), score);
        }
    }

    #[test]
    fn a_missing_score_stays_missing() {
        assert_eq!(score_to_tt(Score::NONE, 5), Score::NONE);
        assert_eq!(score_from_tt(Score::NONE, 5), Score::NONE);
    }

    #[test]
    fn a_mate_beyond_the_longest_line_stays_a_mate() {
        let far = Score::mate_in(200);
        assert_eq!(score_from_tt(far, 100), Score::MATE_IN_MAX_PLY);
        assert_eq!(score_from_tt(-far, 100), -Score::MATE_IN_MAX_PLY);
    }

    #[test]
    fn a_bound_on_an_impossible_mate_becomes_the_limit() {
        assert_eq!(score_to_tt(Score::mate_in(2), 9), Score::MATE);
        assert_eq!(score_to_tt(Score::mated_in(2), 9), -Score::MATE);
    }

    proptest! {
        #[test]
        fn a_mate_score_reads_back_at_the_ply_that_stored_it(ply in 0..=MAX_PLY, more in 0..=MAX_PLY) {
            let distance = (ply + more).min(MAX_PLY);
            for score in [Score::mate_in(distance), Score::mated_in(distance)] {
                prop_assert_eq!(score_from_tt(score_to_tt(score, ply), ply), score);
            }
        }
    }
}
