//! A table for finding the nonzero groups of inputs, eight at a time.

/// For each byte: the indices of its set bits, and their number.
pub(super) static SET_BITS: [([u16; 8], u8); 256] = set_bits();

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
