//! The two sizes of pages that matter here.

/// Alignment of small regions: the smallest page in use.
pub(super) const SMALL_PAGE: usize = 4 << 10;
/// Alignment of regions of at least this size, so that the system can back them with huge pages:
/// random access then misses the TLB far less often.
pub(super) const HUGE_PAGE: usize = 2 << 20;
