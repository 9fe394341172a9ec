//! The analysis of a position, and the results of all positions.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use super::analysis_score::{AnalysisScore, BoundedScore, WinReason};
use super::line_cursor::PositionKey;
use crate::search::request::PvEnding;
use crate::types::{Bound, Depth, Move};

/// A line from a position, with its score for the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    pub estimate: BoundedScore,
    /// Empty if the game is over or won by declaration.
    pub moves: Vec<Move>,
    /// How the line ends, if by the rules or by a repetition.
    pub ending: Option<PvEnding>,
    /// In plies; 0 without a search.
    pub depth: Depth,
    pub selective_depth: usize,
    /// Whether the mate solver found the line, so that every move of the winner is a check.
    pub is_solved: bool,
}

impl Default for Variation {
    fn default() -> Variation {
        Variation {
            estimate: BoundedScore::exact(AnalysisScore::Centipawns(0)),
            moves: Vec::new(),
            ending: None,
            depth: 0,
            selective_depth: 0,
            is_solved: false,
        }
    }
}

impl Variation {
    /// The variation that begins with a move, from the analysis after it.
    pub(super) fn through(mv: Move, after: &PositionAnalysis) -> Variation {
        let best = after.best();
        Variation {
            estimate: best.estimate.before_move(),
            moves: with_first_move(mv, &best.moves),
            depth: best.depth + 1,
            selective_depth: best.selective_depth + 1,
            ..best.clone()
        }
    }

    /// An upper bound of the plies in which the side to move mates, if it does.
    pub(super) fn plies_to_win(&self) -> Option<u32> {
        match self.estimate.score {
            AnalysisScore::Win(WinReason::Mate { plies, .. }) => Some(plies),
            _ => None,
        }
    }

    /// An upper bound of the plies in which the side to move is mated, if it is.
    pub(super) fn plies_to_loss(&self) -> Option<u32> {
        match self.estimate.score {
            AnalysisScore::Loss(WinReason::Mate { plies, .. }) => Some(plies),
            _ => None,
        }
    }

    /// The rest of a mate after its first move, from the other side; `None` if this is not a mate that
    /// begins with the move.
    pub(super) fn mate_after(&self, mv: Move) -> Option<Variation> {
        let AnalysisScore::Win(WinReason::Mate { plies, is_shortest }) = self.estimate.score else {
            return None;
        };
        let (&first, rest) = self.moves.split_first()?;
        // A shorter mate after the move would be a shorter one before it.
        let mate = WinReason::Mate { plies: plies.saturating_sub(1), is_shortest };
        (first == mv).then(|| Variation {
            estimate: BoundedScore::exact(AnalysisScore::Loss(mate)),
            moves: rest.to_vec(),
            depth: (self.depth - 1).max(0),
            selective_depth: self.selective_depth.saturating_sub(1),
            ..self.clone()
        })
    }
}

/// The line that begins with `mv` and continues with `line`.
pub(super) fn with_first_move(mv: Move, line: &[Move]) -> Vec<Move> {
    [&[mv], line].concat()
}

/// The analysis of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionAnalysis {
    /// Best first, never empty, with different first moves.
    pub variations: Vec<Variation>,
    pub nodes: u64,
    pub elapsed: Duration,
}

impl PositionAnalysis {
    /// The best variation.
    pub fn best(&self) -> &Variation {
        &self.variations[0]
    }

    /// The best move; `None` if the game is over or won by declaration.
    pub fn best_move(&self) -> Option<Move> {
        self.best().moves.first().copied()
    }

    /// Sorts the variations, best first, and keeps at most `multi_pv`.
    pub(super) fn sort_and_truncate(&mut self, multi_pv: usize) {
        let rank = |variation: &Variation| Reverse(variation.estimate.score.rank());
        self.variations.sort_by_key(rank);
        self.variations.truncate(multi_pv.max(1));
    }

    /// Makes a move the best one if the result after it is better than the best score, because that result is
    /// from a deeper search.
    pub(super) fn adopt_better_move(
        &mut self,
        mv: Move,
        after: &PositionAnalysis,
        multi_pv: usize,
    ) {
        let variation = Variation::through(mv, after);
        let sure = variation.estimate.bound != Bound::Upper;
        if sure && variation.estimate.score.rank() > self.best().estimate.score.rank() {
            self.replace(variation, multi_pv);
        }
    }

    /// Adopts a mate that begins with the move before this position, if none was found or it was
    /// longer. It holds against every reply, so better variations are removed.
    pub(super) fn adopt_opponent_mate(&mut self, mate: Variation, multi_pv: usize) {
        let (best, rank) = (self.best(), mate.estimate.score.rank());
        // Results by the rules and mates for the other side are kept.
        let is_decided =
            best.moves.is_empty() || matches!(best.estimate.score, AnalysisScore::Win(_));
        if is_decided || best.estimate.score.rank() <= rank {
            return;
        }
        self.variations.retain(|known| known.estimate.score.rank() <= rank);
        self.replace(mate, multi_pv);
    }

    /// Replaces the variation with the same first move.
    pub(super) fn replace(&mut self, variation: Variation, multi_pv: usize) {
        self.variations.retain(|other| other.moves.first() != variation.moves.first());
        self.variations.insert(0, variation);
        self.sort_and_truncate(multi_pv);
    }
}

/// The results by position: a position has the same result however it is reached.
#[derive(Clone, Debug, Default)]
pub struct AnalysisResults(HashMap<PositionKey, Arc<PositionAnalysis>>);

impl AnalysisResults {
    pub fn get(&self, key: &PositionKey) -> Option<&Arc<PositionAnalysis>> {
        self.0.get(key)
    }

    pub(super) fn insert(&mut self, key: PositionKey, found: PositionAnalysis) {
        self.0.insert(key, Arc::new(found));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position_analysis(variations: &[(&str, AnalysisScore)]) -> PositionAnalysis {
        let variation = |&(line, score): &(&str, AnalysisScore)| Variation {
            estimate: BoundedScore::exact(score),
            moves: line.split_whitespace().map(|mv| mv.parse().unwrap()).collect(),
            depth: 8,
            ..Variation::default()
        };
        let variations = variations.iter().map(variation).collect();
        PositionAnalysis { variations, nodes: 1, elapsed: Duration::ZERO }
    }

    #[test]
    fn a_move_that_proves_better_than_the_best_takes_its_place() {
        let mut found = position_analysis(&[
            ("2g2f 3c3d", AnalysisScore::Centipawns(50)),
            ("7g7f 8c8d", AnalysisScore::Centipawns(20)),
        ]);
        let before = found.clone();
        found.adopt_better_move(
            "7g7f".parse().unwrap(),
            &position_analysis(&[("3c3d", AnalysisScore::Centipawns(-40))]),
            2,
        );
        assert_eq!(found, before);
        found.adopt_better_move(
            "7g7f".parse().unwrap(),
            &position_analysis(&[("3c3d", AnalysisScore::Centipawns(-60))]),
            2,
        );
        let scores: Vec<AnalysisScore> =
            found.variations.iter().map(|variation| variation.estimate.score).collect();
        assert_eq!(scores, [AnalysisScore::Centipawns(60), AnalysisScore::Centipawns(50)]);
        assert_eq!(found.best().moves, ["7g7f", "3c3d"].map(|mv| mv.parse().unwrap()));
        assert_eq!(found.best().depth, 9);
        // A mate takes its line along.
        let mate = AnalysisScore::Loss(WinReason::Mate { plies: 2, is_shortest: true });
        found.adopt_better_move(
            "1g1f".parse().unwrap(),
            &position_analysis(&[("5a4a 5c4b", mate)]),
            2,
        );
        assert_eq!(found.best().moves.len(), 3);
        assert!(matches!(
            found.best().estimate.score,
            AnalysisScore::Win(WinReason::Mate { plies: 3, .. })
        ));
        assert_eq!(found.variations.len(), 2);
    }

    #[test]
    fn a_mate_after_the_previous_move_replaces_longer_defences_but_no_result_by_rule() {
        let lost = |plies| AnalysisScore::Loss(WinReason::Mate { plies, is_shortest: false });
        let mate = |plies| position_analysis(&[("5a4a 5c4b", lost(plies))]).variations.remove(0);
        let others =
            [("5a6a", AnalysisScore::Centipawns(-2000)), ("5a5b", lost(4)), ("5a6b", lost(1))];
        let mut found = position_analysis(&others);
        found.adopt_opponent_mate(mate(2), 3);
        assert_eq!(
            found.variations,
            [mate(2), position_analysis(&others[2..]).variations.remove(0)]
        );
        let known = found.clone();
        found.adopt_opponent_mate(mate(8), 3);
        assert_eq!(found, known);
        for (line, score) in
            [("", AnalysisScore::Centipawns(0)), ("4a5b", AnalysisScore::Win(WinReason::Unproven))]
        {
            let mut over = position_analysis(&[(line, score)]);
            let before = over.clone();
            over.adopt_opponent_mate(mate(2), 3);
            assert_eq!(over, before);
        }
    }

    #[test]
    fn a_move_with_an_upper_bound_only_has_no_rank() {
        let mut found = position_analysis(&[("2g2f", AnalysisScore::Centipawns(50))]);
        let mut after = position_analysis(&[("3c3d", AnalysisScore::Centipawns(-90))]);
        // At least this score for the other side, so at most the negated score for this side.
        after.variations[0].estimate.bound = Bound::Lower;
        found.adopt_better_move("7g7f".parse().unwrap(), &after, 1);
        assert_eq!(found.best_move(), "2g2f".parse().ok());
    }
}
