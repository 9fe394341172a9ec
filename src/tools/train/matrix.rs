//! Products of small matrices of `f32`, in plain loops that compilers make vectors of.
//!
//! All matrices are kept by rows, one behind the other. `COLUMNS` columns of `ROWS` rows of a
//! product are kept in registers, so every operand is read as seldom as can be. The order of
//! additions is fixed, so results repeat.

/// What the number of rows of a product, as it is computed, is a multiple of.
pub(super) const ROWS: usize = 8;
/// What the number of its columns is a multiple of.
pub(super) const COLUMNS: usize = 16;

/// `a * b + c`, in one step where the processor that this is compiled for has one.
#[inline(always)]
pub(super) fn mul_add(a: f32, b: f32, c: f32) -> f32 {
    if cfg!(any(target_feature = "fma", target_arch = "aarch64")) {
        a.mul_add(b, c)
    } else {
        a * b + c
    }
}

type Tile = [[f32; COLUMNS]; ROWS];

/// Adds `a b` to `c`. `a` is `[rows][inner]`, `b` `[inner][columns]`, `c` `[rows][columns]`; `rows`
/// is a multiple of [`ROWS`], `columns` of [`COLUMNS`].
pub(super) fn add_product(c: &mut [f32], a: &[f32], b: &[f32], inner: usize, columns: usize) {
    assert!(columns.is_multiple_of(COLUMNS) && b.len() == inner * columns);
    for (a, c) in a.chunks_exact(ROWS * inner).zip(c.chunks_exact_mut(ROWS * columns)) {
        let rows: [&[f32]; ROWS] = std::array::from_fn(|row| &a[row * inner..][..inner]);
        for column in (0..columns).step_by(COLUMNS) {
            let mut tile = [[0.0; COLUMNS]; ROWS];
            for (step, b) in b.chunks_exact(columns).enumerate() {
                accumulate(&mut tile, rows.map(|row| row[step]), &b[column..]);
            }
            add_tile(&mut c[column..], &tile, columns);
        }
    }
}

/// Adds the transpose of `a`, times `b`, to `c`. `a` is `[inner][rows]`, `b` `[inner][columns]`, `c`
/// `[rows][columns]`; `rows` is a multiple of [`ROWS`], `columns` of [`COLUMNS`].
pub(super) fn add_transposed_product(
    c: &mut [f32],
    a: &[f32],
    b: &[f32],
    rows: usize,
    columns: usize,
) {
    assert!(rows.is_multiple_of(ROWS) && columns.is_multiple_of(COLUMNS));
    assert!(c.len() == rows * columns && a.len() / rows == b.len() / columns);
    for (at, c) in c.chunks_exact_mut(ROWS * columns).enumerate() {
        for column in (0..columns).step_by(COLUMNS) {
            let mut tile = [[0.0; COLUMNS]; ROWS];
            for (a, b) in a.chunks_exact(rows).zip(b.chunks_exact(columns)) {
                let (a, _) = a[at * ROWS..].split_first_chunk().expect("a whole tile");
                accumulate(&mut tile, *a, &b[column..]);
            }
            add_tile(&mut c[column..], &tile, columns);
        }
    }
}

#[inline(always)]
fn accumulate(tile: &mut Tile, a: [f32; ROWS], b: &[f32]) {
    let (b, _) = b.split_first_chunk::<COLUMNS>().expect("a whole tile");
    for (row, a) in tile.iter_mut().zip(a) {
        for (sum, &b) in row.iter_mut().zip(b) {
            *sum = mul_add(a, b, *sum);
        }
    }
}

#[inline(always)]
fn add_tile(c: &mut [f32], tile: &Tile, columns: usize) {
    for (row, tile) in c.chunks_mut(columns).zip(tile) {
        for (c, sum) in row.iter_mut().zip(tile) {
            *c += sum;
        }
    }
}

/// The transpose of a matrix of so many columns.
pub(super) fn transpose(from: &[f32], columns: usize, to: &mut [f32]) {
    let rows = from.len() / columns;
    for (row, from) in from.chunks_exact(columns).enumerate() {
        for (column, &number) in from.iter().enumerate() {
            to[column * rows + row] = number;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::random::Random;
    use super::*;

    fn numbers(count: usize, seed: u64) -> Vec<f32> {
        let mut random = Random::new(seed, 0);
        (0..count).map(|_| random.normal()).collect()
    }

    fn slow(a: &[f32], b: &[f32], inner: usize, columns: usize) -> Vec<f32> {
        let mut c = vec![1.0; a.len() / inner * columns];
        for (a, c) in a.chunks_exact(inner).zip(c.chunks_exact_mut(columns)) {
            for (step, &a) in a.iter().enumerate() {
                for (column, c) in c.iter_mut().enumerate() {
                    *c += a * b[step * columns + column];
                }
            }
        }
        c
    }

    #[track_caller]
    fn assert_near(left: &[f32], right: &[f32]) {
        assert_eq!(left.len(), right.len());
        for (left, right) in left.iter().zip(right) {
            assert!((left - right).abs() < 1e-4, "{left} {right}");
        }
    }

    #[test]
    fn products_are_those_of_the_definition() {
        for (rows, inner, columns) in [(8, 1, 16), (16, 5, 32), (64, 48, 16), (24, 33, 48)] {
            let (a, b) = (numbers(rows * inner, 1), numbers(inner * columns, 2));
            let expected = slow(&a, &b, inner, columns);
            let mut c = vec![1.0; rows * columns];
            add_product(&mut c, &a, &b, inner, columns);
            assert_near(&c, &expected);
            let mut across = vec![0.0; rows * inner];
            transpose(&a, inner, &mut across);
            let mut c = vec![1.0; rows * columns];
            add_transposed_product(&mut c, &across, &b, rows, columns);
            assert_near(&c, &expected);
        }
    }
}
