//! The search through its public interface: requests in, events out.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crossbeam::channel::{Receiver, unbounded};

use super::request::{
    Answer, Clock, Event, Limits, PvEnding, PvLine, Report, SearchOptions, SearchOutcome,
};
use super::root_move::root_moves;
use super::single_thread::SingleThreadSearcher;
use super::strength::StrengthLevel;
use super::testing::{START, context, request};
use super::thread_pool::ThreadPool;
use super::worker::{SearchWorker, ThreadData};
use crate::nnue::Network;
use crate::position::{EnteringKingRule, Position};
use crate::types::{Bound, ByColor, Depth, MAX_PLY, Move, Score};

/// An attack in a middle game, where every move matters.
const SHARP: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";

fn to_depth(depth: Depth) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

/// A pool of one thread, and its events.
fn pool() -> (ThreadPool, Receiver<Event>) {
    let (sender, events) = unbounded();
    (ThreadPool::new(sender).unwrap(), events)
}

/// The next lines, and the outcome if the search has ended.
fn next_lines(events: &Receiver<Event>) -> (Vec<PvLine>, Option<SearchOutcome>) {
    loop {
        match events.recv_timeout(Duration::from_secs(60)).unwrap().report {
            Report::Lines(lines) => return (lines, None),
            Report::Done(mut outcome) => {
                return (std::mem::take(&mut outcome.lines), Some(outcome));
            }
            _ => {}
        }
    }
}

/// All lines until the search ends, and its outcome.
fn finish(events: &Receiver<Event>) -> (Vec<PvLine>, SearchOutcome) {
    let mut all = Vec::new();
    loop {
        let (lines, outcome) = next_lines(events);
        all.extend(lines);
        if let Some(outcome) = outcome {
            return (all, outcome);
        }
    }
}

fn search(sfen: &str, limits: Limits, options: SearchOptions) -> (Vec<PvLine>, SearchOutcome) {
    let (mut pool, events) = pool();
    pool.go(1, request(sfen, limits, options));
    finish(&events)
}

#[test]
fn of_iterations_within_one_report_interval_only_the_last_is_reported() {
    let limits = to_depth(6);
    let options =
        SearchOptions { pv_interval: Duration::from_secs(3600), ..SearchOptions::for_tests() };
    let depths = |options| {
        search(START, limits.clone(), options).0.iter().map(|it| it.depth).collect::<Vec<_>>()
    };
    assert_eq!(depths(options), [1, 6]);
    // How often a window is missed depends on the evaluation.
    let mut all = depths(SearchOptions::for_tests());
    all.dedup();
    assert_eq!(all, [1, 2, 3, 4, 5, 6]);
}

/// Regression: a busy machine ran other threads between the last lines and the answer, which came too
/// late.
#[test]
fn the_last_lines_come_with_the_answer_and_not_before_it() {
    let (mut pool, events) = pool();
    let options =
        SearchOptions { pv_interval: Duration::from_secs(3600), ..SearchOptions::for_tests() };
    pool.go(1, request(START, to_depth(6), options));
    let depths = |lines: Vec<PvLine>| lines.iter().map(|line| line.depth).collect::<Vec<_>>();
    let mut before = Vec::new();
    let last = loop {
        match events.recv_timeout(Duration::from_secs(60)).unwrap().report {
            Report::Lines(lines) => before.extend(depths(lines)),
            Report::Done(outcome) => break depths(outcome.lines),
            _ => {}
        }
    };
    assert_eq!((before, last), (vec![1], vec![6]));
    // Also where the rules answer without a search.
    pool.go(
        2,
        request("4k4/4G4/4G4/9/9/9/9/9/4K4 w - 2", Limits::default(), SearchOptions::for_tests()),
    );
    let only = events.recv_timeout(Duration::from_secs(60)).unwrap().report;
    assert!(matches!(&only, Report::Done(outcome) if outcome.lines.len() == 1), "{only:?}");
}

/// Regression: 32 threads, a usual default, exceeded a limit of a thousand nodes eightfold.
#[test]
fn a_small_node_limit_uses_few_threads() {
    let (mut pool, events) = pool();
    pool.resize_threads(3).unwrap();
    for nodes in [1, 1000, 8191] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        pool.go(1, request(START, limits, SearchOptions::for_tests()));
        assert_eq!(finish(&events).1.nodes, nodes);
    }
}

/// The levels differ by less than the nodes between two checks of the limits.
#[test]
fn every_level_searches_more_nodes_than_the_one_below_it() {
    let nodes = |strength| {
        let options = SearchOptions { strength: Some(strength), ..SearchOptions::for_tests() };
        search(START, Limits::default(), options).1.nodes
    };
    let seen = [-16, -15, -14, -13, -8].map(nodes);
    assert!(seen.is_sorted_by(|weaker, stronger| weaker < stronger), "{seen:?}");
}

/// With 593 legal moves, the first iteration takes more than the nodes of a weak level.
#[test]
fn the_weakest_levels_have_compared_all_moves_however_many_there_are() {
    let sfen = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
    for strength in [-15, -20] {
        let options = SearchOptions { strength: Some(strength), ..SearchOptions::for_tests() };
        let moves = root_moves(&request(sfen, Limits::default(), options.clone())).len();
        let lines = StrengthLevel::new(strength).candidates();
        let (_, outcome) = search(sfen, Limits::default(), options);
        // Each line compares all moves but those of the lines before it.
        assert!(outcome.nodes >= (lines * (moves - lines)) as u64, "{strength}");
    }
}

/// Regression: the clock ended the search after the first of the candidates, which was then played.
#[test]
fn a_level_whose_time_is_over_has_searched_all_its_candidates() {
    let nodes = |move_time| {
        let limits = Limits { move_time, ..Limits::default() };
        let options = SearchOptions { strength: Some(-20), ..SearchOptions::for_tests() };
        let mut asked = request(START, limits, options);
        asked.received -= Duration::from_secs(2);
        let (mut pool, events) = pool();
        pool.go(1, asked);
        finish(&events).1.nodes
    };
    let (untimed, late) = (nodes(None), nodes(Some(Duration::from_secs(1))));
    // Without a clock the first node after the iteration ends the search.
    assert!(late + 1 >= untimed, "{late} {untimed}");
}

/// Regression: the mate ended the search, so the level answered at once, and if it missed the mate, it chose among
/// moves that were hardly searched.
#[test]
fn a_level_uses_up_its_nodes_where_the_search_finds_a_mate() {
    let mate = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
    let options = SearchOptions { strength: Some(5), ..SearchOptions::for_tests() };
    let (_, outcome) = search(mate, Limits::default(), options);
    assert_eq!(outcome.nodes, StrengthLevel::new(5).nodes());
}

#[test]
fn a_beginner_searches_one_ply() {
    let options = SearchOptions { strength: Some(-20), ..SearchOptions::for_tests() };
    let (lines, outcome) = search(START, Limits::default(), options);
    assert_eq!(lines.last().unwrap().depth, 1);
    assert!(matches!(outcome.answer, Answer::Move { .. }));
}

/// Regression: with a resign value of 3000, the engine resigned as soon as it gave six pieces.
#[test]
fn a_handicap_is_no_reason_to_resign() {
    let options = SearchOptions { resign_value: Some(1000), ..SearchOptions::for_tests() };
    let depth = to_depth(3);
    let (mut pool, events) = pool();
    for (strength, sfen) in [
        (None, "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        (Some(1), "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        (Some(-5), "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ] {
        let options = SearchOptions { strength, ..options.clone() };
        for _ in 0..3 {
            pool.go(1, request(sfen, depth.clone(), options.clone()));
            let (lines, outcome) = finish(&events);
            assert!(lines[0].score.centipawns() < -1000, "the test needs a larger handicap");
            assert_ne!(outcome.answer, Answer::Resign, "{strength:?}");
        }
    }
}

#[test]
fn resignation_needs_a_search_and_is_off_in_analysis() {
    // White is a rook and a bishop up.
    let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/9/LNSGKGSNL b - 1";
    let options = SearchOptions { resign_value: Some(300), ..SearchOptions::for_tests() };
    let depth = to_depth(3);
    let infinite = Limits { infinite: true, ..depth.clone() };
    let chosen = Limits { search_moves: vec!["7g7f".parse().unwrap()], ..depth.clone() };
    let stopped = Limits { nodes: Some(1), ..Limits::default() };
    let (mut pool, events) = pool();
    let resigns = |pool: &mut ThreadPool, limits: &Limits| {
        pool.go(1, request(sfen, limits.clone(), options.clone()));
        finish(&events).1.answer == Answer::Resign
    };
    // Only the second search, because the first may be wrong.
    let limits = [&depth, &depth, &infinite, &chosen, &stopped];
    assert_eq!(limits.map(|limits| resigns(&mut pool, limits)), [false, true, false, false, false]);
    pool.clear();
    assert!(!resigns(&mut pool, &depth), "another game");
    let analysis = SearchOptions { analysis: true, ..options.clone() };
    pool.go(1, request(sfen, depth, analysis));
    assert_ne!(finish(&events).1.answer, Answer::Resign);
}

/// Regression: a search of a move that was not played counted as the first of two.
#[test]
fn a_ponder_miss_does_not_count_for_resignation() {
    let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/9/LNSGKGSNL b - 1";
    let options = SearchOptions { resign_value: Some(300), ..SearchOptions::for_tests() };
    let depth = to_depth(3);
    let (mut pool, events) = pool();
    for ponder in [true, false] {
        pool.go(1, request(sfen, Limits { ponder, ..depth.clone() }, options.clone()));
        if ponder {
            pool.stop();
        }
        assert_ne!(finish(&events).1.answer, Answer::Resign);
    }
}

/// Regression: such a search did not count, so that an engine that pondered up to a limit never resigned.
#[test]
fn a_search_that_ended_while_pondering_counts_after_a_ponder_hit() {
    let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/9/LNSGKGSNL b - 1";
    let options = SearchOptions { resign_value: Some(300), ..SearchOptions::for_tests() };
    let limits = Limits { ponder: true, ..to_depth(3) };
    for (pondered, played, resigns) in [("3c3d", "3c3d", true), ("3c3d", "8c8d", false)] {
        let (mut pool, events) = pool();
        let mut answer_after = |moves: &[&str]| {
            let mut request = request(sfen, limits.clone(), options.clone());
            for mv in moves {
                request.position.try_play(mv.parse().unwrap()).unwrap();
            }
            pool.go(1, request);
            finish(&events).1.answer
        };
        assert_ne!(answer_after(&["9g9f", pondered]), Answer::Resign);
        let answer = answer_after(&["9g9f", played, "1g1f", "1c1d"]);
        assert_eq!(answer == Answer::Resign, resigns, "{played}");
    }
}

#[test]
fn a_score_outside_the_window_is_not_reported_as_exact_after_a_stop() {
    // Sharp positions: which of them misses a window depends on the evaluation.
    let sharp = [
        SHARP,
        "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
        "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62",
    ];
    let mut seen = 0;
    for sfen in sharp {
        let limits = to_depth(7);
        let (lines, _) = search(sfen, limits, SearchOptions::for_tests());
        for line in lines.into_iter().filter(|line| line.bound != Bound::Exact).take(2) {
            // The same search, stopped one node after the window was missed.
            let limits = Limits { nodes: Some(line.nodes + 1), ..Limits::default() };
            let mut lines = search(sfen, limits, SearchOptions::for_tests()).0;
            let last = lines.pop().unwrap();
            let whole = lines.into_iter().rfind(|line| line.bound == Bound::Exact).unwrap();
            if last.pv[0] == whole.pv[0] {
                assert_eq!((last.bound, last.score), (Bound::Exact, whole.score));
                assert_eq!(last.pv, whole.pv);
            } else {
                assert_eq!((last.bound, last.score), (line.bound, line.score));
            }
            seen += 1;
        }
    }
    assert!(seen > 0);
}

/// Regression: the move was reported twice, the second time with the static evaluation and a line of one
/// move.
#[test]
fn a_search_move_given_twice_is_searched_once() {
    let moves = ["7g7f", "2g2f", "7g7f", "2g2f"].map(|mv| mv.parse().unwrap());
    let limits = Limits { search_moves: moves.to_vec(), ..Limits::default() };
    let request = request(START, limits, SearchOptions::for_tests());
    assert_eq!(root_moves(&request), moves[..2]);
}

#[test]
fn every_search_move_is_searched_even_a_useless_non_promotion() {
    // The rook on 4b is lost. The pawn could promote, so it moves without promotion only when asked to.
    let sfen = "4k4/9/1P7/9/9/9/9/5R3/4K4 b - 1";
    let wanted = ["4h4b", "8c8b"].map(|text| text.parse().unwrap());
    let limits = Limits { search_moves: wanted.to_vec(), depth: Some(5), ..Limits::default() };
    let (_, outcome) = search(sfen, limits, SearchOptions::for_tests());
    assert!(
        matches!(outcome.answer, Answer::Move { best, .. } if best == wanted[1]),
        "{outcome:?}"
    );
}

#[test]
fn a_stop_ends_an_infinite_search_and_no_event_follows() {
    let (mut pool, events) = pool();
    pool.resize_threads(2).unwrap();
    for (search_id, pause_ms) in [0, 1, 50].into_iter().enumerate() {
        let limits = Limits { infinite: true, ..Limits::default() };
        pool.go(search_id as u64, request(START, limits, SearchOptions::for_tests()));
        std::thread::sleep(Duration::from_millis(pause_ms));
        pool.stop();
        let (_, outcome) = finish(&events);
        assert!(matches!(outcome.answer, Answer::Move { best, .. }
            if Position::startpos().is_legal(best)));
        assert!(events.is_empty());
    }
}

#[test]
fn threads_for_which_there_is_no_memory_left_are_not_started() {
    let (mut pool, _events) = pool();
    let bytes = ThreadData::BYTES as u64;
    let mut left = [2 * bytes, 2 * bytes, bytes].into_iter();
    let error = pool.resize_threads_with_available(4, || left.next()).unwrap_err();
    let refused = crate::sys::AllocationError { bytes: ThreadData::BYTES }.to_string();
    assert_eq!(error.en, format!("only 1 of 4 threads: {refused}"));
    // The memory that is left is unknown.
    pool.resize_threads_with_available(2, || None).unwrap();
}

#[test]
fn a_worker_that_panics_loses_only_its_own_result() {
    const DEPTH: Depth = 7;
    let (mut pool, events) = pool();
    pool.resize_threads(2).unwrap();
    let mut ask = |panic_at| {
        pool.go(
            1,
            request(
                START,
                to_depth(DEPTH),
                SearchOptions { panic_at, ..SearchOptions::for_tests() },
            ),
        );
        let (mut messages, mut depth) = (Vec::new(), 0);
        let outcome = loop {
            match events.recv_timeout(Duration::from_secs(60)).unwrap().report {
                Report::Error(words) => messages.push(words),
                Report::Lines(lines) => depth = lines[0].depth,
                Report::Done(outcome) => break outcome,
                _ => {}
            }
        };
        depth = outcome.lines.first().map_or(depth, |line| line.depth);
        assert!(events.is_empty());
        assert!(matches!(outcome.answer, Answer::Move { best, .. }
            if Position::startpos().is_legal(best)));
        (messages, depth)
    };
    // The main worker panics after an iteration or two, the helper at its first poll, because the
    // search may be over when it begins.
    for (worker, nodes) in [(0, 100), (1, 0)] {
        let (messages, _) = ask(Some((worker, nodes)));
        let [message] = &messages[..] else { panic!("{messages:?}") };
        assert!(message.starts_with(&format!("search worker {worker} failed; ")));
        assert_eq!(ask(None), (Vec::new(), DEPTH));
    }
}

/// A node limit stops the search at many different places.
#[test]
fn a_stop_does_not_take_back_a_reported_iteration() {
    let (mut pool, events) = pool();
    let options = SearchOptions { root_mates: false, ..SearchOptions::for_tests() };
    for trial in 0..250 {
        // The histories of earlier trials make scores jump, so that windows are missed.
        let limits = Limits { nodes: Some(44 * trial), ..Limits::default() };
        pool.go(trial, request(SHARP, limits, options.clone()));
        let lines = finish(&events).0;
        let finished = lines.iter().filter(|line| line.bound == Bound::Exact);
        let depths: Vec<Depth> = finished.map(|line| line.depth).collect();
        assert!(depths.is_sorted(), "{depths:?}");
    }
}

#[test]
fn a_search_that_is_stopped_at_once_plays_the_table_move() {
    let (mut pool, events) = pool();
    pool.go(1, request(SHARP, to_depth(6), SearchOptions::for_tests()));
    let Answer::Move { best: known, .. } = finish(&events).1.answer else { panic!("no move") };
    let others = root_moves(&request(SHARP, Limits::default(), SearchOptions::for_tests()));
    assert_ne!(others[0], known, "the test needs another position");
    let limits = Limits { nodes: Some(1), ..Limits::default() };
    pool.go(2, request(SHARP, limits.clone(), SearchOptions::for_tests()));
    assert!(matches!(finish(&events).1.answer, Answer::Move { best, .. } if best == known));
    // Not where the user asks for another move.
    let limits = Limits { search_moves: vec![others[0]], ..limits };
    pool.go(3, request(SHARP, limits, SearchOptions::for_tests()));
    assert!(matches!(finish(&events).1.answer, Answer::Move { best, .. } if best == others[0]));
}

/// Where the stop hits the search is random, so there are many trials.
#[test]
fn a_search_that_is_stopped_before_its_first_node_has_compared_all_moves() {
    let takes_back = "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 4";
    let (mut pool, events) = pool();
    for trial in 0..100 {
        pool.clear();
        let limits = Limits { infinite: true, ..Limits::default() };
        pool.go(trial, request(takes_back, limits, SearchOptions::for_tests()));
        pool.stop();
        let Answer::Move { best, .. } = finish(&events).1.answer else { panic!("no move") };
        assert_eq!(best.to_string(), "3a2b");
    }
}

/// Regression: only the moves before the first check of the clock were searched.
#[test]
fn a_search_whose_time_is_over_before_its_first_node_has_compared_all_moves() {
    // 593 legal moves, more than the nodes between two checks.
    let sfen = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
    let second = Duration::from_secs(1);
    let clock = Clock { byoyomi: ByColor([second; 2]), ..Clock::default() };
    let told_time = Limits { move_time: Some(second), ..Limits::default() };
    for limits in [told_time, Limits { clock: Some(clock), ..Limits::default() }] {
        let options = SearchOptions { root_mates: false, ..SearchOptions::for_tests() };
        let mut asked = request(sfen, limits, options);
        asked.received -= 2 * second;
        let moves = root_moves(&asked).len() as u64;
        let (mut pool, events) = pool();
        pool.go(1, asked);
        assert!(finish(&events).1.nodes >= moves);
    }
}

#[test]
fn several_lines_differ_and_come_best_first() {
    let options = SearchOptions { multi_pv: 4, ..SearchOptions::for_tests() };
    let (lines, outcome) = search(SHARP, to_depth(5), options);
    let last = &lines[lines.len() - 4..];
    assert_eq!(last.iter().map(|line| line.rank).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(last.is_sorted_by_key(|line| std::cmp::Reverse(line.score)));
    let first_moves: HashSet<Move> = last.iter().map(|line| line.pv[0]).collect();
    assert_eq!(first_moves.len(), 4);
    assert!(matches!(outcome.answer, Answer::Move { best, .. } if best == last[0].pv[0]));
}

#[test]
fn the_lines_of_a_report_have_the_same_time_and_nodes() {
    let (mut pool, events) = pool();
    pool.resize_threads(2).unwrap();
    let options = SearchOptions { multi_pv: 10, ..SearchOptions::for_tests() };
    pool.go(1, request(SHARP, to_depth(6), options));
    let figures = |line: &PvLine| (line.elapsed, line.nodes, line.hashfull_permille);
    let mut is_over = false;
    while !is_over {
        let (lines, outcome) = next_lines(&events);
        is_over = outcome.is_some();
        assert!(lines.iter().all(|line| figures(line) == figures(&lines[0])), "{lines:?}");
    }
}

#[test]
fn a_fourth_occurrence_after_a_long_cycle_ends_the_game() {
    // The rooks walk for twenty plies, then go to and fro twice.
    let walk = "2h3h 8b7b 3h4h 7b6b 4h5h 6b5b 5h6h 5b4b 6h7h 4b3b \
                7h6h 3b4b 6h5h 4b5b 5h4h 5b6b 4h3h 6b7b 3h2h 7b8b";
    let lap = "2h3h 8b7b 3h2h 7b8b";
    let game = format!("{walk} {lap} {lap}");
    let moves: Vec<Move> = game.split_whitespace().map(|text| text.parse().unwrap()).collect();
    let (&last, before) = moves.split_last().unwrap();
    let limits = Limits { search_moves: vec![last], ..to_depth(6) };
    let mut asked = request(START, limits, SearchOptions::for_tests());
    for &mv in before {
        asked.position.try_play(mv).unwrap();
    }
    // The table has a reply to the move from a position where it did not end the game.
    let mut after = asked.position.clone();
    after.try_play(last).unwrap();
    let fresh = request(&after.to_sfen(), to_depth(4), SearchOptions::for_tests());
    let (mut pool, events) = pool();
    pool.go(1, fresh);
    finish(&events);
    pool.go(2, asked);
    let (mut lines, outcome) = finish(&events);
    let line = lines.pop().unwrap();
    assert_eq!((line.pv, line.ending), (vec![last], Some(PvEnding::RepetitionDraw)));
    assert!(line.score.0.abs() <= 1, "{}", line.score);
    assert_eq!(outcome.answer, Answer::Move { best: last, ponder: None });
}

#[test]
fn a_line_that_wins_by_the_try_rule_ends_with_the_move_that_wins() {
    let options =
        || SearchOptions { entering_king: EnteringKingRule::Try, ..SearchOptions::for_tests() };
    // In one move, and in five plies: White's king is too far away.
    let cases = [("9/4K4/9/9/9/9/9/4k4/9 b - 1", 1), ("9/9/4K4/9/9/9/9/4k4/9 b RG 1", 5)];
    for (sfen, plies) in cases {
        let line = search(sfen, to_depth(16), options()).0.pop().unwrap();
        assert_eq!((line.score, line.pv.len(), line.ending), (Score::mate_in(plies), plies, None));
        assert_eq!(line.pv.last().unwrap().to().to_string(), "5a");
    }
}

/// Regression: an analysis showed only one line, without moves.
#[test]
fn an_analysis_shows_the_lines_beside_a_win_by_declaration_or_try() {
    let declaration = "GGGGKSSSS/+B+B+R1+R4/9/9/9/9/9/+n+p+l6/k+n+l6 b 3P 1";
    let options = |entering_king, analysis| SearchOptions {
        entering_king,
        analysis,
        multi_pv: 2,
        ..SearchOptions::for_tests()
    };
    let shown = |sfen, rule, analysis| {
        let (mut lines, outcome) = search(sfen, to_depth(4), options(rule, analysis));
        let count = lines.iter().rev().position(|line| line.rank == 1).unwrap() + 1;
        let last = lines.split_off(lines.len() - count);
        let starts = last.iter().map(|line| line.pv.first().copied()).collect::<Vec<_>>();
        (starts, last[0].score, last[0].ending, outcome.answer)
    };
    let (starts, score, ending, answer) = shown(declaration, EnteringKingRule::Csa27, true);
    assert!(starts.len() == 3 && starts[0].is_none(), "{starts:?}");
    assert!(starts[1].is_some() && starts[2].is_some() && starts[1] != starts[2], "{starts:?}");
    assert_eq!((score, ending), (Score::mate_in(1), Some(PvEnding::Declaration)));
    assert_eq!(answer, Answer::DeclareWin);
    // In a game the declaration needs no search.
    let (starts, _, _, answer) = shown(declaration, EnteringKingRule::Csa27, false);
    assert_eq!((starts, answer), (vec![None], Answer::DeclareWin));
    let entering = "9/4K4/9/9/9/9/9/4k4/9 b - 1";
    let (starts, score, _, _) = shown(entering, EnteringKingRule::Try, true);
    assert_eq!((starts.len(), score), (2, Score::mate_in(1)));
    assert_eq!(starts[0], "5b5a".parse().ok());
    assert_eq!(shown(entering, EnteringKingRule::Try, false).0, ["5b5a".parse().ok()]);
}

/// Regression: quiescence search tried captures only, and its TT move kept the main search from looking
/// for the win.
#[test]
fn quiescence_search_sees_declarations_and_the_try_rule() {
    let declaration = "GGGGKSSSS/+B+B+R1+R4/9/9/9/9/9/+n+p+l6/k+n+l6 b 3P 1";
    let try_in_check = "9/r3K4/9/9/9/9/9/9/k8 b - 1";
    let cases = [
        (declaration, EnteringKingRule::Csa27, true),
        (declaration, EnteringKingRule::None, false),
        (try_in_check, EnteringKingRule::Try, true),
    ];
    for (sfen, entering_king, wins) in cases {
        let options = SearchOptions { entering_king, ..SearchOptions::for_tests() };
        let context = Arc::new(context(request(sfen, to_depth(1), options)));
        let mut worker = SearchWorker::new(0, context, ThreadData::new().unwrap(), None);
        let score = worker.qsearch::<false>(1, Score(25_000), Score(25_001));
        assert_eq!(score == Score::mate_in(2), wins, "{sfen} {entering_king:?} {score}");
    }
}

/// Regression: the first iteration took 1.3 million nodes, because every interposition against a check from afar is
/// captured with check, and all evasions lose. A search limited by nodes never found the mate.
#[test]
fn interpositions_that_all_lose_do_not_use_up_the_nodes() {
    let sfen = "8k/9/8S/7P1/9/9/9/9/4K4 b RBrb4g3s4n4l17p 1";
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let options = SearchOptions { root_mates: false, ..SearchOptions::for_tests() };
    let (lines, _) = search(sfen, limits, options);
    assert_eq!(lines.last().unwrap().score, Score::mate_in(3));
}

/// Regression: the static evaluation was the score, although the game is a draw after the move.
#[test]
fn the_last_move_before_the_limit_ends_the_game_or_draws_it() {
    // White has neither rook nor bishop.
    let ahead = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 10";
    let takes_the_checker = "8k/6Gb1/9/9/9/9/9/1K7/7L1 b - 10";
    let declares = "GGGGKSSSS/+B+B+R1+R4/9/9/9/9/9/+n+p+l6/k+n+l6 b 3P 10";
    let (draw, mates) = (Score::ZERO, Score::mate_in(2));
    let cases = [
        (ahead, 9, draw, ""),
        (ahead, 10, draw, ""),
        ("4k4/9/4G4/9/9/9/9/9/4K4 b G 10", 10, mates, "G*5b"),
        (takes_the_checker, 10, mates, "2i2b+"),
        ("4k4/4G4/4G4/9/9/9/9/9/4K4 w - 10", 10, Score::mated_in(1), ""),
        (declares, 9, draw, ""),
        (declares, 10, mates, ""),
    ];
    let quiesce = |sfen, max_moves| {
        let options = SearchOptions { max_moves: Some(max_moves), ..SearchOptions::for_tests() };
        let context = Arc::new(context(request(sfen, to_depth(1), options)));
        let mut worker = SearchWorker::new(0, context, ThreadData::new().unwrap(), None);
        let score = worker.qsearch::<true>(1, -Score::INFINITE, Score::INFINITE);
        let line: Vec<String> = worker.pv.line(1).iter().map(Move::to_string).collect();
        (score, line.join(" "))
    };
    for (sfen, max_moves, expected, line) in cases {
        let (score, found) = quiesce(sfen, max_moves);
        // The score of a draw has a little noise.
        let noise = i32::from(expected == draw);
        assert!((score - expected).abs() <= noise, "{sfen} {max_moves}: {score}");
        assert_eq!(found, line, "{sfen} {max_moves}");
    }
    assert!(quiesce(ahead, 11).0 > Score(500), "there is a move more");
}

#[test]
fn the_try_rule_applies_to_search_moves_too() {
    let best = |asked: &str| {
        let search_moves = asked.split(' ').map(|mv| mv.parse().unwrap()).collect();
        let limits = Limits { search_moves, ..to_depth(5) };
        let options =
            SearchOptions { entering_king: EnteringKingRule::Try, ..SearchOptions::for_tests() };
        let (lines, _) = search("9/4K4/9/9/9/9/9/4k4/9 b - 1", limits, options);
        let line = lines.last().unwrap();
        (line.pv[0].to_string(), line.score)
    };
    assert_eq!(best("5b6a 5b5a"), ("5b5a".into(), Score::mate_in(1)));
    assert_eq!(best("5b6a").1, Score::mated_in(2));
}

#[test]
fn only_the_search_moves_are_searched() {
    let wanted = ["9g9f", "1g1f"].map(|text| text.parse().unwrap());
    let limits = Limits { search_moves: wanted.to_vec(), ..to_depth(4) };
    let (lines, _) =
        search(START, limits, SearchOptions { multi_pv: 5, ..SearchOptions::for_tests() });
    let last = &lines[lines.len() - 2..];
    assert_eq!([last[0].rank, last[1].rank], [1, 2]);
    assert!(last.iter().all(|line| wanted.contains(&line.pv[0])));
}

#[test]
fn a_mated_side_resigns() {
    let mated = "4k4/4G4/4G4/9/9/9/9/9/4K4 w - 2";
    assert_eq!(
        search(mated, Limits::default(), SearchOptions::for_tests()).1.answer,
        Answer::Resign
    );
}

#[test]
fn a_fail_high_clears_the_rest_of_an_earlier_pv() {
    let context = Arc::new(context(request(SHARP, to_depth(20), SearchOptions::for_tests())));
    let mut worker = SearchWorker::new(0, context.clone(), ThreadData::new().unwrap(), None);
    let mut cut = 0;
    for &root_move in &context.root_moves {
        worker.do_move(0, root_move);
        for alpha in (-2000..2000).step_by(250).map(Score) {
            // Later moves are searched with a null window only.
            let score = worker.search::<true>(1, alpha, alpha + 1, 3, false);
            let mut position = worker.position.clone();
            let line = worker.pv.line(1);
            cut += (score > alpha) as u32;
            assert!(line.iter().all(|&mv| position.try_play(mv).is_ok()), "{root_move} {line:?}");
        }
        worker.undo_move(root_move);
    }
    assert!(cut > 100);
}

#[test]
fn the_result_of_a_search_of_some_moves_is_not_stored_for_the_position() {
    let sfen = "7k1/5p3/6G2/9/9/9/9/9/9 b SNg 1";
    let options = SearchOptions { root_mates: false, ..SearchOptions::for_tests() };
    let (mut pool, events) = pool();
    let some = Limits { search_moves: vec!["3c3b".parse().unwrap()], ..to_depth(10) };
    pool.go(1, request(sfen, some, options.clone()));
    finish(&events);
    pool.go(2, request(sfen, to_depth(7), options));
    assert_eq!(finish(&events).0.last().unwrap().score, Score::mate_in(3));
}

/// Regression: no mate ended a search of 0 lines, and it reported no bounds.
#[test]
fn no_lines_count_as_one() {
    let mate = "4k4/9/4G4/9/9/9/9/9/4K4 b G 1";
    let nodes = |multi_pv| {
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        search(mate, limits, SearchOptions { multi_pv, ..SearchOptions::for_tests() }).1.nodes
    };
    assert_eq!(nodes(0), nodes(1));
}

#[test]
fn a_mate_is_found_and_counted_in_plies() {
    let mate = "4k4/9/4G4/9/9/9/9/9/4K4 b G 1";
    let (lines, outcome) = search(mate, to_depth(4), SearchOptions::for_tests());
    let last = lines.last().unwrap();
    assert_eq!(last.score, Score::mate_in(1));
    assert!(matches!(outcome.answer, Answer::Move { best, .. } if last.pv == [best]));
}

/// Regression: the search ended an iteration earlier.
#[test]
fn the_maximum_depth_limit_can_be_reached() {
    let mate = "4k4/9/4G4/9/9/9/9/9/4K4 b G 1";
    let deepest = MAX_PLY as Depth;
    let (lines, _) = search(mate, to_depth(deepest), SearchOptions::for_tests());
    assert_eq!(lines.last().unwrap().depth, deepest);
}

#[test]
fn the_single_thread_searcher_finds_the_same_as_the_pool() {
    let options = SearchOptions { multi_pv: 3, ..SearchOptions::for_tests() };
    let limits = Limits { nodes: Some(3000), ..Limits::default() };
    let (mut lines, outcome) = search(SHARP, limits.clone(), options.clone());
    let pool: Vec<(Move, Score)> =
        lines.split_off(lines.len() - 3).iter().map(|line| (line.pv[0], line.score)).collect();
    let mut solo = SingleThreadSearcher::new(1, Network::built_in()).unwrap();
    for _ in 0..2 {
        let found = solo.search(request(SHARP, limits.clone(), options.clone()));
        let choices: Vec<_> = found.moves.iter().map(|choice| (choice.mv, choice.score)).collect();
        assert_eq!((choices, found.nodes), (pool.clone(), outcome.nodes));
        // What it learns from another position must have no effect.
        solo.search(request(START, limits.clone(), options.clone()));
        solo.clear();
    }
    let mated = "4k4/4G4/4G4/9/9/9/9/9/4K4 w - 2";
    assert_eq!(solo.search(request(mated, limits, options)).moves, []);
}

#[test]
fn the_single_thread_searcher_ends_a_search_without_limits_when_its_flag_is_set() {
    let flag = Arc::new(AtomicBool::new(true));
    let searcher = SingleThreadSearcher::new(1, Network::built_in()).unwrap();
    let mut searcher = searcher.with_stop_flag(flag);
    let limits = Limits { infinite: true, ..Limits::default() };
    let found = searcher.search(request(START, limits, SearchOptions::for_tests()));
    assert!(found.nodes < 10_000 && found.moves.len() == 1, "{found:?}");
}

#[test]
fn a_long_mate_that_the_solver_proves_is_shown_with_its_whole_line() {
    let sfen = "9/4k4/2K2R3/9/9/9/9/9/9 b 2L 1";
    let (mut pool, events) = pool();
    for infinite in [true, false] {
        let limits = Limits { infinite, ..Limits::default() };
        pool.go(1, request(sfen, limits, SearchOptions::for_tests()));
        // The search itself may only find a bound.
        let is_whole = |line: &PvLine| {
            line.score == Score::mate_in(line.pv.len()) && line.ending == Some(PvEnding::Mated)
        };
        let mut is_over = false;
        let mate = loop {
            let (lines, outcome) = next_lines(&events);
            is_over |= outcome.is_some();
            if let Some(mate) = lines.into_iter().find(is_whole) {
                break mate;
            }
            assert!(!is_over, "no whole mate before the end");
        };
        assert_eq!(mate.bound, Bound::Exact);
        assert!(mate.selective_depth >= mate.pv.len(), "{mate:?}");
        if !is_over {
            pool.stop();
            finish(&events);
        }
    }
}
