//! What the kernels ask of an instruction set: vectors of bytes, read as 8-, 16- or 32-bit lanes.
//!
//! Every function is a handful of instructions, always inlined, so that a whole forward pass becomes
//! one function of that instruction set. Lanes are in memory order throughout.

/// One instruction set.
///
/// All functions are for processors that have it; pointers must be good for the bytes read or
/// written, and need no alignment.
pub(super) trait Simd {
    type V: Copy;

    /// Bytes of a vector.
    const BYTES: usize;
    /// 32-bit lanes of a vector.
    const LANES: usize = Self::BYTES / 4;
    /// Whether [`Simd::dot_pair`] is faster than two of [`Simd::dot`]. Only where two vectors are no
    /// longer than a block of a row.
    const PAIRS: bool = false;

    /// From what share of groups of inputs that are not zero on, in percent, a first layer is faster
    /// when every weight is read, in rows, than when the groups are listed and read one by one.
    /// Measured.
    fn rows_pay_from(outputs: usize) -> usize;

    unsafe fn zero() -> Self::V;
    unsafe fn load<T>(from: *const T) -> Self::V;
    unsafe fn store<T>(to: *mut T, v: Self::V);
    /// The four bytes at `from` in every 32-bit lane.
    unsafe fn splat_group(from: *const u8) -> Self::V;

    unsafe fn add16(a: Self::V, b: Self::V) -> Self::V;
    unsafe fn sub16(a: Self::V, b: Self::V) -> Self::V;
    /// 16-bit lanes of `a`, then of `b`, clamped to 0..=127, as bytes.
    unsafe fn clip16(a: Self::V, b: Self::V) -> Self::V;
    /// For 16-bit lanes, both clamped to 0..=127: the product, shifted right by 7.
    unsafe fn product16(a: Self::V, b: Self::V) -> Self::V;

    unsafe fn add32(a: Self::V, b: Self::V) -> Self::V;
    /// 32-bit lanes shifted right by 6 (rounding down), clamped to 0..=127.
    unsafe fn clip32(v: Self::V) -> Self::V;
    /// For 32-bit lanes: the square, shifted right by 19, at most 127; exact for every value.
    unsafe fn square32(v: Self::V) -> Self::V;
    /// 32-bit lanes of 0..=127, as `LANES` bytes.
    unsafe fn store_bytes(to: *mut u8, v: Self::V);
    /// `LANES` bytes as 32-bit lanes.
    unsafe fn load_bytes(from: *const i8) -> Self::V;
    /// For 32-bit lanes: the product of 0..=127 and -128..=127.
    unsafe fn small_product(a: Self::V, b: Self::V) -> Self::V;

    /// To each 32-bit lane of `sum` is added, wrapping: the sum of four products of bytes of 0..=127
    /// and signed bytes. (Two such products fit 16 bits, so that no step of any way to do it
    /// saturates.)
    unsafe fn dot(sum: Self::V, bytes: Self::V, weights: Self::V) -> Self::V;
    /// [`Simd::dot`] of two vectors of bytes, each with its weights, for layers whose products [add
    /// up in 16 bits](crate::nnue::affine_layer::AffineLayer::adds_in_16_bits).
    #[inline(always)]
    unsafe fn dot_pair(sum: Self::V, bytes: [Self::V; 2], weights: [Self::V; 2]) -> Self::V {
        let sum = Self::dot(sum, bytes[0], weights[0]);
        Self::dot(sum, bytes[1], weights[1])
    }
    /// The wrapping sum of the 32-bit lanes.
    unsafe fn sum32(v: Self::V) -> i32;
    /// The wrapping sums of the 32-bit lanes of eight vectors, plus the biases at `bias`, to the
    /// first eight `i32` at `to`; up to sixteen may be read and written.
    unsafe fn store_sums8(to: *mut i32, bias: *const i32, v: &[Self::V; 8]);
    /// The same for sixteen vectors, which are asked for only where a vector holds sixteen sums.
    #[inline(always)]
    unsafe fn store_sums16(to: *mut i32, bias: *const i32, v: &[Self::V; 16]) {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = *v;
        Self::store_sums8(to, bias, &[a, b, c, d, e, f, g, h]);
        Self::store_sums8(to.add(8), bias.add(8), &[i, j, k, l, m, n, o, p]);
    }

    /// One bit for each of the eight groups of four bytes at `from`: whether it is not zero. Bytes
    /// are at most 127.
    unsafe fn nonzero_groups(from: *const u8) -> usize;
    /// Writes to `list` which of the groups of four bytes at `from` are not zero, and returns how
    /// many; `bytes` is a multiple of 64. Up to sixteen more elements may be written.
    #[inline(always)]
    unsafe fn list_groups(from: *const u8, bytes: usize, list: *mut u16) -> usize {
        super::groups::list_by_table::<Self>(from, bytes, list)
    }
}

/// One of three figures: for up to 8 outputs, up to 16, and more.
#[inline(always)]
pub(super) const fn by_outputs(outputs: usize, figures: [usize; 3]) -> usize {
    match outputs {
        0..=8 => figures[0],
        9..=16 => figures[1],
        _ => figures[2],
    }
}
