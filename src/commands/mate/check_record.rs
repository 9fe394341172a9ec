//! A check as a game record: the main line, and the second solutions as branches.

use kawasemi::record::{Ending, GameCursor, GameRecord};
use kawasemi::types::language::Language;

use super::check_words as words;
use super::written_problem::WrittenProblem;

/// The comments of records are for Japanese programs.
const LANGUAGE: Language = Language::Japanese;

/// Begins the comment with the facts of a check.
const HEADING: &str = "Kawasemiの検討：";

/// Keeps the headers of the problem, and its comments and remarks before the first move, but not the facts of an
/// earlier check. Without a proved line it keeps the recorded solution.
pub fn game(problem: &WrittenProblem<'_>) -> GameRecord {
    let WrittenProblem { position, report, recorded, info } = problem;
    let mut cursor = GameCursor::new(position.setup()).expect("a legal position");
    *cursor.headers_mut() = info.headers.clone();
    let root = cursor.node_mut();
    root.comments.extend(info.comments.iter().filter(|text| !text.starts_with(HEADING)).cloned());
    root.remarks.clone_from(&info.remarks);
    let facts = words::facts(position, report);
    let mut facts: Vec<&str> = facts.iter().map(|fact| fact.of(LANGUAGE)).collect();
    if report.line.is_some() && !report.is_line_decided() {
        facts.push(words::TENTATIVE_LINE.of(LANGUAGE));
    }
    root.comments.push(format!("{HEADING}{}", facts.join("、")));
    let moves = report.line.as_ref().map_or(*recorded, |line| &line.moves);
    for &mv in moves {
        cursor.play(mv).expect("a line has legal moves");
    }
    if report.line.is_some() {
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
