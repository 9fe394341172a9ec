use proptest::prelude::*;

use super::*;

const FORMATS: [PositionFormat; 2] = [PositionFormat::Psv, PositionFormat::Hcpe];
/// Drops, and moves of which some may promote.
const SFEN: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";

fn record(sfen: &str, mv: &str) -> ScoredPosition {
    let setup: Setup = sfen.parse().unwrap();
    let mv = if mv == "none" { Move::NONE } else { mv.parse().unwrap() };
    ScoredPosition { setup, score: -1234, mv, number: 77, result: 1 }
}

fn bytes(format: PositionFormat, record: &ScoredPosition) -> Vec<u8> {
    let mut bytes = Vec::new();
    format.write(record, &mut bytes).unwrap();
    bytes
}

/// The bytes that cshogi 1.1.0 gives the same values.
#[test]
fn records_are_written_as_other_programs_write_them() {
    let tail = |format: PositionFormat, mv: &str| bytes(format, &record(SFEN, mv))[32..].to_vec();
    for (mv, psv, hcpe) in VECTORS {
        assert_eq!(tail(PositionFormat::Psv, mv), psv, "{mv}");
        assert_eq!(tail(PositionFormat::Hcpe, mv), hcpe, "{mv}");
    }
}

/// Score -1234, a win for the side to move, which is White; move 77.
const VECTORS: [(&str, [u8; 8], [u8; 6]); 6] = [
    ("P*5e", [46, 251, 168, 64, 77, 0, 1, 0], [46, 251, 168, 40, 2, 0]),
    ("G*6i", [46, 251, 181, 67, 77, 0, 1, 0], [46, 251, 181, 43, 2, 0]),
    ("6f8h+", [46, 251, 70, 153, 77, 0, 1, 0], [46, 251, 70, 89, 2, 0]),
    ("6f5e", [46, 251, 40, 25, 77, 0, 1, 0], [46, 251, 40, 25, 2, 0]),
    ("2a3c", [46, 251, 148, 4, 77, 0, 1, 0], [46, 251, 148, 4, 2, 0]),
    ("none", [46, 251, 0, 0, 77, 0, 1, 0], [46, 251, 0, 0, 2, 0]),
];

#[test]
fn the_formats_are_converted_into_each_other_except_for_the_move_number() {
    let record = record(SFEN, "P*5e");
    let through = |format: PositionFormat, record: &ScoredPosition| {
        format.read(&bytes(format, record)).unwrap()
    };
    let hcpe = through(PositionFormat::Hcpe, &through(PositionFormat::Psv, &record));
    assert_eq!(hcpe, ScoredPosition { number: 0, ..record });
    assert_eq!(through(PositionFormat::Psv, &hcpe), hcpe);
}

proptest! {
    #[test]
    fn every_record_reads_back(
        code in 0..Move::TABLE as u16,
        score: i16,
        number: u16,
        result in -1..=1i8,
        black: bool,
    ) {
        let Some(mv) = Some(code).filter(|&code| code > 0).and_then(Move::from_bits) else {
            return Ok(());
        };
        let mut setup = Setup::startpos();
        setup.side = if black { Color::Black } else { Color::White };
        for format in FORMATS {
            let number = if format == PositionFormat::Psv { number } else { 0 };
            setup.game_ply = u32::from(number).max(1);
            let record = ScoredPosition { setup: setup.clone(), score, mv, number, result };
            let written = bytes(format, &record);
            prop_assert_eq!(written.len(), format.size());
            prop_assert_eq!(format.read(&written), Ok(record));
        }
    }

    #[test]
    fn any_valid_bytes_are_written_back_unchanged(tail: [u8; 8]) {
        for format in FORMATS {
            let mut record = bytes(format, &record(SFEN, "none"));
            let size = format.size();
            record[32..].copy_from_slice(&tail[..size - 32]);
            record[size - 1] = 0;
            if let Ok(read) = format.read(&record) {
                prop_assert_eq!(bytes(format, &read), record);
            }
        }
    }
}

#[test]
fn codes_without_meaning_are_refused() {
    let good = bytes(PositionFormat::Psv, &record(SFEN, "none"));
    let read = |at: usize, value: u8| {
        let mut bytes = good.clone();
        bytes[at] = value;
        PositionFormat::Psv.read(&bytes)
    };
    assert_eq!(read(38, 2), Err(ScoredPositionError::Result(2)));
    assert_eq!(read(34, 81), Err(ScoredPositionError::Move(81)));
    assert!(matches!(read(1, 0xff), Err(ScoredPositionError::Position(_))));
    let mut hcpe = bytes(PositionFormat::Hcpe, &record(SFEN, "none"));
    hcpe[36] = 3;
    assert_eq!(PositionFormat::Hcpe.read(&hcpe), Err(ScoredPositionError::Result(3)));
}
