//! The parts of a session with a GUI that are the same for all protocols: input lines with the time of their arrival,
//! the writer, the logs, the values of options, and for programs with one search the event loop and the search thread.
//!
//! [`usi`](crate::usi), the cluster, and the engines of other games in `examples` are built from these parts.

#[cfg(not(target_family = "wasm"))]
mod event_loop;
mod input_queue;
mod log;
mod option;
mod output;
mod reader;
#[cfg(not(target_family = "wasm"))]
mod search_thread;

#[cfg(not(target_family = "wasm"))]
pub use self::event_loop::{EventLoop, Protocol};
pub use self::input_queue::{InputQueue, QueuedInput, Urgency};
pub use self::option::{ComboChoice, OptionType, ValueError};
pub use self::output::{ProtocolMarks, SessionOutput};
pub use self::reader::{InputLine, MAX_LINE_BYTES, line_too_long, spawn as spawn_reader};
#[cfg(not(target_family = "wasm"))]
pub use self::search_thread::{SearchControl, SearchEvent, SearchMessage, SearchThread};
