//! Updating accumulators, for any instruction set.

use super::scalar;
use super::simd::Simd;
use crate::nnue::byte_rows::{BLOCK, ByteRows};

/// Updates an accumulator: `to = from + added rows - removed rows`, wrapping. `to` may be `from`.
/// `TILE` vectors are kept in registers while the rows are added. Widths that are no multiple of a
/// vector, which no known network has, use the scalar kernel.
///
/// # Safety
/// The processor supports `S`; `to` and `from` are valid for `width` elements and either equal or
/// disjoint; `rows` holds a row of `width` elements for every index.
#[inline(always)]
pub(super) unsafe fn update<S: Simd, const TILE: usize>(
    to: *mut i16,
    from: *const i16,
    width: usize,
    rows: *const i16,
    added: &[u32],
    removed: &[u32],
) {
    // SAFETY: the callees have the same contract, and vectors divide the width for all but the
    // first.
    unsafe {
        if !width.is_multiple_of(S::BYTES / 2) {
            return scalar::update(to, from, width, rows, added, removed);
        }
        match (added, removed) {
            (&[a], &[r]) => update_few::<S, 1>(to, from, width, rows, [a], [r]),
            (&[a, b], &[r, s]) => update_few::<S, 2>(to, from, width, rows, [a, b], [r, s]),
            _ => update_many::<S, TILE>(to, from, width, rows, added, removed),
        }
    }
}

/// As many rows added as removed, in one pass over the columns.
///
/// # Safety
/// See [`update`], and vectors divide the width.
#[inline(always)]
unsafe fn update_few<S: Simd, const N: usize>(
    to: *mut i16,
    from: *const i16,
    width: usize,
    rows: *const i16,
    added: [u32; N],
    removed: [u32; N],
) {
    // SAFETY: every row and both accumulators have `width` elements, which vectors divide.
    unsafe {
        let mut plus = [rows; N];
        let mut minus = [rows; N];
        for n in 0..N {
            plus[n] = rows.add(added[n] as usize * width);
            minus[n] = rows.add(removed[n] as usize * width);
        }
        let mut at = 0;
        while at < width {
            let mut v = S::load(from.add(at));
            for n in 0..N {
                v = S::add16(v, S::load(plus[n].add(at)));
                v = S::sub16(v, S::load(minus[n].add(at)));
            }
            S::store(to.add(at), v);
            at += S::BYTES / 2;
        }
    }
}

/// Any number of rows, tile by tile.
///
/// # Safety
/// See [`update_few`].
#[inline(always)]
unsafe fn update_many<S: Simd, const TILE: usize>(
    to: *mut i16,
    from: *const i16,
    width: usize,
    rows: *const i16,
    added: &[u32],
    removed: &[u32],
) {
    let lanes = S::BYTES / 2;
    let mut at = 0;
    // SAFETY: tiles of vectors from `at` on lie within the width.
    unsafe {
        while at + TILE * lanes <= width {
            update_tile::<S, TILE>(to.add(at), from.add(at), width, rows.add(at), added, removed);
            at += TILE * lanes;
        }
        while at < width {
            update_tile::<S, 1>(to.add(at), from.add(at), width, rows.add(at), added, removed);
            at += lanes;
        }
    }
}

/// One tile of `TILE` vectors; the pointers are at its first column.
///
/// # Safety
/// See [`update_few`], and the tile lies within the width.
#[inline(always)]
unsafe fn update_tile<S: Simd, const TILE: usize>(
    to: *mut i16,
    from: *const i16,
    width: usize,
    rows: *const i16,
    added: &[u32],
    removed: &[u32],
) {
    let lanes = S::BYTES / 2;
    // SAFETY: the tile lies within both accumulators and within every row.
    unsafe {
        let mut v = [S::zero(); TILE];
        for (n, v) in v.iter_mut().enumerate() {
            *v = S::load(from.add(n * lanes));
        }
        for &row in added {
            let row = rows.add(row as usize * width);
            for (n, v) in v.iter_mut().enumerate() {
                *v = S::add16(*v, S::load(row.add(n * lanes)));
            }
        }
        for &row in removed {
            let row = rows.add(row as usize * width);
            for (n, v) in v.iter_mut().enumerate() {
                *v = S::sub16(*v, S::load(row.add(n * lanes)));
            }
        }
        for (n, v) in v.iter().enumerate() {
            S::store(to.add(n * lanes), *v);
        }
    }
}

/// Pairs of rows, one added and one removed, that one pass takes when there are many.
const MAX_PAIRS: usize = 16;

/// [`update`] with rows in 8 bits.
///
/// # Safety
/// The processor supports `S`; `to` and `from` are valid for the width of the rows and either equal or disjoint;
/// every index is that of a row.
#[inline(always)]
pub(super) unsafe fn update_from_bytes<S: Simd>(
    to: *mut i16,
    from: *const i16,
    rows: &ByteRows,
    added: &[u32],
    removed: &[u32],
) {
    // SAFETY: the rows are those of the indices, and the rest is the contract of the caller.
    unsafe {
        let width = rows.width();
        let row = |index: u32| rows.bytes().as_ptr().add(index as usize * width);
        match (added, removed) {
            (&[a], &[r]) => add_differences::<S>(to, from, width, &[[row(a), row(r)]]),
            (&[a, b], &[r, s]) => {
                add_differences::<S>(to, from, width, &[[row(a), row(r)], [row(b), row(s)]]);
            }
            _ => {
                let zero = row(rows.zero_row() as u32);
                let nth = |list: &[u32], n: usize| list.get(n).map_or(zero, |&index| row(index));
                let count = added.len().max(removed.len());
                let mut from = from;
                // Empty lists copy the accumulator.
                for first in (0..count.max(1)).step_by(MAX_PAIRS) {
                    let pair = |n| [nth(added, first + n), nth(removed, first + n)];
                    let pairs: [_; MAX_PAIRS] = std::array::from_fn(pair);
                    let some = &pairs[..MAX_PAIRS.min(count - first)];
                    add_differences::<S>(to, from, width, some);
                    from = to;
                }
            }
        }
    }
}

/// Adds the first row of each pair and subtracts the second, in one pass over the columns.
///
/// # Safety
/// See [`update_from_bytes`]; the pointers of the pairs are those of rows.
#[inline(always)]
unsafe fn add_differences<S: Simd>(
    to: *mut i16,
    from: *const i16,
    width: usize,
    pairs: &[[*const u8; 2]],
) {
    // SAFETY: every row and both accumulators have `width` columns, which blocks divide and vectors divide blocks.
    unsafe {
        for at in (0..width).step_by(S::BYTES) {
            let low = at / BLOCK * BLOCK + at % BLOCK / 2;
            let high = low + BLOCK / 2;
            let (mut low_sum, mut high_sum) = (S::load(from.add(low)), S::load(from.add(high)));
            for &[plus, minus] in pairs {
                let differences = S::byte_differences(plus.add(at), minus.add(at));
                low_sum = S::add16(low_sum, differences[0]);
                high_sum = S::add16(high_sum, differences[1]);
            }
            S::store(to.add(low), low_sum);
            S::store(to.add(high), high_sum);
        }
    }
}
