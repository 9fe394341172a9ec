use proptest::prelude::*;

use super::*;
use crate::book::testing::file_of;
use crate::book::{Book, BookFormat, Validation};

fn field(number: u8, content: &[u8]) -> Vec<u8> {
    [&[number << 3 | 2, content.len() as u8][..], content].concat()
}

/// [`field`] with content of any length.
fn long_field(number: u8, content: &[u8]) -> Vec<u8> {
    [&[number << 3 | 2][..], &varint(content.len() as u32), content].concat()
}

fn number(field: u8, value: u32) -> Vec<u8> {
    [vec![field << 3], varint(value)].concat()
}

fn varint(mut value: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 0x7f {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

/// The code of a move in such books.
fn word(mv: &str) -> u32 {
    let mv: Move = mv.parse().unwrap();
    let square = |square: Square| u32::from(square.rank() + 1) | u32::from(square.file() + 1) << 4;
    let to = square(mv.to()) << 8;
    if mv.is_drop() {
        to | 1 << 24
    } else {
        to | square(mv.from()) | u32::from(mv.is_promotion()) << 19
    }
}

fn sbk_move(mv: &str, annotation: u32, weight: u32, next: u32) -> Vec<u8> {
    let parts = [number(1, word(mv)), number(2, annotation), number(3, weight), number(4, next)];
    field(9, &parts.concat())
}

/// 7g7f 3c3d 8h2b+ 3a2b B*4e from the initial position, with a blunder as a second move.
fn sample_book() -> Vec<u8> {
    let state =
        |id: u32, rest: Vec<Vec<u8>>| field(3, &[vec![number(1, id)], rest].concat().concat());
    [
        field(1, b"author"),
        state(4, vec![sbk_move("B*4e", 0, 0, 5)].into_iter().map(bishop).collect()),
        state(1, vec![sbk_move("3c3d", 2, 4, 2), sbk_move("1c1d", 4, 9, 9)]),
        state(
            0,
            vec![
                field(7, Setup::startpos().to_string().as_bytes()),
                sbk_move("7g7f", 0, 300, 1),
                sbk_move("2g2f", 0, 1, 8),
            ],
        ),
        state(2, vec![sbk_move("8h2b+", 0, 0, 3)]),
        state(3, vec![sbk_move("3a2b", 0, 0, 4)]),
        state(7, vec![sbk_move("9g9f", 0, 0, 1)]),
    ]
    .concat()
}

/// [`word`] writes pawns; a bishop has the number 6.
fn bishop(mut sbk_move: Vec<u8>) -> Vec<u8> {
    let mut fields = WireFields::of(&sbk_move[2..]);
    let (_, WireValue::Number(word)) = fields.next().unwrap().unwrap() else { panic!() };
    let rest = sbk_move.split_off(2 + fields.at);
    field(9, &[number(1, word as u32 ^ (1 ^ 6) << 24), rest].concat())
}

#[test]
fn a_book_is_read_from_its_first_position() {
    let book = Book::open(&file_of(&sample_book()), Validation::Full).unwrap();
    assert_eq!(book.format(), BookFormat::Sbk);
    let mut position = Position::startpos();
    for (mv, count) in
        [("7g7f", Some(300)), ("3c3d", Some(4)), ("8h2b+", None), ("3a2b", None), ("B*4e", None)]
    {
        let entry = book.look_up(&position.setup(), Some(position.game_ply())).unwrap();
        let mv = BookMove { count, ..BookMove::new(mv.parse().unwrap()) };
        assert_eq!(entry.moves[0], mv);
        position.try_play(mv.mv).unwrap();
    }
    let texts: Vec<&str> = book.summary().notes.iter().map(|note| note.en.as_str()).collect();
    let lost = [
        "1 state that no move leads to left out",
        "1 move with the mark of a doubtful move or a blunder left out",
    ];
    assert_eq!(texts, lost);
    assert_eq!(book.summary().positions, Some(5));
}

/// ShogiGUI's converter leaves the position out. Regression: such a book was refused.
#[test]
fn a_first_state_without_a_position_is_the_start_position() {
    let state = |id: u32, rest: &[Vec<u8>]| field(3, &[number(1, id), rest.concat()].concat());
    let start = state(0, &[sbk_move("7g7f", 0, 5, 1)]);
    let reply = state(1, &[sbk_move("3c3d", 0, 5, 9)]);
    let endgame = |next| {
        let place = field(7, b"4k4/9/4P4/9/9/9/9/9/4K4 b - 1");
        state(5, &[place, sbk_move("5c5b+", 0, 1, next)])
    };
    let positions =
        |states: &[Vec<u8>]| read(&states.concat()).map(|(book, _)| book.entries.len()).ok();
    assert_eq!(positions(&[start.clone(), reply.clone()]), Some(2));
    assert_eq!(positions(&[start.clone(), reply.clone(), endgame(9)]), Some(3));
    // Not if a move leads to it, nor if its moves are illegal, nor for the second state.
    assert_eq!(positions(&[start.clone(), reply.clone(), endgame(0)]), Some(2));
    assert_eq!(positions(std::slice::from_ref(&reply)), None);
    assert_eq!(positions(&[reply, start]), None);
}

/// Regression: they vanished without a word.
#[test]
fn repeated_and_invalid_moves_of_a_state_are_counted() {
    let place = field(7, Setup::startpos().to_string().as_bytes());
    let pawn = sbk_move("7g7f", 0, 5, 1);
    let state = [place, pawn.clone(), pawn, field(9, &number(1, 0))].concat();
    let (book, summary) = read(&field(3, &state)).unwrap();
    assert_eq!(book.look_up(&Setup::startpos(), None).unwrap().moves.len(), 1);
    let texts: Vec<&str> = summary.notes.iter().map(|note| note.en.as_str()).collect();
    assert_eq!(texts, ["2 invalid or repeated moves left out"]);
}

/// Regression: a conversion lost them without a word.
#[test]
fn parts_of_a_book_beside_its_moves_are_counted() {
    let place = field(7, Setup::startpos().to_string().as_bytes());
    let game_counts = [number(4, 3), number(5, 2), number(6, 1)].concat();
    let (comment, eval) = (field(8, b"comment"), field(10, &number(1, 52)));
    let moves = [sbk_move("7g7f", 2, 5, 1), sbk_move("2g2f", 0, 4, 2)].concat();
    let first = field(3, &[place, game_counts, comment, moves, eval.clone()].concat());
    let second = field(3, &[number(1, 1), number(4, 0), field(8, b""), eval].concat());
    let bytes = [field(1, b"author"), field(2, b""), first, second].concat();
    let book = Book::open(&file_of(&bytes), Validation::Full).unwrap();
    assert!(book.summary().notes.is_empty(), "{:?}", book.summary().notes);
    let messages = book.for_each(&mut |_, _| {});
    let texts: Vec<&str> = messages.iter().map(|message| message.en.as_str()).collect();
    let lost = [
        "1 text about the book left out",
        "1 comment left out",
        "2 evaluations of positions left out",
        "1 game count left out",
        "1 mark of a good move left out",
    ];
    assert_eq!(texts, lost);
}

/// Regression: each move to a state read it again, so that a small file took very long.
#[test]
fn a_state_that_many_moves_lead_to_is_read_once() {
    let sbk_moves = |count: usize, next: u32| {
        let mut sbk_move = sbk_move("7g7f", 0, 0, next);
        sbk_move.splice(..2, []);
        let one = long_field(9, &sbk_move);
        one.repeat(count)
    };
    let first =
        [number(1, 0), field(7, Setup::startpos().to_string().as_bytes()), sbk_moves(20_000, 1)];
    let second = [number(1, 1), sbk_moves(20_000, 2)];
    let book = [long_field(3, &first.concat()), long_field(3, &second.concat())].concat();
    let start = std::time::Instant::now();
    let (read, _) = read(&book).unwrap();
    assert_eq!(read.entries.len(), 2);
    assert!(start.elapsed().as_secs() < 10);
}

#[test]
fn a_book_without_a_position_or_an_end_is_refused() {
    let open = |bytes: &[u8]| Book::open(&file_of(bytes), Validation::Full);
    let lost = field(3, &number(1, 5));
    let error = open(&[lost, vec![0x0a, 1, 1]].concat()).unwrap_err();
    assert_eq!(error.to_string(), "byte 0: no state of the book has a known position");
    let broken = open(&[0x0a, 1, 1, 0x1a, 2, 0x08, 0xff]).unwrap_err();
    assert_eq!(broken.to_string(), "byte 5: invalid field");
    let cut = sample_book();
    assert!(matches!(open(&cut[..cut.len() - 1]), Err(BookError::UnknownFormat)));
}

#[test]
fn invalid_move_codes_give_no_move() {
    for mv in ["7g7f", "8h2b+", "P*5e"] {
        assert_eq!(move_of(word(mv)), mv.parse().ok());
    }
    for word in [0, 0xff_ffff, 0x1100, 0x00aa_a1a1, 9 << 24 | 0x1100] {
        assert_eq!(move_of(word), None, "{word:x}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn no_bytes_make_it_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
    ) {
        let mut bytes = sample_book();
        changes.iter().for_each(|(at, byte)| *at.get_mut(&mut bytes) = *byte);
        if let Ok((book, _)) = read(&bytes) {
            prop_assert!(book.entries.len() <= bytes.len());
        }
        let _ = Book::open(&file_of(&bytes), Validation::Full);
    }
}
