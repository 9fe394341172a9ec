//! The alignments of regions by their size.

/// Alignment of regions smaller than a page: a cache line.
pub(super) const CACHE_LINE: usize = 64;
/// Alignment of regions of at least this size: the smallest page in use.
pub(super) const SMALL_PAGE: usize = 4 << 10;
/// Alignment of regions of at least this size, so that the system can back them with huge pages:
/// random access then misses the TLB far less often.
pub(super) const HUGE_PAGE: usize = 2 << 20;
