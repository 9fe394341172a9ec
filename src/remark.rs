//! Remarks of the program on the error output, and what is said of a file.

use std::fmt::Display;
use std::path::Path;

use kawasemi::sys::write_error;

/// A line of the program.
pub fn remark(text: impl Display) {
    write_error(format_args!("kawasemi: {text}\n"));
}

/// What is wrong with a file, or else to be said of it, in words.
pub fn in_file(path: &Path, what: impl Display) -> String {
    format!("{}: {what}", path.display())
}
