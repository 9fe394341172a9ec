use proptest::prelude::*;

use super::*;
use crate::position::Position;

const CODINGS: [PackedFormat; 2] = [PackedFormat::Yaneuraou, PackedFormat::Apery];

fn hex(text: &str) -> PackedPosition {
    std::array::from_fn(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap())
}

fn setup(sfen: &str) -> Setup {
    sfen.parse().unwrap()
}

/// Positions with the bytes that cshogi 1.1.0 gives them.
const VECTORS: [(&str, &str, &str); 4] = [
    (
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "58a451220ceb67227e9653221caf447824c22b119e53221ceb6f223e9651220c",
        "58a449210cd757217e8e4d212caf427814c2ab109e4d212cd75f213e8e49210c",
    ),
    (
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "59a451220cab44fc2ca744385e89f0488457223ca744385689f858468930bc7e",
        "59a449210c9742fc1c9b42585e85f0288457213c9b42582e85f8382685303c5e",
    ),
    (
        "4k3+P/9/9/9/9/9/9/9/4K4 b - 1",
        "58a40200000000000000000024499224499294524aadb5b6d65a7beffd7afd7e",
        "58a40400000000000000000024499224499294524a6badd55a6bbdf7fe78bc5e",
    ),
    (
        "4k4/9/9/9/9/9/9/9/4K4 b RBGSNLPrbgsnlp 1",
        "5824000000000000000000004219e7f161acf33ebf92244992244929b5b6d6de",
        "582400000000000000000000c228e7f3639cf57eff92244992244929add55aef",
    ),
];

#[test]
fn positions_are_packed_as_other_programs_pack_them() {
    for (sfen, yaneuraou, apery) in VECTORS {
        for (coding, text) in CODINGS.into_iter().zip([yaneuraou, apery]) {
            assert_eq!(pack(&setup(sfen), coding), Ok(hex(text)), "{sfen} {coding:?}");
            assert_eq!(unpack(&hex(text), coding), Ok(setup(sfen)), "{sfen} {coding:?}");
        }
    }
}

/// The position after moves selected by these numbers.
fn walk(start: &str, choices: &[u16]) -> Position {
    let mut position = Position::from_sfen(start).unwrap();
    for &choice in choices {
        let moves: Vec<_> = position.legal_moves().moves().collect();
        let Some(&mv) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
        position.do_move(mv);
    }
    position
}

proptest! {
    #[test]
    fn every_position_of_a_game_reads_back(
        start in 0..VECTORS.len(),
        choices in prop::collection::vec(any::<u16>(), 0..200),
    ) {
        let mut setup = walk(VECTORS[start].0, &choices).setup();
        setup.game_ply = 1;
        for coding in CODINGS {
            prop_assert_eq!(unpack(&pack(&setup, coding).unwrap(), coding), Ok(setup.clone()));
        }
    }

    #[test]
    fn any_bytes_are_refused_or_are_a_position_that_reads_back(
        vector in 0..VECTORS.len(),
        changes in prop::collection::vec((0..32usize, any::<u8>()), 0..6),
        is_noise: bool,
        noise: [u8; 32],
    ) {
        for coding in CODINGS {
            let mut packed = if is_noise { noise } else { hex(VECTORS[vector].1) };
            for &(at, byte) in &changes {
                packed[at] = byte;
            }
            if let Ok(setup) = unpack(&packed, coding) {
                prop_assert_eq!(unpack(&pack(&setup, coding).unwrap(), coding), Ok(setup));
            }
        }
    }
}

#[test]
fn a_setup_that_the_format_cannot_hold_is_refused() {
    let no_king = setup("4k4/9/9/9/9/9/9/9/9 b - 1");
    assert_eq!(pack(&no_king, PackedFormat::Apery), Err(PackError::NoKing(Color::Black)));
    let mut two_kings = Setup::startpos();
    two_kings.board[40] = Some(Piece::new(Color::White, PieceKind::King));
    assert_eq!(pack(&two_kings, PackedFormat::Apery), Err(PackError::TooMany(PieceKind::King)));
    let mut rook = Setup::startpos();
    rook.hands[Color::White].add(PieceKind::Rook);
    assert_eq!(pack(&rook, PackedFormat::Apery), Err(PackError::TooMany(PieceKind::Rook)));
}

#[test]
fn bits_that_are_no_position_are_refused_with_the_reason() {
    let read = |packed: PackedPosition| unpack(&packed, PackedFormat::Yaneuraou).unwrap_err();
    assert_eq!(read([0xff; 32]), UnpackError::Kings);
    assert_eq!(read([0; 32]), UnpackError::Kings, "both on one square");
    let bare = hex("5824000000000000000000000000000000000000000000000000000000000000");
    assert_eq!(read(bare), UnpackError::NotOneSet(PieceKind::Pawn));
    let mut long = hex(VECTORS[0].1);
    // The last piece on the board of the initial position becomes a rook, which is longer.
    long[31] = 0xff;
    assert!(matches!(read(long), UnpackError::TooLong | UnpackError::NoCode { .. }));
}

#[test]
fn every_code_of_a_move_is_written_as_it_was_read_or_refused() {
    for code in 0..=u16::MAX {
        for coding in CODINGS {
            let same = coding.mv(code).is_none_or(|mv| coding.move_code(mv) == code);
            assert!(same, "{coding:?} {code}");
        }
    }
}
