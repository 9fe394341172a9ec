//! What a session and its game want done: plain values, so that both are tested without a network.

use super::player::Order;
use crate::record;

/// Something to be done, in the order in which it is wanted.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Action {
    /// Log in. Only who writes to the server knows the password.
    Login,
    /// Send a line.
    Send(String),
    Order(Order),
    /// Put another player in the place of one that failed.
    Restart,
    /// Plain words for the user: what happens.
    Say(String),
    /// Plain words for the user: what is wrong.
    Warn(String),
    /// Keep the record of a game.
    Save(Box<Finished>),
    /// The connection is at its end, and nothing more is done with it.
    Part(Parting),
}

/// A game that is over, for whatever reason.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Finished {
    pub(super) id: String,
    pub(super) game: record::GameRecord,
}

/// How a connection ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Parting {
    /// Nothing is left to do.
    Done,
    /// Log in again for the next game.
    Again,
    /// Something went wrong; try again after a while.
    Retry(String),
    /// What was proposed had to be rejected; try again after a while.
    Unplayable,
    /// The server does not want this name and password.
    Refused,
    /// There is nobody to play.
    Broken(String),
}
