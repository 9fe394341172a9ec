//! Runs programs to their end and returns their output, also where that cannot be written.

use std::io::{self, PipeWriter};
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

/// A pipe that nobody reads.
pub fn closed_pipe() -> PipeWriter {
    io::pipe().unwrap().1
}

/// An output that is always full.
#[cfg(target_os = "linux")]
pub fn full_output() -> std::fs::File {
    std::fs::File::options().write(true).open("/dev/full").unwrap()
}

/// A program that a shell starts after a command such as `ulimit -v 80000`.
#[cfg(unix)]
pub fn started_after(shell_command: &str, program: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{shell_command} && exec \"$0\" \"$@\""), program]);
    command
}
