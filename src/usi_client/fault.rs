//! What an engine does that no sound one does.

use std::fmt;

/// An engine that plays no further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineFault {
    pub kind: EngineFaultKind,
    /// What happened: the offending line, or how the process ended.
    pub detail: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EngineFaultKind {
    /// The process is gone.
    Crash,
    /// It does not answer, not even to `stop`.
    Hang,
    /// It said what it must not say.
    Protocol,
}

impl EngineFault {
    pub fn crash(detail: impl Into<String>) -> EngineFault {
        EngineFault { kind: EngineFaultKind::Crash, detail: detail.into() }
    }

    pub fn hang(detail: impl Into<String>) -> EngineFault {
        EngineFault { kind: EngineFaultKind::Hang, detail: detail.into() }
    }

    pub fn protocol(detail: impl Into<String>) -> EngineFault {
        EngineFault { kind: EngineFaultKind::Protocol, detail: detail.into() }
    }
}

impl fmt::Display for EngineFaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EngineFaultKind::Crash => "crash",
            EngineFaultKind::Hang => "hang",
            EngineFaultKind::Protocol => "protocol_error",
        })
    }
}

impl fmt::Display for EngineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.detail)
    }
}

impl std::error::Error for EngineFault {}
