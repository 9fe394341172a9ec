//! Memory from the global allocator, for regions smaller than a page, and for systems without a module of
//! their own (WebAssembly and others).

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;

use super::page_size::{CACHE_LINE, SMALL_PAGE};

/// Size and alignment for `bytes`: whole cache lines, which no other memory shares, or from the beginning
/// of a page.
const fn shape(bytes: usize) -> (usize, usize) {
    if bytes < SMALL_PAGE {
        (bytes.next_multiple_of(CACHE_LINE), CACHE_LINE)
    } else {
        (bytes, SMALL_PAGE)
    }
}

/// `bytes` (at least 1) zeroed bytes from the beginning of a cache line, or of a page if they fill one; `None`
/// if refused.
pub(super) fn allocate_zeroed(bytes: usize) -> Option<NonNull<u8>> {
    let (size, alignment) = shape(bytes.max(1));
    let layout = Layout::from_size_align(size, alignment).ok()?;
    // SAFETY: the layout is not empty.
    NonNull::new(unsafe { alloc_zeroed(layout) })
}

/// Releases what was granted.
///
/// # Safety
/// `base` is the result of [`allocate_zeroed`] with as many bytes, not released before, and nobody uses the
/// memory any more.
pub(super) unsafe fn release(base: NonNull<u8>, bytes: usize) {
    let (size, alignment) = shape(bytes.max(1));
    // SAFETY: the allocation showed that this is a layout, and allocated `base` with it.
    unsafe {
        let layout = Layout::from_size_align_unchecked(size, alignment);
        dealloc(base.as_ptr(), layout);
    }
}

#[cfg(any(miri, not(any(unix, windows))))]
pub(super) fn advise_huge_pages(_start: NonNull<u8>, _bytes: usize) {}
