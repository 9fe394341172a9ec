//! The limits and clocks of `go` and `ponderhit`, valid and damaged.

use super::numbers::MAX_MS;
use super::*;
use crate::search::request::MateLimit;
use crate::types::{Depth, MAX_PLY};

#[test]
fn byoyomi_counts_for_both_sides_unless_a_side_has_its_own() {
    let clock = go("go btime 1000 wtime 2000 byoyomi 3000").clock.unwrap();
    assert_eq!(clock.time, ByColor([ms(1000), ms(2000)]));
    assert_eq!(clock.byoyomi, ByColor([ms(3000), ms(3000)]));
    assert_eq!(clock.increment, ByColor([ms(0), ms(0)]));
    let clock = go("go wbyoyomi 5 byoyomi 3000 btime 0").clock.unwrap();
    assert_eq!(clock.byoyomi, ByColor([ms(3000), ms(5)]));
    let clock = go("go bbyoyomi 7 wbyoyomi 5").clock.unwrap();
    assert_eq!(clock.byoyomi, ByColor([ms(7), ms(5)]));
}

#[test]
fn fischer_clocks_and_moves_to_go_are_read() {
    let clock = go("go winc 20 binc 10 wtime 2000 btime 1000 movestogo 12").clock.unwrap();
    assert_eq!(clock.increment, ByColor([ms(10), ms(20)]));
    assert_eq!(clock.moves_to_go, Some(12));
    assert_eq!(go("go btime 1 movestogo 0").clock.unwrap().moves_to_go, None);
}

#[test]
fn a_go_without_clock_arguments_has_no_clock() {
    for line in ["go", "go ponder", "go infinite", "go movetime 100", "go movestogo 3"] {
        assert_eq!(go(line).clock, None, "{line}");
    }
}

/// Regression: with clocks at zero the search ended at the first check of the time, whatever the other
/// limits.
#[test]
fn zero_clocks_beside_another_limit_are_ignored() {
    for limit in ["depth 9", "nodes 600000", "movetime 500", "rtime 500", "infinite", "mate 500"] {
        for zero in ["btime 0 wtime 0", "btime 0 wtime 0 byoyomi 0", "binc 0 winc 0"] {
            for line in [format!("go {zero} {limit}"), format!("go {limit} {zero}")] {
                assert_eq!(go(&line).clock, None, "{line}");
            }
        }
        for some in ["btime 0 wtime 1", "byoyomi 1", "btime 0 wtime 0 winc 1"] {
            assert!(go(&format!("go {some} {limit}")).clock.is_some(), "{some} {limit}");
        }
    }
    assert_eq!(go("go btime 0 wtime 0 byoyomi 0").clock, Some(Clock::default()));
}

/// Regression: TanukiColiseum sends every limit, with zero for none, and got a move after one node.
#[test]
fn a_limit_of_zero_is_none() {
    let timed = go("go btime 0 wtime 0 byoyomi 1000 binc 0 winc 0 nodes 0 rtime 0");
    assert_eq!(timed.clock.unwrap().byoyomi, ByColor([ms(1000), ms(1000)]));
    assert_eq!(timed, Limits { clock: timed.clock, ..Limits::default() });
    let counted = Limits { nodes: Some(20_000), ..Limits::default() };
    let zeros = "go btime 0 wtime 0 byoyomi 0 binc 0 winc 0 nodes 20000 rtime 0 depth 0";
    assert_eq!(go(zeros), counted);
    assert_eq!(go("go movetime 0 nodes 20000"), counted);
    for line in ["go nodes 0", "go depth 0", "go rtime 0"] {
        assert_eq!(go(line), Limits::default(), "{line}");
    }
    assert_eq!(go("go movetime 0 byoyomi 1").move_time, None);
    assert_eq!(go("go movetime 0 btime 0 wtime 0").move_time, Some(ms(0)), "the only limit");
}

#[test]
fn plain_limits_are_read_in_any_order() {
    let limits = go("go movetime 500 nodes 18446744073709551615 depth 9 rtime 30 ponder");
    assert_eq!(limits.move_time, Some(ms(500)));
    assert_eq!(limits.nodes, Some(u64::MAX));
    assert_eq!(limits.depth, Some(9));
    assert_eq!(limits.random_time, Some(ms(30)));
    assert!(limits.ponder && !limits.infinite);
    assert_eq!(limits.mate, None);
}

#[test]
fn searchmoves_extend_to_the_next_keyword() {
    for line in [
        "go infinite searchmoves 7g7f 2g2f",
        "go searchmoves 7g7f 2g2f infinite",
        "go searchmoves 7g7f infinite searchmoves 2g2f",
    ] {
        let limits = go(line);
        assert_eq!(text(&limits.search_moves), "7g7f 2g2f", "{line}");
        assert!(limits.infinite);
    }
}

#[test]
fn an_invalid_search_move_is_skipped_alone() {
    let (limits, errors) = go_with_errors("go searchmoves 7g7f 77 2g2f depth 2");
    assert_eq!(text(&limits.search_moves), "7g7f 2g2f");
    assert_eq!(limits.depth, Some(2));
    assert!(errors[0].starts_with("\"77\" after searchmoves is not a move"), "{errors:?}");
}

#[test]
fn go_mate_is_read_in_every_form_in_use() {
    let unlimited = Some(MateLimit::Unlimited);
    for (line, mate, nodes, depth) in [
        ("go mate 10000", Some(MateLimit::Time(ms(10_000))), None, None),
        ("go mate 5", Some(MateLimit::Time(ms(5))), None, None),
        ("go mate infinite", unlimited, None, None),
        ("go mate", unlimited, None, None),
        ("go infinite mate", unlimited, None, None),
        ("go nodes 77 mate infinite", unlimited, Some(77), None),
        ("go depth 8 mate infinite", unlimited, None, Some(8)),
        ("go mate nodes 77", unlimited, Some(77), None),
        ("go mate depth 8", unlimited, None, Some(8)),
        ("go mate 10 nodes 77 depth 8", Some(MateLimit::Time(ms(10))), Some(77), Some(8)),
    ] {
        let limits = go(line);
        assert_eq!((limits.mate, limits.nodes, limits.depth), (mate, nodes, depth), "{line}");
        assert!(!limits.infinite, "{line}");
    }
}

/// Regression: the depth was limited to that of a search for a move.
#[test]
fn the_depth_of_a_mate_search_may_exceed_that_of_a_search_for_a_move() {
    for line in ["go mate depth 1525", "go depth 1525 mate infinite"] {
        assert_eq!(go(line).depth, Some(1525), "{line}");
    }
    let (limits, errors) = go_with_errors("go depth 1525");
    assert_eq!((limits.depth, errors.len()), (Some(MAX_PLY as Depth), 1));
}

#[test]
fn an_invalid_mate_limit_is_ignored() {
    let (limits, errors) = go_with_errors("go mate soon");
    assert_eq!(limits.mate, Some(MateLimit::Unlimited));
    assert_eq!(errors, ["mate needs a number, not \"soon\"; ignored"]);
}

#[test]
fn an_invalid_clock_does_not_affect_the_rest_of_the_line() {
    let (limits, errors) = go_with_errors("go btime x wtime 1000 byoyomi 500");
    let clock = limits.clock.unwrap();
    assert_eq!(clock.time, ByColor([ms(0), ms(1000)]));
    assert_eq!(clock.byoyomi, ByColor([ms(500), ms(500)]));
    assert_eq!(errors, ["btime needs a number, not \"x\"; ignored"]);
}

/// Regression: such a time was read as zero, and more than the clock had was used.
#[test]
fn a_time_below_zero_is_subtracted_from_the_increment_or_the_byoyomi() {
    let clock = go("go btime -5000 wtime -5000 binc 10000 winc 8000").clock.unwrap();
    assert_eq!(clock.time, ByColor([ms(0), ms(0)]));
    assert_eq!(clock.increment, ByColor([ms(5000), ms(3000)]));
    let clock = go("go btime -200.5 wtime 100 byoyomi 1000").clock.unwrap();
    assert_eq!(clock.time, ByColor([ms(0), ms(100)]));
    assert_eq!(clock.byoyomi, ByColor([ms(800), ms(1000)]));
    assert_eq!(go("go btime -1 wtime -1").clock, Some(Clock::default()));
    assert_eq!(go("go btime -1 wtime -1 nodes 5").clock, None);
}

/// Regression: such a time was read as zero.
#[test]
fn a_clock_in_floating_point_is_read() {
    let clock = go("go btime 59999.6 wtime 60000.0 byoyomi 1000.").clock.unwrap();
    assert_eq!(clock.time, ByColor([ms(59_999), ms(60_000)]));
    assert_eq!(clock.byoyomi, ByColor([ms(1000), ms(1000)]));
    for no_number in [".", ".5", "1.2.3", "1.x", "1e5"] {
        let (limits, errors) = go_with_errors(&format!("go btime {no_number} wtime 1000"));
        assert_eq!(limits.clock.unwrap().time, ByColor([ms(0), ms(1000)]));
        assert_eq!(errors, [format!("btime needs a number, not {no_number:?}; ignored")]);
    }
}

#[test]
fn a_missing_number_does_not_consume_the_next_token() {
    let (limits, errors) = go_with_errors("go btime wtime 1000 depth");
    assert_eq!(limits.clock.unwrap().time, ByColor([ms(0), ms(1000)]));
    assert_eq!(limits.depth, None);
    let missing = |word| format!("a number is missing after {word}");
    assert_eq!(errors, [missing("btime"), missing("depth")]);
}

#[test]
fn numbers_out_of_range_are_clamped_and_reported() {
    let huge = "9".repeat(100);
    let line = format!("go binc -5 wtime {huge} nodes {huge} depth 9999 movestogo -1");
    let (limits, errors) = go_with_errors(&line);
    let clock = limits.clock.unwrap();
    assert_eq!(clock.time, ByColor([ms(0), ms(MAX_MS)]));
    assert_eq!(clock.increment, ByColor([ms(0), ms(0)]));
    assert_eq!(clock.moves_to_go, None);
    assert_eq!(limits.nodes, Some(u64::MAX));
    assert_eq!(limits.depth, Some(MAX_PLY as Depth));
    assert_eq!(errors.len(), 5);
    assert_eq!(errors[0], "binc \"-5\" is out of range; taken as 0");
    let (_, errors) = go_with_errors("go btime -2000000000000");
    assert_eq!(errors, [format!("btime \"-2000000000000\" is out of range; taken as -{MAX_MS}")]);
}

#[test]
fn a_stray_token_of_go_is_skipped_and_reported() {
    let (limits, errors) = go_with_errors("go joho depth 4 on");
    assert_eq!(limits.depth, Some(4));
    let stray = |token| format!("{token:?} is not valid after go; ignored");
    assert_eq!(errors, [stray("joho"), stray("on")]);
}

#[test]
fn ponderhit_may_have_clocks() {
    let hit = |line: &str| match clean(line) {
        Command::PonderHit(clock) => clock,
        other => panic!("not a ponderhit: {other:?}"),
    };
    let clock = hit("ponderhit btime 60000 wtime 50000 byoyomi 1000").unwrap();
    assert_eq!(clock.time, ByColor([ms(60_000), ms(50_000)]));
    assert_eq!(clock.byoyomi, ByColor([ms(1000), ms(1000)]));
    let clock = hit("ponderhit btime 1 wtime 2 binc 3 winc 4").unwrap();
    assert_eq!(clock.increment, ByColor([ms(3), ms(4)]));
    assert_eq!(hit("ponderhit"), None);
}

#[test]
fn perft_without_a_depth_is_reported() {
    for line in ["go perft", "go perft x"] {
        let parsed = parse(line.as_bytes());
        assert!(parsed.command.is_none());
        assert_eq!(parsed.errors.len(), 1);
    }
}
