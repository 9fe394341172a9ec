//! Distributes jobs over threads.

use std::sync::{Mutex, PoisonError};

use crate::sys::in_processor_group;

/// Runs all jobs on `threads` threads, which take the next job when they are free. Results are
/// deterministic if no job depends on another.
pub(super) fn for_each<T: Send>(threads: usize, jobs: Vec<T>, work: impl Fn(T) + Sync) {
    let threads = threads.min(jobs.len());
    if threads <= 1 {
        return jobs.into_iter().for_each(work);
    }
    let jobs = Mutex::new(jobs.into_iter());
    let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
    std::thread::scope(|scope| {
        for index in 0..threads {
            scope.spawn(in_processor_group(index, || {
                while let Some(job) = next() {
                    work(job);
                }
            }));
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
}
