//! Random lines, in any order and damaged: the program goes on, answers each `go` once, and says nothing
//! that the protocol does not have. `PROPTEST_CASES` makes it longer.

use std::env;

use proptest::prelude::*;

use super::gui::Gui;
use crate::engine::testing::START;

const LINES: [&str; 16] = [
    "uoi",
    "isready",
    "uoinewgame",
    "score scale and type",
    "setoption name MaxDepth value 2",
    "setoption name Hash value 1",
    "setoption name ThinkingLog value ",
    "go",
    "go infinite",
    "go btime 1 wtime 1",
    "go btime 50 wtime 40 binc 30 winc 20",
    "stop",
    "gameover draw by resign bstone 3 wstone 3",
    "# a comment",
    "position ",
    "pass ",
];

fn line() -> impl Strategy<Value = Vec<u8>> {
    let known = prop::sample::select(&LINES[..]);
    let cells = prop::collection::vec(prop::sample::select(&b"XO-"[..]), 64);
    let ofen = cells.prop_map(|cells| String::from_utf8(cells).unwrap() + "W");
    let ofen = prop_oneof![ofen, Just(START.to_owned())];
    let whole = (known, ofen).prop_map(|(line, ofen)| {
        if line.starts_with("p") { format!("{line}{ofen}") } else { line.to_owned() }.into_bytes()
    });
    let damaged = (whole.clone().boxed(), any::<prop::sample::Index>(), any::<u8>()).prop_map(
        |(mut line, at, byte)| {
            let at = at.index(line.len());
            line[at] = byte;
            line
        },
    );
    let anything = prop::collection::vec(any::<u8>(), 0..40);
    prop_oneof![6 => whole.boxed(), 2 => damaged.boxed(), 1 => anything.boxed()]
        .prop_filter("one line that does not end the session", |line| {
            !line.iter().any(|byte| matches!(byte, b'\n' | b'\r')) && !is_word(line, "quit")
        })
}

/// Whether this is the first word of the line.
fn is_word(line: &[u8], word: &str) -> bool {
    let text = String::from_utf8_lossy(line);
    text.split_ascii_whitespace().next() == Some(word)
}

fn is_square(word: &str) -> bool {
    matches!(word.as_bytes(), [b'a'..=b'h', b'1'..=b'8'])
}

/// Whether the engine may say this.
fn is_of_the_protocol(line: &str) -> bool {
    let words: Vec<&str> = line.split(' ').collect();
    match words[..] {
        ["#", ..] | ["id", "name" | "author", ..] | ["uoiok" | "readyok"] => true,
        ["option", "name", _, "default", _] => true,
        ["scoretype", "stone", "min", "-64", "max", "64"] => true,
        ["bestmove", best] => best == "resign" || is_square(best),
        ["info", "score", score, "pv", ref pv @ ..] => {
            let is_score = score.parse().is_ok_and(|score: i32| score.abs() <= 64);
            is_score && !pv.is_empty() && pv.iter().all(|word| is_square(word))
        }
        _ => false,
    }
}

/// A few sessions, or as many as `PROPTEST_CASES` says.
fn config() -> ProptestConfig {
    let wanted = env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig { cases: wanted.unwrap_or(24), ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_session_gets_one_answer_for_each_go(lines in prop::collection::vec(line(), 1..40)) {
        let mut gui = Gui::with_session();
        // Otherwise a `go` without a clock takes a second.
        gui.write("setoption name MaxDepth value 1");
        for line in &lines {
            gui.write_bytes(line);
        }
        let output = gui.end("quit");
        for line in &output {
            prop_assert!(is_of_the_protocol(line), "{}", line);
        }
        let asked = lines.iter().filter(|line| is_word(line, "go")).count();
        let answered = output.iter().filter(|line| line.starts_with("bestmove ")).count();
        prop_assert_eq!(answered, asked);
    }
}
