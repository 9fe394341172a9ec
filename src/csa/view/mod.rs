//! What the user sees while the client plays: a picture at a terminal, plain lines elsewhere.

mod aside;
mod plain;
mod screen;

use std::fmt;
use std::time::Duration;

pub use aside::Aside;
pub use plain::PlainView;
pub use screen::ScreenView;

use super::player::Thought;
use crate::position::Position;
use crate::types::{ByColor, Move};

/// Shows what happens.
pub trait View: fmt::Debug {
    /// Plain words on what happens.
    fn say(&mut self, text: &str);

    /// Plain words on what is wrong.
    fn warn(&mut self, text: &str);

    /// How things are now.
    fn show(&mut self, glance: &Glance<'_>);

    /// How often [`View::show`] is wanted even when nothing happens.
    fn pace(&self) -> Option<Duration>;
}

/// How things are.
#[derive(Clone, Copy, Debug)]
pub struct Glance<'a> {
    pub server: &'a str,
    pub status: &'static str,
    /// How long a move is on its way.
    pub latency: Duration,
    /// Only while a game is played, as all that follows.
    pub faces: Option<ByColor<Face<'a>>>,
    pub position: Option<&'a Position>,
    pub last_move: Option<Move>,
    pub thought: Option<&'a Thought>,
    /// Whether that is of a move which the opponent has not made yet.
    pub pondering: bool,
}

/// One player of a game.
#[derive(Clone, Copy, Debug)]
pub struct Face<'a> {
    pub name: &'a str,
    /// Main time left.
    pub time: Duration,
    pub is_ours: bool,
}

/// A text from outside as a terminal may have it: what would move the cursor is made visible.
fn harmless(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}
