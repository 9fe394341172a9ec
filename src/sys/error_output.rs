//! The error output. Perhaps nobody can read it any more, as the terminal is closed or the disk of a
//! log is full; what a program has worked for must not be lost with it, as it is where `eprint!`
//! panics.

use std::fmt::Display;
use std::io::{self, Write};

/// Writes this to the error output, if that still goes anywhere.
pub fn write_error(text: impl Display) {
    // There is nobody left to be told of an error.
    let _ = write!(io::stderr(), "{text}");
}
