//! The number of processors, and on Windows their groups of at most 64.

#[cfg(any(windows, test))]
use std::iter;
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

/// `work` for thread number `index`, from 0, of those that compute together: the thread first moves to another
/// processor group if the threads before it fill its own. Windows before 11 and Server 2022 keeps all threads of a
/// process in one group (Stockfish binds its threads too).
pub fn in_processor_group<T>(index: usize, work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    move || {
        system::bind_to_group(index);
        work()
    }
}

/// The group of thread number `index`: its own group is filled first, then the others. `counts` are the processors
/// of all groups.
#[cfg(any(windows, test))]
fn group_of(index: usize, own: usize, counts: &[usize]) -> usize {
    let index = index % counts.iter().sum::<usize>().max(1);
    let others = (0..counts.len()).filter(|&group| group != own);
    let mut filled = 0;
    let has_room = |&group: &usize| {
        filled += counts[group];
        index < filled
    };
    iter::once(own).chain(others).find(has_room).unwrap_or(own)
}

#[cfg(windows)]
mod system {
    use std::ffi::c_void;
    use std::ptr::null_mut;

    const ALL_PROCESSOR_GROUPS: u16 = 0xffff;

    /// `GROUP_AFFINITY`.
    #[repr(C)]
    #[derive(Default)]
    struct GroupAffinity {
        mask: usize,
        group: u16,
        reserved: [u16; 3],
    }

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GetActiveProcessorCount(group: u16) -> u32;
        fn GetActiveProcessorGroupCount() -> u16;
        fn GetCurrentThread() -> *mut c_void;
        fn GetThreadGroupAffinity(thread: *mut c_void, affinity: *mut GroupAffinity) -> i32;
        fn SetThreadGroupAffinity(
            thread: *mut c_void,
            affinity: *const GroupAffinity,
            previous: *mut GroupAffinity,
        ) -> i32;
    }

    /// The standard library counts one group, which has 64 at most.
    pub(super) fn in_all_groups() -> Option<usize> {
        Some(in_group(ALL_PROCESSOR_GROUPS))
    }

    fn in_group(group: u16) -> usize {
        // SAFETY: the call has no pointers.
        unsafe { GetActiveProcessorCount(group) as usize }
    }

    pub(super) fn bind_to_group(index: usize) {
        // SAFETY: the call has no pointers.
        let groups = unsafe { GetActiveProcessorGroupCount() };
        let counts: Vec<usize> = (0..groups).map(in_group).collect();
        let mut affinity = GroupAffinity::default();
        // SAFETY: the handle is the pseudo handle of this thread; the structure is local.
        let is_known = unsafe { GetThreadGroupAffinity(GetCurrentThread(), &mut affinity) } != 0;
        let own = usize::from(affinity.group);
        let group = super::group_of(index, own, &counts);
        if !is_known || group == own {
            return;
        }
        let unused = usize::BITS.saturating_sub(counts[group] as u32);
        let affinity = GroupAffinity {
            mask: usize::MAX.checked_shr(unused).unwrap_or(0),
            group: group as u16,
            ..GroupAffinity::default()
        };
        // SAFETY: as above. If the system refuses, the thread stays where it is.
        unsafe { SetThreadGroupAffinity(GetCurrentThread(), &affinity, null_mut()) };
    }
}

#[cfg(not(windows))]
mod system {
    pub(super) fn in_all_groups() -> Option<usize> {
        None
    }

    pub(super) fn bind_to_group(_index: usize) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_processors_is_positive() {
        assert!(processors().is_none_or(|count| count > 0));
    }

    /// Regression: on Windows 10 with 128 processors, 128 threads shared 64 of them.
    #[test]
    fn threads_fill_their_own_processor_group_and_then_the_others() {
        let groups = |own, counts: &[usize]| {
            let threads = [0, 63, 64, 127, 128, 191, 192];
            threads.map(|index| group_of(index, own, counts))
        };
        assert_eq!(groups(0, &[64, 64]), [0, 0, 1, 1, 0, 0, 1]);
        assert_eq!(groups(1, &[64, 64]), [1, 1, 0, 0, 1, 1, 0]);
        assert_eq!(groups(1, &[64, 64, 64]), [1, 1, 0, 0, 2, 2, 1]);
        assert_eq!(groups(0, &[8]), [0; 7]);
        assert_eq!(groups(0, &[0]), [0; 7]);
    }
}
