//! The player of the games: an engine on its own thread that receives commands and sends events.

mod engine;
mod go_clock;
mod handle;
mod protocol;

pub use engine::{OwnEngineOptions, start_engine};
pub use handle::{Player, PlayerChannels};
pub use protocol::{
    CommandId, GameConditions, PlayerCommand, PlayerEvent, SearchTask, SearchUpdate,
    value_for_black,
};
