//! A puzzle as a game record: the solution, and the played move with its refutation as a branch.

use kawasemi::puzzles::{Puzzle, PuzzleGoal};
use kawasemi::record::{Ending, GameCursor, GameRecord, HeaderKey};
use kawasemi::types::language::Language;
use kawasemi::types::{Color, Move};

use super::searched_game::FoundPuzzle;
use crate::commands::spelling;

/// The comments of records are for Japanese programs.
const LANGUAGE: Language = Language::Japanese;

pub fn of(found: &FoundPuzzle<'_>) -> GameRecord {
    let FoundPuzzle { source, puzzle } = found;
    let mut cursor = GameCursor::new(puzzle.position.setup()).expect("a legal position");
    let headers = cursor.headers_mut();
    headers.add(HeaderKey::Title, found.place().of(LANGUAGE).to_owned());
    for (key, side) in [(HeaderKey::Black, Color::Black), (HeaderKey::White, Color::White)] {
        if let Some(name) = source.player(side) {
            headers.add(key, name);
        }
    }
    cursor.node_mut().comments.extend(facts(puzzle));
    play(&mut cursor, &puzzle.solution());
    play(&mut cursor, &puzzle.continuation);
    if !cursor.position().has_legal_move() {
        cursor.end(Ending::Mate);
    }
    cursor.go_to(0);
    let wrong = puzzle.steps[0].alternatives.iter().find(|it| it.mv == puzzle.played);
    if let Some(wrong) = wrong {
        play(&mut cursor, &[wrong.mv]);
        cursor.node_mut().comments.push("実戦の手".to_owned());
        play(&mut cursor, &wrong.line);
    }
    cursor.into_game()
}

fn facts(puzzle: &Puzzle) -> Vec<String> {
    let goal = match puzzle.goal {
        PuzzleGoal::Mate => "詰みがある。",
        PuzzleGoal::Win => "勝ちになる手は一つだけ。",
        PuzzleGoal::Save => "負けない手は一つだけ。",
    };
    let answer = spelling::line_text(&puzzle.position, &puzzle.solution(), Some(LANGUAGE));
    let found = puzzle.difficulty.found;
    let (with, without) = puzzle.difficulty.human_win_rates;
    let tags: Vec<&str> = puzzle.motifs.iter().map(|motif| motif.name().ja).collect();
    let mut facts = vec![
        goal.to_owned(),
        format!("正解：{answer}"),
        format!(
            "難易度{}（エンジンは深さ{}、{}ノードで発見）",
            puzzle.difficulty.grade, found.depth, found.nodes
        ),
    ];
    facts.push(format!(
        "人間同士の対局での勝率{:.0}%、次善手では{:.0}%",
        100.0 * with,
        100.0 * without
    ));
    if !tags.is_empty() {
        facts.push(format!("手筋：{}", tags.join("、")));
    }
    facts
}

fn play(cursor: &mut GameCursor, line: &[Move]) {
    for &mv in line {
        cursor.play(mv).expect("a line has legal moves");
    }
}
