//! The program `kawasemi` as its users call it.

#[path = "../common/folder.rs"]
mod folder;
#[path = "../common/program.rs"]
mod program;
#[cfg(unix)]
#[path = "../common/signal.rs"]
mod signal;
#[path = "../common/small_network.rs"]
mod small_network;

mod analyze;
mod book_command;
mod cluster;
mod command_line;
mod convert;
mod csa;
mod kawasemi;
mod manual;
mod mate_lists;
mod mate_problems;
mod puzzles;
mod shipped;
mod usi;
