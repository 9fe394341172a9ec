//! A check as a game record: the main line, and the second solutions as branches.

use kawasemi::record::{Ending, GameCursor, GameRecord};
use kawasemi::types::language::Language;

use super::check_words as words;
use super::written_problem::WrittenProblem;

/// The comments of records are for Japanese programs.
const LANGUAGE: Language = Language::Japanese;

/// Keeps the headers of the problem, and its comments and remarks before the first move.
pub fn game(problem: &WrittenProblem<'_>) -> GameRecord {
    let WrittenProblem { position, report, info } = problem;
    let mut cursor = GameCursor::new(position.setup()).expect("a legal position");
    cursor.game_mut().headers = info.headers.clone();
    let root = cursor.node_mut();
    root.comments.clone_from(&info.comments);
    root.remarks.clone_from(&info.remarks);
    for fact in words::facts(report) {
        // The record of an earlier check has the same facts.
        let fact = fact.of(LANGUAGE);
        if !info.comments.iter().any(|comment| comment == fact) {
            root.comments.push(fact.to_owned());
        }
    }
    if let Some(line) = &report.line {
        for &mv in &line.moves {
            cursor.play(mv).expect("a line has legal moves");
        }
        cursor.end(Ending::Mate);
        for second in &report.second_solutions {
            // From the start it goes along the main line, not along the branch before.
            cursor.go_to(0);
            cursor.go_to(second.ply);
            cursor.play(second.mv).expect("a second solution is legal");
            cursor.node_mut().comments.push(words::kind(second.kind).of(LANGUAGE).to_owned());
            for &mv in &second.line {
                cursor.play(mv).expect("a line has legal moves");
            }
            if !second.line.is_empty() || second.within == 1 {
                cursor.end(Ending::Mate);
            }
        }
    }
    cursor.into_game()
}
