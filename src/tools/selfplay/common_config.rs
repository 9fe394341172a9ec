//! The configuration that all self-play jobs share: the output file and the searches.

use std::path::PathBuf;
use std::time::Instant;

use super::config_error::{SelfplayConfigError, first_error};
use super::job::RunTarget;
use crate::engine;
use crate::nnue::Network;
use crate::position::{EnteringKingRule, Position};
use crate::search::request::{Limits, Request, SearchOptions};
use crate::tools::game_file::GameFileHeader;
use crate::tools::part::{PART, Part};
use crate::tools::referee::{GameEnd, GameEndReason, GameRules, end_of_position};

/// What every self-play job has: the output file, threads, seed, network and limits of a search.
#[derive(Clone, Debug)]
pub struct CommonConfig {
    /// The game file; an existing one is continued.
    pub out: PathBuf,
    /// Stop at this many scored positions, including those already in the file.
    pub positions: Option<u64>,
    pub threads: usize,
    /// The part of the units, for a job that has a given number of them.
    pub part: Part,
    /// A game follows from this seed and its number.
    pub seed: u64,
    /// Nodes for every move.
    pub nodes: u64,
    /// Random variation of the nodes of a move, in percent up and down.
    pub node_variation_percent: u32,
    /// Transposition table of each thread.
    pub hash_mib: usize,
    pub network: Network,
    /// Identifies the network in the header of the file.
    pub network_name: String,
    /// Search options, apart from those that follow from the other fields.
    pub options: SearchOptions,
    /// The options of the command line, as written there.
    pub option_arguments: String,
}

/// Maximum number of nodes of a search. With the variation, no count overflows.
const MAX_NODES: u64 = 1 << 40;

/// The rule of nearly all servers and tournaments.
const ENTERING_KING: EnteringKingRule = EnteringKingRule::Csa27;

impl CommonConfig {
    pub(super) fn target(&self) -> RunTarget<'_> {
        RunTarget { out: &self.out, positions: self.positions, threads: self.threads }
    }

    pub(super) fn check(&self) -> Result<(), SelfplayConfigError> {
        first_error([
            (self.nodes == 0 || self.nodes > MAX_NODES, SelfplayConfigError::NodesOutOfRange),
            (self.threads == 0, SelfplayConfigError::NoThread),
            (self.hash_mib == 0, SelfplayConfigError::NoHash),
            (self.node_variation_percent > 100, SelfplayConfigError::Percent),
        ])
    }

    /// Everything that the games depend on. `program` is the fingerprint of the running program.
    pub(super) fn header(&self, command: &str, program: &str) -> GameFileHeader {
        let mut header = GameFileHeader::new();
        header.set("made by", format!("selfplay {command}"));
        header.set("engine", engine::NAME);
        header.set("program", program);
        header.set("evaluation", &self.network_name);
        header.set("nodes", self.nodes);
        // The earlier name: with another one, jobs could not be continued. The same holds for other keys.
        header.set("spread", self.node_variation_percent);
        header.set("hash", self.hash_mib);
        header.set("seed", self.seed);
        if !self.option_arguments.is_empty() {
            header.set("options", &self.option_arguments);
        }
        if !self.part.is_whole() {
            header.set(PART, self.part);
        }
        header
    }

    /// The request to search a position with `lines` principal variations.
    ///
    /// The search does not know the move limit of the game: a score that falls because the limit is
    /// near says nothing about the position.
    pub(super) fn request(&self, position: &Position, nodes: u64, lines: usize) -> Request {
        Request {
            position: position.clone(),
            limits: Limits { nodes: Some(nodes), ..Limits::default() },
            options: SearchOptions {
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

/// The rules of a game that is drawn after `max_moves` moves.
pub(super) const fn game_rules(max_moves: u32) -> GameRules {
    GameRules { max_moves, entering_king: ENTERING_KING, resign: None }
}

/// How the rules end a game in this position. A possible declaration is always made.
pub(super) fn end_by_rules(position: &Position, rules: &GameRules) -> Option<GameEnd> {
    let declares = || position.declaration_win(rules.entering_king);
    end_of_position(position, rules).or_else(|| {
        declares().then(|| GameEnd::win(position.side_to_move(), GameEndReason::Declaration))
    })
}
