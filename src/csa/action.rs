//! The actions of a session: plain data, so that a session can be tested without a network.

use super::player::PlayerCommand;
use crate::record::GameRecord;
use crate::types::message::Message;

/// An action, executed in order.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SessionAction {
    /// Send the login line. The session does not know the password.
    Login,
    /// Send a line.
    Send(String),
    Command(PlayerCommand),
    /// Start another player in place of one that failed.
    RestartPlayer,
    /// Show a message to the user.
    Info(Message),
    /// Show an error to the user.
    Warn(Message),
    /// Save the record of a game.
    Save(Box<FinishedGame>),
    /// End the connection.
    Close(ConnectionEnd),
}

/// A game that is over or was interrupted.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FinishedGame {
    pub(super) id: String,
    pub(super) game: GameRecord,
}

/// How a connection ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ConnectionEnd {
    /// All games are played.
    Done,
    /// Log in again for the next game.
    Reconnect,
    /// Something went wrong; try again later.
    Retry(Message),
    /// The proposed games were rejected, by either side; try again later.
    Unplayable,
    LoginRefused,
    /// The engine cannot play, with the reason.
    NoEngine(String),
}
