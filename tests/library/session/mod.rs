//! The session with a GUI, over pipes in memory and with a scripted backend.

mod answers;
mod book;
mod commands;
mod evaluation;
mod fuzz;
mod harness;
mod input;
mod lateness;
mod lines;
mod logs;
mod networks;
mod options;
mod polled;
mod ponder;
mod ready;
mod real_search;
mod shogihome;
mod unread;
