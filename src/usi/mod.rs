//! The USI protocol: commands, options, the session with a GUI, and files made from the options.

pub mod browser_manifest;
pub mod command;
#[cfg(not(target_family = "wasm"))]
pub mod console;
mod format;
pub(crate) mod held_lines;
mod help;
pub(crate) mod log;
pub(crate) mod messages;
pub mod option_tables;
pub mod options;
pub(crate) mod output;
mod quote;
pub(crate) mod reader;
mod session;
pub mod translation;
pub mod xml;

pub use session::{Session, SessionTimeouts};
