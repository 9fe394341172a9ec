//! The protocol with the GUI: text in, text out.

pub mod command;
pub mod console;
mod line;
mod log;
pub mod options;
mod output;
mod quote;
mod reader;
pub mod readme;
mod session;
mod writer;
pub mod xml;

pub use session::{Pace, Session};
