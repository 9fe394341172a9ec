//! The part of the search limits of a game that is not used up yet.

use std::time::Duration;

use super::analyzer::{AnalysisLimit, SOLVER_DIVISOR};
use super::position_analysis::PositionAnalysis;

/// The share of the limit for the first analysis of each position.
pub(super) const FIRST_SHARE: f64 = 1.0 / 3.0;
/// The share for the second analysis of doubtful positions: four times as much.
pub(super) const SECOND_SHARE: f64 = 4.0 * FIRST_SHARE;

/// Sums the limits of the positions, less what is spent.
#[derive(Debug)]
pub(super) struct Budget {
    limit: AnalysisLimit,
    /// In units of the limit of one position.
    remaining: f64,
}

impl Budget {
    pub(super) fn new(limit: AnalysisLimit) -> Budget {
        Budget { limit, remaining: 0.0 }
    }

    /// Counts the first analysis of a position. An analysis that the rules or the solver ended saves nothing,
    /// because the whole limit would have taken no longer.
    pub(super) fn add_first(&mut self, found: &PositionAnalysis) {
        let has_ended_early = found.best_move().is_none() || found.best().is_solved;
        if !has_ended_early {
            let spent = self.share(found.nodes, found.elapsed);
            self.remaining += spent / FIRST_SHARE - spent;
        }
    }

    /// Counts the nodes and the time of any other search.
    pub(super) fn spend(&mut self, nodes: u64, elapsed: Duration) {
        self.remaining -= self.share(nodes, elapsed);
    }

    /// Whether enough remains for a second analysis. A limit by depth saves nothing that could be spent.
    pub(super) fn allows_second(&self) -> bool {
        !matches!(self.limit, AnalysisLimit::Depth(_)) && self.remaining >= SECOND_SHARE
    }

    /// The share for another search of a position.
    pub(super) fn affordable_share(&self) -> f64 {
        if self.allows_second() { SECOND_SHARE } else { FIRST_SHARE }
    }

    /// The share of the limit that these nodes or this time use.
    fn share(&self, nodes: u64, elapsed: Duration) -> f64 {
        match self.limit {
            AnalysisLimit::Time(time) => elapsed.as_secs_f64() / time.as_secs_f64().max(1e-3),
            AnalysisLimit::Nodes(limit) => {
                let with_solver = 1.0 + 1.0 / f64::from(SOLVER_DIVISOR);
                nodes as f64 / (with_solver * limit as f64)
            }
            AnalysisLimit::Depth(_) => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Variation;

    fn analysis(nodes: u64, ms: u64) -> PositionAnalysis {
        let elapsed = Duration::from_millis(ms);
        let line = Variation { moves: vec!["7g7f".parse().unwrap()], ..Variation::default() };
        PositionAnalysis { variations: vec![line], nodes, elapsed }
    }

    #[test]
    fn second_analyses_use_only_the_nodes_that_first_ones_left() {
        let nodes = AnalysisLimit::Nodes(1200);
        let time = AnalysisLimit::Time(Duration::from_millis(1500));
        for limit in [nodes, time] {
            let mut budget = Budget::new(limit);
            budget.add_first(&analysis(500, 500));
            assert!(!budget.allows_second(), "{budget:?}");
            budget.add_first(&analysis(500, 500));
            assert!(budget.allows_second(), "{budget:?}");
            // A solved position saves nothing.
            let mut solved = analysis(500, 500);
            solved.variations[0].is_solved = true;
            budget.add_first(&solved);
            budget.spend(2000, Duration::from_millis(2000));
            assert!(!budget.allows_second() && budget.remaining.abs() < 1e-9, "{budget:?}");
        }
        let mut budget = Budget::new(AnalysisLimit::Depth(9));
        (0..9).for_each(|_| budget.add_first(&analysis(1, 1)));
        assert!(!budget.allows_second());
    }
}
