//! JKF, the JSON Kifu Format: the same tree in JSON, always in UTF-8.
//!
//! A file holds one game; several are read and written one after the other. The objects follow the
//! specification of the format, but fields that are not needed are optional. A bookmark is a comment that begins with
//! `&`, as Kifu for JS writes it.

mod read;
mod schema;
mod write;

pub(super) use read::JkfReader;
pub(super) use write::write;
