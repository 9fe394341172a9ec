//! The end of the terminal that a program was started at. Whoever starts it by `nohup` does not want it
//! to end with that; to all others it comes twice.

#[cfg(unix)]
use std::mem::MaybeUninit;
use std::time::{Duration, Instant};

/// How long after an interrupt another one still belongs to it. Nobody presses a key twice so fast.
const AS_ONE: Duration = Duration::from_millis(100);

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

/// Calls this once each time that somebody wants an end. When a terminal is closed, the shell tells a
/// program so, and then the system does; what is handed on by `timeout` and its like comes to the
/// program and to its group. Neither is asking for a second time.
pub fn once_each_time(
    mut interrupted: impl FnMut() + Send + 'static,
) -> impl FnMut() + Send + 'static {
    let mut last = None;
    move || {
        if is_another(&mut last, Instant::now()) {
            interrupted();
        }
    }
}

/// Whether an interrupt does not belong to the `last` one, whose place it then takes.
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

    /// An analysis was lost with its terminal: the second one ended the program before it had written
    /// what it had.
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
        let mut handler = once_each_time(move || heard.send(()).unwrap());
        handler();
        assert!(told.try_recv().is_ok());
    }
}
