//! How much memory is left. Many systems grant more than they have, and end a program that uses it;
//! so whoever takes much looks first. It must not know what the memory is for.

/// Of the memory that is left, whoever takes much leaves one part in so many: for what is needed later,
/// and for other programs.
pub const RESERVE_SHARE: u64 = 8;

/// Bytes that can be had without taking them from other programs; `None` where nobody can say.
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
        let left = kibibytes << 10;
        Some(left_to_groups().map_or(left, |least| least.min(left)))
    }

    /// The least that a control group of this process has left; `None` if none has a limit.
    fn left_to_groups() -> Option<u64> {
        let root = Path::new("/sys/fs/cgroup");
        let groups = read_to_string("/proc/self/cgroup").ok()?;
        let own = root.join(groups.lines().find_map(|line| line.strip_prefix("0::/"))?);
        own.ancestors().take_while(|group| group.starts_with(root)).filter_map(left_to).min()
    }

    /// What the group of this folder has left, if it has a limit.
    pub(super) fn left_to(group: &Path) -> Option<u64> {
        let read = |name: &str| read_to_string(group.join(name)).ok();
        let limit: u64 = read("memory.max")?.trim().parse().ok()?;
        let used: u64 = read("memory.current")?.trim().parse().ok()?;
        let counts = read("memory.stat")?;
        // What is kept of files is given up where memory is scarce.
        let files = number(&counts, "inactive_file")? + number(&counts, "active_file")?;
        Some(limit.saturating_sub(used.saturating_sub(files)))
    }

    /// The number behind a name at the beginning of a line.
    fn number(text: &str, name: &str) -> Option<u64> {
        let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
        rest.split_whitespace().next()?.parse().ok()
    }
}

#[cfg(windows)]
mod system {
    /// `MEMORYSTATUSEX`: its own size and the load, of 32 bits each, then the bytes of physical
    /// memory, those available, and more.
    type Status = [u64; 8];

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GlobalMemoryStatusEx(status: *mut Status) -> i32;
    }

    pub(super) fn available() -> Option<u64> {
        let mut status: Status = [0; 8];
        status[0] = size_of::<Status>() as u64;
        // SAFETY: the structure is as large as it says, and nobody else's.
        let is_told = unsafe { GlobalMemoryStatusEx(&mut status) } != 0;
        is_told.then_some(status[2])
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", windows)))]
mod system {
    pub(super) fn available() -> Option<u64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_known_on_most_systems() {
        let known = cfg!(any(target_os = "linux", target_os = "android", windows));
        assert_eq!(available_memory().is_some_and(|bytes| bytes > 0), known);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_group_has_left_what_its_limit_says_but_for_what_cannot_be_given_up() {
        use std::fs::write;
        let folder = tempfile::tempdir().unwrap();
        let group = folder.path();
        assert_eq!(system::left_to(group), None);
        let counts = "anon 600\ninactive_file 100\nactive_file 50\n";
        for (name, text) in [("memory.current", "1000\n"), ("memory.stat", counts)] {
            write(group.join(name), text).unwrap();
        }
        for (limit, left) in [("max\n", None), ("3000\n", Some(2150)), ("500\n", Some(0))] {
            write(group.join("memory.max"), limit).unwrap();
            assert_eq!(system::left_to(group), left, "{limit}");
        }
    }
}
