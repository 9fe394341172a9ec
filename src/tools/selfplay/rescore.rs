//! Games that were played quickly, some of their positions judged anew by longer searches.
//!
//! Most of what a game costs goes into searches that nothing is learned from: before captures, in
//! check, of positions that are like the one before. A few quiet positions of many games, searched
//! with many nodes, cost as much as a short search of each.

use std::sync::Arc;

use super::production::{ConfigError, NoGame, Production, Searcher, first_error};
use super::run::Portions;
use crate::tools::games::{Game, Head, IllegalGame, Ply, Replay, Sample, is_quiet};
use crate::tools::random::Random;

/// Games to be judged anew. Of each comes one with the same moves and the same end.
#[derive(Clone, Debug)]
pub struct RescoreConfig {
    pub production: Production,
    pub games: Arc<[Game]>,
    /// Says which games these are.
    pub source: String,
    /// How many of a hundred quiet positions are searched; all others lose their scores.
    pub share: u32,
}

/// A game is a portion.
impl Portions for RescoreConfig {
    fn production(&self) -> &Production {
        &self.production
    }

    fn check(&self) -> Result<(), ConfigError> {
        self.production.check()?;
        first_error([(self.share > 100, ConfigError::Percent)])
    }

    fn head(&self, program: &str) -> Head {
        let mut head = self.production.head("rescore", program);
        head.set("source", &self.source);
        head.set("share", self.share);
        head
    }

    fn count(&self) -> Option<u64> {
        Some(self.games.len() as u64)
    }

    fn after(&self, games: u64) -> Result<(u64, usize), String> {
        Ok((games, 0))
    }

    fn play(&self, number: u64, searcher: &mut Searcher<'_>) -> Result<Vec<Game>, NoGame> {
        let blame = |error: IllegalGame| NoGame::Impossible(format!("a game to judge: {error}"));
        searcher.forget();
        let mut random = Random::of_part(self.production.seed, number);
        let game = &self.games[number as usize];
        let mut plies = Vec::with_capacity(game.plies.len());
        let mut replay = Replay::new(game).map_err(blame)?;
        while let Some(sample) = replay.advance().map_err(blame)? {
            let is_chosen = is_learnable(&sample) && random.percent(self.share);
            let judged = if is_chosen { judge(&sample, searcher, &mut random)? } else { None };
            plies.push(judged.unwrap_or_else(|| unscored(game.plies[sample.ply])));
        }
        Ok(vec![Game { plies, ..game.clone() }])
    }
}

/// Whether its score says what an evaluation without a search should say, as far as one sees
/// without a search.
fn is_learnable(sample: &Sample<'_>) -> bool {
    sample.score().is_some() && sample.is_quiet() && !sample.is_in_check()
}

/// The move that was played with the score of a new search; `None` where that search would rather
/// take or promote, so that the position is not quiet.
fn judge(
    sample: &Sample<'_>,
    searcher: &mut Searcher<'_>,
    random: &mut Random,
) -> Result<Option<Ply>, NoGame> {
    let best = searcher.search(sample.position, 1, random)?.choices[0];
    let ply = Ply::searched(sample.mv(), best.score, best.mv == sample.mv());
    Ok(is_quiet(sample.position, best.mv).then_some(ply))
}

fn unscored(mut ply: Ply) -> Ply {
    ply.forget_score();
    ply
}
