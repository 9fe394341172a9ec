//! JKF, the JSON Kifu Format: the same tree in JSON, always in UTF-8.
//!
//! A file holds one game; several are read and written one after the other. The shapes here are
//! those of the format's own description, but nothing is required that is not needed.

mod read;
mod schema;
mod write;

pub(super) use read::read;
pub(super) use write::write;
