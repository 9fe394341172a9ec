//! Products of small row-major matrices of `f32`.
//!
//! Tiles of a product are kept in registers, so every operand is read as rarely as possible. The
//! order of additions is fixed, so results are deterministic. Vectors are from the crate `wide`, as long as
//! the vectors of the processor that this is compiled for.

use wide::f32x16;

/// The number of rows of a product is a multiple of this.
pub(super) const ROWS: usize = 8;
/// The number of columns of a product is a multiple of this: the lanes of a vector.
pub(super) const COLUMNS: usize = 16;
/// Rows of a tile, and vectors of each, that fit into the registers.
const TILE_ROWS: usize = if cfg!(target_feature = "avx512f") { 8 } else { 4 };
const TILE_VECTORS: usize = if cfg!(target_feature = "avx512f") { 2 } else { 1 };

type Tile<const V: usize> = [[f32x16; V]; TILE_ROWS];

/// Adds `a b` to `c`. `a` is `[rows][inner]`, `b` `[inner][columns]`, `c` `[rows][columns]`; `rows`
/// is a multiple of [`ROWS`], `columns` of [`COLUMNS`].
pub(super) fn add_product(c: &mut [f32], a: &[f32], b: &[f32], inner: usize, columns: usize) {
    compute::<true>(c, a, b, inner, columns);
}

/// Like [`add_product`], but `c` becomes `a b`.
pub(super) fn product(c: &mut [f32], a: &[f32], b: &[f32], inner: usize, columns: usize) {
    compute::<false>(c, a, b, inner, columns);
}

#[inline(always)]
fn compute<const ADD: bool>(c: &mut [f32], a: &[f32], b: &[f32], inner: usize, columns: usize) {
    assert!(columns.is_multiple_of(COLUMNS) && b.len() == inner * columns);
    let tiles = a.chunks_exact(TILE_ROWS * inner).zip(c.chunks_exact_mut(TILE_ROWS * columns));
    for (a, c) in tiles {
        let rows: [&[f32]; TILE_ROWS] = std::array::from_fn(|row| &a[row * inner..][..inner]);
        let mut at = 0;
        while at + TILE_VECTORS * COLUMNS <= columns {
            put::<ADD, TILE_VECTORS>(c, &tile(&rows, b, at, columns), at, columns);
            at += TILE_VECTORS * COLUMNS;
        }
        if at < columns {
            put::<ADD, 1>(c, &tile(&rows, b, at, columns), at, columns);
        }
    }
}

#[inline(always)]
fn tile<const V: usize>(
    rows: &[&[f32]; TILE_ROWS],
    b: &[f32],
    at: usize,
    columns: usize,
) -> Tile<V> {
    let mut tile = [[f32x16::ZERO; V]; TILE_ROWS];
    for (step, b) in b.chunks_exact(columns).enumerate() {
        let b: [f32x16; V] = std::array::from_fn(|n| load(&b[at + n * COLUMNS..]));
        for (tile, row) in tile.iter_mut().zip(rows) {
            add_multiple(tile, row[step], &b);
        }
    }
    tile
}

/// Adds the transpose of `a`, times `b`, to `c`. `a` is `[inner][rows]`, `b` `[inner][columns]`,
/// `c` `[rows][columns]`; `rows` is a multiple of [`ROWS`], `columns` of [`COLUMNS`].
pub(super) fn add_transposed_product(
    c: &mut [f32],
    a: &[f32],
    b: &[f32],
    rows: usize,
    columns: usize,
) {
    assert!(rows.is_multiple_of(ROWS) && columns.is_multiple_of(COLUMNS));
    assert!(c.len() == rows * columns && a.len() / rows == b.len() / columns);
    for (group, c) in c.chunks_exact_mut(TILE_ROWS * columns).enumerate() {
        let row = group * TILE_ROWS;
        let mut at = 0;
        while at + TILE_VECTORS * COLUMNS <= columns {
            let tile = transposed_tile(a, b, [row, at], [rows, columns]);
            put::<true, TILE_VECTORS>(c, &tile, at, columns);
            at += TILE_VECTORS * COLUMNS;
        }
        if at < columns {
            put::<true, 1>(c, &transposed_tile(a, b, [row, at], [rows, columns]), at, columns);
        }
    }
}

#[inline(always)]
fn transposed_tile<const V: usize>(
    a: &[f32],
    b: &[f32],
    [row, at]: [usize; 2],
    [rows, columns]: [usize; 2],
) -> Tile<V> {
    let mut tile = [[f32x16::ZERO; V]; TILE_ROWS];
    for (a, b) in a.chunks_exact(rows).zip(b.chunks_exact(columns)) {
        let b: [f32x16; V] = std::array::from_fn(|n| load(&b[at + n * COLUMNS..]));
        for (tile, &a) in tile.iter_mut().zip(&a[row..][..TILE_ROWS]) {
            add_multiple(tile, a, &b);
        }
    }
    tile
}

#[inline(always)]
fn load(numbers: &[f32]) -> f32x16 {
    f32x16::from(*numbers.first_chunk::<COLUMNS>().expect("columns are padded"))
}

#[inline(always)]
fn add_multiple<const V: usize>(sums: &mut [f32x16; V], a: f32, b: &[f32x16; V]) {
    let a = f32x16::splat(a);
    for (sum, b) in sums.iter_mut().zip(b) {
        *sum = b.mul_add(a, *sum);
    }
}

/// Adds a tile to its rows or replaces them, from the column `at` on.
#[inline(always)]
fn put<const ADD: bool, const V: usize>(c: &mut [f32], tile: &Tile<V>, at: usize, columns: usize) {
    for (c, tile) in c.chunks_exact_mut(columns).zip(tile) {
        for (c, &sum) in c[at..].chunks_exact_mut(COLUMNS).zip(tile) {
            let sum = if ADD { load(c) + sum } else { sum };
            c.copy_from_slice(&sum.to_array());
        }
    }
}

/// Transposes a matrix with `columns` columns.
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
    use super::super::initial::normal;
    use super::*;
    use crate::types::Random;

    fn numbers(count: usize, seed: u64) -> Vec<f32> {
        let mut random = Random::new(seed);
        (0..count).map(|_| normal(&mut random)).collect()
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
    fn matrix_products_equal_the_definition() {
        for (rows, inner, columns) in [(8, 1, 16), (16, 5, 32), (64, 48, 16), (24, 33, 48)] {
            let (a, b) = (numbers(rows * inner, 1), numbers(inner * columns, 2));
            let expected = slow(&a, &b, inner, columns);
            let mut c = vec![1.0; rows * columns];
            add_product(&mut c, &a, &b, inner, columns);
            assert_near(&c, &expected);
            product(&mut c, &a, &b, inner, columns);
            c.iter_mut().for_each(|number| *number += 1.0);
            assert_near(&c, &expected);
            let mut across = vec![0.0; rows * inner];
            transpose(&a, inner, &mut across);
            let mut c = vec![1.0; rows * columns];
            add_transposed_product(&mut c, &across, &b, rows, columns);
            assert_near(&c, &expected);
        }
    }
}
