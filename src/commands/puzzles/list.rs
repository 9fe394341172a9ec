//! The list of puzzles on standard output: one line each, with tab-separated columns.

use kawasemi::analysis::Motif;
use kawasemi::puzzles::PuzzleGoal;
use kawasemi::types::language::{Language, Localized, localized};

use super::searched_game::FoundPuzzle;
use crate::commands::spelling;

/// The lines: SFEN, goal, difficulty, tags, game and move number, solution.
pub fn text(puzzles: &[FoundPuzzle<'_>], language: Language) -> String {
    let line = |found: &FoundPuzzle<'_>| {
        let puzzle = &found.puzzle;
        let sfen = puzzle.position.to_sfen();
        let (goal, grade) = (goal_word(puzzle.goal).of(language), puzzle.difficulty.grade);
        let solution = spelling::line_text(&puzzle.position, &puzzle.solution(), Some(language));
        let place = found.place();
        let place = place.of(language);
        let tag = |motif: &Motif| localized(motif.tag(), motif.name().ja).of(language);
        let tags: Vec<&str> = puzzle.motifs.iter().map(tag).collect();
        let separator = localized(",", "、").of(language);
        let tags = if tags.is_empty() { "-".to_owned() } else { tags.join(separator) };
        format!("{sfen}\t{goal}\t{grade}\t{tags}\t{place}\t{solution}\n")
    };
    puzzles.iter().map(line).collect()
}

const fn goal_word(goal: PuzzleGoal) -> Localized {
    match goal {
        PuzzleGoal::Mate => localized("mate", "詰み"),
        PuzzleGoal::Win => localized("win", "勝ち"),
        PuzzleGoal::Save => localized("save", "しのぎ"),
    }
}
