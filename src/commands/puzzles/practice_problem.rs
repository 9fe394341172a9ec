//! A puzzle on the practice page.

use kawasemi::analysis::{AnalysisScore, WinReason};
use kawasemi::position::Position;
use kawasemi::puzzles::{Alternative, PuzzleGoal, PuzzleStep};
use kawasemi::record::is_handicap;
use kawasemi::types::Color;

use super::searched_game::FoundPuzzle;
use crate::commands::practice::{
    OtherKind, OtherMove, PracticeProblem, PracticeSource, PracticeStep, spelled, spelled_line,
};

pub fn of(FoundPuzzle { source, puzzle }: &FoundPuzzle<'_>) -> PracticeProblem {
    let position = &puzzle.position;
    let positions = puzzle.positions();
    let steps = puzzle.steps.iter().zip(&positions).map(|(one, position)| step(one, position));
    let mut end = position.clone();
    puzzle.solution().iter().for_each(|&mv| {
        end.do_move(mv);
    });
    let plies = match puzzle.steps[0].examination.best.score {
        AnalysisScore::Win(WinReason::Mate { plies, .. }) => Some(plies),
        _ => None,
    };
    PracticeProblem {
        start: position.to_sfen(),
        is_handicap: is_handicap(source.game.start()),
        previous: puzzle.previous.as_ref().map(|(_, mv)| mv.to_string()),
        goal: match puzzle.goal {
            PuzzleGoal::Mate => "mate",
            PuzzleGoal::Win => "win",
            PuzzleGoal::Save => "save",
        },
        plies,
        difficulty: Some(puzzle.difficulty.grade),
        depth: Some(puzzle.difficulty.found.depth),
        nodes: Some(puzzle.difficulty.found.nodes),
        human_win_rates: Some(puzzle.difficulty.human_win_rates),
        tags: puzzle.motifs.iter().map(|motif| motif.name()).collect(),
        title: None,
        source: Some(PracticeSource {
            file: source.file.clone(),
            number: source.number,
            ply: puzzle.ply,
            black: source.player(Color::Black),
            white: source.player(Color::White),
            date: source.date(),
        }),
        played: Some(spelled(position, puzzle.played)),
        steps: steps.collect(),
        rest: spelled_line(&end, &puzzle.continuation),
    }
}

fn step(step: &PuzzleStep, position: &Position) -> PracticeStep {
    let right = match step.examination.goal {
        PuzzleGoal::Mate => OtherKind::AlsoMates,
        PuzzleGoal::Win | PuzzleGoal::Save => OtherKind::AlsoRight,
    };
    let other = |Alternative { mv, score, line, is_right }: &Alternative| {
        let mut after = position.clone();
        after.do_move(*mv);
        OtherMove {
            mv: spelled(position, *mv),
            kind: if *is_right { right } else { OtherKind::Wrong },
            score: Some((*score).into()),
            line: spelled_line(&after, line),
        }
    };
    let mut after = position.clone();
    after.do_move(step.answer());
    PracticeStep {
        answer: spelled(position, step.answer()),
        score: Some(step.examination.best.score.into()),
        reply: step.reply.map(|mv| spelled(&after, mv)),
        others: step.alternatives.iter().map(other).collect(),
    }
}
