//! Reasons from lines given by hand.

mod of_games;

use std::time::Duration;

use super::{Explainer, Reason, ReasonKind};
use crate::analysis::motifs::Motif;
use crate::analysis::{AnalysisScore, BoundedScore, PositionAnalysis, Variation, WinReason};
use crate::position::Position;
use crate::types::message::Message;

fn found(score: AnalysisScore, line: &str) -> PositionAnalysis {
    let variation = Variation {
        estimate: BoundedScore::exact(score),
        moves: line.split_whitespace().map(|mv| mv.parse().unwrap()).collect(),
        ..Variation::default()
    };
    PositionAnalysis { variations: vec![variation], nodes: 0, elapsed: Duration::ZERO }
}

const fn cp(value: i32) -> AnalysisScore {
    AnalysisScore::Centipawns(value)
}

const fn mate(plies: u32) -> WinReason {
    WinReason::Mate { plies, is_shortest: true }
}

/// The reason why a move is worse than the first of a line. The scores are those of the side to move. The
/// position is an SFEN, with ` moves ` and the last moves where a rule asks for them.
fn reason(
    sfen: &str,
    (mv, after, refutation): (&str, AnalysisScore, &str),
    (before, better): (AnalysisScore, &str),
) -> Option<Reason> {
    let (sfen, last) = sfen.split_once(" moves ").unwrap_or((sfen, ""));
    let mut position = Position::from_sfen(sfen).unwrap();
    last.split_whitespace().for_each(|mv| assert!(position.try_play(mv.parse().unwrap()).is_ok()));
    let (before, after) = (found(before, better), found(after, refutation));
    Explainer::new().reason(&position, mv.parse().unwrap(), &before, &after)
}

/// Checks a reason.
fn check(reason: Option<Reason>, kind: ReasonKind, motif: Option<Motif>, en: &str, ja: &str) {
    let text = Message { en: en.into(), ja: ja.into() };
    let expected = Reason { kind, motif, text };
    assert_eq!(reason, Some(expected));
}

const MISSED: &str = "4k4/9/4G4/9/9/9/9/9/4K4 b G2r2b2g4s4n4l18p 1";
const IN_DANGER: &str = "4k4/9/9/9/9/9/4g4/8P/4K4 b g 1";
const FORKING: &str = "k8/9/3g1g3/9/9/9/9/9/8K b N 1";
const FORKED: &str = "k8/9/9/9/9/9/3G1G3/9/8K b n 1";

#[test]
fn a_missed_mate_and_a_mate_that_is_allowed_come_first() {
    check(
        reason(MISSED, ("5i5h", cp(3000), "5a6a"), (AnalysisScore::Win(mate(1)), "G*5b")),
        ReasonKind::MissesMate,
        Some(Motif::Mate),
        "Misses mate in 1 by G*5b.",
        "▲５二金打までの1手詰を逃した。",
    );
    let lost = AnalysisScore::Win(mate(1));
    check(
        reason(IN_DANGER, ("1h1g", lost, "G*5h"), (cp(-300), "5i6i 5g5h")),
        ReasonKind::AllowsMate,
        Some(Motif::Mate),
        "Allows mate in 1 by G*5h.",
        "△５八金打までの1手詰を許した。",
    );
}

#[test]
fn a_mate_without_its_end_or_one_that_nothing_stops_is_no_reason() {
    // The line does not end in mate.
    let win = AnalysisScore::Win(mate(3));
    assert_eq!(reason(MISSED, ("5i5h", cp(3000), "5a6a"), (win, "5i6h")), None);
    // It is lost anyway.
    let (lost, anyway) = (AnalysisScore::Win(mate(1)), AnalysisScore::Loss(mate(4)));
    assert_eq!(reason(IN_DANGER, ("1h1g", lost, "G*5h"), (anyway, "5i6i 5g5h")), None);
}

#[test]
fn a_piece_that_a_tactic_loses_or_wins_is_named_with_the_tactic() {
    check(
        reason(FORKED, ("1i1h", cp(900), "N*5e 4g4f 5e6g+"), (cp(0), "4g5f 9a8a 1i1h 8a9a")),
        ReasonKind::LosesPiece,
        Some(Motif::KnightFork),
        "Loses a gold: N*5e (knight fork) and Nx6g+.",
        "△５五桂（ふんどしの桂）から△６七桂成で金損になる。",
    );
    check(
        reason(FORKING, ("1i1h", cp(0), "9a8a 1h1i 8a9a"), (cp(900), "N*5e 4c4d 5e6c+")),
        ReasonKind::MissesPiece,
        Some(Motif::KnightFork),
        "Misses the win of a gold: N*5e (knight fork) and Nx6c+.",
        "▲５五桂（ふんどしの桂）から▲６三桂成で金得になる手を逃した。",
    );
}

#[test]
fn a_piece_that_both_lines_lose_or_that_is_won_back_is_no_reason() {
    let lost = (cp(900), "N*5e 4g4f 5e6g+");
    assert_eq!(reason(FORKED, ("1i1h", lost.0, lost.1), (cp(0), "1i2h N*5e 4g4f 5e6g+")), None);
    // A gold for a gold.
    let back = "k8/9/3g5/9/1B2n4/9/3G1G3/9/8K b - 1";
    let line = ("1i1h", cp(100), "5e6g+ 8e6c+");
    assert_eq!(reason(back, line, (cp(0), "4g4f 9a8a 1i2h 8a9a")), None);
}

#[test]
fn a_piece_promoted_or_dropped_within_the_line_and_taken_is_no_loss() {
    let better = (cp(300), "1i1h 9a8a 1h1i 8a9a");
    let promotes = "k8/4g4/9/4P4/9/9/9/9/8K b - 1";
    check(
        reason(promotes, ("5d5c+", cp(100), "5b5c 1i1h 9a8a"), better),
        ReasonKind::LosesPiece,
        None,
        "Loses a pawn: Gx5c.",
        "△同　金で1歩損になる。",
    );
    let drops = "k8/9/9/9/9/9/9/9/8K b G 1";
    assert_eq!(reason(drops, ("1i2h", cp(900), "9a8a G*8b 8a8b"), better), None);
}

#[test]
fn an_exchange_names_both_sides_of_it() {
    let sfen = "k8/9/9/9/9/6s2/7R1/6G2/8K b - 1";
    check(
        reason(sfen, ("1i1h", cp(500), "3f2g 3h2g 9a8a"), (cp(0), "2g5g 9a8a 1i1h 8a9a")),
        ReasonKind::LosesPiece,
        None,
        "Loses a rook for a silver: Sx2g=.",
        "△２七銀不成で飛車と銀の交換の駒損になる。",
    );
}

/// Regression: the sentence said that checks drove the king over three files, but it went one of them by itself.
#[test]
fn a_king_that_walks_between_two_checks_is_not_driven_by_them() {
    let sfen = "8k/9/9/9/9/9/P8/9/4K4 b r 1";
    let better = (cp(-300), "5i4h 1a1b 9g9f 1b1a");
    let exposed = |refutation| {
        let found = reason(sfen, ("9g9f", cp(900), refutation), better);
        found.is_some_and(|found| found.kind == ReasonKind::ExposesKing)
    };
    assert!(exposed("R*5b 5i4i 5b4b 4i3i"));
    assert!(!exposed("R*5b 5i4i 1a1b 4i3i 5b3b 3i2i"));
}

/// Regression: the sentence counted the checks before the king went by itself too.
#[test]
fn only_the_checks_that_drive_a_king_are_said_to_drive_it() {
    let refutation = "R*5b 5i4i 1a1b 4i4h 5b4b 4h3h 4b3b 3h2h";
    check(
        reason(
            "8k/9/9/9/9/9/P8/9/4K4 b r 1",
            ("9g9f", cp(900), refutation),
            (cp(-300), "5i4h 1a1b 9g9f 1b1a"),
        ),
        ReasonKind::ExposesKing,
        None,
        "Exposes the king: from R*5b on, 2 checks drive it from 4h to 2h.",
        "玉が危なくなる。△５二飛から王手が2回かかり、玉が４八から２八へ追われる。",
    );
}

#[test]
fn a_reply_that_pins_the_piece_of_the_better_move_prevents_it() {
    let sfen = "k8/9/9/9/9/9/P8/4G4/4K4 b r 1";
    check(
        reason(sfen, ("9g9f", cp(900), "R*5b"), (cp(-300), "5h4h 9a8a")),
        ReasonKind::GivesTime,
        None,
        "Gives time for R*5b, after which G-4h is not possible.",
        "△５二飛と指す余裕を与えた。その後は▲４八金と指せない。",
    );
}

#[test]
fn a_better_move_with_a_name_is_named_where_nothing_else_is_proved() {
    let sfen = "k8/9/9/9/9/9/9/7R1/8K b P 1";
    check(
        reason(sfen, ("1i1h", cp(0), "9a8a"), (cp(300), "P*2d 9a8a 2d2c+")),
        ReasonKind::BetterMove,
        Some(Motif::DanglingPawn),
        "Better is P*2d (dangling pawn).",
        "▲２四歩（垂れ歩）がまさった。",
    );
    assert_eq!(reason(sfen, ("1i1h", cp(0), "9a8a"), (cp(300), "2h5h 9a8a")), None);
}
