use proptest::prelude::*;

use super::*;
use crate::book::testing::{file_of, games};
use crate::book::{Book, BookFormat};

/// The initial position with two moves, as bytes.
fn sample_book() -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(1u64.to_le_bytes());
    bytes.extend(1u64.to_le_bytes());
    bytes.extend(pack(&Setup::startpos(), PackedFormat::Yaneuraou).unwrap());
    bytes.extend(0u64.to_le_bytes());
    bytes.extend([1, 0, 2, 0]);
    // 7g7f: from 60 to 59; 2g2f: from 15 to 14.
    bytes.extend((60u16 << 7 | 59).to_le_bytes());
    bytes.extend([30, 0, 20, 0]);
    bytes.extend((15u16 << 7 | 14).to_le_bytes());
    bytes.extend((-5i16).to_le_bytes());
    bytes.extend([0, 0]);
    bytes
}

fn open(bytes: &[u8], validation: Validation) -> Result<Book, BookError> {
    Book::open(&file_of(bytes), validation)
}

#[test]
fn a_book_is_read_exactly() {
    let book = open(&sample_book(), Validation::Full).unwrap();
    assert_eq!(book.format(), BookFormat::Ybb);
    let known = |mv: &str, eval, depth| BookMove {
        eval: Some(eval),
        depth,
        ..BookMove::new(mv.parse().unwrap())
    };
    let moves = vec![known("7g7f", 30, Some(20)), known("2g2f", -5, None)];
    let entry = BookEntry { ply: Some(1), moves };
    assert_eq!(book.look_up(&Setup::startpos(), Some(1)), Some(entry.clone()));
    assert_eq!(book.look_up(&Setup::startpos(), Some(2)), None);
    assert_eq!(book.look_up(&Setup::startpos(), None), Some(entry.clone()));
    let mut all = Vec::new();
    book.for_each(&mut |setup, entry| all.push((setup.clone(), entry)));
    assert_eq!(all, [(Setup::startpos(), entry)]);
}

/// Regression: they vanished without a word, and of a repeated move the first was kept.
#[test]
fn repeated_and_invalid_moves_of_an_entry_are_merged_and_counted() {
    let mut bytes = sample_book();
    bytes[HEADER_BYTES + 42] = 4;
    // 7g7f again, deeper, and a code without a move.
    bytes.extend_from_within(bytes.len() - 12..bytes.len() - 10);
    bytes.extend([50, 0, 30, 0]);
    bytes.extend([0xff, 0xff, 0, 0, 0, 0]);
    let book = open(&bytes, Validation::Full).unwrap();
    let entry = book.look_up(&Setup::startpos(), None).unwrap();
    assert_eq!((entry.moves.len(), entry.moves[0].depth), (2, Some(30)));
    let messages = book.for_each(&mut |_, _| {});
    let texts: Vec<&str> = messages.iter().map(|message| message.en.as_str()).collect();
    assert_eq!(texts, ["2 invalid or repeated moves left out"]);
}

#[test]
fn a_record_without_a_valid_position_is_counted() {
    let mut bytes = sample_book();
    // Both kings on one square.
    bytes[HEADER_BYTES..][..32].fill(0);
    let mut positions = 0;
    let book = open(&bytes, Validation::Full).unwrap();
    let messages = book.for_each(&mut |_, _| positions += 1);
    let texts: Vec<&str> = messages.iter().map(|message| message.en.as_str()).collect();
    assert_eq!((positions, &texts[..]), (0, &["1 unreadable record left out"][..]));
}

#[test]
fn no_entry_has_more_moves_than_a_position_can_have() {
    let mut bytes = sample_book();
    let list = bytes.split_off(bytes.len() - 12);
    let count = bytes.len() - 4;
    bytes[count..][..2].copy_from_slice(&[0, 0]);
    bytes[count + 2..].copy_from_slice(&60_000u16.to_le_bytes());
    let moves = (0..60_000u16).flat_map(|code| [&code.to_le_bytes()[..], &list[2..6]].concat());
    bytes.extend(moves);
    let entry =
        open(&bytes, Validation::Sampled).unwrap().look_up(&Setup::startpos(), None).unwrap();
    assert!(entry.moves.len() <= 600, "{}", entry.moves.len());
}

#[test]
fn a_written_book_is_read_again() {
    let mut collection = MemoryBook::default();
    for (index, setup) in games(10, 20).iter().enumerate() {
        let mv = BookMove {
            eval: Some(index as i32 - 40),
            depth: (index % 4 > 0).then_some(index as u32),
            ..BookMove::new("7g7f".parse().unwrap())
        };
        collection.insert(setup, BookEntry { ply: Some(setup.game_ply), moves: vec![mv] });
    }
    let mut bytes = Vec::new();
    assert_eq!(write(&collection, &mut bytes).unwrap(), WriteLosses::default());
    let book = open(&bytes, Validation::Full).unwrap();
    for (setup, entry) in collection.positions() {
        assert_eq!(book.look_up(&setup, Some(setup.game_ply)).as_ref(), Some(entry));
    }
}

/// Regression: it was written as 32,767, which other programs take for the best evaluation.
#[test]
fn an_unknown_evaluation_is_written_as_0_and_counted() {
    let mut collection = MemoryBook::default();
    let moves = vec![BookMove::new("7g7f".parse().unwrap())];
    collection.insert(&Setup::startpos(), BookEntry { ply: Some(1), moves });
    let mut bytes = Vec::new();
    let losses = write(&collection, &mut bytes).unwrap();
    assert_eq!(losses, WriteLosses { evals: 1, ..WriteLosses::default() });
    assert_eq!(bytes[bytes.len() - 2..], [0, 0]);
    // Books with the other number are read.
    let length = bytes.len();
    bytes[length - 2..].copy_from_slice(&NO_EVAL.to_le_bytes());
    let entry = open(&bytes, Validation::Full).unwrap().look_up(&Setup::startpos(), None).unwrap();
    assert_eq!(entry.moves[0].eval, None);
}

#[test]
fn losses_are_counted() {
    let mut collection = MemoryBook::default();
    let mv = BookMove {
        reply: "3c3d".parse().ok(),
        eval: Some(40_000),
        depth: Some(70_000),
        count: Some(2),
        ..BookMove::new("7g7f".parse().unwrap())
    };
    collection.insert(&Setup::startpos(), BookEntry { ply: Some(70_000), moves: vec![mv] });
    let no_king: Setup = "4k4/9/9/9/9/9/9/9/9 b - 1".parse().unwrap();
    collection.insert(&no_king, BookEntry::default());
    let mut bytes = Vec::new();
    let losses = write(&collection, &mut bytes).unwrap();
    // Regression: the move number became 65,535, so the entry was never found by its number.
    let book = open(&bytes, Validation::Full).unwrap();
    assert!(book.look_up(&Setup::startpos(), Some(70_000)).is_some());
    let all = WriteLosses { positions: 1, plies: 1, replies: 1, evals: 1, depths: 1, counts: 1 };
    assert_eq!(losses, all);
    assert_eq!(losses.messages().len(), 6);
}

#[test]
fn invalid_files_are_refused_with_the_reason() {
    let good = sample_book();
    let with = |at: usize, bytes: &[u8]| {
        let mut bad = good.clone();
        bad[at..at + bytes.len()].copy_from_slice(bytes);
        open(&bad, Validation::Full).unwrap_err()
    };
    assert!(matches!(with(16, &[2]), BookError::TooShort { records: 2, .. }));
    assert!(matches!(with(16, &[0xff; 8]), BookError::TooShort { .. }));
    assert!(matches!(with(24, &[3]), BookError::UnknownFlags(3)));
    assert!(matches!(with(HEADER_BYTES + 32, &[0xff; 8]), BookError::MovesOutside { record: 0 }));
    assert!(matches!(with(HEADER_BYTES + 42, &[3]), BookError::MovesOutside { record: 0 }));
    assert!(matches!(open(&good[..20], Validation::Full), Err(BookError::TooShort { .. })));
    let mut two = good[..HEADER_BYTES].to_vec();
    two[16] = 2;
    let mut second = good[HEADER_BYTES..HEADER_BYTES + RECORD_BYTES].to_vec();
    two.extend(&second);
    second[0] = 0;
    two.extend(&second);
    two.extend(&good[HEADER_BYTES + RECORD_BYTES..]);
    assert!(matches!(open(&two, Validation::Full), Err(BookError::Unsorted { record: 1 })));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn no_bytes_make_it_panic(
        changes in prop::collection::vec((0usize..92, any::<u8>()), 0..6),
        length in 0usize..=92,
    ) {
        let mut bytes = sample_book();
        changes.iter().for_each(|&(at, byte)| if at < bytes.len() { bytes[at] = byte });
        bytes.truncate(length.max(17));
        for validation in [Validation::Full, Validation::Sampled] {
            if let Ok(book) = open(&bytes, validation) {
                book.look_up(&Setup::startpos(), None);
                book.for_each(&mut |_, _| {});
            }
        }
    }
}
