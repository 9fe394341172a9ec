//! Prefetching memory into the cache.

/// Hints that the cache line at `address` will soon be read. Any address is allowed: a prefetch never
/// faults and has no visible effect. Does nothing where no instruction is known.
#[inline(always)]
pub fn prefetch<T>(address: *const T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: SSE, which the instruction needs, is part of every x86-64; the instruction
        // accesses nothing in the sense of the language and ignores addresses that are not mapped.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    {
        // SAFETY: PRFM is part of the base instruction set, writes no register, no flag and no
        // memory, and ignores addresses that are not mapped.
        unsafe {
            std::arch::asm!(
                "prfm pldl1keep, [{address}]",
                address = in(reg) address,
                options(nostack, preserves_flags, readonly),
            );
        }
    }
    #[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
    let _ = address;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_address_can_be_prefetched() {
        let line = [1u64; 8];
        prefetch(line.as_ptr());
        prefetch(line.as_ptr().wrapping_add(1 << 40));
        prefetch(std::ptr::null::<u64>());
        assert_eq!(line, [1; 8]);
    }
}
