//! The list of puzzles on standard output: one line each, with tab-separated columns.

use kawasemi::analysis::Motif;
use kawasemi::puzzles::PuzzleGoal;
use kawasemi::types::language::Language;

use super::searched_game::FoundPuzzle;
use crate::commands::spelling;

/// The lines: SFEN, goal, difficulty, tags, game and move number, solution.
pub fn text(puzzles: &[FoundPuzzle<'_>], language: Language) -> String {
    let line = |found: &FoundPuzzle<'_>| {
        let puzzle = &found.puzzle;
        let sfen = puzzle.position.to_sfen();
        let (goal, grade) = (goal_word(puzzle.goal, language), puzzle.difficulty.grade);
        let solution = spelling::line_text(&puzzle.position, &puzzle.solution(), Some(language));
        let place = found.place();
        let place = place.of(language);
        let tag = |motif: &Motif| match language {
            Language::English => motif.tag(),
            Language::Japanese => motif.ja(),
        };
        let tags: Vec<&str> = puzzle.motifs.iter().map(tag).collect();
        let separator = match language {
            Language::English => ",",
            Language::Japanese => "、",
        };
        let tags = if tags.is_empty() { "-".to_owned() } else { tags.join(separator) };
        format!("{sfen}\t{goal}\t{grade}\t{tags}\t{place}\t{solution}\n")
    };
    puzzles.iter().map(line).collect()
}

pub fn goal_word(goal: PuzzleGoal, language: Language) -> &'static str {
    match (goal, language) {
        (PuzzleGoal::Mate, Language::English) => "mate",
        (PuzzleGoal::Win, Language::English) => "win",
        (PuzzleGoal::Save, Language::English) => "save",
        (PuzzleGoal::Mate, Language::Japanese) => "詰み",
        (PuzzleGoal::Win, Language::Japanese) => "勝ち",
        (PuzzleGoal::Save, Language::Japanese) => "しのぎ",
    }
}
