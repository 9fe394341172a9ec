//! Zeroed memory as a slice of one type.
//!
//! Guarantees that the elements are valid and that only the owner reaches them.

use std::fmt;
use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use bytemuck::Zeroable;

use super::page_size::CACHE_LINE;
use super::region::Region;
use crate::types::message::{Message, message};

/// A fixed number of `T`, all zero at first. Starts at a cache line of 64 bytes, at a page of 4 KiB if the whole
/// is at least that large, or at one of 2 MiB. Creation takes no time on systems that back memory on first touch.
///
/// ```
/// use kawasemi::sys::HugePages;
/// let mut table = HugePages::<u32>::zeroed(1 << 20).unwrap();
/// assert!(table.iter().all(|&word| word == 0));
/// table[7] = 1;
/// assert!(HugePages::<u32>::zeroed(usize::MAX / 8).is_err());
/// ```
pub struct HugePages<T> {
    region: Region,
    len: usize,
    owned: PhantomData<T>,
}

// SAFETY: `HugePages` alone owns its memory and reaches it only as `[T]`, so it may be sent and
// shared wherever a `Box<[T]>` may.
unsafe impl<T: Send> Send for HugePages<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for HugePages<T> {}

impl<T: Zeroable> HugePages<T> {
    /// Memory for `len` elements, all zero.
    ///
    /// # Errors
    /// [`AllocationError`] if the system does not grant it, however large the request is.
    pub fn zeroed(len: usize) -> Result<HugePages<T>, AllocationError> {
        const {
            assert!(align_of::<T>() <= CACHE_LINE);
            assert!(!std::mem::needs_drop::<T>(), "the elements are never dropped");
        }
        let bytes = len.saturating_mul(size_of::<T>());
        let refused = AllocationError { bytes };
        if bytes > isize::MAX as usize {
            return Err(refused);
        }
        let region = Region::zeroed(bytes.max(1)).ok_or(refused)?;
        Ok(HugePages { region, len, owned: PhantomData })
    }
}

impl<T> Deref for HugePages<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the region holds `len * size_of::<T>()` bytes that are aligned for `T`, lives as
        // long as `self` and is reached through `self` only. It was zeroed, which `T: Zeroable`
        // makes valid elements, and has been written as `T` only since.
        unsafe { std::slice::from_raw_parts(self.region.start().cast::<T>().as_ptr(), self.len) }
    }
}

impl<T> DerefMut for HugePages<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`; `&mut self` makes the access exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.region.start().cast().as_ptr(), self.len) }
    }
}

impl<T> fmt::Debug for HugePages<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HugePages").field("len", &self.len).finish_non_exhaustive()
    }
}

/// The system did not grant the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllocationError {
    /// The size of the request (`usize::MAX` if it does not fit).
    pub bytes: usize,
}

impl AllocationError {
    /// The error in every language.
    pub fn message(&self) -> Message {
        let bytes = self.bytes;
        match bytes >> 20 {
            0 => message!(
                "the system refused {bytes} bytes of memory",
                "メモリを{bytes}バイト確保できません"
            ),
            mebibytes => message!(
                "the system refused {mebibytes} MiB of memory",
                "メモリを{mebibytes} MiB確保できません"
            ),
        }
    }
}

impl fmt::Display for AllocationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for AllocationError {}

impl From<AllocationError> for io::Error {
    fn from(refused: AllocationError) -> io::Error {
        io::Error::new(io::ErrorKind::OutOfMemory, refused.message())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::super::heap;
    use super::super::page_size::{HUGE_PAGE, SMALL_PAGE};
    use super::*;

    const PIB: usize = 1 << 50;

    #[test]
    fn fresh_pages_are_zero_and_keep_what_is_written() {
        for len in [1, 511, 512, 1 << 18, (1 << 18) + 1] {
            let mut pages = HugePages::<u64>::zeroed(len).unwrap();
            assert_eq!(pages.len(), len);
            assert!(pages.iter().all(|&word| word == 0), "{len}");
            pages.fill(7);
            assert!(pages.iter().all(|&word| word == 7), "{len}");
        }
    }

    #[test]
    fn buffers_begin_at_a_cache_line_a_page_or_a_huge_page_by_their_size() {
        let large = [1 << 20, HUGE_PAGE - 1, HUGE_PAGE, HUGE_PAGE + 1, 5 << 20];
        for bytes in [1, 100, SMALL_PAGE - 1, SMALL_PAGE].into_iter().chain(large) {
            let pages = HugePages::<u8>::zeroed(bytes).unwrap();
            let alignment = match bytes {
                ..SMALL_PAGE => 64,
                SMALL_PAGE..HUGE_PAGE => 4096,
                _ => 2 << 20,
            };
            assert_eq!(pages.as_ptr().addr() % alignment, 0, "{bytes}");
        }
    }

    /// Regression: each took a page, and a network of small layers eighty times the memory of its file.
    #[cfg(not(miri))]
    #[test]
    fn small_buffers_share_pages() {
        let buffers: Vec<_> = (0..256).map(|_| HugePages::<u8>::zeroed(64).unwrap()).collect();
        let page = |buffer: &HugePages<u8>| buffer.as_ptr().addr() / SMALL_PAGE;
        let pages: std::collections::HashSet<usize> = buffers.iter().map(page).collect();
        // Those that fill gaps in the heap are alone in their pages.
        assert!(pages.len() < buffers.len());
    }

    #[test]
    fn no_elements_are_an_empty_slice() {
        assert!(HugePages::<u64>::zeroed(0).unwrap().is_empty());
    }

    #[test]
    fn absurd_requests_are_an_error_and_no_abort() {
        assert_eq!(HugePages::<u8>::zeroed(PIB).unwrap_err(), AllocationError { bytes: PIB });
        for len in [isize::MAX as usize / 8, usize::MAX / 8, usize::MAX] {
            let bytes = len.saturating_mul(8);
            assert_eq!(HugePages::<u64>::zeroed(len).unwrap_err(), AllocationError { bytes });
        }
    }

    /// In sum more than the 128 TiB that a process can address there, so that a leak is noticed.
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    #[test]
    fn memory_that_was_given_back_is_granted_again() {
        for _ in 0..150_000 {
            HugePages::<u8>::zeroed(1 << 30).unwrap();
        }
    }

    #[test]
    fn threads_share_pages_of_atomics() {
        let pages = HugePages::<AtomicU64>::zeroed(1000).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| pages.iter().for_each(|n| _ = n.fetch_add(1, Ordering::Relaxed)));
            }
        });
        assert!(pages.iter().all(|n| n.load(Ordering::Relaxed) == 4));
    }

    #[test]
    fn the_heap_serves_where_nothing_better_is_known() {
        for bytes in [1, 100, SMALL_PAGE, 3 << 20] {
            let base = heap::allocate_zeroed(bytes).unwrap();
            let alignment = if bytes < SMALL_PAGE { CACHE_LINE } else { SMALL_PAGE };
            assert_eq!(base.addr().get() % alignment, 0);
            // SAFETY: as many bytes were granted, zeroed, and are released only below.
            let slice = unsafe { std::slice::from_raw_parts(base.as_ptr(), bytes) };
            assert!(slice.iter().all(|&byte| byte == 0));
            // SAFETY: granted above, with as many bytes, and no longer used.
            unsafe { heap::release(base, bytes) };
        }
        for bytes in [PIB, isize::MAX as usize, usize::MAX] {
            // The compiler may remove an allocation that is not used, and treat it as granted.
            assert!(std::hint::black_box(heap::allocate_zeroed(bytes)).is_none());
        }
    }
}
