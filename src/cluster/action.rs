//! The actions of the coordinator.

/// To be done, in order. Workers are identified by their numbers, from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ClusterAction {
    /// Start the process of a worker.
    Start(usize),
    /// Kill the process of a worker.
    Kill(usize),
    /// Send a line to a worker. Bytes, because file names may be in any encoding.
    Send(usize, Vec<u8>),
    /// Send a line of the protocol to the GUI.
    Output(String),
    /// A line of a worker for the GUI that a GUI which reads nothing does without.
    Forward(String),
    /// Tell the GUI what went wrong.
    Message(String),
    /// Open the log files that the settings name now.
    ReopenLogs,
    /// End the program.
    Exit,
}
