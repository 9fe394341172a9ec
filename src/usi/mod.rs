//! The USI protocol: commands, options, the session with a GUI, and files generated from the options.

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
