//! Zeroed bytes, aligned and released on drop: less than a page from the heap, all else from the system.

use std::ptr::NonNull;

use super::heap;
#[cfg(any(miri, not(any(unix, windows))))]
use super::heap as system;
use super::page_size::{HUGE_PAGE, SMALL_PAGE};
#[cfg(all(unix, not(miri)))]
use super::unix as system;
#[cfg(all(windows, not(miri)))]
use super::windows as system;

/// The alignment of the start of a region of `bytes`, at least a page.
const fn alignment(bytes: usize) -> usize {
    if bytes >= HUGE_PAGE { HUGE_PAGE } else { SMALL_PAGE }
}

/// Bytes granted by the heap or the system, released on drop.
pub(super) struct Region {
    base: NonNull<u8>,
    granted: usize,
    /// The first aligned address.
    start: NonNull<u8>,
}

impl Region {
    /// `bytes` (at least 1) zeroed bytes, aligned to a cache line, or as [`alignment`] says if they fill a page;
    /// `None` if refused.
    pub(super) fn zeroed(bytes: usize) -> Option<Region> {
        // The layers of a network are thousands of small regions, which would take a page each.
        if bytes < SMALL_PAGE {
            let base = heap::allocate_zeroed(bytes)?;
            return Some(Region { base, granted: bytes, start: base });
        }
        // Systems align to their own small page only. The slack needed to reach a huge page is never
        // touched, so it costs addresses but no memory.
        let slack = if bytes >= HUGE_PAGE { HUGE_PAGE } else { 0 };
        let granted = bytes.checked_add(slack)?;
        let base = system::allocate_zeroed(granted)?;
        let offset = base.align_offset(alignment(bytes));
        // SAFETY: the offset is less than the alignment, so it is within `slack`, or 0 where there
        // is none because every grant begins at a small page.
        let start = unsafe { base.add(offset) };
        system::advise_huge_pages(start, bytes);
        Some(Region { base, granted, start })
    }

    #[inline(always)]
    pub(super) fn start(&self) -> NonNull<u8> {
        self.start
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: exactly what was granted, given back once to where it came from, which the size tells; nobody
        // holds a reference into it, since references borrow the owner of the region.
        unsafe {
            if self.granted < SMALL_PAGE {
                heap::release(self.base, self.granted);
            } else {
                system::release(self.base, self.granted);
            }
        }
    }
}
