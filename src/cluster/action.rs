//! The actions of the coordinator.

/// An action, executed in order. Workers are numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ClusterAction {
    /// Start the process of a worker.
    Start(usize),
    /// Kill the process of a worker.
    Kill(usize),
    /// Send a line to a worker. Bytes, because file names may be in any encoding.
    Send(usize, Vec<u8>),
    /// Send entries of the transposition tables of other workers to a worker. Not logged, because they are many.
    SendEntries(usize, Vec<u8>),
    /// Send a line of the protocol to the GUI.
    Output(String),
    /// Send a line of a worker to the GUI. A GUI that is not reading does not get it.
    Forward(String),
    /// Send a message for the user to the GUI.
    Message(String),
    /// Send an error to the GUI: no worker can search.
    Error(String),
    /// Open the log files that the settings name.
    ReopenLogs,
    /// End the program.
    Exit,
}
