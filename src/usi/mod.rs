//! The USI protocol: commands, options, the session with a GUI, and files generated from the options.
//!
//! `console` connects a [`Session`] to standard input and output. The session parses each line into a
//! [`command::Command`], calls the [`Engine`](crate::engine::Engine), and writes what `format` makes of its events.
//! [`options`] has all options; `engine_define`, `option_tables`, `translation` and `browser_manifest` turn them into
//! the generated files.

pub mod browser_manifest;
pub mod command;
#[cfg(not(target_family = "wasm"))]
pub mod console;
pub mod engine_define;
mod format;
mod help;
pub(crate) mod messages;
pub mod option_tables;
pub mod options;
mod session;
pub mod translation;

pub use session::{Session, SessionTimeouts};

use crate::session::ProtocolMarks;

pub(crate) const PROTOCOL_MARKS: ProtocolMarks =
    ProtocolMarks { name: "usi", message_prefix: "info string " };

/// Maximum number of unread bytes with which further table entries are written: behind a slow connection they would
/// delay the next answer or command, such as `stop`.
pub(crate) const MAX_UNREAD_FOR_ENTRIES: usize = 256 << 10;
