//! The commands of the program, a module for each that is more than a few lines, and what several of
//! them share. They are of the program, not of the library.

pub mod analyze;
pub mod arguments;
pub mod book;
pub mod cluster;
mod columns;
pub mod convert;
pub mod csa;
mod games;
mod language;
pub mod mate;
pub mod options;
mod progress;
pub mod remark;
