//! The resolution of timers. Threads that wait with a timeout wake up at a tick of the system, which is 1 ms or less
//! on most systems, but by default 15.6 ms on Windows.

/// Asks for ticks of 1 ms until this process ends.
pub fn raise_timer_resolution() {
    #[cfg(windows)]
    {
        #[link(name = "winmm")]
        unsafe extern "system" {
            fn timeBeginPeriod(milliseconds: u32) -> u32;
        }
        // SAFETY: the call has no pointers. If the system refuses, timers stay as they are.
        unsafe { timeBeginPeriod(1) };
    }
}
