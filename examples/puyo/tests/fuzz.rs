//! Random sessions: no input causes a panic or a hang, and no `go` gets two answers. `PROPTEST_CASES` makes
//! more of them.

use std::env;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::pipes::{Gui, PAIRS};

fn field() -> impl Strategy<Value = String> {
    let letters = vec(select("rgbypo".chars().collect::<Vec<_>>()), 0..14);
    vec(letters, 6..=6).prop_map(|columns| {
        columns.into_iter().map(|letters| String::from_iter(letters) + "/").collect()
    })
}

fn position() -> impl Strategy<Value = String> {
    let garbage = (-200..200i32, -200..200i32, 0..500u32);
    (field(), 0..200u32, field(), 0..200u32, garbage).prop_map(
        |(own, number, opponent, other, (fixed, unfixed, frames))| {
            format!("position {own} {number} {opponent} {other} {fixed} {unfixed} {frames}")
        },
    )
}

fn line() -> impl Strategy<Value = Vec<u8>> {
    let fixed = [
        "upi",
        "isready",
        "go",
        "go 0",
        "go 3",
        "go 90000000",
        "go -1",
        "illegalmove 1a1b",
        "illegalmove 1a1a",
        "gameover win",
        "gameover lose",
        "position ////// 0 ////// 0 0 0 0",
        "position //////",
        "rule falltime 2 chaintime 60 settime 15 nexttime 7 autodroptime 50",
        "rule falltime 99999999 chaintime 99999999 settime 99999999 nexttime 99999999 autodroptime 0",
        "position rrr////// 99999999 1 99999999 ////// 0 0 0 99999999 99999999 0",
        "position rrr////// 5 1 0 ////// 0 0 0 -99999999 -99999999 99999999",
        PAIRS,
        "# comment",
        "",
    ];
    let text = prop_oneof![
        4 => select(fixed.to_vec()).prop_map(str::to_owned),
        2 => position(),
    ];
    let damaged =
        (position(), any::<prop::sample::Index>(), any::<u8>()).prop_map(|(text, at, byte)| {
            let mut bytes = text.into_bytes();
            let at = at.index(bytes.len());
            bytes[at] = byte;
            bytes
        });
    prop_oneof![8 => text.prop_map(String::into_bytes), 1 => damaged, 1 => vec(any::<u8>(), 0..40)]
}

/// Few sessions, unless more are asked for.
fn cases() -> ProptestConfig {
    let asked = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if env::var_os("PROPTEST_CASES").is_some() {
        asked
    } else {
        ProptestConfig { cases: 24, ..asked }
    }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn no_session_hangs_or_answers_too_often(lines in vec(line(), 1..40)) {
        let mut gui = Gui::with_pairs();
        let mut most = 0;
        for mut bytes in lines {
            most += usize::from(bytes.starts_with(b"go"));
            bytes.push(b'\n');
            gui.say_bytes(&bytes);
        }
        let output = gui.end();
        let count = |start: &str| output.iter().filter(|line| line.starts_with(start)).count();
        prop_assert!(count("bestmove ") <= most);
        let known = ["bestmove ", "# ", "readyok", "id name ", "id author ", "upiok"];
        prop_assert_eq!(known.map(count).into_iter().sum::<usize>(), output.len());
    }
}
