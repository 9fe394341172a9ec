//! The commands of the program.

use std::io;
use std::process::{Command, Output};

use super::engine::command_line;
use super::example::{example, unread_output};

fn run(arguments: &[&str]) -> Output {
    Command::new(example("othello")).args(arguments).output().unwrap()
}

#[track_caller]
fn stdout_of(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_commands_of_the_manual_print_their_results() {
    assert!(stdout_of(&["perft", "5"]).starts_with("1396 in "));
    // The side to move has the last square.
    let last = format!("-X{}B", "O".repeat(62));
    let row = format!("-{}X{}B", "O".repeat(6), "O".repeat(56));
    assert!(run(&["solve", &last]).stderr.starts_with(b"the side to move has no move"));
    assert!(stdout_of(&["solve", &row]).contains(" by a1, "));
    let result = stdout_of(&["match", "random", "2", "1"]);
    assert!(result.starts_with('+') && result.trim_end().split(' ').count() == 3, "{result}");
    assert_eq!(stdout_of(&["train", "1"]).lines().count(), 8);
}

/// Regression: a question for help was answered as a mistake.
#[test]
fn help_is_no_error() {
    for word in ["--help", "-h", "help"] {
        let text = stdout_of(&[word]);
        assert!(text.starts_with("usage: othello") && text.contains("perft DEPTH"), "{text}");
    }
    assert!(stdout_of(&["--version"]).starts_with("othello "));
}

#[test]
fn a_mistake_on_the_command_line_is_an_error() {
    for arguments in [&["joho"][..], &["match", "joho", "1", "1"], &["perft"]] {
        let error = command_line::run(arguments, &mut io::sink()).unwrap_err().to_string();
        assert!(error.starts_with("usage: othello"), "{error}");
    }
    let output = run(&["perft", "x"]);
    assert!(!output.status.success() && output.stdout.is_empty(), "{output:?}");
    assert_eq!(output.stderr, b"no number: x\n");
}

/// Regression: an argument that is not UTF-8 was a panic.
#[cfg(unix)]
#[test]
fn an_argument_may_have_any_bytes() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let argument = OsStr::from_bytes(b"joho\xff");
    let output = Command::new(example("othello")).arg(argument).output().unwrap();
    assert!(output.stderr.starts_with(b"usage: othello"), "{output:?}");
}

/// Regression: the program panicked.
#[test]
fn a_closed_output_is_no_error() {
    let output = unread_output("othello", &["perft", "1"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
