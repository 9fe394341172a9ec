//! What an engine does that no sound one does.

use std::fmt;

/// An engine that plays no further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    /// What happened: the offending line, or how the process ended.
    pub detail: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FaultKind {
    /// The process is gone.
    Crash,
    /// It does not answer, not even to `stop`.
    Hang,
    /// It said what it must not say.
    Protocol,
}

impl Fault {
    pub fn crash(detail: impl Into<String>) -> Fault {
        Fault { kind: FaultKind::Crash, detail: detail.into() }
    }

    pub fn hang(detail: impl Into<String>) -> Fault {
        Fault { kind: FaultKind::Hang, detail: detail.into() }
    }

    pub fn protocol(detail: impl Into<String>) -> Fault {
        Fault { kind: FaultKind::Protocol, detail: detail.into() }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FaultKind::Crash => "crash",
            FaultKind::Hang => "hang",
            FaultKind::Protocol => "protocol_error",
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.detail)
    }
}

impl std::error::Error for Fault {}
