//! The check of mate problems against a slow oracle.

mod oracle;

use kawasemi::mate::{MateResult, Solver, SolverLimits, SolverSettings};
use kawasemi::position::Position;
use kawasemi::tsume::{
    CheckReport, CheckVerdict, MainLine, ProblemChecker, RecordedVerdict, SecondSolutionKind,
};
use kawasemi::types::Move;
use oracle::Oracle;

use crate::mate::random::PositionSource;

const PLENTY: SolverLimits<'static> =
    SolverLimits { nodes: Some(200_000), ..SolverLimits::UNLIMITED };
const FEW: SolverLimits<'static> = SolverLimits { nodes: Some(500), ..PLENTY };

/// Mate in three; each interposition on the file of the rook lasts longer, but is futile.
const MATE_FROM_AFAR: &str = "3lk1n2/3p1p3/9/3N3N1/9/9/9/9/8R b Bg 1";
/// Mate in five. Other checks chase the king over the board, and are hard to refute.
const CHASE: &str = "9/6k2/9/4R3G/6N2/9/9/9/9 b BS 1";

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).unwrap()
}

fn check(sfen: &str, recorded: &str) -> CheckReport {
    check_within(sfen, recorded, &PLENTY)
}

fn check_within(sfen: &str, recorded: &str, limits: &SolverLimits<'_>) -> CheckReport {
    let moves: Vec<Move> = recorded.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
    ProblemChecker::new(4).unwrap().check(&position(sfen), &moves, limits, &mut |_| {})
}

/// Checks random problems until the oracle has solved this many, at most half of them without a mate.
/// Returns the number of mates, of second solutions, and the longest mate.
fn compare_with_the_oracle(seed: u64, problems: usize) -> (usize, usize, usize) {
    let mut source = PositionSource::new(seed);
    let mut checker = ProblemChecker::new(4).unwrap();
    let mut solver = Solver::new(SolverSettings { memory_mib: 1, ..SolverSettings::default() });
    let (mut done, mut mates, mut second, mut longest) = (0, 0, 0, 0);
    while done < problems {
        let problem = source.position();
        let is_mate = match solver.solve(&problem, &FEW, &mut |_| {}).result {
            MateResult::Mate(_) => true,
            MateResult::NoMate => false,
            MateResult::Unknown => continue,
        };
        if !is_mate && done > 2 * mates {
            continue;
        }
        let Some(mut oracle) = Oracle::new(&problem, 150) else { continue };
        let report = checker.check(&problem, &[], &PLENTY, &mut |_| {});
        let sfen = problem.to_sfen();
        match (report.verdict, oracle.length(&problem)) {
            (CheckVerdict::NoMate, None) => {}
            (CheckVerdict::Mate(found), Some(expected)) if usize::from(found) == expected => {
                let line = report.line.as_ref().unwrap_or_else(|| panic!("{sfen}: no line"));
                oracle.check_line(&problem, line);
                let mut found: Vec<_> =
                    report.second_solutions.iter().map(|one| (one.ply, one.mv, one.kind)).collect();
                let mut expected = oracle.second_solutions(&problem, &line.moves);
                found.sort_by_key(|one| (one.0, one.1.bits()));
                expected.sort_by_key(|one| (one.0, one.1.bits()));
                assert_eq!(found, expected, "{sfen}: {}", text(line));
                assert!(report.is_decided(), "{sfen}");
                mates += 1;
                second += found.len();
                longest = longest.max(line.moves.len());
            }
            (found, expected) => panic!("{sfen}: {found:?}, expected {expected:?}"),
        }
        done += 1;
    }
    (mates, second, longest)
}

fn text(line: &MainLine) -> String {
    line.moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

#[test]
fn random_problems_are_checked_as_by_the_oracle() {
    let (mates, second, longest) = compare_with_the_oracle(11, 40);
    assert!(mates >= 20 && second > 10 && longest >= 3, "{mates} {second} {longest}");
}

#[test]
#[ignore = "takes minutes; cargo test --profile checked --test library tsume:: -- --ignored --nocapture"]
fn a_thousand_random_problems_are_checked_as_by_the_oracle() {
    let (mates, second, longest) = compare_with_the_oracle(12, 1_000);
    println!("{mates} mates, the longest in {longest} plies, {second} second solutions");
}

#[test]
fn a_futile_interposition_does_not_count_and_one_that_gains_something_does() {
    // A knight guards the square in front of the king, so the rook captures whatever is interposed.
    let report = check("k8/2G6/9/1N7/9/9/9/9/8R b g 1", "");
    assert_eq!(report.verdict, CheckVerdict::Mate(1));
    // Here the king would capture the rook.
    let report = check("k8/9/1K7/9/9/9/9/9/8R b g 1", "");
    assert_eq!(report.verdict, CheckVerdict::Mate(5));
}

/// Regression: the pawn on 5c counted as futile, because the lance could capture it with promotion, which gives no
/// check: mate in three.
#[test]
fn an_interposition_that_is_only_captured_without_check_is_not_futile() {
    let report = check("3pk4/9/5S3/4sB1N1/2L6/4L4/9/9/4P4 b p 1", "");
    assert_eq!(report.verdict, CheckVerdict::Mate(5));
}

#[test]
fn a_recorded_solution_is_compared_with_the_proof() {
    let problem = "8k/4r1G2/9/9/9/9/9/9/9 b R2b3g4s4n4l18p 1";
    for (recorded, wanted) in [
        ("R*2a 1a1b 2a2b+", RecordedVerdict::Right),
        ("R*2a 1a1b", RecordedVerdict::Unfinished),
        ("R*1d 1a2b", RecordedVerdict::Fails { ply: 0 }),
    ] {
        let report = check(problem, recorded);
        assert_eq!(report.recorded, Some(wanted), "{recorded}");
        assert_eq!(report.is_unique(), Some(true), "{recorded}");
    }
}

/// Regression: there seemed to be no other defence as long.
#[test]
fn defences_as_long_as_those_of_a_recorded_solution_are_unknown() {
    let equal_defences = |recorded| check(MATE_FROM_AFAR, recorded).line.unwrap().equal_defences;
    assert_eq!(equal_defences("1i5i 5a4a B*3b"), None);
    assert_eq!(equal_defences("").unwrap().len(), 1);
}

/// Regression: it was not decided, although a shorter mate was proved.
#[test]
fn a_recorded_solution_is_too_long_if_a_shorter_mate_is_proved_but_not_the_length() {
    let recorded = "4c6c+ 5b4b 6c6b 4b3c 6b5c 3c3d L*3i 3d2d L*2g 2d1d 5c2c 1d1e 2c1b";
    let limits = SolverLimits { nodes: Some(16_500), ..PLENTY };
    let report = check_within("9/4k4/2K2R3/9/9/9/9/9/9 b 2L 1", recorded, &limits);
    assert_eq!(report.verdict, CheckVerdict::MateWithin(11));
    assert_eq!(report.recorded, Some(RecordedVerdict::TooLong));
}

/// Regression: second solutions were looked for along the recorded solution only, and the longer defence was not shown.
#[test]
fn a_main_line_longer_than_the_recorded_solution_is_checked() {
    let problem = "k8/9/1K7/9/9/9/9/9/8R b g 1";
    let report = check(problem, "1i1a+ G*5a 1a5a");
    assert_eq!(report.recorded, Some(RecordedVerdict::TooShort));
    assert_eq!(report.verdict, CheckVerdict::Mate(5));
    let without_record = check(problem, "");
    assert_eq!(report.line, without_record.line);
    let kinds = |report: &CheckReport| {
        let second = report.second_solutions.iter();
        let mut kinds: Vec<_> = second.map(|one| (one.ply, one.mv, one.kind)).collect();
        kinds.sort_by_key(|one| (one.0, one.1.bits()));
        kinds
    };
    assert_eq!(kinds(&report), kinds(&without_record));
}

/// Regression: such a solution was called longer than the shortest mate, although the problem had one solution.
#[test]
fn a_futile_interposition_in_a_recorded_solution_is_not_a_slow_move_of_the_attacker() {
    let report = check(MATE_FROM_AFAR, "1i5i G*5c 5i5c 5a4a B*3b");
    assert_eq!(report.verdict, CheckVerdict::Mate(3));
    assert_eq!(report.recorded, Some(RecordedVerdict::FutileInterposition { ply: 1 }));
    assert_eq!(report.is_unique(), Some(true));
    // A gold in hand mates at once.
    let report = check(&MATE_FROM_AFAR.replace(" Bg ", " Gg "), "1i5i 5a4a G*3b");
    assert_eq!(report.verdict, CheckVerdict::Mate(1));
    assert_eq!(report.recorded, Some(RecordedVerdict::TooLong));
}

/// Regression: such a solution was called right.
#[test]
fn a_recorded_solution_whose_defence_leaves_more_pieces_than_another_is_not_right() {
    let report = check(MATE_FROM_AFAR, "1i5i G*5b 5i5b+");
    assert_eq!(report.recorded, Some(RecordedVerdict::MorePiecesLeft));
    assert_eq!(report.line, check(MATE_FROM_AFAR, "").line);
    for right in ["1i5i 5a4a B*3b", "1i5i 5a4a 6d5b+"] {
        let recorded = check(MATE_FROM_AFAR, right).recorded;
        assert_eq!(recorded, Some(RecordedVerdict::Right), "{right}");
    }
}

/// Regression: the search for second solutions had all the limits, and the length of the mate stayed open.
#[test]
fn second_solutions_that_are_hard_to_refute_leave_the_length_its_share_of_the_limits() {
    let limits = SolverLimits { nodes: Some(40_000), ..PLENTY };
    let report = check_within(CHASE, "1d2c 3b4a S*3b 4a4b 3e4c+", &limits);
    assert!(!report.undecided.is_empty() && report.nodes >= 40_000, "{report:?}");
    assert_eq!(report.verdict, CheckVerdict::Mate(5));
    assert_eq!(report.recorded, Some(RecordedVerdict::Right));
}

/// Regression: such a move had all the limits, and nothing else was decided.
#[test]
fn a_recorded_solution_with_a_move_that_is_hard_to_refute_leaves_the_other_results() {
    let limits = SolverLimits { nodes: Some(40_000), ..PLENTY };
    let report = check_within(CHASE, "5d3d 3b2a", &limits);
    assert_eq!(report.recorded, Some(RecordedVerdict::Undecided));
    assert_eq!(report.verdict, CheckVerdict::Mate(5));
    assert_eq!(report.is_unique(), Some(false));
}

/// Regression: a solution of the right length was called right, although a mistake of one side made up for that of the
/// other.
#[test]
fn a_recorded_solution_with_two_mistakes_is_not_right() {
    let limits = SolverLimits { nodes: Some(40_000), ..PLENTY };
    for (recorded, wanted) in [
        // After the defence there is a mate in one.
        ("1d2c 3b2a S*1b 2a3a 5d5a+", RecordedVerdict::TooLong),
        // The first move mates in more than five, but not after this defence.
        ("S*2a 3b3a 5d5a+ 3a2b B*4d", RecordedVerdict::TooShort),
    ] {
        let report = check_within(CHASE, recorded, &limits);
        assert_eq!(report.verdict, CheckVerdict::Mate(5), "{recorded}");
        assert_eq!(report.recorded, Some(wanted), "{recorded}");
    }
}

/// Regression: any mate after the other choice of promotion counted as "promotion optional", also a longer one by other
/// moves, so that the problem had one solution.
#[test]
fn a_longer_mate_after_the_other_choice_of_promotion_is_a_second_solution() {
    let report = check("7k1/5p3/7s1/9/7R1/4G4/9/9/9 b 2G 1", "");
    assert_eq!(report.verdict, CheckVerdict::Mate(3));
    let first = &report.second_solutions[0];
    assert_eq!((first.ply, first.mv.to_string()), (0, "2e2c".to_owned()));
    assert_eq!(first.kind, SecondSolutionKind::Independent);
    assert_eq!(report.is_unique(), Some(false));
}

/// Regression: a lance dropped at another distance counted as an independent second solution.
#[test]
fn a_lance_dropped_at_another_distance_is_no_independent_solution() {
    let report = check("6slk/9/9/7P1/9/9/9/9/9 b GL 1", "L*1c 1a2b G*2c");
    let first = report.second_solutions.iter().filter(|second| second.ply == 0);
    let found: Vec<_> = first.map(|second| (second.mv.to_string(), second.kind)).collect();
    let expected = ["L*1d", "L*1e", "L*1f", "L*1g", "L*1h", "L*1i"]
        .map(|mv| (mv.to_string(), SecondSolutionKind::DropDistance));
    assert_eq!(found, expected);
    assert_eq!(report.is_unique(), Some(true));
}

/// Regression: such drops counted as independent second solutions, because the pawn may be interposed at the end.
#[test]
fn a_futile_interposition_after_a_line_does_not_hide_that_the_drop_distance_is_optional() {
    let report = check("6nlk/9/9/5N1S1/9/9/8p/9/R8 b Lp 1", "");
    assert_eq!(report.verdict, CheckVerdict::Mate(3));
    let first = report.second_solutions.iter().filter(|second| second.ply == 0);
    let kinds: Vec<_> = first.map(|second| second.kind).collect();
    assert_eq!(kinds, [SecondSolutionKind::DropDistance; 3]);
    assert_eq!(report.is_unique(), Some(true));
}

#[test]
fn a_pawn_drop_mate_is_not_a_solution() {
    // A pawn in front of the cornered king would mate.
    let report = check("k8/2G6/1G7/9/9/9/9/9/9 b P 1", "");
    assert!(report.second_solutions.iter().all(|second| second.mv.to_string() != "P*9b"));
    let line = report.line.unwrap().moves;
    assert!(line.len() == 1 && !line[0].is_drop(), "{line:?}");
}

/// Regression: the search for the length had half of the limits, even if little else was left to do.
#[test]
fn an_undecided_check_has_spent_three_quarters_of_its_limit() {
    let problem = position("7p1/8k/9/7R1/9/9/9/9/9 b Sr2b4g3s4n4l17p 1");
    let mut undecided = 0;
    for nodes in (200..1000).step_by(50) {
        let limits = SolverLimits { nodes: Some(nodes), ..PLENTY };
        let report = ProblemChecker::new(4).unwrap().check(&problem, &[], &limits, &mut |_| {});
        if !report.is_decided() {
            undecided += 1;
            assert!(4 * report.nodes >= 3 * nodes, "{} of {nodes} nodes", report.nodes);
        }
    }
    assert!(undecided > 0);
}
