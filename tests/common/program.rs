//! Programs that are run to their end, and what they say.

use std::process::Command;

/// What a program says that succeeds.
#[track_caller]
pub fn said(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// What a program says that fails, on the error output alone.
#[track_caller]
pub fn complained(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(!output.status.success() && output.stdout.is_empty(), "{command:?}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}
