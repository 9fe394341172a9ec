//! Analyses the positions of a line, and searches the doubtful ones again.
//!
//! A game is analysed from its end to its start. So the transposition table already holds the results after
//! the played move: scores hardly jump from move to move, and the loss of a move is the difference of two
//! consistent scores. In the other direction every surprise would appear one move too late, as a mistake of
//! the wrong side.
//!
//! Each position first gets a third of its limit. The rest is for the positions before and after a doubtful
//! move (one that would be graded, or whose score falls although it is the best): they are analysed again
//! with four times as much.

use std::sync::atomic::AtomicBool;

use super::analysis_score::{AnalysisScore, WinReason};
use super::analyzer::{AnalysisError, AnalysisLimit, Analyzer};
use super::budget::{Budget, FIRST_SHARE, SECOND_SHARE};
use super::line_cursor::{Branch, LineCursor};
use super::line_review::{Grade, MoveLoss};
use super::position_analysis::PositionAnalysis;
use super::score_propagation::{PropagationStep, is_disagreement, unexplained_loss};
use crate::record::GameRecord;
use crate::types::Color;

/// Maximum number of rounds: a second analysis may make another move doubtful, which the next round finds.
const ROUNDS: usize = 4;

/// A line to analyse.
struct Line<'a> {
    game: &'a GameRecord,
    branch: Option<&'a Branch>,
    stop: &'a AtomicBool,
}

impl Line<'_> {
    /// A cursor at its end.
    fn cursor(&self) -> LineCursor {
        match self.branch {
            Some(branch) => LineCursor::through(self.game, branch),
            None => LineCursor::new(self.game),
        }
    }

    /// The number of moves before the first position that is not also in another line.
    fn first(&self) -> usize {
        self.branch.map_or(0, |branch| branch.after + 1)
    }
}

impl Analyzer {
    /// Analyses the positions of the main line, the last one first. Calls `on_position` twice for each: after
    /// its first analysis, and after the second pass, with whether the position was analysed again. Positions
    /// that were analysed before, in any game, are not searched again.
    ///
    /// # Errors
    /// If the analysis was stopped, or the search failed. Earlier results are kept.
    pub fn analyze_game(
        &mut self,
        game: &GameRecord,
        stop: &AtomicBool,
        on_position: &mut dyn FnMut(bool),
    ) -> Result<(), AnalysisError> {
        // The results must not depend on earlier games.
        self.pool.clear();
        self.analyze_line(&Line { game, branch: None, stop }, on_position)
    }

    /// Analyses the positions of a branch in the same way, and updates the positions before it. The main
    /// line must have been analysed. Calls `on_position` for the positions of the branch only.
    ///
    /// # Errors
    /// As [`analyze_game`](Self::analyze_game).
    pub fn analyze_branch(
        &mut self,
        game: &GameRecord,
        branch: &Branch,
        stop: &AtomicBool,
        on_position: &mut dyn FnMut(bool),
    ) -> Result<(), AnalysisError> {
        self.analyze_line(&Line { game, branch: Some(branch), stop }, on_position)
    }

    fn analyze_line(
        &mut self,
        line: &Line<'_>,
        on_position: &mut dyn FnMut(bool),
    ) -> Result<(), AnalysisError> {
        let mut budget = Budget::new(self.config.limit);
        self.first_pass(line, &mut budget, on_position)?;
        let mut continues = self.deepen_doubtful(line, &mut budget, on_position)?;
        for _ in 1..ROUNDS {
            continues = continues && self.deepen_doubtful(line, &mut budget, &mut |_| {})?;
        }
        self.propagate_scores(line, &mut budget)?;
        self.shorten_mates(line);
        Ok(())
    }

    /// Analyses every position for the first time, from the end to the start.
    fn first_pass(
        &mut self,
        line: &Line<'_>,
        budget: &mut Budget,
        on_position: &mut dyn FnMut(bool),
    ) -> Result<(), AnalysisError> {
        let limit = self.config.limit.part(FIRST_SHARE);
        let mut path = line.cursor();
        loop {
            let is_new = self.results.get(path.key(path.made())).is_none();
            if is_new {
                let found = self.analyze_within(limit, path.position(), line.stop)?;
                budget.first(&found);
                self.results.put(path.key(path.made()).clone(), found);
            }
            self.reconcile_neighbors(&path, limit, line.stop)?;
            if path.made() >= line.first() {
                on_position(is_new);
            }
            if !path.step_back() {
                return Ok(());
            }
        }
    }

    /// Updates the result at the cursor by the result after the played move, and vice versa.
    fn reconcile_neighbors(
        &mut self,
        path: &LineCursor,
        limit: AnalysisLimit,
        stop: &AtomicBool,
    ) -> Result<(), AnalysisError> {
        let made = path.made();
        let Some(&(_, mv)) = path.moves().get(made) else { return Ok(()) };
        let Some(found) = self.results.get(path.key(made)) else { return Ok(()) };
        let mut found = PositionAnalysis::clone(found);
        let after = path.key(made + 1);
        let step = PropagationStep { position: path.position(), mv, limit, stop };
        self.update_from_next(step, after, &mut found)?;
        self.propagate_mate(mv, &found, after);
        self.results.put(path.key(made).clone(), found);
        Ok(())
    }

    /// Analyses the positions around doubtful moves again. Returns whether there were any.
    fn deepen_doubtful(
        &mut self,
        line: &Line<'_>,
        budget: &mut Budget,
        on_position: &mut dyn FnMut(bool),
    ) -> Result<bool, AnalysisError> {
        let limit = self.config.limit.part(SECOND_SHARE);
        let mut path = line.cursor();
        let mut has_worked = false;
        loop {
            self.reconcile_neighbors(&path, limit, line.stop)?;
            let mut worked = false;
            if self.is_doubtful(&path) {
                path.step_forward();
                worked |= self.deepen(&path, budget, line.stop)?;
                path.step_back();
                worked |= self.deepen(&path, budget, line.stop)?;
            }
            has_worked |= worked;
            if path.made() >= line.first() {
                on_position(worked);
            }
            if !path.step_back() {
                return Ok(has_worked);
            }
        }
    }

    /// Whether the move played at the cursor would be graded, or its score falls although it is the best.
    fn is_doubtful(&self, path: &LineCursor) -> bool {
        let made = path.made();
        let Some(&(_, mv)) = path.moves().get(made) else { return false };
        let results = [made, made + 1].map(|made| self.results.get(path.key(made)));
        let [Some(before), Some(after)] = results else { return false };
        Grade::of(MoveLoss::of(mv, before, after).chance).is_some()
            || unexplained_loss(mv, before, after).is_some_and(is_disagreement)
    }

    /// Analyses the position at the cursor with more nodes, unless that was done before or the position is
    /// decided.
    fn deepen(
        &mut self,
        path: &LineCursor,
        budget: &mut Budget,
        stop: &AtomicBool,
    ) -> Result<bool, AnalysisError> {
        let key = path.key(path.made());
        let Some(known) = self.results.get(key).cloned() else { return Ok(false) };
        let is_certain = known.best_move().is_none()
            || known.best().estimate.score.is_decided()
                && !matches!(
                    known.best().estimate.score,
                    AnalysisScore::Win(WinReason::Unproven)
                        | AnalysisScore::Loss(WinReason::Unproven)
                );
        if is_certain || self.deepened.contains(key) || !budget.allows_second() {
            return Ok(false);
        }
        let limit = self.config.limit.part(SECOND_SHARE);
        let mut found = self.analyze_within(limit, path.position(), stop)?;
        budget.spend(&found);
        found.nodes += known.nodes;
        found.elapsed += known.elapsed;
        self.results.put(key.clone(), found);
        self.deepened.insert(key.clone());
        self.reconcile_neighbors(path, limit, stop)?;
        Ok(true)
    }

    /// Propagates scores backwards through the line, so that the best move keeps its score in the next
    /// position.
    fn propagate_scores(
        &mut self,
        line: &Line<'_>,
        budget: &mut Budget,
    ) -> Result<(), AnalysisError> {
        let mut path = line.cursor();
        while path.step_back() {
            let made = path.made();
            let mv = path.moves()[made].1;
            let [key, after] = [made, made + 1].map(|made| path.key(made).clone());
            let share = if budget.allows_second() { SECOND_SHARE } else { FIRST_SHARE };
            let limit = self.config.limit.part(share);
            self.reconcile_neighbors(&path, limit, line.stop)?;
            let Some(known) = self.results.get(&key).cloned() else { continue };
            let mut found = PositionAnalysis::clone(&known);
            let step = PropagationStep { position: path.position(), mv, limit, stop: line.stop };
            self.adopt_lower_score(step, &after, &mut found)?;
            let spent = PositionAnalysis {
                nodes: found.nodes - known.nodes,
                elapsed: found.elapsed - known.elapsed,
                variations: Vec::new(),
            };
            budget.spend(&spent);
            self.results.put(key, found);
        }
        Ok(())
    }

    /// Follows each proven mate through the line: while the winner keeps to it, no later position may have a
    /// longer one.
    fn shorten_mates(&mut self, line: &Line<'_>) {
        let mut path = line.cursor();
        while path.step_back() {}
        // The winner, and the most plies to the mate.
        let mut mate: Option<(Color, u32)> = None;
        loop {
            let made = path.made();
            let side = path.position().side_to_move();
            let Some(known) = self.results.get(path.key(made)).cloned() else { return };
            let bound = mate.filter(|&(winner, _)| winner == side).map(|(_, plies)| plies);
            let mut known = PositionAnalysis::clone(&known);
            if let Some(plies) = bound
                && known.best().plies_to_win().is_none_or(|longer| longer > plies)
                && let Some(found) = self.solve_within(path.position(), plies, line.stop)
            {
                known.replace(found, self.config.options.multi_pv);
                self.results.put(path.key(made).clone(), known.clone());
            }
            let Some(&(_, mv)) = path.moves().get(made) else { return };
            let keeps = known.best().mate_after(mv).and_then(|rest| rest.plies_to_loss());
            let loses = known.best().plies_to_loss();
            mate = match (keeps, loses) {
                (Some(plies), _) => Some((side, plies)),
                (None, Some(plies)) => Some((!side, plies.saturating_sub(1))),
                (None, None) => None,
            };
            path.step_forward();
        }
    }
}
