//! Finding the groups of four inputs that are not all zero, eight at a time, by a table.

use super::simd::Simd;

/// For eight bits: the indices of those that are set, and how many.
static SET_BITS: [([u16; 8], u8); 256] = set_bits();

const fn set_bits() -> [([u16; 8], u8); 256] {
    let mut table = [([0; 8], 0); 256];
    let mut bits = 0;
    while bits < 256 {
        let mut bit = 0;
        while bit < 8 {
            if bits >> bit & 1 == 1 {
                table[bits].0[table[bits].1 as usize] = bit;
                table[bits].1 += 1;
            }
            bit += 1;
        }
        bits += 1;
    }
    table
}

/// As [`Simd::list_groups`].
#[inline(always)]
pub(super) unsafe fn list_by_table<S: Simd + ?Sized>(
    from: *const u8,
    bytes: usize,
    list: *mut u16,
) -> usize {
    let mut count = 0;
    let mut at = 0;
    while at < bytes {
        let (bits, set) = &SET_BITS[S::nonzero_groups(from.add(at)) & 0xFF];
        let first = (at / 4) as u16;
        let mut indices = *bits;
        for index in &mut indices {
            *index = index.wrapping_add(first);
        }
        list.add(count).cast::<[u16; 8]>().write_unaligned(indices);
        count += usize::from(*set);
        at += 32;
    }
    count
}
