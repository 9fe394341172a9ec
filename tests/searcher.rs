//! The searcher through its public face: how far it keeps to its limits, and that it always answers.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, unbounded};
use kawasemi::engine::Settings;
use kawasemi::position::Position;
use kawasemi::search::Pool;
use kawasemi::search::request::{Answer, Event, Limits, Line, Outcome, Report, Request};
use kawasemi::types::Move;

/// Longer than anything takes on a busy machine; only a test that fails waits so long.
const PATIENCE: Duration = Duration::from_secs(60);

/// An attack in a middle game, where every move matters.
const SHARP: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";

/// A pool, and a user who asks one thing after the other.
struct User {
    pool: Pool,
    events: Receiver<Event>,
    generation: u64,
}

/// Everything a search told.
struct Told {
    lines: Vec<Vec<Line>>,
    outcome: Outcome,
}

impl User {
    fn new(threads: usize) -> User {
        let (sender, events) = unbounded();
        let mut pool = Pool::new(sender).unwrap();
        pool.resize_threads(threads).unwrap();
        User { pool, events, generation: 0 }
    }

    fn begin(&mut self, sfen: &str, settings: &Settings, limits: Limits) {
        self.generation += 1;
        let position = Position::from_sfen(sfen).unwrap();
        let options = settings.search_options();
        let request = Request { position, limits, options, received: Instant::now() };
        self.pool.go(self.generation, request);
    }

    /// Waits for the end of the search that was begun last.
    fn told(&mut self) -> Told {
        let mut lines = Vec::new();
        loop {
            let event = self.events.recv_timeout(PATIENCE).expect("the search ends");
            assert_eq!(event.generation, self.generation);
            match event.report {
                Report::Lines(found) => lines.push(found),
                Report::Done(outcome) => {
                    assert!(self.events.is_empty(), "nothing comes after the end");
                    return Told { lines, outcome };
                }
                _ => {}
            }
        }
    }

    fn search(&mut self, sfen: &str, settings: &Settings, limits: Limits) -> Told {
        self.begin(sfen, settings, limits);
        self.told()
    }
}

fn start() -> String {
    Position::startpos().to_sfen()
}

fn nodes(count: u64) -> Limits {
    Limits { nodes: Some(count), ..Limits::default() }
}

fn best(outcome: &Outcome) -> Move {
    match outcome.answer {
        Answer::Move { best, .. } => best,
        ref other => panic!("no move: {other:?}"),
    }
}

#[test]
fn alone_a_thread_counts_nodes_to_the_last() {
    let mut user = User::new(1);
    for count in [1, 2, 700, 5000] {
        let told = user.search(SHARP, &Settings::default(), nodes(count));
        assert_eq!(told.outcome.nodes, count);
        assert!(Position::from_sfen(SHARP).unwrap().is_legal(best(&told.outcome)));
    }
}

#[test]
fn the_same_question_to_a_cleared_pool_costs_the_same_nodes() {
    let mut user = User::new(1);
    let depth = || Limits { depth: Some(6), ..Limits::default() };
    let first = user.search(SHARP, &Settings::default(), depth()).outcome;
    user.pool.clear();
    let second = user.search(SHARP, &Settings::default(), depth()).outcome;
    assert_eq!((first.nodes, first.answer), (second.nodes, second.answer));
}

/// The weakest levels see fewer nodes than lie between two looks at the clock.
#[test]
fn every_level_sees_as_much_as_is_meant_for_it() {
    let mut user = User::new(2);
    let mut fewer = 0;
    for strength in [-15, -14, -10, -8] {
        let settings = Settings { limit_strength: true, strength, ..Settings::default() };
        user.pool.clear();
        let nodes = user.search(&start(), &settings, nodes(1_000_000)).outcome.nodes;
        assert!(nodes > fewer, "level {strength}: {nodes} nodes, one below {fewer}");
        fewer = nodes;
    }
    assert!(fewer < 2000, "8 kyu: {fewer} nodes");
}

#[test]
fn a_stop_ends_a_search_without_limit_at_once() {
    let mut user = User::new(2);
    for pause_ms in [0, 1, 50] {
        let limits = Limits { infinite: true, ..Limits::default() };
        user.begin(&start(), &Settings::default(), limits);
        std::thread::sleep(Duration::from_millis(pause_ms));
        user.pool.stop();
        let told = user.told();
        assert!(Position::startpos().is_legal(best(&told.outcome)));
    }
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let wanted: Vec<Move> = ["9g9f", "1g1f"].map(|mv| mv.parse().unwrap()).to_vec();
    let limits = Limits { search_moves: wanted.clone(), ..nodes(3000) };
    let settings = Settings { multi_pv: 5, ..Settings::default() };
    let told = User::new(1).search(&start(), &settings, limits);
    assert!(wanted.contains(&best(&told.outcome)));
    let last = told.lines.last().unwrap();
    assert_eq!(last.len(), 2);
    assert!(last.iter().all(|line| wanted.contains(&line.pv[0])));
}

#[test]
fn the_lines_of_a_report_differ_and_come_best_first() {
    let settings = Settings { multi_pv: 4, ..Settings::default() };
    let limits = Limits { depth: Some(5), ..Limits::default() };
    let told = User::new(1).search(SHARP, &settings, limits);
    let last = told.lines.last().unwrap();
    assert_eq!(last.iter().map(|line| line.multi_pv).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(last.is_sorted_by_key(|line| std::cmp::Reverse(line.score)));
    assert_eq!(last.iter().map(|line| line.pv[0]).collect::<HashSet<_>>().len(), 4);
    assert_eq!(best(&told.outcome), last[0].pv[0]);
}

#[test]
fn whoever_is_mated_resigns() {
    let mated = "4k4/4G4/4G4/9/9/9/9/9/4K4 w - 2";
    let told = User::new(2).search(mated, &Settings::default(), nodes(100));
    assert_eq!(told.outcome.answer, Answer::Resign);
}

#[test]
fn a_mate_is_found_and_announced_in_plies() {
    let mate = "4k4/9/4G4/9/9/9/9/9/4K4 b G 1";
    let limits = Limits { depth: Some(4), ..Limits::default() };
    let told = User::new(1).search(mate, &Settings::default(), limits);
    let line = &told.lines.last().unwrap()[0];
    assert_eq!(line.score.to_string(), "mate 1");
    assert_eq!(line.pv, [best(&told.outcome)]);
}
