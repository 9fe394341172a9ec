//! The end of the terminal that a program was started at. Whoever starts it by `nohup` does not want it
//! to end with that.

#[cfg(unix)]
use std::mem::MaybeUninit;

/// Calls what sets handlers of signals. Where hang-ups are ignored before, as `nohup` sees to, they are
/// ignored behind it too.
#[cfg(unix)]
pub fn heed_nohup<T>(set_handlers: impl FnOnce() -> T) -> T {
    let is_ignored = ignores_hangups();
    let result = set_handlers();
    if is_ignored {
        // SAFETY: no handler is named, so nothing of this process is called for the signal.
        unsafe { libc::signal(libc::SIGHUP, libc::SIG_IGN) };
    }
    result
}

#[cfg(unix)]
fn ignores_hangups() -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: where no new action is named, the system only tells the present one, for which there is
    // room.
    let told = unsafe { libc::sigaction(libc::SIGHUP, std::ptr::null(), action.as_mut_ptr()) };
    if told != 0 {
        return false;
    }
    // SAFETY: the system has told it.
    let action = unsafe { action.assume_init() };
    action.sa_sigaction == libc::SIG_IGN
}

/// Elsewhere nothing of the kind is asked for.
#[cfg(not(unix))]
pub fn heed_nohup<T>(set_handlers: impl FnOnce() -> T) -> T {
    set_handlers()
}
