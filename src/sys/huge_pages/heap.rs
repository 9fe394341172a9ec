//! Memory from the global allocator, for systems without a module of their own (WebAssembly and
//! others).

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;

use super::page_size::SMALL_PAGE;

/// `bytes` (at least 1) zeroed bytes from the beginning of a page; `None` if refused.
pub(super) fn allocate_zeroed(bytes: usize) -> Option<NonNull<u8>> {
    let layout = Layout::from_size_align(bytes.max(1), SMALL_PAGE).ok()?;
    // SAFETY: the layout is not empty.
    NonNull::new(unsafe { alloc_zeroed(layout) })
}

/// Releases what was granted.
///
/// # Safety
/// `base` is the result of [`allocate_zeroed`] with as many bytes, not released before, and nobody uses the
/// memory any more.
pub(super) unsafe fn release(base: NonNull<u8>, bytes: usize) {
    // SAFETY: the allocation showed that this is a layout, and allocated `base` with it.
    unsafe {
        let layout = Layout::from_size_align_unchecked(bytes.max(1), SMALL_PAGE);
        dealloc(base.as_ptr(), layout);
    }
}

#[cfg_attr(test, allow(dead_code, reason = "tests on other systems use only the grants"))]
pub(super) fn advise_huge_pages(_start: NonNull<u8>, _bytes: usize) {}
