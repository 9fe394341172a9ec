//! Accumulators brought up to date: rows added and removed, for any instruction set.

use super::scalar;
use super::simd::Simd;

/// `to = from + rows of added - rows of removed`, wrapping. `to` may be `from`. `TILE` vectors are
/// held in registers while the rows are gone through. Widths that are no whole number of vectors, which
/// no net in use has, are left to the scalar kernel.
///
/// # Safety
/// The processor has `S`; `to` and `from` are good for `width` elements and either equal or apart;
/// `rows` holds a row of `width` elements for every index.
#[inline(always)]
pub(super) unsafe fn sum<S: Simd, const TILE: usize>(
    to: *mut i16,
    from: *const i16,
    width: usize,
    rows: *const i16,
    added: &[u32],
    removed: &[u32],
) {
    if !width.is_multiple_of(S::BYTES / 2) {
        return scalar::sum(to, from, width, rows, added, removed);
    }
    match (added, removed) {
        (&[a], &[r]) => few::<S, 1>(to, from, width, rows, [a], [r]),
        (&[a, b], &[r, s]) => few::<S, 2>(to, from, width, rows, [a, b], [r, s]),
        _ => many::<S, TILE>(to, from, width, rows, added, removed),
    }
}

#[inline(always)]
unsafe fn few<S: Simd, const N: usize>(
    to: *mut i16,
    from: *const i16,
    width: usize,
    rows: *const i16,
    added: [u32; N],
    removed: [u32; N],
) {
    let mut plus = [rows; N];
    let mut minus = [rows; N];
    for n in 0..N {
        plus[n] = rows.add(added[n] as usize * width);
        minus[n] = rows.add(removed[n] as usize * width);
    }
    let lanes = S::BYTES / 2;
    let mut at = 0;
    while at < width {
        let mut v = S::load(from.add(at));
        for n in 0..N {
            v = S::add16(v, S::load(plus[n].add(at)));
            v = S::sub16(v, S::load(minus[n].add(at)));
        }
        S::store(to.add(at), v);
        at += lanes;
    }
}

#[inline(always)]
unsafe fn many<S: Simd, const TILE: usize>(
    to: *mut i16,
    from: *const i16,
    width: usize,
    rows: *const i16,
    added: &[u32],
    removed: &[u32],
) {
    let lanes = S::BYTES / 2;
    let mut at = 0;
    while at + TILE * lanes <= width {
        tile::<S, TILE>(to.add(at), from.add(at), width, rows.add(at), added, removed);
        at += TILE * lanes;
    }
    while at < width {
        tile::<S, 1>(to.add(at), from.add(at), width, rows.add(at), added, removed);
        at += lanes;
    }
}

/// The same for `TILE` vectors of columns; the pointers are at the first of them.
#[inline(always)]
unsafe fn tile<S: Simd, const TILE: usize>(
    to: *mut i16,
    from: *const i16,
    width: usize,
    rows: *const i16,
    added: &[u32],
    removed: &[u32],
) {
    let lanes = S::BYTES / 2;
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
