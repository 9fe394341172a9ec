//! Branches: short lines that leave an existing game.
//!
//! Most positions that a search evaluates come after moves that nobody would play, so games do not
//! contain them. A branch begins with a random move instead of the one played and continues with a
//! few searched moves, which form a short game.

use std::ops::Range;
use std::sync::Arc;

use super::common_config::{CommonConfig, end_by_rules};
use super::config_error::{SelfplayConfigError, first_error};
use super::job::{GameFailure, GameJob, RunTarget};
use super::searcher::SelfplaySearcher;
use super::short_lines::{self, RULES, SEARCH_STREAM, outcome_by_score, unit_after};
use super::stop::StopState;
use crate::position::Position;
use crate::tools::game_file::{GameFileHeader, GameMove, GameSample, ScoredGame};
use crate::tools::referee::{GameEnd, GameEndReason, GameOutcome};
use crate::types::{Move, Random, Score};

/// Branches to play.
#[derive(Clone, Debug)]
pub struct BranchConfig {
    pub common: CommonConfig,
    /// The games that the branches leave.
    pub games: Arc<[ScoredGame]>,
    /// Identifies the games in the header.
    pub source: String,
    /// Percent of the searched positions from which a branch begins.
    pub share: u32,
    /// Searched moves in each branch.
    pub plies: u32,
    /// Maximum absolute score of a position at which a branch starts.
    pub max_score: Score,
}

/// The branches of one game are a unit.
impl GameJob for BranchConfig {
    type Worker<'a> = SelfplaySearcher<'a>;

    fn target(&self) -> RunTarget<'_> {
        self.common.target()
    }

    fn check(&self) -> Result<(), SelfplayConfigError> {
        self.common.check()?;
        first_error([
            (self.share > 100, SelfplayConfigError::Percent),
            (self.plies == 0, SelfplayConfigError::NoPlies),
        ])
    }

    fn header(&self, program: &str) -> GameFileHeader {
        let mut header = self.common.header("branch", program);
        header.set("source", &self.source);
        header.set("share", self.share);
        header.set("plies", self.plies);
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
        let count = |number| Ok(self.starts(number)?.len());
        unit_after(self.units(), games, "branches", count)
    }

    fn worker<'a>(&'a self, stop: &'a StopState<'a>) -> Result<SelfplaySearcher<'a>, String> {
        SelfplaySearcher::new(&self.common, stop).map_err(|error| error.to_string())
    }

    fn play_unit(
        &self,
        number: u64,
        searcher: &mut SelfplaySearcher<'_>,
    ) -> Result<Vec<ScoredGame>, GameFailure> {
        let starts = self.starts(number).map_err(GameFailure::Impossible)?;
        searcher.clear();
        let mut random = Random::of_part(self.common.seed, SEARCH_STREAM ^ number);
        starts.into_iter().map(|start| self.branch(start, searcher, &mut random)).collect()
    }
}

impl BranchConfig {
    /// The numbers of the games of this part.
    fn units(&self) -> Range<u64> {
        self.common.part.units(self.games.len() as u64)
    }

    /// The start positions of the branches of this game: those after the random moves.
    fn starts(&self, number: u64) -> Result<Vec<Position>, String> {
        let mut random = Random::of_part(self.common.seed, number);
        let game = &self.games[number as usize];
        short_lines::starts(game, self.share, self.max_score, &mut random, |sample, random| {
            let mut position = sample.position.clone();
            position.do_move(other_move(sample, random)?);
            Some(position)
        })
    }

    fn branch(
        &self,
        start: Position,
        searcher: &mut SelfplaySearcher<'_>,
        random: &mut Random,
    ) -> Result<ScoredGame, GameFailure> {
        let setup = start.setup();
        let (mut position, mut plies) = (start, Vec::new());
        let mut result =
            GameEnd { outcome: GameOutcome::Draw, ending: GameEndReason::Adjudication };
        for _ in 0..self.plies {
            if let Some(end) = end_by_rules(&position, &RULES) {
                result = end;
                break;
            }
            let best = searcher.search(&position, 1, random)?.moves.swap_remove(0);
            result.outcome = outcome_by_score(position.side_to_move(), best.score);
            plies.push(GameMove::searched(best.mv, best.score, true));
            position.do_move(best.mv);
        }
        Ok(ScoredGame { start: setup, plies, end: result })
    }
}

/// A random move other than the one that was played. Captures are excluded: mostly the recapture
/// follows, and an evaluation learns nothing from it. Drops are so numerous that half of the time only
/// board moves are drawn.
fn other_move(sample: &GameSample<'_>, random: &mut Random) -> Option<Move> {
    let position = sample.position;
    let mut moves: Vec<Move> = position.legal_moves().moves().collect();
    moves.retain(|&mv| mv != sample.mv() && !position.is_capture(mv));
    if random.percent(50) && moves.iter().any(|mv| !mv.is_drop()) {
        moves.retain(|mv| !mv.is_drop());
    }
    (!moves.is_empty()).then(|| moves[random.below(moves.len())])
}
