//! Each motif in a small position of its own, and lines that only look like one.

use super::{Motif, motifs};
use crate::position::Position;
use crate::types::Move;

fn found(sfen: &str, line: &str) -> Vec<Motif> {
    let position = Position::from_sfen(sfen).unwrap();
    let line: Vec<Move> = line.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
    let mut board = position.clone();
    line.iter().for_each(|&mv| assert!(board.try_play(mv).is_ok()));
    // The same from the other side.
    let rotated = Position::from_setup(&position.setup().rotated()).unwrap();
    let other: Vec<Move> = line.iter().map(|mv| mv.rotated()).collect();
    let found = motifs(&position, &line);
    assert_eq!(found, motifs(&rotated, &other), "{sfen} rotated");
    found
}

#[test]
fn every_motif_is_found_where_a_line_carries_it_out() {
    use Motif::*;
    let cases: &[(&str, &str, &[Motif])] = &[
        ("4k4/9/9/1r7/9/9/9/9/4K4 b B 1", "B*7c 5a4a 7c8d", &[KingRookFork]),
        ("k8/9/3g1g3/9/9/9/9/9/8K b N 1", "N*5e 4c4d 5e6c+", &[KnightFork]),
        ("k8/4g4/9/9/1s7/9/9/9/8K b R 1", "R*5e 5b4b 5e8e", &[RookFork]),
        ("8k/9/2r1g4/9/9/9/9/9/8K b S 1", "S*6b 7c7d 6b5c+", &[SilverFork]),
        ("k8/9/3g5/5s3/9/9/9/9/8K b G 1", "G*5d 4d3e 5d6c", &[Fork]),
        ("9/k8/9/3g1s3/9/9/9/9/8K b B 1", "B*5e 4d3e 5e6d", &[Fork]),
        ("4r4/9/4g4/9/9/9/9/9/k7K b L 1", "L*5f 5a6a 5f5c+", &[LanceSkewer]),
        ("9/4r4/9/9/4k4/9/9/9/8K b R 1", "R*5h 5e4e 5h5b+", &[Skewer]),
        ("k8/9/6r2/9/9/9/2P6/1B7/8K b - 1", "7g7f 9a8a 8h3c+", &[DiscoveredAttack]),
        ("4k4/9/4s3p/9/9/9/9/9/K8 b RP 1", "R*5h 1c1d P*5d 1d1e 5d5c+", &[Pin, StrikingPawn]),
        ("4k3b/7p1/9/9/9/9/9/9/4K4 b P 1", "P*1b 5a4a 1b1a+", &[TrappedPiece, StrikingPawn]),
        ("4k4/9/9/4s4/4P4/9/9/9/4K4 b - 1", "5e5d", &[FreePiece]),
        ("4k4/9/9/9/1r7/9/9/9/4K4 b BS 1", "S*5b 5a5b B*7d 5b4b 7d8e", &[KingRookFork, Sacrifice]),
        (
            "k8/9/7g1/9/9/9/9/7R1/8K b 2P 1",
            "P*2d 2c2d P*2e 9a8a 2e2d",
            &[RepeatedPawns, StrikingPawn],
        ),
        ("k3l4/5g3/2r6/9/9/9/9/9/8K b NP 1", "P*5c 4b5c N*6e 5c5d 6e7c+", &[KnightFork, FocalPawn]),
        ("k8/9/9/9/9/9/9/7R1/8K b P 1", "P*2d 9a8a 2d2c+", &[DanglingPawn]),
        ("k8/9/7p1/9/9/9/9/7R1/8K b P 1", "P*2d 2c2d 2h2d", &[JoiningPawn]),
        ("k8/9/9/9/9/9/9/4G4/K7r b P 1", "P*5i", &[AnchorPawn]),
        ("4k4/9/9/9/4B4/9/9/4R4/8K b - 1", "5e3c+", &[DoubleCheck]),
        ("4k4/9/9/9/4B4/9/9/4R4/8K b - 1", "5e6f", &[DiscoveredCheck]),
        ("7nk/7bp/9/9/9/9/9/9/4K4 b N 1", "N*2c", &[Mate, HangingKnight]),
        ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b", &[Mate, GoldAtHead]),
    ];
    for &(sfen, line, expected) in cases {
        assert_eq!(found(sfen, line), expected, "{sfen} {line}");
    }
    let shown = |motif: &Motif| cases.iter().any(|(_, _, expected)| expected.contains(motif));
    assert_eq!(Motif::all().find(|motif| !shown(motif)), None, "a motif has no case");
}

#[test]
fn a_line_that_only_resembles_a_motif_has_none() {
    for (sfen, line) in [
        // A fork that is taken.
        ("k8/9/3g1g3/5s3/9/9/9/9/8K b N 1", "N*5e 4d5e"),
        // Both pieces are defended and worth less.
        ("9/3gkg3/3s1s3/9/9/9/9/9/8K b R 1", "R*5c"),
        // Pawns are no targets.
        ("k8/9/3p1p3/9/9/9/9/9/8K b N 1", "N*5e 4c4d 5e6c+"),
        // The piece behind is defended and worth less.
        ("9/3gs4/9/9/4k4/9/9/9/8K b R 1", "R*5h 5e4e 5h5b+ 6b5b"),
        // The bishop uncovered by the knight is worth more than the defended gold that it takes.
        ("k8/5s3/6g2/3p5/3r5/9/2N6/1B7/8K b - 1", "7g6e 6d6e 8h3c+ 4b3c"),
        // An exchange is not a sacrifice.
        ("4k4/9/4g4/4s4/4S4/4R4/9/9/4K4 b - 1", "5e5d 5c5d 5f5d"),
        // A pawn that never promotes.
        ("k8/9/9/9/9/9/9/7R1/8K b P 1", "P*2d 9a8a 2h3h"),
        // No rook faces the pawn below the gold.
        ("k8/9/9/9/9/9/9/4G4/K8 b P 1", "P*5i"),
        // The end of an exchange is no free piece.
        ("4k4/9/9/4p4/4S4/4R4/9/9/4K4 w - 1", "5a6a 5e5d"),
    ] {
        assert_eq!(found(sfen, line), [], "{sfen} {line}");
    }
}
