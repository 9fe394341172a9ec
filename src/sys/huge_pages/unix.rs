//! Anonymous mappings of Unix systems: zero without being written, and backed on first touch. (The
//! allocator writes the zeros itself where the alignment exceeds its own.)

use std::ptr::{NonNull, null_mut};

/// `bytes` (at least 1) zeroed bytes from the beginning of a page; `None` if refused.
pub(super) fn allocate_zeroed(bytes: usize) -> Option<NonNull<u8>> {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let kind = libc::MAP_PRIVATE | libc::MAP_ANON;
    // SAFETY: a new mapping, placed by the system, touches no memory that anyone else holds.
    let base = unsafe { libc::mmap(null_mut(), bytes, access, kind, -1, 0) };
    if base == libc::MAP_FAILED { None } else { NonNull::new(base.cast()) }
}

/// Releases what was granted.
///
/// # Safety
/// `base` is the result of [`allocate_zeroed`] with as many bytes, not released before, and nobody uses the
/// memory any more.
pub(super) unsafe fn release(base: NonNull<u8>, bytes: usize) {
    // SAFETY: the caller gives up exactly one whole mapping.
    unsafe { libc::munmap(base.as_ptr().cast(), bytes) };
}

/// Asks for huge pages within the range. If the system refuses, small pages remain, which are only
/// slower.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn advise_huge_pages(start: NonNull<u8>, bytes: usize) {
    if bytes >= super::page_size::HUGE_PAGE {
        // SAFETY: this advice changes no contents, whatever memory it is given for.
        unsafe { libc::madvise(start.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn advise_huge_pages(_start: NonNull<u8>, _bytes: usize) {}
