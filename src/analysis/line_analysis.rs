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
use super::analyzer::{AnalysisError, Analyzer};
use super::budget::{Budget, FIRST_SHARE, SECOND_SHARE};
use super::line_cursor::{Branch, LineCursor};
use super::line_review::{Grade, MoveLoss};
use super::position_analysis::PositionAnalysis;
use super::score_propagation::{PropagationStep, best_move_fall, is_disagreement};
use crate::record::GameRecord;
use crate::types::Color;

/// Maximum number of rounds: a second analysis may make another move doubtful, which the next round finds.
const MAX_ROUNDS: usize = 4;

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
            Some(branch) => LineCursor::of_branch(self.game, branch),
            None => LineCursor::new(self.game),
        }
    }

    /// The ply of the first position that is not also in another line.
    fn first_own_ply(&self) -> usize {
        self.branch.map_or(0, |branch| branch.ply + 1)
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
        let mut has_deepened = self.deepen_doubtful(line, &mut budget, on_position)?;
        for _ in 1..MAX_ROUNDS {
            if !has_deepened {
                break;
            }
            has_deepened = self.deepen_doubtful(line, &mut budget, &mut |_| {})?;
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
        let limit = self.config.limit.scaled(FIRST_SHARE);
        let mut cursor = line.cursor();
        loop {
            let is_new = self.results.get(cursor.key(cursor.ply())).is_none();
            if is_new {
                let found = self.analyze_within(limit, cursor.position(), line.stop)?;
                budget.add_first(&found);
                self.results.insert(cursor.key(cursor.ply()).clone(), found);
            }
            self.reconcile_neighbors(&cursor, FIRST_SHARE, budget, line.stop)?;
            if cursor.ply() >= line.first_own_ply() {
                on_position(is_new);
            }
            if !cursor.step_back() {
                return Ok(());
            }
        }
    }

    /// Updates the result at the cursor by the result after the played move, and vice versa. If that needs a search of
    /// other moves, it gets this share of the limit.
    fn reconcile_neighbors(
        &mut self,
        cursor: &LineCursor,
        share: f64,
        budget: &mut Budget,
        stop: &AtomicBool,
    ) -> Result<(), AnalysisError> {
        let ply = cursor.ply();
        let Some(&(_, mv)) = cursor.moves().get(ply) else { return Ok(()) };
        let Some(known) = self.results.get(cursor.key(ply)).cloned() else { return Ok(()) };
        let mut found = PositionAnalysis::clone(&known);
        let after = cursor.key(ply + 1);
        let limit = self.config.limit.scaled(share);
        let step = PropagationStep { position: cursor.position(), mv, limit, stop };
        self.update_from_next(step, after, &mut found)?;
        budget.spend(found.nodes - known.nodes, found.elapsed - known.elapsed);
        self.propagate_mate(mv, &found, after);
        self.results.insert(cursor.key(ply).clone(), found);
        Ok(())
    }

    /// Analyses the positions around doubtful moves again. Returns whether there were any.
    fn deepen_doubtful(
        &mut self,
        line: &Line<'_>,
        budget: &mut Budget,
        on_position: &mut dyn FnMut(bool),
    ) -> Result<bool, AnalysisError> {
        let mut cursor = line.cursor();
        let mut has_deepened = false;
        loop {
            self.reconcile_neighbors(&cursor, budget.affordable_share(), budget, line.stop)?;
            let mut is_deepened = false;
            if self.is_doubtful(&cursor) {
                cursor.step_forward();
                is_deepened |= self.deepen(&cursor, budget, line.stop)?;
                cursor.step_back();
                is_deepened |= self.deepen(&cursor, budget, line.stop)?;
            }
            has_deepened |= is_deepened;
            if cursor.ply() >= line.first_own_ply() {
                on_position(is_deepened);
            }
            if !cursor.step_back() {
                return Ok(has_deepened);
            }
        }
    }

    /// Whether the move played at the cursor would be graded, or its score falls although it is the best.
    fn is_doubtful(&self, cursor: &LineCursor) -> bool {
        let ply = cursor.ply();
        let Some(&(_, mv)) = cursor.moves().get(ply) else { return false };
        let results = [ply, ply + 1].map(|ply| self.results.get(cursor.key(ply)));
        let [Some(before), Some(after)] = results else { return false };
        Grade::of(MoveLoss::of(mv, before, after).win_rate).is_some()
            || best_move_fall(mv, before, after).is_some_and(is_disagreement)
    }

    /// Analyses the position at the cursor with more nodes, unless that was done before or the position is
    /// decided.
    fn deepen(
        &mut self,
        cursor: &LineCursor,
        budget: &mut Budget,
        stop: &AtomicBool,
    ) -> Result<bool, AnalysisError> {
        let key = cursor.key(cursor.ply());
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
        let limit = self.config.limit.scaled(SECOND_SHARE);
        let mut found = self.analyze_within(limit, cursor.position(), stop)?;
        budget.spend(found.nodes, found.elapsed);
        found.nodes += known.nodes;
        found.elapsed += known.elapsed;
        self.results.insert(key.clone(), found);
        self.deepened.insert(key.clone());
        self.reconcile_neighbors(cursor, budget.affordable_share(), budget, stop)?;
        Ok(true)
    }

    /// Propagates scores backwards through the line, so that the best move keeps its score in the next
    /// position.
    fn propagate_scores(
        &mut self,
        line: &Line<'_>,
        budget: &mut Budget,
    ) -> Result<(), AnalysisError> {
        let mut cursor = line.cursor();
        while cursor.step_back() {
            let ply = cursor.ply();
            let mv = cursor.moves()[ply].1;
            let [key, after] = [ply, ply + 1].map(|ply| cursor.key(ply).clone());
            let share = budget.affordable_share();
            self.reconcile_neighbors(&cursor, share, budget, line.stop)?;
            let Some(known) = self.results.get(&key).cloned() else { continue };
            let mut found = PositionAnalysis::clone(&known);
            let limit = self.config.limit.scaled(share);
            let step = PropagationStep { position: cursor.position(), mv, limit, stop: line.stop };
            self.adopt_lower_score(step, &after, &mut found)?;
            budget.spend(found.nodes - known.nodes, found.elapsed - known.elapsed);
            self.results.insert(key, found);
        }
        Ok(())
    }

    /// Follows each proven mate through the line: while the winner keeps to it, no later position may have a
    /// longer one.
    fn shorten_mates(&mut self, line: &Line<'_>) {
        let mut cursor = line.cursor();
        while cursor.step_back() {}
        // The winner, and an upper bound of the plies to the mate.
        let mut mate: Option<(Color, u32)> = None;
        loop {
            let ply = cursor.ply();
            let side = cursor.position().side_to_move();
            let Some(known) = self.results.get(cursor.key(ply)).cloned() else { return };
            let bound = mate.filter(|&(winner, _)| winner == side).map(|(_, plies)| plies);
            let mut known = PositionAnalysis::clone(&known);
            if let Some(plies) = bound
                && known.best().plies_to_win().is_none_or(|known| known > plies)
                && let Some(found) = self.solve_within(cursor.position(), plies, line.stop)
            {
                known.replace(found, self.config.options.multi_pv);
                self.results.insert(cursor.key(ply).clone(), known.clone());
            }
            let Some(&(_, mv)) = cursor.moves().get(ply) else { return };
            let after_mv = known.best().mate_after(mv).and_then(|rest| rest.plies_to_loss());
            let before_mv = known.best().plies_to_loss();
            mate = match (after_mv, before_mv) {
                (Some(plies), _) => Some((side, plies)),
                (None, Some(plies)) => Some((!side, plies.saturating_sub(1))),
                (None, None) => None,
            };
            cursor.step_forward();
        }
    }
}
