//! Hang-ups, interrupts and the limit for the size of files: `nohup` is respected, one request to end
//! counts once, and a write beyond the limit is only an error.

#[cfg(unix)]
use std::mem::MaybeUninit;
use std::time::{Duration, Instant};

/// Interrupts within this time count as one. Nobody presses a key twice so fast.
const AS_ONE: Duration = Duration::from_millis(100);

/// Calls a function that installs signal handlers. If hang-ups were ignored before, as under `nohup`,
/// they still are afterwards.
#[cfg(unix)]
pub fn keep_nohup<T>(set_handlers: impl FnOnce() -> T) -> T {
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
    // SAFETY: without a new action the system only writes the current one, for which there is room.
    let told = unsafe { libc::sigaction(libc::SIGHUP, std::ptr::null(), action.as_mut_ptr()) };
    if told != 0 {
        return false;
    }
    // SAFETY: the system has written it.
    let action = unsafe { action.assume_init() };
    action.sa_sigaction == libc::SIG_IGN
}

/// Other systems have no hang-ups.
#[cfg(not(unix))]
pub fn keep_nohup<T>(set_handlers: impl FnOnce() -> T) -> T {
    set_handlers()
}

/// A write beyond the limit for the size of files (`ulimit -f`) then fails like one on a full disk. By
/// default the system ends the program: a log that is too long would cost the game.
#[cfg(unix)]
pub fn survive_file_size_limit() {
    // A handler, because processes that this one starts would inherit that the signal is ignored.
    extern "C" fn do_nothing(_: libc::c_int) {}
    let handler: extern "C" fn(libc::c_int) = do_nothing;
    // SAFETY: the handler touches nothing.
    unsafe { libc::signal(libc::SIGXFSZ, handler as libc::sighandler_t) };
}

/// Other systems have no such limit.
#[cfg(not(unix))]
pub fn survive_file_size_limit() {}

/// Calls `interrupted` once for each request to end the program. When a terminal is closed, the shell
/// and the system both send a signal; `timeout` and its like signal the program and its group. Neither
/// is a second request.
pub fn debounce(mut interrupted: impl FnMut() + Send + 'static) -> impl FnMut() + Send + 'static {
    let mut last = None;
    move || {
        if is_another(&mut last, Instant::now()) {
            interrupted();
        }
    }
}

/// Whether an interrupt is a new request; `last` is then updated.
fn is_another(last: &mut Option<Instant>, now: Instant) -> bool {
    let belongs = last.is_some_and(|last| now.duration_since(last) < AS_ONE);
    if !belongs {
        *last = Some(now);
    }
    !belongs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: an analysis was lost with its terminal, because the second signal ended the program
    /// before it had written its results.
    #[test]
    fn interrupts_that_come_together_are_one() {
        let (start, mut last) = (Instant::now(), None);
        let mut is_another = |millis| is_another(&mut last, start + Duration::from_millis(millis));
        assert_eq!([0, 0, 99].map(&mut is_another), [true, false, false]);
        // However many belonged to the first.
        assert_eq!([100, 101, 200].map(is_another), [true, false, true]);
    }

    #[test]
    fn the_first_interrupt_is_heard_at_once() {
        let (heard, told) = std::sync::mpsc::channel();
        let mut handler = debounce(move || heard.send(()).unwrap());
        handler();
        assert!(told.try_recv().is_ok());
    }
}
