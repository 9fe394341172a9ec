//! The USI protocol: commands, options, the session with a GUI, and files made from the options.

pub mod browser_manifest;
pub mod command;
#[cfg(not(target_family = "wasm"))]
pub mod console;
mod format;
mod help;
pub(crate) mod messages;
pub mod option_tables;
pub mod options;
mod session;
pub mod translation;
pub mod xml;

pub use session::{Session, SessionTimeouts};

use crate::session::ProtocolMarks;

/// What the protocol is called in the logs, and how it marks messages.
pub(crate) const DIALECT: ProtocolMarks = ProtocolMarks { name: "usi", message: "info string " };
