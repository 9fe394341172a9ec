//! What was found out about positions.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use super::path::Place;
use super::worth::{Estimate, Means, Worth, behind};
use crate::search::request::Ending;
use crate::types::{Bound, Depth, Move};

/// A line from a position, and what the position is worth to the side to move if it plays so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    pub estimate: Estimate,
    /// Empty where the game is over, or to be won by declaration.
    pub moves: Vec<Move>,
    /// What stands at the end of the line, if the rules end it, or a repetition that they do not.
    pub ending: Option<Ending>,
    /// In plies; 0 for what needed no search.
    pub depth: Depth,
    pub selective_depth: usize,
    /// The mate solver has found it, so every move of the winner is check.
    pub is_solved: bool,
}

impl Default for Variation {
    fn default() -> Variation {
        Variation {
            estimate: Estimate::exact(Worth::Centipawns(0)),
            moves: Vec::new(),
            ending: None,
            depth: 0,
            selective_depth: 0,
            is_solved: false,
        }
    }
}

impl Variation {
    /// What is left of a mate behind its first move, as the other side sees it; `None` if this is no
    /// mate that begins with the move.
    pub(super) fn mate_behind(&self, mv: Move) -> Option<Variation> {
        let Worth::Won(Means::Mate { plies, is_shortest }) = self.estimate.worth else {
            return None;
        };
        let (&first, rest) = self.moves.split_first()?;
        // If it were shorter behind the move, so it would be before it.
        let mate = Means::Mate { plies: plies.saturating_sub(1), is_shortest };
        (first == mv).then(|| Variation {
            estimate: Estimate::exact(Worth::Lost(mate)),
            moves: rest.to_vec(),
            depth: (self.depth - 1).max(0),
            selective_depth: self.selective_depth.saturating_sub(1),
            ..self.clone()
        })
    }
}

/// What was found out about one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Best first, never empty, none with the first move of another.
    pub variations: Vec<Variation>,
    pub nodes: u64,
    pub elapsed: Duration,
}

impl Finding {
    /// What the position is worth, and why.
    pub fn best(&self) -> &Variation {
        &self.variations[0]
    }

    /// The best move; `None` where the game is over, or to be won by declaration.
    pub fn best_move(&self) -> Option<Move> {
        self.best().moves.first().copied()
    }

    /// Puts the best variations first, and keeps so many.
    pub(super) fn settle(&mut self, most: usize) {
        let rank = |variation: &Variation| Reverse(variation.estimate.worth.rank());
        self.variations.sort_by_key(rank);
        self.variations.truncate(most.max(1));
    }

    /// The variation that begins with a move, by what was found of the position after it.
    pub(super) fn through(mv: Move, after: &Finding) -> Variation {
        let best = after.best();
        Variation {
            estimate: best.estimate.of_the_move_before(),
            moves: behind(mv, &best.moves),
            depth: best.depth + 1,
            selective_depth: best.selective_depth + 1,
            ..best.clone()
        }
    }

    /// Takes up what was found of the position after a move, if it shows that the move is better
    /// than what was thought best: then that search has looked further.
    pub(super) fn learn(&mut self, mv: Move, after: &Finding, most: usize) {
        let variation = Finding::through(mv, after);
        let sure = variation.estimate.bound != Bound::Upper;
        if sure && variation.estimate.worth.rank() > self.best().estimate.worth.rank() {
            self.replace(variation, most);
        }
    }

    /// Takes up a mate that begins with the move before this position, where it was not seen or
    /// was thought to be longer. It holds against every reply, so what seemed to be better goes.
    pub(super) fn concede(&mut self, mate: Variation, most: usize) {
        let (best, rank) = (self.best(), mate.estimate.worth.rank());
        // What the rules say stands, and so does what the solver has found for the other side.
        let is_decided = best.moves.is_empty() || matches!(best.estimate.worth, Worth::Won(_));
        if is_decided || best.estimate.worth.rank() <= rank {
            return;
        }
        self.variations.retain(|known| known.estimate.worth.rank() <= rank);
        self.replace(mate, most);
    }

    /// Puts a variation in the place of that with the same first move.
    pub(super) fn replace(&mut self, variation: Variation, most: usize) {
        self.variations.retain(|other| other.moves.first() != variation.moves.first());
        self.variations.insert(0, variation);
        self.settle(most);
    }
}

/// What was found out about positions, by the position: however often and on whatever way one is
/// reached, it is worth the same.
#[derive(Clone, Debug, Default)]
pub struct Findings(HashMap<Place, Arc<Finding>>);

impl Findings {
    pub fn get(&self, place: &Place) -> Option<&Arc<Finding>> {
        self.0.get(place)
    }

    pub(super) fn put(&mut self, place: Place, finding: Finding) {
        self.0.insert(place, Arc::new(finding));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(variations: &[(&str, Worth)]) -> Finding {
        let variation = |&(line, worth): &(&str, Worth)| Variation {
            estimate: Estimate::exact(worth),
            moves: line.split_whitespace().map(|mv| mv.parse().unwrap()).collect(),
            depth: 8,
            ..Variation::default()
        };
        let variations = variations.iter().map(variation).collect();
        Finding { variations, nodes: 1, elapsed: Duration::ZERO }
    }

    #[test]
    fn a_move_that_proves_better_than_the_best_takes_its_place() {
        let mut found =
            finding(&[("2g2f 3c3d", Worth::Centipawns(50)), ("7g7f 8c8d", Worth::Centipawns(20))]);
        let before = found.clone();
        found.learn("7g7f".parse().unwrap(), &finding(&[("3c3d", Worth::Centipawns(-40))]), 2);
        assert_eq!(found, before);
        found.learn("7g7f".parse().unwrap(), &finding(&[("3c3d", Worth::Centipawns(-60))]), 2);
        let worths: Vec<Worth> =
            found.variations.iter().map(|variation| variation.estimate.worth).collect();
        assert_eq!(worths, [Worth::Centipawns(60), Worth::Centipawns(50)]);
        assert_eq!(found.best().moves, ["7g7f", "3c3d"].map(|mv| mv.parse().unwrap()));
        assert_eq!(found.best().depth, 9);
        // A mate takes its line along.
        let mate = Worth::Lost(Means::Mate { plies: 2, is_shortest: true });
        found.learn("1g1f".parse().unwrap(), &finding(&[("5a4a 5c4b", mate)]), 2);
        assert_eq!(found.best().moves.len(), 3);
        assert!(matches!(found.best().estimate.worth, Worth::Won(Means::Mate { plies: 3, .. })));
        assert_eq!(found.variations.len(), 2);
    }

    #[test]
    fn a_mate_by_the_move_before_drives_out_what_seems_to_hold_longer_but_no_rule() {
        let lost = |plies| Worth::Lost(Means::Mate { plies, is_shortest: false });
        let mate = |plies| finding(&[("5a4a 5c4b", lost(plies))]).variations.remove(0);
        let others = [("5a6a", Worth::Centipawns(-2000)), ("5a5b", lost(4)), ("5a6b", lost(1))];
        let mut found = finding(&others);
        found.concede(mate(2), 3);
        assert_eq!(found.variations, [mate(2), finding(&others[2..]).variations.remove(0)]);
        let known = found.clone();
        found.concede(mate(8), 3);
        assert_eq!(found, known);
        for (line, worth) in [("", Worth::Centipawns(0)), ("4a5b", Worth::Won(Means::Unshown))] {
            let mut over = finding(&[(line, worth)]);
            let before = over.clone();
            over.concede(mate(2), 3);
            assert_eq!(over, before);
        }
    }

    #[test]
    fn what_is_only_known_to_be_less_takes_no_place() {
        let mut found = finding(&[("2g2f", Worth::Centipawns(50))]);
        let mut after = finding(&[("3c3d", Worth::Centipawns(-90))]);
        // At least so much for the other side, so at most so much for this one.
        after.variations[0].estimate.bound = Bound::Lower;
        found.learn("7g7f".parse().unwrap(), &after, 1);
        assert_eq!(found.best_move(), "2g2f".parse().ok());
    }
}
