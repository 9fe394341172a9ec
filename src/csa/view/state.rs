//! The data of a view, and the interface of all views.

use std::fmt;
use std::time::Duration;

use crate::csa::player::SearchUpdate;
use crate::position::Position;
use crate::types::language::{Language, Localized};
use crate::types::{ByColor, Move};

/// Shows the user the course of the games.
pub trait View: fmt::Debug {
    /// Shows a message.
    fn info(&mut self, text: &str);

    /// Shows an error message.
    fn warn(&mut self, text: &str);

    /// Shows the current state.
    fn show(&mut self, state: &ViewState<'_>);

    /// The language of messages.
    fn language(&self) -> Language;

    /// The interval of calling [`View::show`] even without an event.
    fn refresh_interval(&self) -> Option<Duration>;
}

/// The state that a view shows.
#[derive(Clone, Copy, Debug)]
pub struct ViewState<'a> {
    pub server: &'a str,
    pub status: Localized,
    /// The network delay: the round trip of a move.
    pub network_delay: Duration,
    /// `None` between games, like the fields below.
    pub sides: Option<ByColor<SideView<'a>>>,
    pub position: Option<&'a Position>,
    pub last_move: Option<Move>,
    pub update: Option<&'a SearchUpdate>,
    /// Whether `update` is of a ponder search.
    pub pondering: bool,
}

/// One side of a game.
#[derive(Clone, Copy, Debug)]
pub struct SideView<'a> {
    pub name: &'a str,
    /// Black, White, or what they are called in a handicap game.
    pub color: Localized,
    /// Main time left.
    pub time: Duration,
    /// Whether this client plays this side.
    pub is_us: bool,
}
