//! The session with a GUI: one loop that receives lines and events and sends all answers.
//!
//! It is idle or has a queue of tasks. Each accepted `go` is a task and gets exactly one answer: the
//! first is being searched or holds its result back, and all but the last are stopping. An
//! `isready` after tasks that are stopping is a task too. Everything slow (searching, preparing,
//! perft, reading, writing) runs on other threads, so that a line is handled at once. `format` writes
//! the lines; the engine decides how an event changes a `go`.
//!
//! Where there are no threads, the session is `polled`.

mod commands;
mod go;
mod lateness;
#[cfg(not(target_family = "wasm"))]
mod main_loop;
mod polled;
mod reports;
mod state;
mod tasks;

pub use self::state::{Session, SessionTimeouts};
