//! Whole lines and their commands.

mod go;
mod option;
mod position;

use std::time::Duration;

use proptest::prelude::*;

use super::parser::{GO_KEYWORDS, MAX_ERRORS};
use super::*;
use crate::search::request::{Clock, KeyedEntry, Limits};
use crate::session::{InputLine, Urgency};
use crate::sys::Instant;
use crate::types::{ByColor, Move};

/// The command of a line without errors.
fn clean(line: &str) -> Command {
    let parsed = parse(line.as_bytes());
    assert_eq!(parsed.errors, [], "{line}");
    parsed.command.unwrap_or_else(|| panic!("no command: {line}"))
}

fn limits(command: Option<Command>) -> Limits {
    match command {
        Some(Command::Go(limits)) => *limits,
        other => panic!("not a go: {other:?}"),
    }
}

fn go(line: &str) -> Limits {
    limits(Some(clean(line)))
}

/// The limits and the errors of a line with errors.
fn go_with_errors(line: &str) -> (Limits, Vec<String>) {
    let parsed = parse(line.as_bytes());
    assert!(!parsed.errors.is_empty(), "{line}");
    (limits(parsed.command), parsed.errors.iter().map(ToString::to_string).collect())
}

fn position(line: &str) -> (Start, String) {
    match clean(line) {
        Command::Position { start, moves } => (start, text(&moves.moves)),
        other => panic!("not a position: {other:?}"),
    }
}

fn text(moves: &[Move]) -> String {
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

#[test]
fn plain_commands_are_known() {
    let lines = [
        ("usi", Command::Usi),
        ("debug on", Command::Debug(true)),
        ("debug off", Command::Debug(false)),
        ("isready", Command::IsReady),
        ("register later", Command::Register),
        ("register name Taro Yamada code 12 34", Command::Register),
        ("usinewgame", Command::NewGame),
        ("stop", Command::Stop),
        ("ponderhit", Command::PonderHit(None)),
        ("gameover win", Command::GameOver),
        ("gameover", Command::GameOver),
        ("quit", Command::Quit),
        ("moves", Command::Moves),
        ("d", Command::Display),
        ("key", Command::Key),
        ("side", Command::Side),
        ("eval", Command::Eval),
        ("compiler", Command::Compiler),
        ("getoption", Command::GetOption(None)),
        ("help", Command::Help(None)),
        ("go perft 5", Command::Perft(5)),
    ];
    for (line, expected) in lines {
        assert_eq!(clean(line), expected, "{line}");
    }
}

#[test]
fn words_that_are_no_entries_are_left_out() {
    let good: KeyedEntry = "0123456789abcdefc0110014001e0000".parse().unwrap();
    let line = format!("entries {good} 12 \u{fffd} {} {good}", "f".repeat(32));
    assert_eq!(clean(&line), Command::Entries(vec![good, good]));
    assert_eq!(clean("entries"), Command::Entries(Vec::new()));
}

#[test]
fn unknown_words_before_a_command_are_skipped() {
    assert_eq!(clean("joho debug on"), Command::Debug(true));
    assert_eq!(go("please do go depth 3").depth, Some(3));
}

#[test]
fn a_line_without_a_command_names_its_first_word() {
    let parsed = parse("\u{fffd}foo bar".as_bytes());
    assert!(parsed.command.is_none());
    assert_eq!(parsed.errors, [CommandError::Unknown { token: "\u{fffd}foo".into() }]);
}

#[test]
fn an_empty_line_is_neither_a_command_nor_an_error() {
    for line in ["", " \t \r\n", "\0", "\u{feff}"] {
        let parsed = parse(line.as_bytes());
        assert!(parsed.command.is_none() && parsed.errors.is_empty(), "{line:?}");
    }
}

#[test]
fn a_comment_is_neither_a_command_nor_an_error() {
    for line in ["# quit", "#", "  #stop now", "\u{feff}# \u{3042}"] {
        let parsed = parse(line.as_bytes());
        assert!(parsed.command.is_none() && parsed.errors.is_empty(), "{line:?}");
    }
    // Only at the beginning.
    assert_eq!(clean("joho # quit"), Command::Quit);
}

#[test]
fn any_white_space_and_a_byte_order_mark_are_skipped() {
    assert_eq!(clean("\u{feff}usi\r"), Command::Usi);
    let limits = go("\t go\tbtime \x0b 1000\x0c wtime   2000\r\n");
    assert_eq!(limits.clock.unwrap().time, ByColor([ms(1000), ms(2000)]));
}

#[test]
fn debug_without_on_or_off_is_reported() {
    assert_eq!(parse(b"debug").errors[0].to_string(), "on or off is missing after debug");
    assert_eq!(
        parse(b"debug joho on").errors[0].to_string(),
        "\"joho\" is not valid after debug; ignored"
    );
}

#[test]
fn the_number_of_errors_is_limited_however_long_the_line_is() {
    let parsed = parse(format!("go {}", "x ".repeat(100_000)).as_bytes());
    assert_eq!(parsed.errors.len(), MAX_ERRORS + 1);
    assert_eq!(parsed.errors[MAX_ERRORS], CommandError::More(100_000 - MAX_ERRORS));
}

/// Quadratic work on these lines would take hours.
#[test]
fn lines_of_megabytes_take_linear_time() {
    let begin = std::time::Instant::now();
    for (head, part) in [
        ("", "x "),
        ("", "x"),
        ("", " "),
        ("go ", "searchmoves "),
        ("go searchmoves ", "7g7f "),
        ("go ", "btime "),
        ("go btime ", "9"),
        ("position startpos moves ", "7g7f "),
        ("position sfen ", "x "),
        ("position sfen ", "x"),
        ("setoption name ", "x "),
        ("setoption name x value ", "value "),
        ("getoption ", "x "),
    ] {
        parse(format!("{head}{}", part.repeat((2 << 20) / part.len())).as_bytes());
    }
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
}

/// Words of the protocol and junk, so that lines reach all parts of the parser.
fn word() -> impl Strategy<Value = Vec<u8>> {
    let known = prop::sample::select(
        [
            "usi",
            "go",
            "position",
            "sfen",
            "startpos",
            "moves",
            "setoption",
            "name",
            "value",
            "mate",
            "ponderhit",
            "7g7f",
            "P*5e",
            "8h2b+",
            "0",
            "-1",
            "1000",
            "resign",
            "posdiff",
            "99999999999999999999999999999999999999999999999999",
            "+",
            "-",
            "debug",
            "on",
        ]
        .map(|word| word.as_bytes().to_vec())
        .into_iter()
        .chain(GO_KEYWORDS.map(<[u8]>::to_vec))
        .collect::<Vec<_>>(),
    );
    prop_oneof![4 => known, 1 => prop::collection::vec(any::<u8>(), 0..6)]
}

/// Properties of every line.
fn check(line: &[u8]) {
    let Parsed { command, errors } = parse(line);
    assert!(errors.len() <= MAX_ERRORS + 1);
    for error in errors {
        let text = error.to_string();
        assert!(!text.contains(char::is_control), "{text}");
    }
    if let Some(Command::Position { start: Start::Sfen(sfen), .. }) = command {
        assert!(!sfen.contains(char::is_control));
    }
}

proptest! {
    #[test]
    fn any_bytes_can_be_parsed(line in prop::collection::vec(any::<u8>(), 0..200)) {
        check(&line);
    }

    #[test]
    fn any_words_can_be_parsed(words in prop::collection::vec(word(), 0..20)) {
        check(&words.join(&b' '));
    }

    #[test]
    fn moves_are_read_as_they_are_written(bits in prop::collection::vec(any::<u16>(), 0..50)) {
        let moves: Vec<Move> = bits.into_iter().filter_map(Move::from_bits).collect();
        let line = format!("position startpos moves {}", text(&moves));
        prop_assert_eq!(position(&line).1, text(&moves));
    }
}

/// A GUI that reads nothing can still stop the search and end the program.
#[test]
fn only_lines_that_stop_the_search_are_urgent() {
    let of = |text: &str, truncated| {
        urgency(&InputLine { bytes: text.into(), truncated, received: Instant::now() })
    };
    for (text, expected) in [
        ("usi", Urgency::InTurn),
        ("go infinite", Urgency::InTurn),
        ("stop", Urgency::Stop),
        ("gameover win", Urgency::Stop),
        ("quit", Urgency::Quit),
    ] {
        assert_eq!(of(text, false), expected, "{text}");
        assert_eq!(of(text, true), Urgency::InTurn, "{text}");
    }
}
