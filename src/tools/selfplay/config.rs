//! Whole games that are to be played, as plain values.

use super::adjudicator::{DrawRule, WinRule};
use super::production::{ConfigError, NoGame, Production, Searcher, first_error};
use super::run::Portions;
use super::start::{Scatter, Starts};
use super::table::Table;
use crate::tools::fingerprint;
use crate::tools::games::{Game, Head};
use crate::types::Score;

/// Games to be played.
#[derive(Clone, Debug)]
pub struct Config {
    pub production: Production,
    /// End after so many games, those counted that are in the file already.
    pub games: Option<u64>,
    pub starts: Starts,
    /// A start is drawn anew if a search sees a side ahead by more than this before or right after
    /// its random moves.
    pub balance: Option<Score>,
    pub choosing: Option<Choosing>,
    pub win: Option<WinRule>,
    pub draw: Option<DrawRule>,
    /// Percent of the games that no adjudicator ends.
    pub play_on: u32,
    /// Drawn after so many moves, the start's included.
    pub max_moves: u32,
}

/// Early in a game the move is drawn among several that are nearly as good as the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choosing {
    /// Among so many at most.
    pub lines: usize,
    /// That are worse by no more than this.
    pub margin: Score,
    /// In so many plies after the start and its random moves.
    pub plies: usize,
}

/// Every game is a portion of its own.
impl Portions for Config {
    fn production(&self) -> &Production {
        &self.production
    }

    fn check(&self) -> Result<(), ConfigError> {
        self.production.check()?;
        let Starts { openings, usual, behind_opening, .. } = &self.starts;
        let is_whole_game = |ply, random: &Scatter| ply + random.within >= self.max_moves;
        let long = openings.iter().find(|it| is_whole_game(it.position().ply(), behind_opening));
        if let Some(opening) = long {
            return Err(ConfigError::LongOpening(opening.line));
        }
        first_error([
            (self.games.is_none() && self.production.positions.is_none(), ConfigError::Endless),
            ([self.starts.share, self.play_on].iter().any(|&p| p > 100), ConfigError::Percent),
            (self.win.is_some_and(|rule| rule.plies < 2), ConfigError::WinPlies),
            (self.draw.is_some_and(|rule| rule.plies == 0), ConfigError::DrawPlies),
            (is_whole_game(1, usual), ConfigError::LongStart),
        ])
    }

    fn head(&self, program: &str) -> Head {
        let mut head = self.production.head("generate", program);
        let starts = &self.starts;
        if !starts.openings.is_empty() {
            let count = starts.openings.len();
            let mark = fingerprint::of_texts(starts.openings.iter());
            head.set("openings", format!("{count} {mark}"));
            head.set("openings share", starts.share);
            head.set("random plies behind openings", starts.behind_opening);
        }
        head.set("random plies", starts.usual);
        head.set("balance", or_none(self.balance.map(|score| score.0)));
        let choosing = self.choosing.map(|choosing| {
            let Choosing { lines, margin, plies } = choosing;
            format!("{lines} lines within {} in {plies} plies", margin.0)
        });
        head.set("choosing", or_none(choosing));
        let win = self.win.map(|rule| format!("{} for {} plies", rule.score.0, rule.plies));
        head.set("win", or_none(win));
        let draw = self.draw.map(|rule| {
            format!("{} for {} plies from move {}", rule.score.0, rule.plies, rule.from)
        });
        head.set("draw", or_none(draw));
        head.set("played on", self.play_on);
        head.set("max moves", self.max_moves);
        head
    }

    fn count(&self) -> Option<u64> {
        self.games
    }

    fn after(&self, games: u64) -> Result<(u64, usize), String> {
        Ok((games, 0))
    }

    fn play(&self, number: u64, searcher: &mut Searcher<'_>) -> Result<Vec<Game>, NoGame> {
        Ok(vec![Table::new(self, searcher).play(number)?])
    }
}

fn or_none<T: ToString>(value: Option<T>) -> String {
    value.map_or("none".into(), |value| value.to_string())
}
