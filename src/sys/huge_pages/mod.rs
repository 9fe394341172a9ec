//! Zeroed, page-aligned memory for big tables, backed by huge pages where the system has them.

mod buffer;
#[cfg(any(test, miri, not(any(unix, windows))))]
mod heap;
mod page_size;
mod region;
#[cfg(all(unix, not(miri)))]
mod unix;
#[cfg(all(windows, not(miri)))]
mod windows;

pub use buffer::{AllocationError, HugePages};
