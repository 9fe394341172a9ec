//! The program as users call it.

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use super::example::{example, unread_output};
use super::pipes::PAIRS;

fn talk(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(example("puyo"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn the_program_speaks_on_its_standard_streams() {
    let input = format!(
        "upi\n{PAIRS}\n> rule\nisready\nposition ////// 0 ////// 0 0 0 0\ngo 20\ngameover win\nquit\n"
    );
    let output = talk(&[], &input);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let stdout = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = stdout.lines().collect();
    let [name, author, "upiok", comment, "readyok", answer] = lines[..] else { panic!("{stdout}") };
    assert!(name.starts_with("id name ") && author.starts_with("id author "), "{stdout}");
    assert!(
        comment.starts_with("# unknown command ") && answer.starts_with("bestmove "),
        "{stdout}"
    );
}

#[test]
fn the_session_is_written_in_the_thinking_log_format() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let path_text = path.to_str().unwrap();
    let input = format!("{PAIRS}\nposition ////// 0 ////// 0 0 0 0\ngo 1\nnonsense\n");
    let output = talk(&["--time", "20", "--log", path_text], &input);
    assert!(output.status.success(), "{output:?}");
    let log = fs::read_to_string(path).unwrap();
    let has = |start: &str| log.lines().any(|line| line.starts_with(start));
    assert!(has("# go 1") && has("= upi:'bestmove ") && has("? upi:'"), "{log}");
    assert!(log.lines().all(|line| line.starts_with(['#', '=', '?', '.'])), "{log}");
}

#[test]
fn the_program_measures_itself() {
    let arguments = ["measure", "--lists", "2", "--first", "3", "--pairs", "4", "--nodes", "50"];
    let output = talk(&arguments, "");
    assert!(output.status.success(), "{output:?}");
    let stdout = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{stdout}");
    assert!(lines[0].starts_with("list 3: ") && lines[2].starts_with("2 games: "), "{stdout}");
}

/// Regression: a measurement of nothing printed NaN.
#[test]
fn a_measurement_of_nothing_is_refused() {
    for flag in ["--lists", "--pairs", "--nodes"] {
        let output = talk(&["measure", flag, "0"], "");
        assert_eq!(output.status.code(), Some(2), "{flag}: {output:?}");
    }
}

/// Regression: the error was printed in Rust's notation.
#[test]
fn a_closed_output_is_no_error() {
    let output =
        unread_output("puyo", &["measure", "--lists", "2", "--pairs", "1", "--nodes", "1"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
