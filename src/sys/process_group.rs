//! Process groups, so that the children of a process are killed with it.
//!
//! Only Unix systems can kill a group. Windows would need a job object, to which a process must be
//! assigned before it starts another.

use std::process::{Child, Command};

/// The process that this command starts will lead its own process group. Terminals interrupt
/// whole groups, so it is not interrupted together with this process (on Windows too).
#[cfg(unix)]
pub fn start_process_group(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(windows)]
pub fn start_process_group(command: &mut Command) {
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
    std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP);
}

#[cfg(not(any(unix, windows)))]
pub fn start_process_group(_: &mut Command) {}

/// Kills a process group by its leader, which must not have been waited for: after that its ID may
/// belong to another group.
#[cfg(unix)]
pub fn kill_process_group(leader: &Child) {
    let Ok(id) = libc::pid_t::try_from(leader.id()) else { return };
    // SAFETY: a signal to others touches no memory of this process. If the group is gone, or the
    // leader has left it, the call only returns an error.
    unsafe { libc::killpg(id, libc::SIGKILL) };
}

#[cfg(not(unix))]
pub fn kill_process_group(_: &Child) {}
