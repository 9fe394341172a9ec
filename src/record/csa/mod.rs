//! The CSA format, versions 2.2 and 3. All versions are read alike. The format has no branches.

mod endings;
mod escapes;
mod read;
mod write;

pub(super) use endings::{ending, ending_word};
pub(super) use read::CsaReader;
pub(super) use write::{CsaVersion, write, write_encoding, write_separator};
