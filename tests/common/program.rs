//! Runs programs to their end and returns their output.

use std::process::Command;

/// The output of a program that succeeds.
#[track_caller]
pub fn stdout_of(command: &mut Command) -> String {
    // In English, whatever the system speaks.
    let output = command.env("LC_ALL", "C").output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The error output of a program that fails and writes nothing else.
#[track_caller]
pub fn stderr_of(command: &mut Command) -> String {
    // In English, whatever the system speaks.
    let output = command.env("LC_ALL", "C").output().unwrap();
    assert!(!output.status.success() && output.stdout.is_empty(), "{command:?}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}
