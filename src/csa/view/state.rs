//! What a view shows, and the interface of all views.

use std::fmt;
use std::time::Duration;

use crate::csa::player::SearchUpdate;
use crate::position::Position;
use crate::types::language::Language;
use crate::types::{ByColor, Move};

/// Shows the user what happens.
pub trait View: fmt::Debug {
    /// Shows a message.
    fn info(&mut self, text: &str);

    /// Shows a message on something that went wrong.
    fn warn(&mut self, text: &str);

    /// Shows the current state.
    fn show(&mut self, state: &ViewState<'_>);

    /// The language of messages.
    fn language(&self) -> Language;

    /// How often [`View::show`] is to be called even if nothing happens.
    fn refresh_interval(&self) -> Option<Duration>;
}

/// The state of the client.
#[derive(Clone, Copy, Debug)]
pub struct ViewState<'a> {
    pub server: &'a str,
    pub status: &'static str,
    /// The measured time that a move needs to the server and back.
    pub latency: Duration,
    /// `None` between games, like the fields below.
    pub players: Option<ByColor<PlayerView<'a>>>,
    pub position: Option<&'a Position>,
    pub last_move: Option<Move>,
    pub update: Option<&'a SearchUpdate>,
    /// Whether `update` is of a ponder search.
    pub pondering: bool,
}

/// One player of a game.
#[derive(Clone, Copy, Debug)]
pub struct PlayerView<'a> {
    pub name: &'a str,
    /// Main time left.
    pub time: Duration,
    /// Whether it is this client.
    pub is_us: bool,
}
