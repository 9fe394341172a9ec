//! The session with a GUI, driven over pipes in memory with a searcher that follows a script.

mod answers;
mod book;
mod commands;
mod evaluation;
mod fuzz;
mod harness;
mod input;
mod lines;
mod logs;
mod nets;
mod options;
mod ponder;
mod ready;
mod real_search;
