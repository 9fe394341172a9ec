//! The commands of the program, one module each, and their shared code. `main.rs` has the list of the commands,
//! `help_ja` their help in Japanese.

pub mod analyze;
pub mod argument_errors;
pub mod arguments;
pub mod bench;
pub mod book;
pub mod cluster;
mod columns;
pub mod convert;
pub mod csa;
pub mod define;
pub mod eval;
pub mod failure;
mod games;
pub mod help_ja;
mod interrupt;
pub mod language;
pub mod mate;
pub mod notice;
pub mod options;
pub mod perft;
mod practice;
mod progress_bar;
pub mod puzzles;
mod record_output;
mod single_file_page;
mod source_game;
mod spelling;
mod spool;
mod terminal;
