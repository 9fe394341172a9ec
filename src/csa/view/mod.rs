//! The display of the client: a screen at a terminal, plain lines elsewhere.

mod board;
mod plain;
mod screen;
mod state;
mod terminal;

pub use plain::PlainView;
pub use screen::ScreenView;
pub use state::{SideView, View, ViewState};
pub use terminal::TerminalOutput;
