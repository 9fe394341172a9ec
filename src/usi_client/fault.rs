//! Faults of an engine: a crash, a hang, or a breach of the protocol.

use std::fmt;

/// A fault, after which the engine is not used again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineFault {
    pub kind: EngineFaultKind,
    /// The offending line, or how the process ended.
    pub detail: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EngineFaultKind {
    /// The process ended.
    Crash,
    /// The engine does not answer, even to `stop`.
    Hang,
    /// The engine sent a line that is not allowed.
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

impl EngineFaultKind {
    /// Its word in files and reports.
    pub const fn name(self) -> &'static str {
        match self {
            EngineFaultKind::Crash => "crash",
            EngineFaultKind::Hang => "hang",
            EngineFaultKind::Protocol => "protocol_error",
        }
    }
}

impl fmt::Display for EngineFaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for EngineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.detail)
    }
}

impl std::error::Error for EngineFault {}
