//! The move that a level plays: the errors of `human_error` applied to the lines of the search. All random
//! numbers come from one seed.

use super::human_error::Attention;
use super::root_move::RootMove;
use super::search_context::SearchContext;
use super::static_choice::hangs_piece;
use super::strength::StrengthLevel;
use crate::mate::{MateResult, ResumableSolver};
use crate::position::Position;
use crate::sys;
use crate::types::{Move, Random, Score};

/// Memory of the threat search in MiB, and the number of positions that it may expand: enough for most mates
/// of up to seven plies.
const THREAT_MEMORY_MIB: usize = 1;
const THREAT_POSITIONS: u64 = 500;

/// A line that hangs a piece and is worse than the best by more than this (two pawns) is not a sacrifice, and is
/// never chosen.
const SACRIFICE_LOSS: i32 = 180;

/// Moves the line that the level plays to the front. The search may not have found that line.
pub(super) fn play_at_level(
    level: StrengthLevel,
    context: &SearchContext,
    lines: &mut Vec<RootMove>,
) {
    play_with(Random::new(sys::random_seed()), level, context, lines);
}

fn play_with(
    mut random: Random,
    level: StrengthLevel,
    context: &SearchContext,
    lines: &mut Vec<RootMove>,
) {
    let candidates = lines.iter().take(level.candidates());
    let scored = candidates.take_while(|line| line.score != -Score::INFINITE).count();
    if scored == 0 {
        return;
    }
    let attention = Attention::sample(level.human_error(), &mut random);
    let is_win = |line: &RootMove| line.score.is_win();
    if is_win(&lines[0])
        && lines[0].score.mate_distance().is_some_and(|plies| attention.sees_mate(plies))
    {
        return;
    }
    // The first win is not seen, so no other is.
    let wins = lines[..scored].iter().take_while(|line| is_win(line)).count();
    let seen = &lines[wins..scored];
    let without_search = seen.is_empty() || attention.without_search;
    if without_search || overlooks_a_threat(attention, &context.request.position) {
        let unseen: Vec<Move> = lines[..wins].iter().map(RootMove::mv).collect();
        play_without_search(level, context, &unseen, lines, &mut random);
        return;
    }
    let position = &context.request.position;
    let best = seen[0].score;
    let hangs =
        |line: &RootMove| best - line.score > SACRIFICE_LOSS && hangs_piece(position, line.mv());
    // The scores of losses differ by a few units only, so a softmax would not prefer the longest defence.
    let is_mated_sooner = |line: &RootMove| {
        let distance = line.score.mate_distance().filter(|_| line.score < best);
        distance.is_some_and(|distance| attention.sees_threat(-distance - 1))
    };
    let is_hidden = |line: &RootMove| hangs(line) || is_mated_sooner(line);
    let score = |line: &RootMove| (!is_hidden(line)).then_some(line.score);
    let scores: Vec<Option<Score>> = seen.iter().map(score).collect();
    let chosen = wins + level.choose(&scores, position, &mut random);
    lines[..=chosen].rotate_right(1);
}

/// Plays a move by static evaluations, none of `unseen`. Without another move the lines stay as they are.
fn play_without_search(
    level: StrengthLevel,
    context: &SearchContext,
    unseen: &[Move],
    lines: &mut Vec<RootMove>,
    random: &mut Random,
) {
    let others = context.root_moves.iter().copied().filter(|mv| !unseen.contains(mv));
    let moves: Vec<Move> = others.collect();
    let position = &context.request.position;
    let Some((mv, score)) =
        level.static_choice().choose(position, &context.network, &moves, random)
    else {
        return;
    };
    match lines.iter().position(|line| line.mv() == mv && line.score != -Score::INFINITE) {
        Some(index) => lines[..=index].rotate_right(1),
        None => {
            lines.retain(|line| line.mv() != mv);
            let mut unsearched = RootMove::new(mv);
            unsearched.score = score;
            lines.insert(0, unsearched);
        }
    }
}

/// Whether the opponent threatens a mate that the player does not see.
fn overlooks_a_threat(attention: Attention, position: &Position) -> bool {
    // A player who sees the longest threats sees all.
    const MAX_THREAT_PLIES: i32 = 7;
    !attention.sees_threat(MAX_THREAT_PLIES)
        && threatened_mate(position).is_some_and(|plies| !attention.sees_threat(plies))
}

/// The number of plies in which the opponent mates if the side to move passes.
fn threatened_mate(position: &Position) -> Option<i32> {
    if position.in_check() {
        return None;
    }
    let mut passed = position.clone();
    passed.do_null_move();
    // In check the opponent cannot mate before the check is answered.
    let mut solver = ResumableSolver::new(passed, THREAT_MEMORY_MIB).ok()?;
    match solver.search(THREAT_POSITIONS, &|| false).result {
        MateResult::Mate(line) => Some(line.len() as i32),
        MateResult::NoMate | MateResult::Unknown => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::request::{Limits, SearchOptions};
    use super::super::testing::{START, context, request};
    use super::*;
    use std::collections::HashSet;
    use std::time::Duration;

    fn context_of(sfen: &str) -> SearchContext {
        context(request(sfen, Limits::default(), SearchOptions::for_tests()))
    }

    fn line(mv: &str, score: Score) -> RootMove {
        let mut line = RootMove::new(mv.parse().unwrap());
        line.score = score;
        line
    }

    /// The moves that a level plays by different seeds if the search has found these lines.
    fn plays(level: i32, context: &SearchContext, lines: &[RootMove]) -> Vec<String> {
        let play = |seed| {
            let mut lines = lines.to_vec();
            play_with(Random::new(seed), StrengthLevel::new(level), context, &mut lines);
            lines[0].mv().to_string()
        };
        (0..400).map(play).collect()
    }

    #[test]
    fn the_same_seed_gives_the_same_move() {
        let context = context_of(START);
        let lines = [line("7g7f", Score(30)), line("2g2f", Score(20)), line("9g9f", Score(-40))];
        assert_eq!(plays(-20, &context, &lines), plays(-20, &context, &lines));
    }

    /// Regression: the seed was the time since `go`. Where the clock has steps of a millisecond, as in some browsers, a
    /// beginner repeated its games.
    #[test]
    fn a_level_varies_its_moves_even_if_no_time_passes() {
        let mut context = context_of(START);
        context.request.received += Duration::from_secs(3600);
        let lines = [line("7g7f", Score(30)), line("2g2f", Score(20)), line("9g9f", Score(-40))];
        let play = |_| {
            let mut lines = lines.to_vec();
            play_at_level(StrengthLevel::new(-20), &context, &mut lines);
            lines[0].mv()
        };
        assert!((0..100).map(play).collect::<HashSet<Move>>().len() > 1);
    }

    #[test]
    fn a_mate_in_one_is_missed_by_a_beginner_as_often_as_the_model_says_and_hardly_by_a_master() {
        // Black mates by a gold on 5b, and has other moves.
        let context = context_of("4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
        let lines = [line("G*5b", Score::mate_in(1)), line("5i5h", Score(2000))];
        for (level, min, max) in [(-20, 0.33, 0.53), (-12, 0.14, 0.30), (9, 0.0, 0.02)] {
            let moves = plays(level, &context, &lines);
            let missed = moves.iter().filter(|mv| *mv != "G*5b").count() as f64 / 400.0;
            assert!((min..=max).contains(&missed), "{level}: {missed}");
        }
    }

    #[test]
    fn a_player_who_sees_no_mate_still_plays_another_move() {
        let context = context_of("4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
        let moves = plays(-20, &context, &[line("G*5b", Score::mate_in(1))]);
        let others: HashSet<&String> = moves.iter().filter(|mv| *mv != "G*5b").collect();
        assert!(others.len() > 1, "{others:?}");
        assert!(moves.iter().any(|mv| mv == "G*5b"));
    }

    #[test]
    fn the_only_move_is_played_even_if_its_mate_is_not_seen() {
        let mut context = context_of("4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
        context.root_moves = vec!["G*5b".parse().unwrap()];
        let moves = plays(-20, &context, &[line("G*5b", Score::mate_in(1))]);
        assert!(moves.iter().all(|mv| mv == "G*5b"));
    }

    #[test]
    fn a_beginner_never_chooses_a_move_that_hangs_a_piece_except_a_sacrifice() {
        // The bishop for nothing on 3c, and a quiet move that is as bad.
        let sfen = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL b - 5";
        let context = context_of(sfen);
        let others =
            |given| [line("2f2e", Score(0)), line("8h3c", given), line("5i5h", Score(-300))];
        let count =
            |moves: Vec<String>, mv: &str| moves.iter().filter(|&played| played == mv).count();
        let bad = plays(-20, &context, &others(Score(-300)));
        assert_eq!(count(bad.clone(), "8h3c"), 0);
        assert!(count(bad, "5i5h") > 20);
        assert!(count(plays(-20, &context, &others(Score(-100))), "8h3c") > 20);
    }

    /// Regression: where every move loses, a kyu level chose a move that allows a mate in one as often as the longest
    /// defence.
    #[test]
    fn a_lost_level_hardly_allows_a_shorter_mate_than_it_must() {
        let context = context_of(START);
        let lines = [line("7g7f", Score::mated_in(12)), line("2g2f", Score::mated_in(2))];
        for level in [-20, -12, 9] {
            let moves = plays(level, &context, &lines);
            let count = |mv: &str| moves.iter().filter(|&played| played == mv).count();
            let (longest, shortest) = (count("7g7f"), count("2g2f"));
            assert!(longest > 4 * shortest, "{level}: {longest} {shortest}");
        }
    }

    #[test]
    fn a_threat_of_mate_is_found_by_its_length_and_not_in_check() {
        let threat = |sfen| threatened_mate(&Position::from_sfen(sfen).unwrap());
        assert_eq!(threat("4k4/9/9/9/9/9/4p4/9/4K4 b g 1"), Some(1));
        assert_eq!(threat(START), None);
        assert_eq!(threat("4k4/9/9/9/9/9/4p4/4g4/4K4 b - 1"), None);
    }

    #[test]
    fn a_beginner_overlooks_a_threat_of_mate_more_often_than_a_dan() {
        // White threatens G*5h; the search knows that only the king's flight helps.
        let context = context_of("4k4/9/9/9/9/9/4p4/9/4K4 b 2Pg 1");
        let lines = [line("5i4i", Score(-1500))];
        let stays =
            |level| plays(level, &context, &lines).iter().filter(|mv| *mv != "5i4i").count();
        let (beginner, dan) = (stays(-18), stays(5));
        assert!(beginner > 100 && dan < beginner / 2, "{beginner} {dan}");
    }
}
