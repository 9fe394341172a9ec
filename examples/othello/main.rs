//! An Othello engine that speaks UOI 0.0.3, built on the session module of Kawasemi. `docs/othello.md` is the manual.

mod engine;

use std::env;
use std::io::{self, ErrorKind};
use std::process::ExitCode;

use kawasemi::sys::write_stderr;

fn main() -> ExitCode {
    let words: Vec<String> =
        env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match engine::command_line::run(&words, &mut io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has closed it.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            write_stderr(format_args!("{error}\n"));
            ExitCode::FAILURE
        }
    }
}
