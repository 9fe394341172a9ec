//! The engine: the board, the evaluation, the search and the session.

pub mod board;
mod clock;
mod command;
pub mod command_line;
mod endgame;
mod evaluation;
pub mod ffo;
mod move_order;
pub mod ofen;
mod options;
mod players;
pub mod search;
pub mod session;
mod stability;
pub mod table;
#[cfg(test)]
pub mod testing;
mod training;
