//! The search as its user meets it: requests in, events out.

use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, unbounded};

use super::pool::Pool;
use super::request::{Answer, Event, Limits, Line, Options, Outcome, Report, Request, TimeOptions};
use crate::position::{EnteringKingRule, Position};
use crate::types::{Bound, ByColor};

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// Options of play, with a clock that nothing is taken off.
fn options() -> Options {
    Options {
        multi_pv: 1,
        all_legal_moves: false,
        entering_king: EnteringKingRule::Csa27,
        max_moves: None,
        draw_value: ByColor::default(),
        resign_value: None,
        time: TimeOptions {
            network_delay: Duration::ZERO,
            network_delay2: Duration::ZERO,
            minimum_thinking: Duration::ZERO,
            slow_mover: 100,
            round_up_to_full_second: false,
            ponder: false,
            stochastic_ponder: false,
        },
        pv_interval: Duration::ZERO,
        report_bounds: true,
        consideration: false,
        show_current_line: false,
        show_refutations: false,
        strength: None,
        analysis: false,
    }
}

fn request(sfen: &str, limits: Limits, options: Options) -> Request {
    let position = Position::from_sfen(sfen).unwrap();
    Request { position, limits, options, received: Instant::now() }
}

/// A pool of one thread, and what it tells.
fn pool() -> (Pool, Receiver<Event>) {
    let (sender, events) = unbounded();
    (Pool::new(sender).unwrap(), events)
}

/// The lines told until the search was over, and how it ended.
fn told(events: &Receiver<Event>) -> (Vec<Line>, Outcome) {
    let mut all = Vec::new();
    loop {
        match events.recv_timeout(Duration::from_secs(60)).unwrap().report {
            Report::Lines(lines) => all.extend(lines),
            Report::Done(outcome) => return (all, outcome),
            _ => {}
        }
    }
}

fn search(sfen: &str, limits: Limits, options: Options) -> (Vec<Line>, Outcome) {
    let (mut pool, events) = pool();
    pool.go(1, request(sfen, limits, options));
    told(&events)
}

#[test]
fn a_limit_of_nodes_is_kept_to_the_node() {
    for nodes in [1, 2, 511, 512, 513, 3000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        assert_eq!(search(START, limits, options()).1.nodes, nodes);
    }
}

#[test]
fn the_weakest_levels_do_not_see_as_much_as_a_look_at_the_clock_is_apart() {
    let nodes = |strength| {
        let options = Options { strength: Some(strength), ..options() };
        search(START, Limits::default(), options).1.nodes
    };
    let (weakest, next) = (nodes(-15), nodes(-14));
    assert!(weakest < next && next < 100, "{weakest}, {next}");
}

#[test]
fn a_score_outside_the_window_is_not_told_as_exact_when_the_search_stops_there() {
    // Sharp positions: which of them surprises the search at this depth is up to the evaluation.
    let sharp = [
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
        "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
        "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62",
    ];
    let mut seen = 0;
    for sfen in sharp {
        let limits = Limits { depth: Some(7), ..Limits::default() };
        let (lines, _) = search(sfen, limits, options());
        for line in lines.into_iter().filter(|line| line.bound != Bound::Exact).take(2) {
            // The same search, ended a node after the window was missed.
            let limits = Limits { nodes: Some(line.nodes + 1), ..Limits::default() };
            let last = search(sfen, limits, options()).0.pop().unwrap();
            assert_eq!((last.bound, last.score), (line.bound, line.score));
            seen += 1;
        }
    }
    assert!(seen > 0);
}

#[test]
fn every_move_that_the_user_asks_for_is_searched_even_a_pointless_one() {
    // The rook is lost on 4b. The pawn could promote, so it moves as it is only when asked to.
    let sfen = "4k4/9/1P7/9/9/9/9/5R3/4K4 b - 1";
    let wanted = ["4h4b", "8c8b"].map(|text| text.parse().unwrap());
    let limits = Limits { search_moves: wanted.to_vec(), depth: Some(5), ..Limits::default() };
    let (_, outcome) = search(sfen, limits, options());
    assert!(
        matches!(outcome.answer, Answer::Move { best, .. } if best == wanted[1]),
        "{outcome:?}"
    );
}
