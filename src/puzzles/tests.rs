//! Tests of the search for puzzles in whole games.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::analysis::{AnalysisError, AnalysisScore, Motif, WinReason};
use crate::nnue::Network;
use crate::position::Position;
use crate::record::{ErrorPolicy, GameRecord, RecordFormat, read};
use crate::search::request::SearchOptions;
use crate::types::{Color, Move};

/// Black misses the only mate, in one.
const MATE_IN_ONE: &str = "sfen 4k4/9/4G4/9/9/9/9/9/4K4 b G2r2b2g4s4n4l18p 1 moves 5i5h 5a4a";
/// Black misses a mate in three with two moves to find.
const MATE_IN_THREE: &str = "sfen 8k/4r1G2/9/9/9/9/9/9/K8 b R2b3g4s4n4l18p 1 moves R*9h 1a1b";
/// Black misses a mate in one by a pawn, which mates with and without promotion.
const MATE_BY_PAWN: &str =
    "sfen 3nkn2l/3p1p3/4P4/9/9/9/9/4L4/K8 b 2r2b4g4s2n2l15p 1 moves 9i9h 1a1b";
/// Black misses the capture of a rook, with or without promotion, and loses his own.
const ROOK_BY_ROOK: &str = "sfen 4k4/4g4/7r1/9/9/9/9/4G2R1/4K4 b - 1 moves 2h4h 2c2i+";
/// Black misses a mate in one, of which there are two.
const TWO_MATES: &str = "sfen 8k/9/8G/9/9/9/9/9/K8 b G2r2b2g4s4n4l18p 1 moves 9i9h 1a2a";

fn game(line: &str) -> GameRecord {
    read(line, RecordFormat::Usi, ErrorPolicy::Refuse).unwrap().games.remove(0)
}

/// A finder with this stop flag.
fn finder(stop: &Arc<AtomicBool>) -> PuzzleFinder {
    let options = SearchOptions { analysis: true, ..SearchOptions::for_tests() };
    let settings =
        FinderSettings { nodes: 400, hash_mib: 1, options, network: Network::built_in() };
    PuzzleFinder::new(settings, stop.clone()).unwrap()
}

fn puzzles(line: &str) -> Vec<Puzzle> {
    puzzles_by(&mut finder(&Arc::default()), line)
}

fn puzzles_by(finder: &mut PuzzleFinder, line: &str) -> Vec<Puzzle> {
    let scan = finder.scan(&game(line), &Color::ALL, &mut || {}).unwrap();
    let mut found = Vec::new();
    finder.examine(&scan, &mut found, &mut || {}).unwrap();
    found
}

fn usi(line: &[Move]) -> String {
    line.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

/// Checks a puzzle by the rules and by its own data.
fn check(puzzle: &Puzzle) {
    assert_eq!(puzzle.position.game_ply(), 1);
    assert_ne!(puzzle.steps[0].answer(), puzzle.played);
    assert_eq!(puzzle.solution().len(), 2 * puzzle.steps.len() - 1);
    for (step, position) in puzzle.steps.iter().zip(puzzle.positions()) {
        let Examination { goal, best, second, .. } = &step.examination;
        let second = second.as_ref().map(|line| line.score);
        assert_eq!(super::goal(best.score, second), Some(*goal));
        let mut legal: Vec<String> =
            position.legal_moves().moves().map(|mv| mv.to_string()).collect();
        let others = step.alternatives.iter().map(|it| it.mv);
        let mut known: Vec<String> =
            others.chain([step.answer()]).map(|mv| mv.to_string()).collect();
        legal.sort_unstable();
        known.sort_unstable();
        assert_eq!(known, legal);
        for Alternative { mv, line, score, is_right } in &step.alternatives {
            let is_wrong = super::goal(best.score, Some(*score)).is_some();
            assert_ne!(is_wrong, *is_right, "{mv}: {score:?}");
            assert!(is_wrong || goal.is_reached_by(*score), "{mv}: {score:?}");
            let mut after = position.clone();
            [&[*mv], &line[..]].concat().into_iter().for_each(|mv| {
                after.try_play(mv).unwrap();
            });
        }
    }
    let mut end = puzzle.position.clone();
    puzzle.line().into_iter().for_each(|mv| {
        end.try_play(mv).unwrap();
    });
}

#[test]
fn a_missed_mate_is_a_puzzle_with_its_length_and_its_motifs() {
    let found = puzzles(MATE_IN_ONE);
    assert_eq!(found.len(), 1);
    let puzzle = &found[0];
    check(puzzle);
    assert_eq!((puzzle.goal, puzzle.ply), (PuzzleGoal::Mate, 1));
    assert_eq!(
        (usi(&puzzle.solution()), puzzle.played.to_string()),
        ("G*5b".into(), "5i5h".into())
    );
    let score = puzzle.steps[0].examination.best.score;
    assert_eq!(score, AnalysisScore::Win(WinReason::Mate { plies: 1, is_shortest: true }));
    assert_eq!(puzzle.motifs, [Motif::Mate, Motif::GoldAtHead]);
    assert!(puzzle.previous.is_none() && puzzle.difficulty.grade == 1, "{:?}", puzzle.difficulty);
}

#[test]
fn a_solution_continues_while_the_moves_of_the_solver_are_the_only_ones() {
    let found = puzzles(MATE_IN_THREE);
    assert_eq!(found.len(), 1);
    check(&found[0]);
    assert_eq!(usi(&found[0].solution()), "R*2a 1a1b 2a2b+");
}

/// Regression: such a position was no puzzle, because two moves mate or win.
#[test]
fn the_answer_without_promotion_is_no_other_move_and_right_too() {
    for (game, answer, goal) in
        [(MATE_BY_PAWN, "5c5b+", PuzzleGoal::Mate), (ROOK_BY_ROOK, "2h2c+", PuzzleGoal::Win)]
    {
        let found = puzzles(game);
        assert_eq!(found.len(), 1, "{game}");
        check(&found[0]);
        let step = &found[0].steps[0];
        assert_eq!((step.answer().to_string().as_str(), found[0].goal), (answer, goal));
        let right = step.also_right().map(|it| it.mv.to_string());
        assert_eq!(right.as_deref(), answer.strip_suffix('+'));
    }
}

#[test]
fn an_answer_that_was_played_without_promotion_is_no_puzzle() {
    let position = game(MATE_BY_PAWN).start_position();
    let options = SearchOptions::for_tests();
    let mut examiner = Examiner::new(Network::built_in(), 1, options, 400, Arc::default()).unwrap();
    let mut steps = |played: &str| {
        let built = super::solution::build(&mut examiner, &position, played.parse().unwrap());
        built.unwrap().steps.len()
    };
    assert_eq!((steps("9i9h"), steps("5c5b+"), steps("5c5b")), (1, 0, 0));
}

/// The rook that does not promote leaves the king a square.
#[test]
fn the_answer_without_promotion_is_wrong_where_it_misses_the_goal() {
    let found = puzzles(MATE_IN_THREE);
    let last = found[0].steps.last().unwrap();
    assert_eq!((last.answer().to_string(), last.also_right()), ("2a2b+".into(), None));
}

#[test]
fn where_two_moves_win_there_is_no_puzzle() {
    assert!(puzzles(TWO_MATES).is_empty());
}

#[test]
fn a_move_that_was_found_is_no_puzzle() {
    assert!(puzzles(&MATE_IN_ONE.replace("5i5h 5a4a", "G*5b")).is_empty());
}

#[test]
fn a_stop_keeps_what_was_found_before() {
    // The same opportunity twice: the second is not examined.
    let twice = MATE_IN_ONE.replace("5i5h 5a4a", "5i5h P*9h 5h5i 9h9i+");
    let stop = Arc::new(AtomicBool::new(false));
    let mut finder = finder(&stop);
    let scan = finder.scan(&game(&twice), &Color::ALL, &mut || {}).unwrap();
    assert!(scan.suspects() > 1);
    let mut found = Vec::new();
    let stopped = finder.examine(&scan, &mut found, &mut || stop.store(true, Ordering::Relaxed));
    assert!(matches!(stopped, Err(FinderError::Analysis(AnalysisError::Stopped))));
    assert_eq!(found.len(), 1);
}

/// A finder keeps its memory from game to game.
#[test]
fn a_game_has_the_same_puzzles_after_other_games() {
    let mut finder = finder(&Arc::default());
    for line in [MATE_IN_THREE, MATE_IN_ONE, TWO_MATES, MATE_IN_THREE] {
        let (found, alone) = (puzzles_by(&mut finder, line), puzzles(line));
        assert_eq!(found.len(), alone.len(), "{line}");
        for (one, other) in found.iter().zip(&alone) {
            assert_eq!((&one.steps, one.difficulty), (&other.steps, other.difficulty));
        }
    }
}

#[test]
fn only_the_sides_asked_for_are_examined() {
    let mut finder = finder(&Arc::default());
    let mut scan =
        |sides: &[Color]| finder.scan(&game(MATE_IN_ONE), sides, &mut || {}).unwrap().suspects();
    assert_eq!((scan(&[Color::Black]), scan(&[])), (1, 0));
}

/// Numbered like the games that they are from.
fn kept(puzzles: &[(usize, &Puzzle)]) -> Vec<(usize, usize)> {
    let puzzles = puzzles.iter().map(|&(game, puzzle)| (game, puzzle.clone())).collect();
    distinct(puzzles).into_iter().map(|(game, puzzle)| (game, puzzle.ply)).collect()
}

#[test]
fn the_first_of_similar_puzzles_is_kept() {
    let one = puzzles(MATE_IN_ONE).remove(0);
    let three = puzzles(MATE_IN_THREE).remove(0);
    // From a position in the middle of a solution.
    let middle = Position::from_setup(&three.positions()[1].setup()).unwrap();
    let middle = Puzzle { position: middle, steps: three.steps[1..].to_vec(), ..three.clone() };
    let mirrored = Position::from_setup(&one.position.setup().mirrored()).unwrap();
    let mirrored = Puzzle { position: mirrored, ..one.clone() };
    let far = Puzzle { ply: 10, ..three.clone() };
    assert_eq!(kept(&[(0, &one), (1, &three)]), [(0, 1), (1, 1)]);
    assert_eq!(kept(&[(0, &one), (1, &mirrored)]), [(0, 1)]);
    assert_eq!(kept(&[(0, &three), (1, &middle)]), [(0, 1)]);
    // Two mates in one game.
    assert_eq!(kept(&[(0, &one), (0, &Puzzle { ply: 9, ..three.clone() })]), [(0, 1)]);
    assert_eq!(kept(&[(0, &one), (0, &far)]), [(0, 1), (0, 10)]);
}
