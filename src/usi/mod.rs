//! The protocol with the GUI: text in, text out.

pub mod command;
pub(crate) mod complaint;
pub mod console;
mod help;
pub mod language;
mod line;
pub(crate) mod log;
pub mod options;
pub(crate) mod output;
mod quote;
pub(crate) mod reader;
pub mod readme;
mod session;
pub mod translation;
pub(crate) mod writer;
pub mod xml;

pub use session::{Pace, Session};
