use proptest::prelude::*;

use super::*;
use crate::book::testing::file_of;
use crate::book::{Book, BookFormat};

/// 7g7f and 2g2f in the initial position, 3c3d after the first, as bytes.
fn sample_book() -> Vec<u8> {
    let mut records = vec![
        (0xeebe_8ee7_e1ad_7e15_u64, 60u16 << 7 | 59, 3u16, 15i32),
        (0xeebe_8ee7_e1ad_7e15, 15 << 7 | 14, 9, -2),
        (0x3e7b_1f82_5672_20d5, 20 << 7 | 21, 1, 0),
    ];
    records.sort();
    let bytes = records.into_iter().flat_map(|(key, mv, count, score)| {
        let tail = [mv.to_le_bytes(), count.to_le_bytes()].concat();
        [&key.to_le_bytes()[..], &tail, &score.to_le_bytes()].concat()
    });
    bytes.collect()
}

fn open(bytes: &[u8], validation: Validation) -> Result<Book, BookError> {
    Book::open(&file_of(bytes), validation)
}

#[test]
fn a_book_is_read_exactly() {
    let book = open(&sample_book(), Validation::Full).unwrap();
    assert_eq!(book.format(), BookFormat::Apery);
    let entry = book.look_up(&Setup::startpos(), Some(77)).unwrap();
    let known = |mv: &str, eval, count| BookMove {
        eval: Some(eval),
        count: Some(count),
        ..BookMove::new(mv.parse().unwrap())
    };
    assert_eq!(entry.moves, [known("2g2f", -2, 9), known("7g7f", 15, 3)]);
    assert_eq!(book.summary().positions, Some(2));
}

#[test]
fn positions_are_found_by_playing() {
    let book = open(&sample_book(), Validation::Full).unwrap();
    let mut plies = Vec::new();
    let notes = book.for_each(&mut |setup, entry| plies.push((setup.game_ply, entry.moves.len())));
    assert_eq!(plies, [(1, 2), (2, 1)]);
    assert!(notes.is_empty(), "{notes:?}");
    let mut far = sample_book();
    far.extend([0xff; 8]);
    far.extend([59, 30, 1, 0, 0, 0, 0, 0]);
    let notes = open(&far, Validation::Full).unwrap().for_each(&mut |_, _| {});
    let texts: Vec<&str> = notes.iter().map(|note| note.en.as_str()).collect();
    assert_eq!(texts, ["1 move of positions that no line of the book reaches left out"]);
}

/// Regression: it counted as a move of a position that no line reaches.
#[test]
fn a_move_that_is_given_twice_is_reported_as_repeated() {
    let mut bytes = sample_book();
    bytes.extend_from_within(bytes.len() - RECORD_BYTES..);
    let notes = open(&bytes, Validation::Full).unwrap().for_each(&mut |_, _| {});
    let texts: Vec<&str> = notes.iter().map(|note| note.en.as_str()).collect();
    assert_eq!(texts, ["1 invalid or repeated move left out"]);
}

#[test]
fn a_written_book_is_read_again() {
    let mut collection = MemoryBook::default();
    let book = open(&sample_book(), Validation::Full).unwrap();
    book.for_each(&mut |setup, entry| collection.insert(setup, entry));
    let mut bytes = Vec::new();
    let losses = write(&collection, &mut bytes).unwrap();
    assert_eq!(losses, WriteLosses { plies: 2, ..WriteLosses::default() });
    let again = open(&bytes, Validation::Full).unwrap();
    let start = Setup::startpos();
    assert_eq!(again.look_up(&start, None), book.look_up(&start, None));
}

#[test]
fn unsorted_records_are_refused() {
    let record = |key: u64| [&key.to_le_bytes()[..], &[59, 30, 1, 0, 0, 0, 0, 0]].concat();
    let mut bytes: Vec<u8> = (0..100).flat_map(record).collect();
    bytes.extend(record(3));
    let unsorted = open(&bytes, Validation::Full);
    assert!(matches!(unsorted, Err(BookError::Unsorted { record: 100 })), "{unsorted:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..96)) {
        for validation in [Validation::Full, Validation::Sampled] {
            if let Ok(book) = open(&bytes, validation) {
                book.look_up(&Setup::startpos(), None);
                book.for_each(&mut |_, _| {});
            }
        }
    }
}
