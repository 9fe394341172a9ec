//! Remarks on the error output. Perhaps nobody can read them any more, as the terminal is closed or
//! the disk of a log is full. What a command has worked for must not be lost with them, as it is
//! where `eprintln!` panics.

use std::fmt::Display;
use std::io::{self, Write};

/// A line of the program.
pub fn remark(text: impl Display) {
    put(format_args!("kawasemi: {text}\n"));
}

/// Text as it is.
pub fn put(text: impl Display) {
    // There is nobody left to be told of an error.
    let _ = write!(io::stderr(), "{text}");
}
