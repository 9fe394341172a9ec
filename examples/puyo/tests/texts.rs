//! Parsing of lines, positions and fields.

use std::time::Duration;

use super::engine::command::{Command, CommandError, parse};
use super::engine::field::Field;
use super::engine::garbage::Garbage;
use super::engine::pfen::{FieldError, PfenError};
use super::engine::position::Position;
use super::engine::rule::Rule;

fn field_error(text: &str) -> FieldError {
    text.parse::<Field>().unwrap_err()
}

#[test]
fn a_field_has_six_slashes_and_known_letters() {
    for text in ["", "/", "/////", "///////", "r/////", "//////r", "rrrr/rr/r//b/y"] {
        assert_eq!(field_error(text), FieldError::Slashes, "{text}");
    }
    assert_eq!(field_error("R//////"), FieldError::Letter('R'));
    assert_eq!(field_error("r////é//"), FieldError::Letter('é'));
    assert_eq!(field_error("r-r//////"), FieldError::Letter('-'));
    let column = "rgbypo".repeat(2);
    assert!(format!("{column}r//////").parse::<Field>().is_ok());
    assert_eq!(field_error(&format!("{column}rr//////")), FieldError::High);
}

#[test]
fn a_position_has_two_fields_their_numbers_and_the_garbage() {
    let position: Position = "ry////// 1 o////// 127 34 239 93".parse().unwrap();
    assert_eq!(position.own.field.to_string(), "ry//////");
    assert_eq!(position.opponent.field.to_string(), "o//////");
    assert_eq!((position.number, position.opponent_number), (1, 127));
    assert_eq!(position.garbage, Garbage { fixed: 34, unfixed: 239, frames: 93 });
    let position: Position = "////// 0 ////// 0 -5 -6 0".parse().unwrap();
    assert_eq!(position.garbage, Garbage { fixed: -5, unfixed: -6, frames: 0 });
}

/// The GUI of the protocol's author sends two more numbers for each player than its document has.
#[test]
fn a_position_may_have_the_all_clear_and_the_points_of_both_players() {
    let position: Position = "rr////// 3 1 65 ////// 4 0 12 0 0 0".parse().unwrap();
    assert_eq!((position.number, position.own.has_all_clear, position.own.points), (3, true, 65));
    let opponent = position.opponent;
    assert_eq!((position.opponent_number, opponent.has_all_clear, opponent.points), (4, false, 12));
}

#[test]
fn a_position_that_says_anything_else_is_refused() {
    let error = |text: &str| text.parse::<Position>().unwrap_err();
    assert_eq!(error(""), PfenError::Words(0));
    assert_eq!(error("////// 0 ////// 0 0 0"), PfenError::Words(6));
    assert_eq!(error("////// 0 0 ////// 0 0 0 0 0"), PfenError::Words(9));
    assert_eq!(error("////// 0 0 0 ////// 0 0 0 0 0 0 0"), PfenError::Words(12));
    assert_eq!(error("///// 0 ////// 0 0 0 0"), PfenError::Field(FieldError::Slashes));
    for text in [
        "////// -1 ////// 0 0 0 0",
        "////// +1 ////// 0 0 0 0",
        "////// x ////// 0 0 0 0",
        "////// 0 ////// 999999999 0 0 0",
        "////// 0 ////// 0 0 0 -1",
        "////// 0 ////// 0 --1 0 0",
        "////// 0 ////// 0 0 1.5 0",
        "////// 0 2 0 ////// 0 0 0 0 0 0",
        "////// 0 0 -1 ////// 0 0 0 0 0 0",
    ] {
        assert!(matches!(error(text), PfenError::Number(_)), "{text}");
    }
}

#[test]
fn the_rule_takes_all_its_times_in_any_order() {
    let expected =
        Rule { fall_time: 1, chain_time: 2, set_time: 3, next_time: 4, auto_drop_time: 5 };
    for text in [
        " rule falltime 1 chaintime 2 settime 3 nexttime 4 autodroptime 5",
        "rule autodroptime 5 nexttime 4 settime 3 chaintime 2 falltime 1\r",
    ] {
        assert_eq!(parse(text.as_bytes()), Ok(Some(Command::Rule(expected))));
    }
    for text in [
        "rule",
        "rule falltime 1 chaintime 2 settime 3 nexttime 4",
        "rule falltime 1 chaintime 2 settime 3 nexttime 4 autodroptime",
        "rule falltime 1 chaintime 2 settime 3 nexttime 4 autodroptime 5 falltime 1",
        "rule falltime 1 chaintime 2 settime 3 nexttime 4 droptime 5",
        "rule falltime -1 chaintime 2 settime 3 nexttime 4 autodroptime 5",
    ] {
        assert_eq!(parse(text.as_bytes()), Err(CommandError::Rule), "{text}");
    }
}

#[test]
fn the_pairs_are_128_of_five_colours_and_repeat() {
    let text = format!("tumo {}", ["rg", "by", "pp", "yr"].repeat(32).join(" "));
    let Ok(Some(Command::Tumo(tumo))) = parse(text.as_bytes()) else { panic!("{text}") };
    for number in [1, 129, 257] {
        let pair = tumo.pair(number);
        assert_eq!([pair.axis, pair.child].map(|puyo| puyo.letter()), ['b', 'y']);
    }
    let more = format!("{text} rg");
    assert_eq!(parse(more.as_bytes()), Err(CommandError::TumoCount(129)));
    assert_eq!(parse(b"tumo"), Err(CommandError::TumoCount(0)));
    for pair in ["r", "rgb", "ro", "RG", "é"] {
        let text = text.replacen("pp", pair, 1);
        assert_eq!(parse(text.as_bytes()), Err(CommandError::TumoPair(pair.to_owned())));
    }
}

/// Regression: such a `go` got no answer.
#[test]
fn a_go_whose_time_is_over_or_very_long_is_understood() {
    for (text, time) in [("go -1", 0), ("go 0", 0), ("go 999999999", 999_999_999)] {
        let expected = Command::Go(Some(Duration::from_millis(time)));
        assert_eq!(parse(text.as_bytes()), Ok(Some(expected)), "{text}");
    }
}

#[test]
fn a_line_with_unexpected_arguments_is_refused() {
    assert_eq!(parse(b"go"), Ok(Some(Command::Go(None))));
    assert_eq!(parse(b"go 300"), Ok(Some(Command::Go(Some(Duration::from_millis(300))))));
    for text in ["go x", "go 300 400", "go 1e3", "go 9999999999999999999"] {
        assert_eq!(parse(text.as_bytes()), Err(CommandError::Time), "{text}");
    }
    for text in ["upi 1", "isready now", "quit ."] {
        assert!(
            matches!(parse(text.as_bytes()), Err(CommandError::UnexpectedArguments(_))),
            "{text}"
        );
    }
    for text in ["illegalmove", "illegalmove 1a", "illegalmove 7a7b", "illegalmove 1a1n"] {
        assert!(matches!(parse(text.as_bytes()), Err(CommandError::Placement(_))), "{text}");
    }
    for text in ["gameover", "gameover draw", "gameover win lose"] {
        assert_eq!(parse(text.as_bytes()), Err(CommandError::Result), "{text}");
    }
    assert!(matches!(parse(b"usi"), Err(CommandError::Unknown(_))));
    assert_eq!(parse(b"\xff"), Err(CommandError::NotUtf8));
    assert_eq!(parse(b"  "), Ok(None));
    assert_eq!(parse(b"# go"), Ok(None));
}
