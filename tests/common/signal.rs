//! Sends signals to processes.

use std::process::Command;

/// Sends this signal to a process, by the shell, because not every system has a program for it.
#[track_caller]
pub fn send(signal: &str, process: u32) {
    let line = format!("kill -{signal} {process}");
    assert!(Command::new("sh").args(["-c", &line]).status().unwrap().success(), "{line}");
}
