//! Distributes jobs over threads.

use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::sys::in_processor_group;

/// Runs all jobs on `threads` threads, which take the next job when they are free. If the system refuses a thread,
/// this one takes jobs too. Results are deterministic if no job depends on another.
pub(super) fn for_each<T: Send>(threads: usize, jobs: Vec<T>, work: impl Fn(T) + Sync) {
    for_each_with(&thread::Builder::new, threads, jobs, work);
}

/// [`for_each`] with another thread builder.
fn for_each_with<T: Send>(
    builder: &dyn Fn() -> thread::Builder,
    threads: usize,
    jobs: Vec<T>,
    work: impl Fn(T) + Sync,
) {
    let threads = threads.min(jobs.len());
    if threads <= 1 {
        return jobs.into_iter().for_each(work);
    }
    let jobs = Mutex::new(jobs.into_iter());
    let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work_all = || {
        while let Some(job) = next() {
            work(job);
        }
    };
    thread::scope(|scope| {
        for index in 0..threads {
            let started = builder().spawn_scoped(scope, in_processor_group(index, work_all));
            if started.is_err() {
                return work_all();
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_job_is_done_once() {
        for (threads, jobs) in [(1, 5), (3, 100), (8, 2), (2, 0)] {
            let mut done = vec![0; jobs];
            for_each(threads, done.iter_mut().collect(), |done: &mut i32| *done += 1);
            assert_eq!(done, vec![1; jobs]);
        }
    }

    /// Regression: the trainer panicked.
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    #[test]
    fn every_job_is_done_once_even_if_the_system_refuses_threads() {
        use std::sync::atomic::{AtomicUsize, Ordering};

        for granted in [0, 2] {
            let asked = AtomicUsize::new(0);
            let builder = || match asked.fetch_add(1, Ordering::Relaxed) {
                number if number < granted => thread::Builder::new(),
                // More memory than a process can address.
                _ => thread::Builder::new().stack_size(1 << 60),
            };
            let mut done = vec![0; 100];
            let jobs: Vec<&mut i32> = done.iter_mut().collect();
            for_each_with(&builder, 4, jobs, |done: &mut i32| *done += 1);
            assert_eq!(done, vec![1; 100]);
        }
    }
}
