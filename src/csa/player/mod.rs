//! The player of the games: an engine on a thread of its own, driven by commands, heard by events.

mod engine;
mod go_clock;
mod handle;
mod protocol;

pub use engine::{OwnEngine, start_engine};
pub use handle::{Player, PlayerChannels};
pub use protocol::{
    CommandId, GameTerms, PlayerCommand, PlayerEvent, SearchTask, SearchUpdate, value_for_black,
};
