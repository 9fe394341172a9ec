//! The protocol with the GUI: text in, text out.

pub mod command;
pub mod console;
pub mod options;
mod quote;
pub mod readme;
pub mod xml;
