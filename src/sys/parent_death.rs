//! Child processes that end with this process, even if it is killed.

use std::io;
use std::process::{Child, Command};

/// Starts a process that is killed when this one ends (on Linux and Android; on Windows with its children).
/// On other systems it only reads the end of its input then.
///
/// # Errors
/// If the system cannot start it, or refuses a thread.
pub fn spawn_child(command: Command) -> io::Result<Child> {
    system::spawn(command)
}

#[cfg(any(target_os = "android", target_os = "linux"))]
mod system {
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command, id};
    use std::sync::OnceLock;
    use std::thread;

    use crossbeam::channel::{Sender, bounded, unbounded};

    use super::super::refused_thread;

    /// A command, and the channel for its process.
    type SpawnRequest = (Command, Sender<io::Result<Child>>);

    /// The system kills a child when the thread that started it ends, so one thread, which lives as long as
    /// the process, starts all.
    static SPAWNER: OnceLock<Sender<SpawnRequest>> = OnceLock::new();

    pub(super) fn spawn(mut command: Command) -> io::Result<Child> {
        end_with_parent(&mut command);
        let (sender, child) = bounded(1);
        let gone = || io::Error::other("the thread that starts processes is gone");
        spawner()?.send((command, sender)).map_err(|_| gone())?;
        child.recv().map_err(|_| gone())?
    }

    fn spawner() -> io::Result<&'static Sender<SpawnRequest>> {
        if let Some(spawner) = SPAWNER.get() {
            return Ok(spawner);
        }
        let (sender, requests) = unbounded::<SpawnRequest>();
        let work = move || {
            for (mut command, child) in requests {
                // The caller may be gone; the process then reads the end of its input.
                let _ = child.send(command.spawn());
            }
        };
        thread::Builder::new().name("spawner".into()).spawn(work).map_err(refused_thread)?;
        // If another thread was faster, this one ends with its sender.
        Ok(SPAWNER.get_or_init(|| sender))
    }

    fn end_with_parent(command: &mut Command) {
        let parent = id();
        let set_death_signal = move || {
            // The C function reads an `unsigned long`.
            let signal = libc::SIGKILL as libc::c_ulong;
            // SAFETY: the call touches no memory.
            if unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, signal) } != 0 {
                return Err(io::Error::last_os_error());
            }
            // The parent may have ended before: another process is then the parent.
            // SAFETY: the call touches no memory.
            let now = unsafe { libc::getppid() };
            if u32::try_from(now) == Ok(parent) {
                Ok(())
            } else {
                Err(io::ErrorKind::BrokenPipe.into())
            }
        };
        // SAFETY: between fork and exec the closure only makes two system calls, and allocates nothing.
        unsafe { command.pre_exec(set_death_signal) };
    }
}

#[cfg(windows)]
mod system {
    use std::ffi::c_void;
    use std::io;
    use std::process::{Child, Command};
    use std::ptr::null;
    use std::sync::Once;

    const EXTENDED_LIMIT_INFORMATION: i32 = 9;
    const KILL_ON_JOB_CLOSE: u32 = 0x2000;

    /// `JOBOBJECT_EXTENDED_LIMIT_INFORMATION`.
    #[repr(C)]
    #[derive(Default)]
    struct Limits {
        times: [i64; 2],
        flags: u32,
        working_set: [usize; 2],
        processes: u32,
        affinity: usize,
        priority_class: u32,
        scheduling_class: u32,
        io_counters: [u64; 6],
        memory: [usize; 4],
    }

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn CreateJobObjectW(attributes: *const c_void, name: *const u16) -> *mut c_void;
        fn SetInformationJobObject(
            job: *mut c_void,
            class: i32,
            information: *const Limits,
            length: u32,
        ) -> i32;
        fn AssignProcessToJobObject(job: *mut c_void, process: *mut c_void) -> i32;
        fn GetCurrentProcess() -> *mut c_void;
        fn CloseHandle(object: *mut c_void) -> i32;
    }

    static JOINED: Once = Once::new();

    pub(super) fn spawn(mut command: Command) -> io::Result<Child> {
        JOINED.call_once(join_job);
        command.spawn()
    }

    /// Puts this process into a job whose only handle it has. Children are in the job from their
    /// beginning, and the system kills them when the handle is closed by the end of this process. An
    /// error means that they read only the end of their input.
    fn join_job() {
        // SAFETY: neither attributes nor a name are given.
        let job = unsafe { CreateJobObjectW(null(), null()) };
        if job.is_null() {
            return;
        }
        let limits = Limits { flags: KILL_ON_JOB_CLOSE, ..Limits::default() };
        // SAFETY: `Limits` has the layout of the structure of this class, and its size is stated; the
        // handles are of the job made above and the pseudo handle of this process.
        let joined = unsafe {
            SetInformationJobObject(
                job,
                EXTENDED_LIMIT_INFORMATION,
                &limits,
                size_of::<Limits>() as u32,
            ) != 0
                && AssignProcessToJobObject(job, GetCurrentProcess()) != 0
        };
        // A job that this process is in stays open until its end.
        if !joined {
            // SAFETY: the handle is of the job made above, and is used no more.
            unsafe { CloseHandle(job) };
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_structure_has_the_size_that_the_system_expects() {
            let expected = if cfg!(target_pointer_width = "64") { 144 } else { 112 };
            assert_eq!(size_of::<Limits>(), expected);
        }
    }
}

#[cfg(not(any(target_os = "android", target_os = "linux", windows)))]
mod system {
    use std::io;
    use std::process::{Child, Command};

    pub(super) fn spawn(mut command: Command) -> io::Result<Child> {
        command.spawn()
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::Stdio;
    use std::thread;

    use super::*;

    /// The system treats the end of the starting thread as the end of the parent.
    #[test]
    fn a_child_outlives_the_thread_that_started_it() {
        let mut command = Command::new("sh");
        command.args(["-c", "read line; exit 7"]).stdin(Stdio::piped());
        let mut child = thread::spawn(|| spawn_child(command)).join().unwrap().unwrap();
        drop(child.stdin.take());
        assert_eq!(child.wait().unwrap().code(), Some(7));
    }
}
