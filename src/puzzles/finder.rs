//! Finds the puzzles of a game.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::difficulty::difficulty;
use super::examiner::Examiner;
use super::goal::SAVED;
use super::puzzle::Puzzle;
use super::solution::{self, BuiltSolution};
use crate::analysis::{
    AnalysisConfig, AnalysisError, AnalysisLimit, Analyzer, LineCursor, LineReview, ReviewedMove,
    motifs, win_rate,
};
use crate::nnue::Network;
use crate::position::{Position, Setup};
use crate::record::GameRecord;
use crate::search::request::SearchOptions;
use crate::sys::AllocationError;
use crate::types::message::{Message, message};
use crate::types::{Color, Move};

/// The win rate that a move must lose to be examined.
const SUSPECT_LOSS: f64 = 0.10;

/// How puzzles are searched for.
#[derive(Clone, Debug)]
pub struct FinderSettings {
    /// The nodes of the scan for each position. An examination has ten times more.
    pub nodes: u64,
    pub hash_mib: usize,
    pub options: SearchOptions,
    pub network: Network,
}

/// Why a search for puzzles ended early.
#[derive(Debug)]
pub enum FinderError {
    Analysis(AnalysisError),
    Memory(AllocationError),
    Thread(io::Error),
}

impl FinderError {
    /// The error in every language.
    pub fn message(&self) -> Message {
        match self {
            FinderError::Analysis(error) => error.message(),
            FinderError::Memory(error) => error.message(),
            FinderError::Thread(error) => message!(
                "the search cannot start: {}",
                "探索を始められません：{}";
                Message::from(error)
            ),
        }
    }
}

impl fmt::Display for FinderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for FinderError {}

impl From<AnalysisError> for FinderError {
    fn from(error: AnalysisError) -> FinderError {
        FinderError::Analysis(error)
    }
}

/// A move of a game that may have missed the goal of a puzzle.
#[derive(Clone, Debug)]
struct Suspect {
    position: Position,
    previous: Option<(Position, Move)>,
    played: Move,
    ply: usize,
}

/// The suspects of a scanned game.
#[derive(Clone, Debug)]
pub struct GameScan(Vec<Suspect>);

impl GameScan {
    /// The number of moves to examine.
    pub fn suspects(&self) -> usize {
        self.0.len()
    }
}

/// Finds puzzles on the calling thread, which needs a stack of [`STACK_BYTES`](crate::search::STACK_BYTES).
/// A game has the same puzzles whatever was searched before.
#[derive(Debug)]
pub struct PuzzleFinder {
    /// Kept from game to game: getting its memory from the system can take longer than scanning a short game.
    analyzer: Analyzer,
    examiner: Examiner,
    stop: Arc<AtomicBool>,
}

impl PuzzleFinder {
    /// A finder that stops once `stop` is set.
    ///
    /// # Errors
    /// If the system refuses a thread or the memory.
    pub fn new(
        settings: FinderSettings,
        stop: Arc<AtomicBool>,
    ) -> Result<PuzzleFinder, FinderError> {
        let FinderSettings { nodes, hash_mib, options, network } = settings;
        let config = AnalysisConfig {
            limit: AnalysisLimit::Nodes(nodes),
            options: SearchOptions { multi_pv: 1, ..options.clone() },
            threads: 1,
            hash_mib,
        };
        let analyzer = Analyzer::new(config, network.clone());
        let (analyzer, _) = analyzer.map_err(FinderError::Thread)?;
        let examiner = Examiner::new(network, hash_mib, options, nodes, stop.clone());
        let examiner = examiner.map_err(FinderError::Memory)?;
        Ok(PuzzleFinder { analyzer, examiner, stop })
    }

    /// Scans the main line of a game for moves of these sides that may have missed a puzzle. Calls
    /// `on_progress` twice for each position, as [`Analyzer::analyze_game`] does.
    ///
    /// # Errors
    /// If the scan was stopped, or the search failed.
    pub fn scan(
        &mut self,
        game: &GameRecord,
        sides: &[Color],
        on_progress: &mut dyn FnMut(),
    ) -> Result<GameScan, FinderError> {
        self.analyzer.forget_results();
        self.analyzer.analyze_game(game, &self.stop, &mut |_| on_progress())?;
        let review = LineReview::new(game, self.analyzer.results(), None);
        Ok(GameScan(suspects(game, &review, sides)))
    }

    /// The puzzles of a scanned game, in its order; those found before an error are in `found` too. Calls
    /// `on_progress` after each suspect.
    ///
    /// # Errors
    /// If the search was stopped.
    pub fn examine(
        &mut self,
        scan: &GameScan,
        found: &mut Vec<Puzzle>,
        on_progress: &mut dyn FnMut(),
    ) -> Result<(), FinderError> {
        for suspect in &scan.0 {
            let Suspect { position, previous, played, ply } = suspect.clone();
            let built = solution::build(&mut self.examiner, &position, played)?;
            let BuiltSolution { steps, continuation } = built;
            if let Some(first) = steps.first() {
                let (goal, difficulty) = (first.examination.goal, difficulty(&steps));
                let mut puzzle = Puzzle {
                    position,
                    previous,
                    goal,
                    steps,
                    continuation,
                    played,
                    ply,
                    difficulty,
                    motifs: Vec::new(),
                };
                puzzle.motifs = motifs(&puzzle.position, &puzzle.line());
                found.push(puzzle);
            }
            on_progress();
        }
        Ok(())
    }
}

/// The moves of a reviewed game that may be puzzles.
fn suspects(game: &GameRecord, review: &LineReview, sides: &[Color]) -> Vec<Suspect> {
    let mut cursor = LineCursor::new(game);
    while cursor.step_back() {}
    let mut found = Vec::new();
    let mut previous = None;
    for (index, reviewed) in review.moves.iter().enumerate() {
        let here = without_history(cursor.position());
        let mv = cursor.moves()[index].1;
        let is_suspect = |reviewed: &ReviewedMove| {
            let best = win_rate(reviewed.before.best().estimate.score);
            sides.contains(&reviewed.side)
                && reviewed.loss.win_rate >= SUSPECT_LOSS
                && best >= SAVED - SUSPECT_LOSS
        };
        if reviewed.as_ref().is_some_and(is_suspect) {
            found.push(Suspect {
                position: here.clone(),
                previous: previous.clone(),
                played: mv,
                ply: index + 1,
            });
        }
        previous = Some((here, mv));
        cursor.step_forward();
    }
    found
}

/// The position without its game, as move 1.
fn without_history(position: &Position) -> Position {
    let setup = Setup { game_ply: 1, ..position.setup() };
    Position::from_setup(&setup).expect("positions of games are legal")
}
