//! Runs the program without input.

use std::process::{Command, Output, Stdio};

use crate::program;

/// In English, whatever the system speaks. The locale alone says the language: `LANGUAGE` would come before it.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kawasemi"));
    command.args(arguments).env("LC_ALL", "C").env_remove("LANGUAGE").stdin(Stdio::null());
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

/// A size from the status of a running process, in KiB; `VmRSS` is its resident memory.
#[cfg(target_os = "linux")]
pub fn status_kib(process: u32, name: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let size = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).unwrap();
    size.trim().trim_end_matches(" kB").parse().unwrap()
}
