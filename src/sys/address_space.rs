//! The limit of the address space (`ulimit -v`), which some batch systems and containers set.

/// Where the address space is limited, lets all threads allocate from one heap. The C library of most Linux
/// systems otherwise reserves up to 128 MiB for each thread that starts. Call it before any thread starts.
pub fn limit_heap_arenas() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: 0 };
        // SAFETY: the call writes into the structure only.
        let is_known = unsafe { libc::getrlimit(libc::RLIMIT_AS, &mut limit) } == 0;
        if is_known && limit.rlim_cur != libc::RLIM_INFINITY {
            // SAFETY: it sets a number, while no other thread allocates.
            unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
        }
    }
}
