//! Makes the analyses of a position and of the one after the played move agree.

use std::sync::atomic::AtomicBool;

use super::analysis_score::AnalysisScore;
use super::analyzer::{AnalysisError, AnalysisLimit, Analyzer};
use super::line_cursor::PositionKey;
use super::position_analysis::{PositionAnalysis, Variation};
use super::win_rate::win_rate;
use crate::position::Position;
use crate::types::{Bound, Move};

/// A smaller fall of the win rate through the best move is tolerated. It is below the loss of the
/// lowest grade.
const TOLERATED_FALL: f64 = 0.02;

/// The fall of the win rate through the played move `mv` although it is the best move: the analysis
/// after it disagrees with the one before.
pub(super) fn best_move_fall(
    mv: Move,
    before: &PositionAnalysis,
    after: &PositionAnalysis,
) -> Option<f64> {
    let played = Variation::through(mv, after).estimate;
    let best = before.best().estimate.score;
    let falls = before.best_move() == Some(mv)
        && played.bound != Bound::Lower
        && played.score.rank() < best.rank();
    falls.then(|| win_rate(best) - win_rate(played.score))
}

/// Whether the fall is too large to be adopted without a search of the other moves.
pub(super) fn is_disagreement(fall: f64) -> bool {
    fall >= TOLERATED_FALL
}

/// A position, the played move, and the limits of a search of the other moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct PropagationStep<'a> {
    pub(super) position: &'a Position,
    pub(super) mv: Move,
    pub(super) limit: AnalysisLimit,
    pub(super) stop: &'a AtomicBool,
}

impl Analyzer {
    /// Updates the result of a position with the result after the played move.
    pub(super) fn update_from_next(
        &mut self,
        step: PropagationStep<'_>,
        after: &PositionKey,
        found: &mut PositionAnalysis,
    ) -> Result<(), AnalysisError> {
        let mv = step.mv;
        let Some(after) = self.results.get(after).cloned() else { return Ok(()) };
        found.adopt_better_move(mv, &after, self.config.options.multi_pv);
        let played = Variation::through(mv, &after);
        let is_refuted = matches!(played.estimate.score, AnalysisScore::Loss(_))
            && !found.best().estimate.score.is_decided()
            && found.best_move() == Some(mv);
        if is_refuted {
            // The best move so far loses by force: another move is best, or all moves lose.
            self.compare_with_others(step, &after, found)?;
        }
        Ok(())
    }

    /// Adopts a lower score from the analysis after the best move. If it is much lower, the other moves are
    /// searched, because one of them may be better now.
    pub(super) fn adopt_lower_score(
        &mut self,
        step: PropagationStep<'_>,
        after: &PositionKey,
        found: &mut PositionAnalysis,
    ) -> Result<(), AnalysisError> {
        let mv = step.mv;
        let Some(after) = self.results.get(after).cloned() else { return Ok(()) };
        match best_move_fall(mv, found, &after) {
            None => Ok(()),
            Some(fall) if is_disagreement(fall) => self.compare_with_others(step, &after, found),
            Some(_) => {
                found.replace(Variation::through(mv, &after), self.config.options.multi_pv);
                Ok(())
            }
        }
    }

    /// Adopts the result after the played move, and searches the other moves if none is known.
    fn compare_with_others(
        &mut self,
        step: PropagationStep<'_>,
        after: &PositionAnalysis,
        found: &mut PositionAnalysis,
    ) -> Result<(), AnalysisError> {
        let PropagationStep { position, mv, limit, stop } = step;
        found.variations.retain(|other| other.moves.first() != Some(&mv));
        if found.variations.is_empty()
            && let Some(others) = self.search_other_moves(limit, position, mv, stop)?
        {
            found.nodes += others.nodes;
            found.elapsed += others.elapsed;
            found.variations = others.variations;
        }
        found.variations.push(Variation::through(mv, after));
        found.sort_and_truncate(self.config.options.multi_pv);
        Ok(())
    }

    /// Propagates a mate that begins with the played move to the next position, where the solver searches for
    /// the other side, and the search did not find the mate.
    pub(super) fn propagate_mate(
        &mut self,
        mv: Move,
        found: &PositionAnalysis,
        after: &PositionKey,
    ) {
        let (mate, known) = (found.best().mate_after(mv), self.results.get(after));
        let Some((mate, known)) = mate.zip(known) else { return };
        let mut known = PositionAnalysis::clone(known);
        known.adopt_opponent_mate(mate, self.config.options.multi_pv);
        self.results.insert(after.clone(), known);
    }
}
