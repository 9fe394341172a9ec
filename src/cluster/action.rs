//! What a coordinator wants done.

/// See the module's comment. Workers are named by their numbers from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Start its process.
    Start(usize),
    /// End its process at once.
    Kill(usize),
    /// Send it a line. Bytes, because the name of a file may be in any encoding.
    Tell(usize, Vec<u8>),
    /// Say a line of protocol outside.
    Say(String),
    /// Say outside what is wrong.
    Complain(String),
    /// Keep the logs that the settings name now.
    Follow,
    /// It is over.
    Leave,
}
