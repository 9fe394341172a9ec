//! The program as a user calls it.

use std::process::{Command, Output};

/// What the program says and how it ends, with no input.
fn kawasemi(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kawasemi"));
    command.args(arguments).stdin(std::process::Stdio::null());
    command.output().unwrap_or_else(|error| panic!("{arguments:?}: {error}"))
}

fn said(arguments: &[&str]) -> String {
    let output = kawasemi(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn complained(arguments: &[&str]) -> String {
    let output = kawasemi(arguments);
    assert!(!output.status.success(), "{arguments:?}: {output:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn perft_counts_the_start_position() {
    assert!(said(&["perft", "3"]).starts_with("25470 leaves in "));
    assert!(said(&["perft", "0"]).starts_with("1 leaves in "));
    assert!(said(&["perft", "0", "--divide"]).starts_with("1 leaves in "));
}

#[test]
fn perft_counts_a_given_position_by_its_moves() {
    let most_moves = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
    let text = said(&["perft", "1", "--sfen", most_moves, "--divide"]);
    assert_eq!(text.lines().count(), 594);
    assert!(text.lines().take(593).all(|line| line.ends_with(": 1")), "{text}");
    assert!(text.lines().last().unwrap().starts_with("593 leaves in "), "{text}");
}

#[test]
fn a_position_that_is_none_is_refused_with_the_reason() {
    let text = complained(&["perft", "1", "--sfen", "9/9 b - 1"]);
    assert!(text.starts_with("kawasemi: ") && text.contains("rank"), "{text}");
}

#[test]
fn define_prints_the_committed_file() {
    let committed = include_str!("../engine_define.xml").replace("\r\n", "\n");
    assert_eq!(said(&["define"]), committed);
}

#[test]
fn an_option_that_is_none_is_refused_with_the_reason() {
    let text = complained(&["--usi-option", "Joho=1", "define"]);
    assert_eq!(text, "kawasemi: no option is called \"Joho\"\n");
    let text = complained(&["--", "Threads=4", "USI_Hash=0"]);
    assert_eq!(text, "kawasemi: option USI_Hash is from 1 to 33554432, not \"0\"\n");
    let text = complained(&["--", "Threads"]);
    assert_eq!(text, "kawasemi: an option is set by NAME=VALUE, not by \"Threads\"\n");
}

#[test]
fn the_help_names_every_command() {
    let text = said(&["--help"]);
    for name in ["perft", "define", "--usi-option"] {
        assert!(text.contains(name), "{text}");
    }
}
