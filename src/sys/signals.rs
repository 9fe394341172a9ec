//! Hang-ups, interrupts and the limit of file sizes: `nohup` is respected, a request to end the program that arrives
//! as several signals counts once, a closed console leaves time to end, and a write beyond the limit is only an error.

#[cfg(unix)]
use std::mem::MaybeUninit;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// Interrupts within this time count as one. Nobody presses a key twice so fast.
const DEBOUNCE_INTERVAL: Duration = Duration::from_millis(100);

/// Calls `interrupted` once for each request to end the program: an interrupt or another such signal, a closed
/// terminal or console. To be called once.
///
/// # Errors
/// If the system refuses.
pub fn on_interrupt(interrupted: impl FnMut() + Send + 'static) -> Result<(), ctrlc::Error> {
    let shared = Arc::new(Mutex::new(debounce(interrupted)));
    let handler = Arc::clone(&shared);
    keep_nohup(|| ctrlc::set_handler(move || (handler.lock())()))?;
    #[cfg(windows)]
    closed_console::on_close(move || (shared.lock())());
    Ok(())
}

/// Windows ends a program whose console is closed, or whose user logs off, when its handler returns, at the latest
/// after five seconds.
#[cfg(windows)]
mod closed_console {
    use std::sync::OnceLock;
    use std::thread;

    const CTRL_CLOSE_EVENT: u32 = 2;
    const CTRL_LOGOFF_EVENT: u32 = 5;
    const CTRL_SHUTDOWN_EVENT: u32 = 6;

    type Handler = unsafe extern "system" fn(u32) -> i32;

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn SetConsoleCtrlHandler(handler: Option<Handler>, add: i32) -> i32;
    }

    static CLOSED: OnceLock<Box<dyn Fn() + Send + Sync>> = OnceLock::new();

    /// Calls `closed` in these cases, and lets the program end by itself. The handler set last is called
    /// first.
    pub(super) fn on_close(closed: impl Fn() + Send + Sync + 'static) {
        if CLOSED.set(Box::new(closed)).is_ok() {
            // SAFETY: the handler is a function, so it lives as long as the program. If the system refuses it,
            // the program ends at once, as without it.
            unsafe { SetConsoleCtrlHandler(Some(handle), 1) };
        }
    }

    /// Runs on a thread of its own.
    unsafe extern "system" fn handle(event: u32) -> i32 {
        if !matches!(event, CTRL_CLOSE_EVENT | CTRL_LOGOFF_EVENT | CTRL_SHUTDOWN_EVENT) {
            return 0;
        }
        if let Some(closed) = CLOSED.get() {
            closed();
        }
        loop {
            thread::park();
        }
    }
}

/// Calls a function that installs signal handlers. If hang-ups were ignored before, as under `nohup`,
/// they still are afterwards.
#[cfg(unix)]
fn keep_nohup<T>(set_handlers: impl FnOnce() -> T) -> T {
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
    let result = unsafe { libc::sigaction(libc::SIGHUP, std::ptr::null(), action.as_mut_ptr()) };
    if result != 0 {
        return false;
    }
    // SAFETY: the system has written it.
    let action = unsafe { action.assume_init() };
    action.sa_sigaction == libc::SIG_IGN
}

/// Other systems have no hang-ups.
#[cfg(not(unix))]
fn keep_nohup<T>(set_handlers: impl FnOnce() -> T) -> T {
    set_handlers()
}

/// Makes a write beyond the limit for the size of files (`ulimit -f`) fail like one on a full disk. By
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
fn debounce(mut interrupted: impl FnMut() + Send + 'static) -> impl FnMut() + Send + 'static {
    let mut last = None;
    move || {
        if is_new_request(&mut last, Instant::now()) {
            interrupted();
        }
    }
}

/// Whether an interrupt is a new request; `last` is then updated.
fn is_new_request(last: &mut Option<Instant>, now: Instant) -> bool {
    let belongs = last.is_some_and(|last| now.duration_since(last) < DEBOUNCE_INTERVAL);
    if !belongs {
        *last = Some(now);
    }
    !belongs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: closing the terminal lost an analysis, because the second signal ended the program before
    /// it had written its results.
    #[test]
    fn interrupts_that_come_together_are_one() {
        let (start, mut last) = (Instant::now(), None);
        let mut is_new_request =
            |millis| is_new_request(&mut last, start + Duration::from_millis(millis));
        assert_eq!([0, 0, 99].map(&mut is_new_request), [true, false, false]);
        // However many belonged to the first.
        assert_eq!([100, 101, 200].map(is_new_request), [true, false, true]);
    }

    #[test]
    fn the_first_interrupt_is_handled_at_once() {
        let (heard, result) = std::sync::mpsc::channel();
        let mut handler = debounce(move || heard.send(()).unwrap());
        handler();
        assert!(result.try_recv().is_ok());
    }
}
