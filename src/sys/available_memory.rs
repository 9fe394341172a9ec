//! Available memory. Many systems overcommit and kill a program that touches the granted memory, so large
//! tables are sized by the available memory.

/// The reserve for later needs and other programs is one part in this many of the available memory.
pub const RESERVE_DIVISOR: u64 = 8;
/// Minimum of that reserve: for stacks, positions and lines, whatever the limit of a container.
const MIN_RESERVE: u64 = 8 << 20;

/// Bytes that may be allocated when `left` bytes are available.
///
/// ```
/// use kawasemi::sys::usable_memory;
/// assert_eq!(usable_memory(800 << 20), 700 << 20);
/// assert_eq!(usable_memory(10 << 20), 2 << 20);
/// ```
pub fn usable_memory(left: u64) -> u64 {
    left.saturating_sub((left / RESERVE_DIVISOR).max(MIN_RESERVE))
}

/// Bytes available without swapping out other programs; on macOS and FreeBSD all memory of the machine, as an upper
/// bound; `None` where the system does not say.
///
/// ```
/// use kawasemi::sys::available_memory;
/// assert!(available_memory().is_none_or(|bytes| bytes > 0));
/// ```
pub fn available_memory() -> Option<u64> {
    system::available()
}

#[cfg(any(target_os = "linux", target_os = "android"))]
mod system {
    use std::fs::read_to_string;
    use std::path::Path;

    pub(super) fn available() -> Option<u64> {
        let kibibytes = number(&read_to_string("/proc/meminfo").ok()?, "MemAvailable:")?;
        Some(
            [remaining_in_cgroups(), remaining_in_rlimits()]
                .into_iter()
                .flatten()
                .fold(kibibytes << 10, u64::min),
        )
    }

    /// The memory that the limits of this process leave (`ulimit -v` and `-d`); `None` if there are
    /// none.
    fn remaining_in_rlimits() -> Option<u64> {
        let counts = read_to_string("/proc/self/statm").ok()?;
        // SAFETY: the call takes and returns numbers.
        let page = u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).ok()?;
        let used = |index| {
            let pages: u64 = counts.split_whitespace().nth(index)?.parse().ok()?;
            Some(pages * page)
        };
        let left = |limit: Option<u64>, index| Some(limit?.saturating_sub(used(index)?));
        #[allow(clippy::unnecessary_cast, reason = "a limit has 32 bits on systems of 32 bits")]
        let limit = |of| {
            let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: 0 };
            // SAFETY: the call writes into the structure only.
            let is_known = unsafe { libc::getrlimit(of, &mut limit) } == 0;
            (is_known && limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur as u64)
        };
        let both = [left(limit(libc::RLIMIT_AS), 0), left(limit(libc::RLIMIT_DATA), 5)];
        both.into_iter().flatten().min()
    }

    /// The file names by which a version of cgroups reports memory.
    #[derive(Debug, PartialEq, Eq)]
    pub(super) struct CgroupFiles {
        root: &'static str,
        pub(super) limits: &'static [&'static str],
        pub(super) used: &'static str,
        inactive: &'static str,
        active: &'static str,
        mapped: &'static str,
    }

    /// cgroups v1: older systems and some containers.
    pub(super) const V1: CgroupFiles = CgroupFiles {
        root: "/sys/fs/cgroup/memory",
        limits: &["memory.limit_in_bytes"],
        used: "memory.usage_in_bytes",
        inactive: "total_inactive_file",
        active: "total_active_file",
        mapped: "total_mapped_file",
    };
    /// cgroups v2. Beyond `memory.high` the system throttles the process.
    pub(super) const V2: CgroupFiles = CgroupFiles {
        root: "/sys/fs/cgroup",
        limits: &["memory.max", "memory.high"],
        used: "memory.current",
        inactive: "inactive_file",
        active: "active_file",
        mapped: "file_mapped",
    };

    /// The least remaining memory of a cgroup of this process; `None` if none has a limit.
    fn remaining_in_cgroups() -> Option<u64> {
        let groups = read_to_string("/proc/self/cgroup").ok()?;
        groups
            .lines()
            .filter_map(named)
            .filter_map(|(names, path)| min_remaining(&names, path))
            .min()
    }

    /// Version and path of a memory cgroup, from a line such as `0::/user.slice` (v2) or
    /// `4:cpuset,memory:/docker` (v1).
    pub(super) fn named(line: &str) -> Option<(CgroupFiles, &str)> {
        let mut parts = line.splitn(3, ':').skip(1);
        let (counted, path) = (parts.next()?, parts.next()?.strip_prefix('/')?);
        match counted {
            "" => Some((V2, path)),
            _ => counted.split(',').any(|what| what == "memory").then_some((V1, path)),
        }
    }

    /// The least remaining memory of the cgroup of this path and its ancestors. (In a container the path may
    /// be that outside, with the cgroup itself at the root.)
    fn min_remaining(names: &CgroupFiles, path: &str) -> Option<u64> {
        let own = Path::new(names.root).join(path);
        let around = own.ancestors().take_while(|group| group.starts_with(names.root));
        around.filter_map(|group| remaining_in_cgroup(names, group)).min()
    }

    /// The remaining memory of the cgroup of this folder, if it has a limit.
    pub(super) fn remaining_in_cgroup(names: &CgroupFiles, group: &Path) -> Option<u64> {
        let read = |name: &str| read_to_string(group.join(name)).ok();
        let number_in = |name: &str| read(name)?.trim().parse::<u64>().ok();
        let limit = names.limits.iter().filter_map(|&name| number_in(name)).min()?;
        let used = number_in(names.used)?;
        let counts = read("memory.stat")?;
        // The page cache is reclaimed when memory is scarce, but a network that is mapped is in use.
        let files = number(&counts, names.inactive)? + number(&counts, names.active)?;
        let mapped = number(&counts, names.mapped).unwrap_or(0);
        let unused = files.saturating_sub(mapped);
        Some(limit.saturating_sub(used.saturating_sub(unused)))
    }

    /// The number after a name at the start of a line.
    fn number(text: &str, name: &str) -> Option<u64> {
        let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
        rest.split_whitespace().next()?.parse().ok()
    }
}

#[cfg(windows)]
mod system {
    /// `MEMORYSTATUSEX`: its own size and the load, of 32 bits each, then the bytes of physical memory, those
    /// available, the limit of committed memory, the bytes that this process may still commit, and more.
    type Status = [u64; 8];

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GlobalMemoryStatusEx(status: *mut Status) -> i32;
    }

    pub(super) fn available() -> Option<u64> {
        let mut status: Status = [0; 8];
        status[0] = size_of::<Status>() as u64;
        // SAFETY: the structure has the size that it states, and is local.
        let is_known = unsafe { GlobalMemoryStatusEx(&mut status) } != 0;
        is_known.then_some(status[2].min(status[4]))
    }
}

#[cfg(any(target_os = "macos", target_os = "freebsd"))]
mod system {
    pub(super) fn available() -> Option<u64> {
        // SAFETY: the call takes and returns numbers.
        let number = |name| u64::try_from(unsafe { libc::sysconf(name) }).ok();
        number(libc::_SC_PHYS_PAGES)?.checked_mul(number(libc::_SC_PAGESIZE)?)
    }
}

#[cfg(not(any(
    target_os = "linux",
    target_os = "android",
    target_os = "macos",
    target_os = "freebsd",
    windows
)))]
mod system {
    pub(super) fn available() -> Option<u64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_available_memory_is_known_on_most_systems() {
        let known = cfg!(any(
            target_os = "linux",
            target_os = "android",
            target_os = "macos",
            target_os = "freebsd",
            windows
        ));
        assert_eq!(available_memory().is_some_and(|bytes| bytes > 0), known);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_available_memory_of_a_control_group_is_its_limit_less_unreclaimable_memory() {
        use std::fs::write;
        let own = "file_mapped 30\ninactive_file 100\nactive_file 80\n";
        let with_those_below = "inactive_file 7\nactive_file 3\ntotal_mapped_file 30\n\
                                total_inactive_file 100\ntotal_active_file 80\n";
        for (names, counts) in [(system::V2, own), (system::V1, with_those_below)] {
            let folder = tempfile::tempdir().unwrap();
            let group = folder.path();
            assert_eq!(system::remaining_in_cgroup(&names, group), None);
            for (name, text) in [(names.used, "1000\n"), ("memory.stat", counts)] {
                write(group.join(name), text).unwrap();
            }
            for (limit, left) in [("max\n", None), ("3000\n", Some(2150)), ("500\n", Some(0))] {
                write(group.join(names.limits[0]), limit).unwrap();
                assert_eq!(system::remaining_in_cgroup(&names, group), left, "{limit}");
            }
        }
    }

    /// Regression: the table was sized by the hard limit alone, and the system throttled the engine.
    #[cfg(target_os = "linux")]
    #[test]
    fn the_limit_beyond_which_a_control_group_is_throttled_counts_too() {
        use std::fs::write;
        let folder = tempfile::tempdir().unwrap();
        let group = folder.path();
        write(group.join("memory.current"), "1000\n").unwrap();
        write(group.join("memory.stat"), "inactive_file 0\nactive_file 0\n").unwrap();
        for (max, high, left) in
            [("max", "3000", 2000), ("5000", "3000", 2000), ("5000", "max", 4000)]
        {
            write(group.join("memory.max"), max).unwrap();
            write(group.join("memory.high"), high).unwrap();
            assert_eq!(system::remaining_in_cgroup(&system::V2, group), Some(left), "{max} {high}");
        }
    }

    /// Regression: limits of cgroups v1 were not seen.
    #[cfg(target_os = "linux")]
    #[test]
    fn control_groups_of_both_versions_are_recognised() {
        assert_eq!(system::named("0::/user.slice/a:b"), Some((system::V2, "user.slice/a:b")));
        assert_eq!(system::named("0::/"), Some((system::V2, "")));
        assert_eq!(system::named("4:memory:/docker/1"), Some((system::V1, "docker/1")));
        assert_eq!(system::named("4:cpuset,memory:/"), Some((system::V1, "")));
        for line in ["9:name=systemd:/", "1:cpu:/memory", "8:memory_x:/", "0:", ""] {
            assert_eq!(system::named(line), None, "{line}");
        }
    }
}
