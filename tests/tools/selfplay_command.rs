//! Runs the tool `selfplay` without input.

use std::process::{Command, Stdio};

use crate::program;

pub fn selfplay(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_selfplay"));
    command.args(arguments).stdin(Stdio::null());
    command
}

#[track_caller]
pub fn stdout_of(arguments: &[&str]) -> String {
    program::stdout_of(&mut selfplay(arguments))
}

#[track_caller]
pub fn stderr_of(arguments: &[&str]) -> String {
    program::stderr_of(&mut selfplay(arguments))
}
