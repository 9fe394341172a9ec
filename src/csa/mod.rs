//! The client of servers that speak the CSA protocol: it logs in, and plays game after game.
//!
//! [`run`] ties sockets, player and user together. What is to be done is decided without them: a
//! `session` is one connection, a `game` in it one game, and both turn what happens into actions
//! (`action`). The [`player`] is the engine of this program or a USI engine in a process.

mod action;
mod archive;
mod client;
mod clock;
mod config;
mod connection;
mod game;
mod heading;
mod latency;
mod line;
pub mod player;
mod secret;
mod session;
mod summary;
#[cfg(test)]
mod testing;
mod traffic;
mod view;

pub use client::{ClientError, Players, run};
pub use clock::{Budget, Clocks};
pub use config::{
    ColorWish, Config, ConfigError, EngineConfig, LogConfig, OptionValue, PlayConfig,
    RecordsConfig, ServerConfig,
};
pub use secret::Secret;
pub use session::READY_PATIENCE;
pub use view::{Aside, Face, Glance, PlainView, ScreenView, View};
