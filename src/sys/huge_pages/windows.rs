//! Memory committed by Windows: refused at once if there is none, zero, and backed on first touch.
//! (The process heap may write the zeros itself; Wine's does.) Huge pages are not requested: they
//! need a privilege that users do not have.

use std::ffi::c_void;
use std::ptr::{NonNull, null_mut};

const MEM_COMMIT: u32 = 0x1000;
const MEM_RESERVE: u32 = 0x2000;
const MEM_RELEASE: u32 = 0x8000;
const PAGE_READWRITE: u32 = 4;

#[link(name = "kernel32")]
unsafe extern "system" {
    fn VirtualAlloc(address: *mut c_void, size: usize, kind: u32, access: u32) -> *mut c_void;
    fn VirtualFree(address: *mut c_void, size: usize, kind: u32) -> i32;
}

/// `bytes` (at least 1) zeroed bytes from the beginning of a page; `None` if refused.
pub(super) fn allocate_zeroed(bytes: usize) -> Option<NonNull<u8>> {
    // SAFETY: a new region, placed by the system, touches no memory that anyone else holds.
    let base = unsafe { VirtualAlloc(null_mut(), bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE) };
    NonNull::new(base.cast())
}

/// Releases what was granted.
///
/// # Safety
/// `base` is the result of [`allocate_zeroed`], not released before, and nobody uses the memory any more.
pub(super) unsafe fn release(base: NonNull<u8>, _bytes: usize) {
    // SAFETY: the caller gives up one whole region; its size is to be given as 0.
    unsafe { VirtualFree(base.as_ptr().cast(), 0, MEM_RELEASE) };
}

pub(super) fn advise_huge_pages(_start: NonNull<u8>, _bytes: usize) {}
