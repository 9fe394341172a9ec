//! Runs the program without input.

use std::process::{Command, Output, Stdio};

use crate::program;

pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kawasemi"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// The output and the exit status.
pub fn kawasemi(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

#[track_caller]
pub fn stdout_of(arguments: &[&str]) -> String {
    program::stdout_of(&mut command(arguments))
}

#[track_caller]
pub fn stderr_of(arguments: &[&str]) -> String {
    program::stderr_of(&mut command(arguments))
}
