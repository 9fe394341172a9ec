//! Processes that lead a group, so that what they start ends with them.
//!
//! Only Unix systems end a group. Windows would need a job object, into which a process must be put
//! before it starts another.

use std::process::{Child, Command};

/// The process that this starts will lead a group of its own. Terminals interrupt whole groups, so
/// it is not interrupted with this one (on Windows either).
#[cfg(unix)]
pub fn lead_group(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(windows)]
pub fn lead_group(command: &mut Command) {
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
    std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP);
}

#[cfg(not(any(unix, windows)))]
pub fn lead_group(_: &mut Command) {}

/// Ends a group by its leader, which must not have been waited for: after that its number may be
/// that of another group.
#[cfg(unix)]
pub fn end_group(leader: &Child) {
    let Ok(id) = libc::pid_t::try_from(leader.id()) else { return };
    // SAFETY: a signal to others touches no memory of this process. A group that is gone, or that
    // the leader has left, is an error without effect.
    unsafe { libc::killpg(id, libc::SIGKILL) };
}

#[cfg(not(unix))]
pub fn end_group(_: &Child) {}
