//! Ends of principal variations: the positions whose evaluations decide what a search plays.
//!
//! A search prefers the lines that its network overestimates, so a network should learn from the ends of
//! its own lines (S. Ross and others, "A Reduction of Imitation Learning and Structured Prediction to
//! No-Regret Online Learning", 2011).

use std::ops::Range;
use std::sync::Arc;

use super::common_config::{CommonConfig, end_by_rules};
use super::config_error::{SelfplayConfigError, first_error};
use super::job::{GameFailure, GameJob, RunTarget};
use super::searcher::SelfplaySearcher;
use super::short_lines::{RULES, SEARCH_STREAM, outcome_by_score, starts, unit_after};
use super::stop::StopState;
use crate::position::Position;
use crate::tools::game_file::{GameFileHeader, GameMove, ScoredGame};
use crate::tools::referee::{GameEnd, GameEndReason, GameOutcome};
use crate::types::{Move, Random, Score};

/// A job that searches some positions of `games` and writes the lines that it finds as games. Only the
/// position at the end of a line has a score, from a short search.
#[derive(Clone, Debug)]
pub struct LeavesConfig {
    pub common: CommonConfig,
    pub games: Arc<[ScoredGame]>,
    /// Identifies the games in the header.
    pub source: String,
    /// Percent of the scored positions that are searched.
    pub share: u32,
    /// Principal variations of each search.
    pub lines: usize,
    /// Nodes of the search at the end of a line.
    pub leaf_nodes: u64,
    /// Maximum absolute score of a position that is searched.
    pub max_score: Score,
}

const MAX_LINES: usize = 64;

/// The lines of the positions of one game are a unit.
impl GameJob for LeavesConfig {
    type Worker<'a> = SelfplaySearcher<'a>;

    fn target(&self) -> RunTarget<'_> {
        self.common.target()
    }

    fn check(&self) -> Result<(), SelfplayConfigError> {
        self.common.check()?;
        first_error([
            (self.share > 100, SelfplayConfigError::Percent),
            (!(1..=MAX_LINES).contains(&self.lines), SelfplayConfigError::NoLines),
            (self.leaf_nodes == 0, SelfplayConfigError::NoNodes),
        ])
    }

    fn header(&self, program: &str) -> GameFileHeader {
        let mut header = self.common.header("leaves", program);
        header.set("source", &self.source);
        header.set("share", self.share);
        header.set("lines", self.lines);
        header.set("leaf nodes", self.leaf_nodes);
        header.set("most score", self.max_score.0);
        header
    }

    fn first_unit(&self) -> u64 {
        self.units().start
    }

    fn end_unit(&self) -> Option<u64> {
        Some(self.units().end)
    }

    fn unit_after(&self, games: u64) -> Result<(u64, usize), String> {
        let count = |number| Ok(self.roots(number)?.len() * self.lines);
        unit_after(self.units(), games, "lines", count)
    }

    fn worker<'a>(&'a self, stop: &'a StopState<'a>) -> Result<SelfplaySearcher<'a>, String> {
        SelfplaySearcher::new(&self.common, stop).map_err(|error| error.to_string())
    }

    fn play_unit(
        &self,
        number: u64,
        searcher: &mut SelfplaySearcher<'_>,
    ) -> Result<Vec<ScoredGame>, GameFailure> {
        let roots = self.roots(number).map_err(GameFailure::Impossible)?;
        searcher.clear();
        let mut random = Random::of_part(self.common.seed, SEARCH_STREAM ^ number);
        let mut games = Vec::with_capacity(roots.len() * self.lines);
        for root in roots {
            let found = searcher.search(&root, self.lines, &mut random)?;
            for rank in 0..self.lines {
                let line = found.moves.get(rank).map_or(&[][..], |ranked| &ranked.pv);
                games.push(self.leaf(&root, line, searcher)?);
            }
        }
        Ok(games)
    }
}

impl LeavesConfig {
    /// The numbers of the games of this part.
    fn units(&self) -> Range<u64> {
        self.common.part.units(self.games.len() as u64)
    }

    /// The positions of this game that are searched.
    fn roots(&self, number: u64) -> Result<Vec<Position>, String> {
        let mut random = Random::of_part(self.common.seed, number);
        let game = &self.games[number as usize];
        starts(game, self.share, self.max_score, &mut random, |sample, _| {
            Some(sample.position.clone())
        })
    }

    /// The game of a line: its moves without scores, and the best move at its end with a score. A line
    /// that ends the game has no score at all.
    fn leaf(
        &self,
        root: &Position,
        line: &[Move],
        searcher: &mut SelfplaySearcher<'_>,
    ) -> Result<ScoredGame, GameFailure> {
        let (mut position, mut plies) = (root.clone(), Vec::new());
        let mut end = GameEnd { outcome: GameOutcome::Draw, ending: GameEndReason::Adjudication };
        for &mv in line {
            plies.push(GameMove::unsearched(mv));
            position.do_move(mv);
        }
        if let Some(by_rules) = end_by_rules(&position, &RULES) {
            end = by_rules;
        } else if !line.is_empty() {
            let best = searcher.search_nodes(&position, 1, self.leaf_nodes)?.moves.swap_remove(0);
            end.outcome = outcome_by_score(position.side_to_move(), best.score);
            plies.push(GameMove::searched(best.mv, best.score, true));
        }
        Ok(ScoredGame { start: root.setup(), plies, end })
    }
}
