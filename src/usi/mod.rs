//! The protocol with the GUI: text in, text out.

pub mod command;
pub mod console;
pub mod language;
mod line;
mod log;
pub mod options;
mod output;
mod quote;
mod reader;
pub mod readme;
mod session;
pub mod translation;
mod writer;
pub mod xml;

pub use session::{Pace, Session};
