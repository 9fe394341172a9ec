//! Remarks of the program on the error output.

use std::fmt::Display;

use kawasemi::sys::write_error;

/// A line of the program.
pub fn remark(text: impl Display) {
    write_error(format_args!("kawasemi: {text}\n"));
}
