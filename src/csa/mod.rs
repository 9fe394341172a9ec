//! The client of servers that speak the CSA protocol: logs in, and plays game after game.
//!
//! [`run`] connects server, engine and user. The decisions are made in two state machines without
//! sockets, threads or a clock: a `session` is one connection, a `game` in it one game. Both turn
//! inputs into actions (`action`). The [`player`] is a USI engine: this program or another one.

mod action;
mod backoff;
mod client;
mod clock;
mod config;
mod connection;
mod error;
mod game;
mod game_summary;
mod line_quota;
mod move_overhead;
mod password;
pub mod player;
mod protocol_log;
mod record_files;
mod record_header;
mod redaction;
mod server_line;
mod session;
#[cfg(test)]
mod testing;
mod view;

pub use client::{CsaPlayerFactory, run};
pub use clock::{EngineClocks, SideClock};
pub use config::{
    Config, ConfigError, EngineConfig, LogConfig, OptionValue, PlayConfig, RecordsConfig,
    RequestedColor, ServerConfig,
};
pub use error::ClientError;
pub use password::Password;
pub use session::READY_TIMEOUT;
pub use view::{PlainView, ScreenView, SideView, TerminalOutput, View, ViewState};
