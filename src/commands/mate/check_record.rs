//! A check as a game record: the main line, and the second solutions as branches.

use kawasemi::record::{Ending, GameCursor, GameRecord, HeaderKey};
use kawasemi::types::language::Language;

use super::check_words as words;
use super::written_problem::WrittenProblem;

/// The comments of records are for Japanese programs.
const LANGUAGE: Language = Language::Japanese;

pub fn game(WrittenProblem { position, report, title }: &WrittenProblem<'_>) -> GameRecord {
    let mut cursor = GameCursor::new(position.setup()).expect("a legal position");
    if let Some(title) = title.as_deref() {
        cursor.game_mut().headers.add(HeaderKey::Title, title);
    }
    let facts = words::facts(report);
    cursor.node_mut().comments.extend(facts.iter().map(|fact| fact.of(LANGUAGE).to_owned()));
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
