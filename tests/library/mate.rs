//! The mate solver on problems with known solutions and against a brute-force solver.

mod brute;
pub mod random;

use std::cell::Cell;
use std::time::{Duration, Instant};

use kawasemi::mate::{
    Aim, INFINITE, MateResult, Solution, Solver, SolverLimits, SolverProgress, SolverSettings,
};
use kawasemi::position::Position;
use kawasemi::types::Move;

const UNLIMITED: SolverLimits<'static> = SolverLimits::UNLIMITED;

/// More than twice the nodes of any small position here, so that every test ends.
const PLENTY: SolverLimits<'static> = SolverLimits { nodes: Some(1_000_000), ..UNLIMITED };

/// No mate, but many positions and long series of checks.
const LARGE: &str = "9/9/9/9/4k4/9/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1";

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).unwrap()
}

fn solve(
    position: &Position,
    limits: &SolverLimits<'_>,
    report: &mut dyn FnMut(&SolverProgress),
) -> MateResult {
    Solver::new(SolverSettings::default()).solve(position, limits, report).result
}

fn result(sfen: &str, limits: &SolverLimits<'_>) -> MateResult {
    solve(&position(sfen), limits, &mut |_| {})
}

/// Checks a line by the rules and returns its plies.
fn checked_plies(root: &Position, line: &[Move]) -> usize {
    let mut position = root.clone();
    for (ply, &mv) in line.iter().enumerate() {
        position.try_play(mv).unwrap();
        assert!(ply % 2 == 1 || position.in_check(), "{mv} gives no check in {line:?}");
    }
    assert!(position.in_check() && position.legal_moves().is_empty(), "no mate: {line:?}");
    line.len()
}

fn mate(sfen: &str) -> Vec<Move> {
    match result(sfen, &PLENTY) {
        MateResult::Mate(line) => {
            checked_plies(&position(sfen), &line);
            line
        }
        other => panic!("{sfen}: {other:?}"),
    }
}

fn text(line: &[Move]) -> String {
    let moves: Vec<String> = line.iter().map(Move::to_string).collect();
    moves.join(" ")
}

#[test]
fn a_gold_at_the_head_mates_for_either_side() {
    assert_eq!(text(&mate("4k4/9/4P4/9/9/9/9/9/9 b G 1")), "G*5b");
    assert_eq!(text(&mate("9/9/9/9/9/9/4p4/9/4K4 w g 1")), "G*5h");
}

#[test]
fn problems_of_many_kinds_are_solved_in_their_exact_length() {
    const PROBLEMS: [(&str, usize); 12] = [
        ("k8/9/K8/9/9/9/9/9/9 b BN 1", 3),
        ("7k1/5p3/6G2/9/9/9/9/9/9 b SNg 1", 3),
        ("9/9/9/6g2/7SK/7r1/9/9/9 w l 1", 3),
        // A pawn drop that checks and does not mate is allowed.
        ("8k/9/6LG1/9/9/9/9/9/9 b NP 1", 3),
        // The lance mates only because it does not promote.
        ("7k1/9/7Gs/8L/9/9/9/9/9 b S2P 1", 3),
        ("7kg/9/8R/9/9/9/9/9/9 b BG 1", 5),
        ("9/9/7S1/9/7k1/9/6K2/9/9 b 2R 1", 5),
        ("9/9/9/9/9/9/9/2P+r5/1K7 w r 1", 5),
        ("9/5k3/3S5/5+P3/9/9/9/9/9 b RL 1", 7),
        ("8K/7G1/6+r2/9/9/9/9/9/9 w rl 1", 7),
        ("5k3/9/3+P5/9/9/9/9/9/9 b RG 1", 9),
        ("9/4k4/2K2R3/9/9/9/9/9/9 b 2L 1", 11),
    ];
    for (sfen, plies) in PROBLEMS {
        assert_eq!(mate(sfen).len(), plies, "{sfen}");
    }
}

#[test]
fn mate_by_a_pawn_drop_is_illegal() {
    assert_eq!(result("7lk/9/7G1/9/9/9/9/9/9 b P 1", &PLENTY), MateResult::NoMate);
    assert_eq!(text(&mate("7lk/9/7G1/9/9/9/9/9/9 b L 1")), "L*1b");
}

#[test]
fn a_rook_stays_unpromoted_so_that_a_pawn_may_be_dropped() {
    // Zuko 5 (Ito Kanju, 1755) after four moves: the rook must leave the king a flight square, or
    // the pawn drop that follows would mate.
    let line = mate("n+B1sS4/1R1g5/kLsB5/9/2n6/3L5/9/9/9 b 2Pr3gs2n2l16p 1");
    assert_eq!(text(&line[..3]), "8b9b 9c8c P*8d");
    let promoted = "n+B1sS4/+R2g5/1LsB5/1k7/2n6/3L5/9/9/9 b 2Pr3gs2n2l16p 1";
    assert_eq!(result(promoted, &PLENTY), MateResult::NoMate);
}

#[test]
fn interpositions_are_considered() {
    let alone = "k8/9/1K7/9/9/9/9/9/8R b - 1";
    assert_eq!(mate(alone).len(), 1);
    let with_a_gold = "k8/9/1K7/9/9/9/9/9/8R b g 1";
    assert_eq!(text(&mate(with_a_gold)), "1i1a+ G*8a 1a8a 9a8a G*8b");
}

#[test]
fn a_side_in_check_must_answer_with_a_check() {
    // The lance on 1c checks and can be taken with mate.
    assert_eq!(mate("6+R2/8k/8l/7G1/7N1/8K/9/9/9 b - 1").len(), 1);
    // The gold would mate on 5b, but not while the lance gives check.
    assert_eq!(result("4k4/9/4P4/9/4l4/9/9/9/4K4 b G 1", &PLENTY), MateResult::NoMate);
}

#[test]
fn there_is_no_mate_if_the_checks_end_or_repeat() {
    for sfen in [
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        // No king to mate, then no piece to mate with.
        "9/9/9/9/9/9/9/9/4K4 b 2R2B4G 1",
        "4k4/9/9/9/9/9/9/9/4K4 b - 1",
        // Perpetual check.
        "4k4/9/9/9/9/9/9/9/R8 b - 1",
        "k8/9/K8/9/9/9/9/9/8R b 2p 1",
    ] {
        assert_eq!(result(sfen, &PLENTY), MateResult::NoMate, "{sfen}");
    }
}

#[test]
fn a_mate_is_found_within_the_depth_given_or_not_at_all() {
    let sfen = "9/5k3/3S5/5+P3/9/9/9/9/9 b RL 1";
    // Depth 0 counts as 1.
    for depth in 0..=6 {
        let limits = SolverLimits { depth: Some(depth), ..PLENTY };
        assert_eq!(result(sfen, &limits), MateResult::Unknown, "in {depth} plies");
    }
    for depth in 7..=9 {
        let found = result(sfen, &SolverLimits { depth: Some(depth), ..PLENTY });
        assert!(matches!(found, MateResult::Mate(line) if line.len() == 7), "in {depth} plies");
    }
    // If all checks end soon, a low depth proves that there is no mate of any length.
    let over_soon = "4k4/9/4P4/9/4l4/9/9/9/4K4 b G 1";
    assert_eq!(result(over_soon, &SolverLimits { depth: Some(1), ..PLENTY }), MateResult::NoMate);
}

#[test]
fn the_search_ends_exactly_at_the_node_limit() {
    let mut nodes = 0;
    let limits = SolverLimits { nodes: Some(5000), ..UNLIMITED };
    let found = solve(&position(LARGE), &limits, &mut |progress| nodes = progress.nodes);
    assert_eq!((found, nodes), (MateResult::Unknown, 5000));
}

#[test]
fn the_search_ends_when_the_caller_stops_it() {
    let (asked, mut nodes) = (Cell::new(0), 0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() >= 10
    };
    let limits = SolverLimits { stop: &stop, ..UNLIMITED };
    let found = solve(&position(LARGE), &limits, &mut |progress| nodes = progress.nodes);
    assert_eq!(found, MateResult::Unknown);
    assert!(asked.get() < 20 && (500..5000).contains(&nodes), "{nodes} nodes");
}

#[test]
fn the_search_ends_at_its_deadline() {
    let start = Instant::now();
    let limits = SolverLimits { deadline: Some(start + Duration::from_millis(100)), ..UNLIMITED };
    let mut reports: Vec<SolverProgress> = Vec::new();
    let found = solve(&position(LARGE), &limits, &mut |progress| reports.push(progress.clone()));
    let elapsed = start.elapsed();
    assert_eq!(found, MateResult::Unknown);
    // Much more than needed, for machines that are busy with other tests.
    assert!(elapsed < Duration::from_secs(60), "{elapsed:?}");
    let last = reports.last().expect("a report at the end");
    assert!(last.pn > 0 && last.dn > 0, "{last:?}");
}

fn solution(position: &Position, threads: usize, aim: Aim, limits: &SolverLimits<'_>) -> Solution {
    let settings = SolverSettings { threads, memory_mib: 4, aim };
    Solver::new(settings).solve(position, limits, &mut |_| {})
}

#[test]
fn a_shortest_mate_is_as_long_as_by_brute_force_with_any_number_of_threads() {
    let mut source = random::PositionSource::new(2);
    let mut mates = 0;
    for number in 0..400 {
        let position = source.position();
        let Some(expected) = brute::shortest_mate(&position, 200) else { continue };
        let found = solution(&position, 1 + number % 3, Aim::Shortest, &PLENTY);
        let plies = match &found.result {
            MateResult::Mate(line) => Some(checked_plies(&position, line)),
            MateResult::NoMate => None,
            MateResult::Unknown => panic!("{}: unknown", position.to_sfen()),
        };
        assert_eq!(plies, expected, "{}", position.to_sfen());
        assert_eq!(found.is_shortest, expected.is_some(), "{}", position.to_sfen());
        mates += usize::from(expected.is_some());
    }
    assert!(mates > 20, "{mates} mates");
}

/// Regression: a line of the right length was accepted although both sides missed something better in it.
#[test]
fn in_the_line_of_a_shortest_mate_both_sides_play_their_best() {
    for sfen in ["9/4k4/2K2R3/9/9/9/9/9/9 b 2L 1", "5k3/9/3+P5/9/9/9/9/9/9 b RG 1"] {
        for threads in [1, 2] {
            let mut position = position(sfen);
            let found = solution(&position, threads, Aim::Shortest, &PLENTY);
            assert!(found.is_shortest, "{sfen}");
            let MateResult::Mate(line) = found.result else { panic!("{sfen}") };
            for (turn, moves) in line.chunks(2).enumerate() {
                let rest = solution(&position, 1, Aim::Shortest, &PLENTY);
                let left = (rest.within.map(usize::from), rest.is_shortest);
                assert_eq!(left, (Some(line.len() - 2 * turn), true), "{}", text(&line));
                for &mv in moves {
                    position.try_play(mv).unwrap();
                }
            }
        }
    }
}

#[test]
fn the_first_mate_found_ends_the_search_if_requested() {
    let root = position("9/4k4/2K2R3/9/9/9/9/9/9 b 2L 1");
    let mut found = Vec::new();
    let mut nodes = Vec::new();
    for aim in [Aim::First, Aim::Short, Aim::Shortest] {
        let solution = solution(&root, 1, aim, &PLENTY);
        let MateResult::Mate(line) = solution.result else { panic!("{aim:?}") };
        found.push((checked_plies(&root, &line), solution.is_shortest));
        nodes.push(solution.nodes);
    }
    assert!(found[0].0 >= 11 && !found[0].1, "{found:?}");
    assert_eq!(&found[1..], [(11, true), (11, true)]);
    assert!(nodes[0] < nodes[1], "{nodes:?}");
}

#[test]
fn progress_shows_the_best_mate_once_there_is_one() {
    let root = position("9/4k4/2K2R3/9/9/9/9/9/9 b 2L 1");
    let mut reports: Vec<SolverProgress> = Vec::new();
    let settings = SolverSettings { aim: Aim::Shortest, ..SolverSettings::default() };
    let found = Solver::new(settings).solve(&root, &PLENTY, &mut |progress| {
        reports.push(progress.clone());
    });
    let MateResult::Mate(line) = found.result else { panic!("no mate") };
    let mates: Vec<&Vec<Move>> = reports.iter().map(|progress| &progress.mate).collect();
    assert!(mates[0].is_empty() && mates[mates.len() - 1] == &line, "{reports:?}");
    mates.iter().filter(|mate| !mate.is_empty()).for_each(|mate| {
        checked_plies(&root, mate);
    });
    // That there is no mate within a few plies is not a disproof.
    assert!(reports.iter().all(|progress| progress.dn > 0), "{reports:?}");
}

/// The proof and disproof numbers of the report at the end of the first search.
fn last_numbers(sfen: &str, threads: usize, limits: &SolverLimits<'_>) -> Option<(u64, u64)> {
    let mut last = None;
    let settings = SolverSettings { threads, ..SolverSettings::default() };
    Solver::new(settings).solve(&position(sfen), limits, &mut |progress| {
        // Later ones show the mate.
        if progress.mate.is_empty() {
            last = Some((progress.pn, progress.dn));
        }
    });
    last
}

#[test]
fn the_last_report_of_a_proof_has_its_numbers() {
    let (mate, perpetual) = ("9/4k4/2K2R3/9/9/9/9/9/9 b 2L 1", "4k4/9/9/9/9/9/9/9/R8 b - 1");
    for (sfen, numbers) in [(mate, (0, INFINITE)), (perpetual, (INFINITE, 0))] {
        assert_eq!(last_numbers(sfen, 1, &PLENTY), Some(numbers), "{sfen}");
    }
}

#[test]
fn the_last_report_of_a_proof_has_its_numbers_also_if_a_helper_found_it() {
    let mate = "9/4k4/2K2R3/9/9/9/9/9/9 b 2L 1";
    let no_mate = "n+B1sS4/+R2g5/1LsB5/1k7/2n6/3L5/9/9/9 b 2Pr3gs2n2l16p 1";
    for (sfen, numbers) in [(mate, (0, INFINITE)), (no_mate, (INFINITE, 0))] {
        // The main thread sleeps in the middle of its search, so that the helper solves the problem.
        let asked = Cell::new(0);
        let rest = || {
            asked.set(asked.get() + 1);
            if asked.get() == 2 {
                std::thread::sleep(Duration::from_millis(300));
            }
            false
        };
        let limits = SolverLimits { stop: &rest, ..PLENTY };
        assert_eq!(last_numbers(sfen, 2, &limits), Some(numbers), "{sfen}");
    }
}

#[test]
fn small_positions_are_solved_as_by_brute_force() {
    let (mates, no_mates, longest) = compare_with_brute_force(1, 500);
    // Enough of each kind.
    assert!(mates > 50 && no_mates > 150 && longest >= 5, "{mates} {no_mates} {longest}");
}

#[test]
#[ignore = "takes minutes; cargo test --release --test library mate:: -- --ignored --nocapture"]
fn a_hundred_thousand_small_positions_are_solved_as_by_brute_force() {
    let (mates, no_mates, longest) = compare_with_brute_force(3, 100_000);
    println!("{mates} mates, the longest in {longest} plies, {no_mates} without");
    assert_eq!(mates + no_mates, 100_000);
}

/// Solves random positions until brute force has solved this many. Returns the number of mates, the
/// number of positions without one, and the plies of the longest mate.
fn compare_with_brute_force(seed: u64, positions: usize) -> (usize, usize, usize) {
    let mut source = random::PositionSource::new(seed);
    let (mut mates, mut no_mates, mut longest) = (0, 0, 0);
    while mates + no_mates < positions {
        let position = source.position();
        let Some(expected) = brute::shortest_mate(&position, 300) else { continue };
        let found = solve(&position, &PLENTY, &mut |_| {});
        match (&found, expected) {
            (MateResult::Mate(line), Some(shortest)) => {
                assert!(checked_plies(&position, line) >= shortest, "{}", position.to_sfen());
                mates += 1;
                longest = longest.max(shortest);
            }
            (MateResult::NoMate, None) => no_mates += 1,
            _ => panic!("{}: {found:?}, expected {expected:?}", position.to_sfen()),
        }
        check_depths(&position, expected);
    }
    (mates, no_mates, longest)
}

/// Checks that a search of limited depth finds exactly the mates within it.
fn check_depths(position: &Position, expected: Option<usize>) {
    for depth in [1, 3, 5] {
        let found = solve(position, &SolverLimits { depth: Some(depth), ..PLENTY }, &mut |_| {});
        let right = match (&found, expected) {
            (MateResult::Mate(line), Some(shortest)) => {
                let plies = checked_plies(position, line);
                shortest <= depth as usize && (shortest..=depth as usize).contains(&plies)
            }
            (MateResult::NoMate, None) => true,
            (MateResult::Unknown, _) => expected.is_none_or(|shortest| shortest > depth as usize),
            _ => false,
        };
        assert!(right, "{}: {found:?} in {depth}, expected {expected:?}", position.to_sfen());
    }
}
