//! Zeroed, aligned memory for tables, backed by huge pages where it is large and the system has them.

mod buffer;
mod heap;
mod page_size;
mod region;
#[cfg(all(unix, not(miri)))]
mod unix;
#[cfg(all(windows, not(miri)))]
mod windows;

pub use buffer::{AllocationError, HugePages};
