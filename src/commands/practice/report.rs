//! The data of the practice page. Scores and win rates are from the side of the player who solves the
//! puzzle.

use kawasemi::analysis::{AnalysisScore, WinReason, win_rate};
use kawasemi::engine;
use kawasemi::position::Position;
use kawasemi::record::SpelledMove;
use kawasemi::types::Move;
use kawasemi::types::language::Localized;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct PracticeReport {
    engine: &'static str,
    /// The title of the page.
    title: Localized,
    problems: Vec<PracticeProblem>,
}

impl PracticeReport {
    pub fn new(title: Localized, problems: Vec<PracticeProblem>) -> PracticeReport {
        PracticeReport { engine: engine::NAME, title, problems }
    }

    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("plain values can be written as JSON")
    }
}

#[derive(Debug, Serialize)]
pub struct PracticeProblem {
    /// SFEN.
    pub start: String,
    /// Whether White gives a handicap in the game that the problem is from.
    pub is_handicap: bool,
    /// The opponent's move before the position, in USI.
    pub previous: Option<String>,
    /// `mate`, `win`, `save`, or `tsume` for a mate problem, in which every move of the solver is a check.
    pub goal: &'static str,
    /// The length of the mate.
    pub plies: Option<u32>,
    /// From 1 to 5.
    pub difficulty: Option<u8>,
    /// The depth at which the search finds the answer.
    pub depth: Option<i32>,
    pub nodes: Option<u64>,
    /// The win rates between people with the answer and with the second best move.
    pub human_win_rates: Option<(f64, f64)>,
    /// Tactics of the solution.
    pub tags: Vec<Localized>,
    pub title: Option<String>,
    pub source: Option<PracticeSource>,
    /// The move played in the game.
    pub played: Option<MoveNames>,
    /// The moves to find, at least one.
    pub steps: Vec<PracticeStep>,
    /// The continuation of the line.
    pub rest: Vec<MoveNames>,
}

/// Where a problem comes from.
#[derive(Debug, Serialize)]
pub struct PracticeSource {
    pub file: String,
    /// Of the game in its file, if there are several.
    pub number: Option<usize>,
    /// Of the move in the game.
    pub ply: usize,
    pub black: Option<String>,
    pub white: Option<String>,
    pub date: Option<String>,
}

/// A move to find.
#[derive(Debug, Serialize)]
pub struct PracticeStep {
    pub answer: MoveNames,
    pub score: Option<PracticeScore>,
    /// `None` after the last move to find.
    pub reply: Option<MoveNames>,
    /// All other legal moves.
    pub others: Vec<OtherMove>,
}

#[derive(Debug, Serialize)]
pub struct OtherMove {
    #[serde(rename = "move")]
    pub mv: MoveNames,
    pub kind: OtherKind,
    pub score: Option<PracticeScore>,
    /// The continuation, the opponent's move first.
    pub line: Vec<MoveNames>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OtherKind {
    Wrong,
    /// The move gives no check, in a mate problem.
    NoCheck,
    /// The move mates too.
    AlsoMates,
    /// The move wins or saves too: it is the answer without promotion.
    AlsoRight,
    /// It was not decided whether the move mates.
    Undecided,
}

#[derive(Debug, Serialize)]
pub struct PracticeScore {
    /// `None` where the game is decided.
    centipawns: Option<i32>,
    /// To the mate.
    plies: Option<u32>,
    win_rate: f64,
}

impl From<AnalysisScore> for PracticeScore {
    fn from(score: AnalysisScore) -> PracticeScore {
        let (centipawns, plies) = match score {
            AnalysisScore::Centipawns(value) => (Some(value), None),
            AnalysisScore::Win(WinReason::Mate { plies, .. })
            | AnalysisScore::Loss(WinReason::Mate { plies, .. }) => (None, Some(plies)),
            AnalysisScore::Win(_) | AnalysisScore::Loss(_) => (None, None),
        };
        // More digits would only make the page larger.
        let win_rate = (win_rate(score) * 1e3).round() / 1e3;
        PracticeScore { centipawns, plies, win_rate }
    }
}

/// A move: USI, Japanese, English. There are thousands of them, so they have no keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveNames(String, String, String);

impl From<SpelledMove> for MoveNames {
    fn from(SpelledMove { usi, ja, en }: SpelledMove) -> MoveNames {
        MoveNames(usi, ja, en)
    }
}

pub fn spelled(position: &Position, mv: Move) -> MoveNames {
    SpelledMove::of(position, mv).into()
}

/// The moves of a legal line.
pub fn spelled_line(position: &Position, line: &[Move]) -> Vec<MoveNames> {
    SpelledMove::line(position, line.iter().copied()).into_iter().map(MoveNames::from).collect()
}
