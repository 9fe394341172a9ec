//! A puzzle as a plain value.

use super::goal::PuzzleGoal;
use crate::analysis::{AnalysisScore, Motif};
use crate::position::Position;
use crate::types::{Depth, Move};

/// A move and its continuation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CandidateLine {
    /// For the side to move.
    pub score: AnalysisScore,
    /// Not empty.
    pub moves: Vec<Move>,
    /// 0 if the mate solver found it.
    pub depth: Depth,
}

impl CandidateLine {
    pub fn mv(&self) -> Move {
        self.moves[0]
    }
}

/// The size of the shortest search that, like all longer ones, chooses the best move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FoundAt {
    pub depth: Depth,
    pub nodes: u64,
}

/// The search results of a position with only one good move.
#[derive(Clone, Debug, PartialEq)]
pub struct Examination {
    pub goal: PuzzleGoal,
    pub best: CandidateLine,
    /// The best of the other moves; `None` if there is none. The answer without promotion is no other move if a
    /// search does not make it.
    pub second: Option<CandidateLine>,
    pub found: FoundAt,
}

/// The difficulty of a puzzle, which its hardest move decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difficulty {
    /// From 1, easy, to 5.
    pub grade: u8,
    /// The search that finds the hardest move.
    pub found: FoundAt,
    /// The win rates between people after the first move to find, and after the second best move.
    pub human_win_rates: (f64, f64),
}

/// A position with the moves to find.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// Without the game before it, with the move number 1.
    pub position: Position,
    /// The position before the last move of the game, with the move number 1, and that move.
    pub previous: Option<(Position, Move)>,
    pub goal: PuzzleGoal,
    /// The moves to find, at least one.
    pub steps: Vec<PuzzleStep>,
    /// The continuation of the best line after the last move to find.
    pub continuation: Vec<Move>,
    /// The move played in the game instead.
    pub played: Move,
    /// The number of that move in the game, from 1.
    pub ply: usize,
    pub difficulty: Difficulty,
    /// The tactics of the solution and its continuation.
    pub motifs: Vec<Motif>,
}

impl Puzzle {
    /// The moves to find with the replies between them.
    pub fn solution(&self) -> Vec<Move> {
        step_moves(&self.steps).collect()
    }

    /// The solution and its continuation.
    pub fn line(&self) -> Vec<Move> {
        step_moves(&self.steps).chain(self.continuation.iter().copied()).collect()
    }

    /// The positions in which the solver is to move.
    pub fn positions(&self) -> Vec<Position> {
        let mut position = self.position.clone();
        let step = |step: &PuzzleStep| {
            let before = position.clone();
            for mv in step_moves(std::slice::from_ref(step)) {
                position.do_move(mv);
            }
            before
        };
        self.steps.iter().map(step).collect()
    }
}

/// A move to find.
#[derive(Clone, Debug, PartialEq)]
pub struct PuzzleStep {
    pub examination: Examination,
    /// All other legal moves.
    pub alternatives: Vec<Alternative>,
    /// The reply before the next move to find; `None` after the last one.
    pub reply: Option<Move>,
}

impl PuzzleStep {
    /// The only good move.
    pub fn answer(&self) -> Move {
        self.examination.best.mv()
    }

    /// The answer without promotion, if that reaches the goal too.
    pub fn also_right(&self) -> Option<&Alternative> {
        self.alternatives.iter().find(|it| it.is_right)
    }
}

/// The moves to find with the replies between them.
pub(super) fn step_moves(steps: &[PuzzleStep]) -> impl Iterator<Item = Move> {
    steps.iter().flat_map(|step| [Some(step.answer()), step.reply]).flatten()
}

/// A move other than the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    pub mv: Move,
    /// For the solver, from a short search after the move or a proof of mate.
    pub score: AnalysisScore,
    /// The moves after it, the opponent's first: the refutation of a wrong move.
    pub line: Vec<Move>,
    /// Whether it reaches the goal: the answer without promotion only.
    pub is_right: bool,
}
