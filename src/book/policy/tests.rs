use super::*;
use crate::book::testing::file_of;
use crate::book::{Book, Validation};

const POLICY: BookPolicy = BookPolicy::DEFAULT;
const START: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";
const AFTER_7G7F: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n";

fn book_set(texts: &[&str]) -> BookSet {
    let open = |text: &&str| {
        let file = file_of(text.as_bytes());
        (file.to_path_buf(), Book::open(&file, Validation::Full).unwrap())
    };
    BookSet::new(texts.iter().map(open).collect())
}

/// A reproducible random number generator.
fn generator() -> impl FnMut() -> u64 {
    let mut state = 1u64;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        state >> 33
    }
}

/// How often each move is chosen in a thousand probes, descending.
fn choices(policy: &BookPolicy, books: &BookSet) -> Vec<(String, u32)> {
    let mut counts = std::collections::BTreeMap::new();
    let mut random = generator();
    for _ in 0..1000 {
        let hit = policy.probe(books, &Position::startpos(), &[], &mut random);
        let Some(hit) = hit else { continue };
        *counts.entry(hit.chosen_variation().pv[0].to_string()).or_insert(0) += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

fn names(choices: &[(String, u32)]) -> Vec<&str> {
    let mut names: Vec<&str> = choices.iter().map(|(name, _)| &**name).collect();
    names.sort_unstable();
    names
}

#[test]
fn each_side_has_its_own_limits() {
    let text = format!("{START}7g7f none 50 10 1\n2g2f none 45 10 1\n");
    let text = format!("{text}{AFTER_7G7F}3c3d none 50 10 1\n8c8d none 45 10 1\n");
    let books = book_set(&[&text]);
    let moves = |policy: &BookPolicy, moves: &[&str]| {
        let mut position = Position::startpos();
        moves.iter().for_each(|mv| _ = position.do_move(mv.parse().unwrap()));
        let mut random = generator();
        let mut chosen: Vec<String> = (0..100)
            .filter_map(|_| policy.probe(&books, &position, &[], &mut random))
            .map(|hit| hit.chosen_variation().pv[0].to_string())
            .collect();
        chosen.sort_unstable();
        chosen.dedup();
        chosen
    };
    let base = BookPolicy { depth_limit: ByColor([0, 0]), flipped: false, ..POLICY };
    let black = BookPolicy { eval_diff: ByColor([0, 10]), ..base.clone() };
    assert_eq!((moves(&black, &[]).len(), moves(&black, &["7g7f"]).len()), (1, 2));
    let white = BookPolicy { eval_diff: ByColor([10, 0]), ..base.clone() };
    assert_eq!((moves(&white, &[]).len(), moves(&white, &["7g7f"]).len()), (2, 1));
    let white = BookPolicy { depth_limit: ByColor([10, 11]), ..base };
    assert_eq!((moves(&white, &[]).len(), moves(&white, &["7g7f"]).len()), (2, 0));
}

#[test]
fn moves_near_the_best_are_chosen_uniformly() {
    let text = format!("{START}7g7f none 50 32 1\n2g2f none 20 32 1\n9g9f none 19 32 1\n");
    let chosen = choices(&POLICY, &book_set(&[&text]));
    assert_eq!(names(&chosen), ["2g2f", "7g7f"]);
    assert!(chosen.iter().all(|&(_, count)| count > 400), "{chosen:?}");
    let wide = BookPolicy { eval_diff: ByColor([31, 0]), ..POLICY };
    assert_eq!(names(&choices(&wide, &book_set(&[&text]))), ["2g2f", "7g7f", "9g9f"]);
    let high = BookPolicy { eval_limit: ByColor([21, 0]), ..POLICY };
    assert_eq!(names(&choices(&high, &book_set(&[&text]))), ["7g7f"]);
    let too_high = BookPolicy { eval_limit: ByColor([51, 0]), ..POLICY };
    assert!(choices(&too_high, &book_set(&[&text])).is_empty());
}

#[test]
fn counts_are_weights_if_the_option_is_set() {
    let text = format!("{START}7g7f none 0 32 90\n2g2f none 0 32 9\n9g9f none 0 32 1\n");
    let by_count = BookPolicy { by_count: true, ..POLICY };
    let chosen = choices(&by_count, &book_set(&[&text]));
    assert_eq!(chosen[0].0, "7g7f");
    assert!((850..950).contains(&chosen[0].1), "{chosen:?}");
    let narrow = BookPolicy { narrow: true, ..POLICY };
    assert_eq!(names(&choices(&narrow, &book_set(&[&text]))), ["7g7f"]);
    let no_counts = format!("{START}7g7f none 0 32 0\n2g2f none 0 32 0\n");
    let chosen = choices(&BookPolicy { narrow: true, ..by_count }, &book_set(&[&no_counts]));
    assert_eq!(chosen.len(), 2);
}

/// Regression: each of eleven moves had less than a tenth of the assumed counts, so none was played.
#[test]
fn moves_without_counts_are_not_rare() {
    let moves = "1g1f 2g2f 3g3f 4g4f 5g5f 6g6f 7g7f 8g8f 9g9f 1i1h 9i9h".split(' ');
    let chosen = |count: &str| {
        let lines = moves.clone().map(|mv| format!("{mv} none 0 32{count}\n"));
        let text = format!("{START}{}", lines.collect::<String>());
        choices(&BookPolicy { narrow: true, ..POLICY }, &book_set(&[&text])).len()
    };
    assert_eq!(chosen(""), 11);
    // With these counts all of them are rare.
    assert_eq!(chosen(" 1"), 0);
}

#[test]
fn shallow_moves_and_late_positions_are_left_to_the_search() {
    let text = format!("{START}7g7f none 0 15 1\n");
    assert!(choices(&POLICY, &book_set(&[&text])).is_empty());
    assert_eq!(
        choices(&BookPolicy { depth_limit: ByColor([0, 99]), ..POLICY }, &book_set(&[&text])).len(),
        1
    );
    let unknown = format!("{START}7g7f\n");
    assert_eq!(choices(&POLICY, &book_set(&[&unknown])), [("7g7f".into(), 1000)]);
    assert!(choices(&BookPolicy { last_ply: 0, ..POLICY }, &book_set(&[&unknown])).is_empty());
    let rarely = BookPolicy { ignore_percent: 75, ..POLICY };
    let often = choices(&rarely, &book_set(&[&unknown]))[0].1;
    assert!((200..300).contains(&often), "{often}");
    assert!(
        choices(&BookPolicy { ignore_percent: 100, ..POLICY }, &book_set(&[&unknown])).is_empty()
    );
}

#[test]
fn illegal_and_excluded_moves_are_left_out() {
    let text = format!("{START}5e5d none 90 32 1\n7g7f none 10 32 1\n2g2f none 10 32 1\n");
    let books = book_set(&[&text]);
    let allowed = ["2g2f".parse().unwrap(), "9g9f".parse().unwrap()];
    let hit = POLICY.probe(&books, &Position::startpos(), &allowed, &mut generator()).unwrap();
    assert_eq!(hit.variations.len(), 1);
    assert_eq!(hit.chosen_variation().pv, [allowed[0]]);
    assert_eq!(POLICY.probe(&books, &Position::startpos(), &allowed[1..], &mut generator()), None);
}

#[test]
fn variations_continue_with_the_reply_and_the_book() {
    let text = format!("{START}7g7f 8c8d 10 32 1\n2g2f none 0 32 1\n{AFTER_7G7F}3c3d\n8c8d\n");
    let books = book_set(&[&text]);
    let hit = POLICY.probe(&books, &Position::startpos(), &[], &mut generator()).unwrap();
    let text = |pv: &[Move]| pv.iter().map(Move::to_string).collect::<Vec<_>>().join(" ");
    assert_eq!(text(&hit.variations[0].pv), "7g7f 8c8d");
    assert_eq!(text(&hit.variations[1].pv), "2g2f");
    let short = BookPolicy { pv_moves: 1, ..POLICY };
    let hit = short.probe(&books, &Position::startpos(), &[], &mut generator()).unwrap();
    assert_eq!(text(&hit.variations[0].pv), "7g7f");
    // The reply is kept for pondering, though it is not shown.
    assert_eq!(hit.variations[0].reply, Some("8c8d".parse().unwrap()));
    assert_eq!(hit.variations[1].reply, None);
}

#[test]
fn a_position_with_colours_swapped_is_found() {
    let text = format!("{START}7g7f\n{AFTER_7G7F}8c8d 2g2f\n");
    let books = book_set(&[&text]);
    // White is to move in the initial position.
    let mut position = Position::from_setup(&crate::position::Setup::startpos().rotated()).unwrap();
    let hit = POLICY.probe(&books, &position, &[], &mut generator()).unwrap();
    assert_eq!(
        hit.chosen_variation().pv,
        ["3c3d".parse().unwrap(), "2g2f".parse().unwrap(), "8c8d".parse().unwrap()]
    );
    let unflipped = BookPolicy { flipped: false, ..POLICY };
    assert_eq!(unflipped.probe(&books, &position, &[], &mut generator()), None);
    position.try_play("3c3d".parse().unwrap()).unwrap();
    assert!(POLICY.probe(&books, &position, &[], &mut generator()).is_some());
}

#[test]
fn the_first_book_with_the_position_answers() {
    let (first, second) = (format!("{AFTER_7G7F}3c3d\n"), format!("{START}7g7f\n"));
    let books = book_set(&[&first, &second, &second]);
    let hit = POLICY.probe(&books, &Position::startpos(), &[], &mut generator()).unwrap();
    assert_eq!(&hit.book, books.path(1));
    assert_eq!(hit.chosen_variation().pv.len(), 2);
}

#[test]
fn the_move_number_counts_if_the_option_is_set() {
    let books = book_set(&[&START.replace(" 1\n", " 3\n7g7f\n")]);
    assert_eq!(choices(&POLICY, &books).len(), 1);
    assert!(choices(&BookPolicy { ignore_ply: false, ..POLICY }, &books).is_empty());
}

#[test]
fn a_move_that_ends_the_game_by_repetition_is_left_to_the_search() {
    let mut position = Position::startpos();
    let moves = ["2h1h", "8b9b", "1h2h", "9b8b"];
    let cycle: Vec<Move> = moves.iter().map(|mv| mv.parse().unwrap()).collect();
    cycle.iter().cycle().take(11).for_each(|&mv| _ = position.try_play(mv).unwrap());
    let text = format!("sfen {}\n9b8b\n", position.to_sfen());
    let books = book_set(&[&text]);
    assert_eq!(POLICY.probe(&books, &position, &[], &mut generator()), None);
    let once = Position::from_setup(&position.setup()).unwrap();
    assert!(POLICY.probe(&books, &once, &[], &mut generator()).is_some());
}
