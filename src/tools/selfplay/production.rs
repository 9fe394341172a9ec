//! What all games have in common: where they go, and how their moves are searched.

use std::fmt;
use std::path::PathBuf;
use std::time::Instant;

use super::run::Halt;
use crate::engine;
use crate::position::{EnteringKingRule, Position};
use crate::search::request::{Limits, Options, Request};
use crate::search::{Found, Network, Solo};
use crate::sys::MemoryRefused;
use crate::tools::games::Head;
use crate::tools::random::Random;
use crate::tools::referee::{End, Ending, Rules, end_of_position};

/// See the module's comment.
#[derive(Clone, Debug)]
pub struct Production {
    /// The file of games; one that exists is taken up again.
    pub out: PathBuf,
    /// End after so many scored positions, those counted that are in the file already.
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
    /// What a search obeys, besides what follows from the rest.
    pub options: Options,
    /// Those of them that the user has set, as he wrote them.
    pub given: String,
}

/// Games that cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigError {
    /// Nothing says when to end.
    Endless,
    NoNodes,
    NoThread,
    NoHash,
    NoPlies,
    Percent,
    /// One search alone must not decide a game.
    WinPlies,
    DrawPlies,
    /// The opening of this line is, with its random moves, as long as a whole game may be.
    LongOpening(usize),
    /// The random moves at the start are.
    LongStart,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            ConfigError::Endless => "say how many games or positions there shall be",
            ConfigError::NoNodes => "a search needs a node at least, and no more than 2^40",
            ConfigError::NoThread => "there must be a thread",
            ConfigError::NoHash => "the table must have a mebibyte at least",
            ConfigError::NoPlies => "a branch needs a ply at least",
            ConfigError::Percent => "a percentage is a number from 0 to 100",
            ConfigError::WinPlies => "a win needs two plies at least, so that both sides agree",
            ConfigError::DrawPlies => "a draw needs a ply at least",
            ConfigError::LongOpening(line) => {
                return write!(
                    f,
                    "the opening of line {line} and the random moves behind it may be as long as a \
                     whole game"
                );
            }
            ConfigError::LongStart => "the random moves at the start may be a whole game",
        };
        f.write_str(text)
    }
}

impl std::error::Error for ConfigError {}

/// The first of these errors that there is.
pub(super) fn first_error<const N: usize>(
    checks: [(bool, ConfigError); N],
) -> Result<(), ConfigError> {
    checks.into_iter().find(|(is_wrong, _)| *is_wrong).map_or(Ok(()), |(_, error)| Err(error))
}

/// Most nodes of a search. With the spread, no count overflows.
const MOST_NODES: u64 = 1 << 40;

/// The rule of nearly all servers and tournaments.
const ENTERING_KING: EnteringKingRule = EnteringKingRule::Csa27;

impl Production {
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        first_error([
            (self.nodes == 0 || self.nodes > MOST_NODES, ConfigError::NoNodes),
            (self.threads == 0, ConfigError::NoThread),
            (self.hash_mib == 0, ConfigError::NoHash),
            (self.spread > 100, ConfigError::Percent),
        ])
    }

    /// Everything that the games depend on. `program` is the mark of whoever plays them.
    pub(super) fn head(&self, command: &str, program: &str) -> Head {
        let mut head = Head::new();
        head.set("made by", format!("selfplay {command}"));
        head.set("engine", engine::NAME);
        head.set("program", program);
        head.set("evaluation", &self.evaluation);
        head.set("nodes", self.nodes);
        head.set("spread", self.spread);
        head.set("hash", self.hash_mib);
        head.set("seed", self.seed);
        if !self.given.is_empty() {
            head.set("options", &self.given);
        }
        head
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
}

/// The rules of a game that is drawn after so many moves.
pub(super) const fn rules(max_moves: u32) -> Rules {
    Rules { max_moves, entering_king: ENTERING_KING, resign: None }
}

/// How the rules end a game in this position.
pub(super) fn end(position: &Position, rules: &Rules) -> Option<End> {
    let declares = || position.declaration_win(rules.entering_king);
    end_of_position(position, rules)
        .or_else(|| declares().then(|| End::win(position.side_to_move(), Ending::Declaration)))
}

/// Why a game was not played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoGame {
    /// In words.
    Impossible(String),
    /// Somebody wants everything to end now.
    Abandoned,
}

/// What a thread searches with.
#[derive(Debug)]
pub struct Searcher<'a> {
    production: &'a Production,
    halt: &'a Halt<'a>,
    solo: Solo,
}

impl<'a> Searcher<'a> {
    pub(super) fn new(
        production: &'a Production,
        halt: &'a Halt<'a>,
    ) -> Result<Searcher<'a>, MemoryRefused> {
        let solo = Solo::new(production.hash_mib, production.network.clone())?;
        Ok(Searcher { production, halt, solo })
    }

    /// Forgets what other games have taught.
    pub(super) fn forget(&mut self) {
        self.solo.forget();
    }

    /// Searches for the best so many lines.
    pub(super) fn search(
        &mut self,
        position: &Position,
        lines: usize,
        random: &mut Random,
    ) -> Result<Found, NoGame> {
        if self.halt.must_abandon() {
            return Err(NoGame::Abandoned);
        }
        let Production { nodes, spread, .. } = *self.production;
        let off = nodes * u64::from(spread) / 100;
        let nodes = if off > 0 { random.between(nodes - off, nodes + off) } else { nodes };
        Ok(self.solo.search(self.production.request(position, nodes.max(1), lines)))
    }
}
