//! What games are to be played, as plain values.

use std::fmt;
use std::path::PathBuf;
use std::time::Instant;

use super::adjudicator::{DrawRule, WinRule};
use super::start::Starts;
use crate::engine;
use crate::position::{EnteringKingRule, Position};
use crate::search::Network;
use crate::search::request::{Limits, Options, Request};
use crate::tools::games::Head;
use crate::tools::gauntlet::fingerprint;
use crate::tools::gauntlet::referee::Rules;
use crate::types::Score;

/// Games to be played.
#[derive(Clone, Debug)]
pub struct Config {
    /// The file of games; one that exists is taken up again.
    pub out: PathBuf,
    /// End after so many games, those counted that are in the file already.
    pub games: Option<u64>,
    /// End after so many scored positions, likewise.
    pub positions: Option<u64>,
    pub threads: usize,
    /// Of these and the number of a game follows the game.
    pub seed: u64,
    /// Nodes for every move.
    pub nodes: u64,
    /// Percent by which the nodes of a move are more or fewer, at random.
    pub spread: u32,
    /// Transposition table of each thread.
    pub hash_mib: usize,
    pub network: Network,
    /// Says which evaluation that is.
    pub evaluation: String,
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
    /// What a search obeys, besides what follows from the rest.
    pub options: Options,
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

/// Games that cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigError {
    /// Nothing says when to end.
    Endless,
    NoNodes,
    NoThread,
    NoHash,
    Percent,
    /// One search alone must not decide a game.
    WinPlies,
    /// An opening is as long as a whole game may be.
    LongOpening,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ConfigError::Endless => "say how many games or positions there shall be",
            ConfigError::NoNodes => "a search needs a node at least, and no more than a million",
            ConfigError::NoThread => "there must be a thread",
            ConfigError::NoHash => "the table must have a mebibyte at least",
            ConfigError::Percent => "a percentage is a number from 0 to 100",
            ConfigError::WinPlies => "a win needs two plies at least, so that both sides agree",
            ConfigError::LongOpening => "an opening is as long as a whole game may be",
        })
    }
}

impl std::error::Error for ConfigError {}

/// Most nodes of a search. With the spread, no count overflows.
const MOST_NODES: u64 = 1 << 40;

impl Config {
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self) -> Result<(), ConfigError> {
        let longest = self.starts.openings.iter().map(|opening| opening.position().ply()).max();
        let random = self.starts.usual.within.max(self.starts.behind_opening.within);
        let checks = [
            (self.games.is_none() && self.positions.is_none(), ConfigError::Endless),
            (self.nodes == 0 || self.nodes > MOST_NODES, ConfigError::NoNodes),
            (self.threads == 0, ConfigError::NoThread),
            (self.hash_mib == 0, ConfigError::NoHash),
            ([self.spread, self.starts.share, self.play_on].iter().any(|&p| p > 100), {
                ConfigError::Percent
            }),
            (self.win.is_some_and(|rule| rule.plies < 2), ConfigError::WinPlies),
            (longest.unwrap_or(1) + random >= self.max_moves, ConfigError::LongOpening),
        ];
        checks.into_iter().find(|(is_wrong, _)| *is_wrong).map_or(Ok(()), |(_, error)| Err(error))
    }

    pub(super) fn rules(&self) -> Rules {
        Rules { max_moves: self.max_moves, entering_king: ENTERING_KING, resign: None }
    }

    /// The request for a search of a position, for so many lines.
    ///
    /// The search does not know after how many moves the game is drawn: a score that sinks because
    /// the end is near says nothing about the position.
    pub(super) fn request(&self, position: &Position, nodes: u64, lines: usize) -> Request {
        Request {
            position: position.clone(),
            limits: Limits { nodes: Some(nodes), ..Limits::default() },
            options: Options {
                multi_pv: lines,
                entering_king: ENTERING_KING,
                max_moves: None,
                resign_value: None,
                strength: None,
                // A draw is worth the same to both sides.
                analysis: true,
                ..self.options.clone()
            },
            received: Instant::now(),
        }
    }

    /// Everything that the games depend on. `program` is the mark of whoever plays them.
    pub(super) fn head(&self, program: &str) -> Head {
        let mut head = Head::new();
        let starts = &self.starts;
        head.set("made by", "selfplay generate");
        head.set("engine", engine::NAME);
        head.set("program", program);
        head.set("evaluation", &self.evaluation);
        head.set("nodes", self.nodes);
        head.set("spread", self.spread);
        head.set("hash", self.hash_mib);
        head.set("seed", self.seed);
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
}

/// The rule of nearly all servers and tournaments.
const ENTERING_KING: EnteringKingRule = EnteringKingRule::Csa27;

fn or_none<T: ToString>(value: Option<T>) -> String {
    value.map_or("none".into(), |value| value.to_string())
}
