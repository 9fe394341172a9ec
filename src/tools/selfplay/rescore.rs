//! Rescoring: some positions of fast games get scores from longer searches.
//!
//! Most searches of a game teach nothing: before captures, in check, of positions similar to the one
//! before. Long searches of a few quiet positions cost as much as short searches of all.

use std::ops::Range;
use std::sync::Arc;

use super::common_config::CommonConfig;
use super::config_error::{SelfplayConfigError, first_error};
use super::job::{GameFailure, GameJob, RunTarget};
use super::searcher::SelfplaySearcher;
use super::stop::StopState;
use crate::tools::game_file::{
    GameFileHeader, GameMove, GameSample, IllegalGame, Replay, ScoredGame, is_quiet,
};
use crate::types::Random;

/// Games to rescore. Moves and ends stay the same.
#[derive(Clone, Debug)]
pub struct RescoreConfig {
    pub common: CommonConfig,
    pub games: Arc<[ScoredGame]>,
    /// Identifies the games in the header.
    pub source: String,
    /// Percent of the quiet positions that are searched; all others lose their scores.
    pub share_percent: u32,
}

/// Games of a unit. Clearing the histories takes as long as a search of a few thousand nodes, so labelled
/// positions, games of one move each, share them.
const GAMES_PER_UNIT: u64 = 64;

impl RescoreConfig {
    /// The numbers of the units of this part.
    fn units(&self) -> Range<u64> {
        self.common.part.units((self.games.len() as u64).div_ceil(GAMES_PER_UNIT))
    }
}

/// A unit is 64 games in a row.
impl GameJob for RescoreConfig {
    type Worker<'a> = SelfplaySearcher<'a>;

    fn target(&self) -> RunTarget<'_> {
        self.common.target()
    }

    fn check(&self) -> Result<(), SelfplayConfigError> {
        self.common.check()?;
        first_error([(self.share_percent > 100, SelfplayConfigError::Percent)])
    }

    fn header(&self, program: &str) -> GameFileHeader {
        let mut header = self.common.header("rescore", program);
        header.set("source", &self.source);
        header.set("share", self.share_percent);
        header
    }

    fn end_unit(&self) -> Option<u64> {
        Some(self.units().end)
    }

    fn unit_after(&self, games: u64) -> Result<(u64, usize), String> {
        Ok((self.units().start + games / GAMES_PER_UNIT, (games % GAMES_PER_UNIT) as usize))
    }

    fn unit_name(&self, number: u64) -> String {
        let first = number * GAMES_PER_UNIT;
        let end = (first + GAMES_PER_UNIT).min(self.games.len() as u64);
        format!("games {first} to {}", end - 1)
    }

    fn worker<'a>(&'a self, stop: &'a StopState<'a>) -> Result<SelfplaySearcher<'a>, String> {
        SelfplaySearcher::new(&self.common, &self.common.network, stop)
            .map_err(|error| error.to_string())
    }

    fn play_unit(
        &self,
        number: u64,
        searcher: &mut SelfplaySearcher<'_>,
    ) -> Result<Vec<ScoredGame>, GameFailure> {
        searcher.clear();
        let mut random = Random::of_part(self.common.seed, number);
        let games = self.games.chunks(GAMES_PER_UNIT as usize).nth(number as usize);
        let games = games.unwrap_or_default();
        games.iter().map(|game| self.rescore_game(game, searcher, &mut random)).collect()
    }
}

impl RescoreConfig {
    /// The game with the scores of new searches of some positions, and no other scores.
    fn rescore_game(
        &self,
        game: &ScoredGame,
        searcher: &mut SelfplaySearcher<'_>,
        random: &mut Random,
    ) -> Result<ScoredGame, GameFailure> {
        let invalid =
            |error: IllegalGame| GameFailure::Impossible(format!("a game to rescore: {error}"));
        let mut plies = Vec::with_capacity(game.plies.len());
        let mut replay = Replay::new(game).map_err(invalid)?;
        while let Some(sample) = replay.advance().map_err(invalid)? {
            let is_chosen = sample.is_quiet_position() && random.percent(self.share_percent);
            let rescored =
                if is_chosen { rescore_sample(&sample, searcher, random)? } else { None };
            plies.push(rescored.unwrap_or_else(|| unscored(game.plies[sample.ply])));
        }
        Ok(ScoredGame { plies, ..game.clone() })
    }
}

/// The move that was played with the score of a new search; `None` if the best move of that search is
/// not quiet.
fn rescore_sample(
    sample: &GameSample<'_>,
    searcher: &mut SelfplaySearcher<'_>,
    random: &mut Random,
) -> Result<Option<GameMove>, GameFailure> {
    let best = searcher.search(sample.position, 1, random)?.moves.swap_remove(0);
    let ply = GameMove::searched(sample.mv(), best.score, best.mv == sample.mv());
    Ok(is_quiet(sample.position, best.mv).then_some(ply))
}

fn unscored(mut ply: GameMove) -> GameMove {
    ply.remove_score();
    ply
}
