//! The number of processors.

use std::sync::LazyLock;
use std::thread;

/// The logical processors of this machine (Windows) or those this process may use (elsewhere). `None` if the
/// system does not say.
pub fn processors() -> Option<usize> {
    // Some systems read files to find it.
    static PROCESSORS: LazyLock<Option<usize>> = LazyLock::new(|| {
        let known = thread::available_parallelism().ok().map(usize::from);
        known.max(system::in_all_groups())
    });
    *PROCESSORS
}

#[cfg(windows)]
mod system {
    const ALL_PROCESSOR_GROUPS: u16 = 0xffff;

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GetActiveProcessorCount(group: u16) -> u32;
    }

    /// The standard library counts one group, which has 64 at most.
    pub(super) fn in_all_groups() -> Option<usize> {
        // SAFETY: the call has no pointers.
        Some(unsafe { GetActiveProcessorCount(ALL_PROCESSOR_GROUPS) } as usize)
    }
}

#[cfg(not(windows))]
mod system {
    pub(super) fn in_all_groups() -> Option<usize> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_processors_is_positive() {
        assert!(processors().is_none_or(|count| count > 0));
    }
}
