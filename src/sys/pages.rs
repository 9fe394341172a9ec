//! Zeroed, page-aligned memory for big tables, owned and typed.
//!
//! Owns the promise that the elements in such memory are valid and reached by the owner only; where
//! the bytes come from is the business of the child modules. It must not know what a table is for.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use bytemuck::Zeroable;

mod region;

#[cfg(any(test, miri, not(any(unix, windows))))]
mod heap;
#[cfg(all(unix, not(miri)))]
mod unix;
#[cfg(all(windows, not(miri)))]
mod windows;

#[cfg(any(miri, not(any(unix, windows))))]
use heap as system;
#[cfg(all(unix, not(miri)))]
use unix as system;
#[cfg(all(windows, not(miri)))]
use windows as system;

use region::Region;

/// Alignment of small regions: the smallest page in use.
const SMALL_PAGE: usize = 4 << 10;
/// Alignment of regions of at least this size, so that the system may back them with pages as big:
/// random access then misses the translation cache far less often.
const HUGE_PAGE: usize = 2 << 20;

/// A fixed number of `T`, all zero at first, starting at a page of 4 KiB, or of 2 MiB if the whole
/// is as large as that. On systems that back memory only when it is first touched, creating
/// takes no time and no memory.
///
/// ```
/// use kawasemi::sys::Pages;
/// let mut table = Pages::<u32>::zeroed(1 << 20).unwrap();
/// assert!(table.iter().all(|&word| word == 0));
/// table[7] = 1;
/// assert!(Pages::<u32>::zeroed(usize::MAX / 8).is_err());
/// ```
pub struct Pages<T> {
    region: Region,
    len: usize,
    owned: PhantomData<T>,
}

// SAFETY: `Pages` owns its memory alone and reaches it only as `[T]`, so it may go and be shared
// wherever a `Box<[T]>` may.
unsafe impl<T: Send> Send for Pages<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Pages<T> {}

impl<T: Zeroable> Pages<T> {
    /// Memory for `len` elements, all zero.
    ///
    /// # Errors
    /// [`MemoryRefused`] if the system does not grant it, however large the request is.
    pub fn zeroed(len: usize) -> Result<Pages<T>, MemoryRefused> {
        const {
            assert!(align_of::<T>() <= SMALL_PAGE);
            assert!(!std::mem::needs_drop::<T>(), "the elements are never dropped");
        }
        let bytes = len.saturating_mul(size_of::<T>());
        let refused = MemoryRefused { bytes };
        if bytes > isize::MAX as usize {
            return Err(refused);
        }
        let region = Region::zeroed(bytes.max(1)).ok_or(refused)?;
        Ok(Pages { region, len, owned: PhantomData })
    }
}

impl<T> Deref for Pages<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the region holds `len * size_of::<T>()` bytes that are aligned for `T`, lives as
        // long as `self` and is reached through `self` only. It was zeroed, which `T: Zeroable`
        // makes valid elements, and has been written as `T` only since.
        unsafe { std::slice::from_raw_parts(self.region.start().cast::<T>().as_ptr(), self.len) }
    }
}

impl<T> DerefMut for Pages<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`; `&mut self` makes the access exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.region.start().cast().as_ptr(), self.len) }
    }
}

impl<T> fmt::Debug for Pages<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pages").field("len", &self.len).finish_non_exhaustive()
    }
}

/// The system did not grant the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryRefused {
    /// What was asked for (`usize::MAX` if that number does not exist).
    pub bytes: usize,
}

impl fmt::Display for MemoryRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the system refused {} bytes of memory", self.bytes)
    }
}

impl std::error::Error for MemoryRefused {}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    const PIB: usize = 1 << 50;

    #[test]
    fn fresh_pages_are_zero_and_keep_what_is_written() {
        for len in [1, 511, 512, 1 << 18, (1 << 18) + 1] {
            let mut pages = Pages::<u64>::zeroed(len).unwrap();
            assert_eq!(pages.len(), len);
            assert!(pages.iter().all(|&word| word == 0), "{len}");
            pages.fill(7);
            assert!(pages.iter().all(|&word| word == 7), "{len}");
        }
    }

    #[test]
    fn pages_begin_at_a_page_and_large_ones_at_a_huge_page() {
        for bytes in [1, 100, 1 << 20, HUGE_PAGE - 1, HUGE_PAGE, HUGE_PAGE + 1, 5 << 20] {
            let pages = Pages::<u8>::zeroed(bytes).unwrap();
            let page = if bytes < HUGE_PAGE { 4096 } else { 2 << 20 };
            assert_eq!(pages.as_ptr().addr() % page, 0, "{bytes}");
        }
    }

    #[test]
    fn no_elements_are_an_empty_slice() {
        assert!(Pages::<u64>::zeroed(0).unwrap().is_empty());
    }

    #[test]
    fn absurd_requests_are_an_error_and_no_abort() {
        assert_eq!(Pages::<u8>::zeroed(PIB).unwrap_err(), MemoryRefused { bytes: PIB });
        for len in [isize::MAX as usize / 8, usize::MAX / 8, usize::MAX] {
            let bytes = len.saturating_mul(8);
            assert_eq!(Pages::<u64>::zeroed(len).unwrap_err(), MemoryRefused { bytes });
        }
    }

    /// In sum more than the 128 TiB that a process can address there, so that a leak is noticed.
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    #[test]
    fn memory_that_was_given_back_is_granted_again() {
        for _ in 0..150_000 {
            Pages::<u8>::zeroed(1 << 30).unwrap();
        }
    }

    #[test]
    fn threads_share_pages_of_atomics() {
        let pages = Pages::<AtomicU64>::zeroed(1000).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| pages.iter().for_each(|n| _ = n.fetch_add(1, Ordering::Relaxed)));
            }
        });
        assert!(pages.iter().all(|n| n.load(Ordering::Relaxed) == 4));
    }

    #[test]
    fn the_heap_serves_where_nothing_better_is_known() {
        for bytes in [1, HUGE_PAGE, 3 << 20] {
            let base = heap::grant(bytes).unwrap();
            assert_eq!(base.addr().get() % SMALL_PAGE, 0);
            // SAFETY: as many bytes were granted, zeroed, and are released only below.
            let slice = unsafe { std::slice::from_raw_parts(base.as_ptr(), bytes) };
            assert!(slice.iter().all(|&byte| byte == 0));
            // SAFETY: granted above, with as many bytes, and no longer used.
            unsafe { heap::release(base, bytes) };
        }
        for bytes in [PIB, isize::MAX as usize, usize::MAX] {
            // Seen by nobody, an allocation may be left out by the compiler and count as granted.
            assert!(std::hint::black_box(heap::grant(bytes)).is_none());
        }
    }
}
