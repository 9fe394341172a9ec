//! Tables of what is learned. Every entry is a sixteen-bit number that a bonus pulls towards its
//! limit ("gravity"): the closer it is, the less a further bonus moves it.

use crate::sys::{MemoryRefused, Pages};

/// A table that holds this, touched so that no search waits for memory.
pub(super) fn table(len: usize, start: i16) -> Result<Pages<i16>, MemoryRefused> {
    let mut table = Pages::zeroed(len)?;
    table.fill(start);
    Ok(table)
}

#[inline(always)]
pub(super) fn pull(entry: &mut i16, bonus: i32, limit: i32) {
    let bonus = bonus.clamp(-limit, limit);
    let value = *entry as i32;
    *entry = (value + bonus - value * bonus.abs() / limit) as i16;
}

/// Scores in rows, most often one for each piece and destination. A short game touches few of the
/// rows, so that forgetting it takes a fraction of the time that the whole table would.
#[derive(Debug)]
pub(super) struct Rows<const N: usize> {
    table: Pages<i16>,
    is_touched: Box<[bool]>,
    /// What the rows hold that nobody has touched.
    start: i16,
}

impl<const N: usize> Rows<N> {
    pub(super) fn new(rows: usize, start: i16) -> Result<Rows<N>, MemoryRefused> {
        let is_touched = vec![false; rows].into_boxed_slice();
        Ok(Rows { table: table(rows * N, start)?, is_touched, start })
    }

    /// Lets every score be `start`, which is another one only while a tuner is at work.
    pub(super) fn clear(&mut self, start: i16) {
        if start != self.start {
            self.start = start;
            self.is_touched.fill(true);
        }
        let (rows, _) = self.table.as_chunks_mut::<N>();
        for (row, is_touched) in rows.iter_mut().zip(&mut self.is_touched) {
            if std::mem::take(is_touched) {
                row.fill(start);
            }
        }
    }

    #[inline(always)]
    pub(super) fn row(&self, number: usize) -> &[i16; N] {
        row(&self.table, number)
    }

    #[inline(always)]
    pub(super) fn entry_mut(&mut self, row: usize, slot: usize) -> &mut i16 {
        self.is_touched[row] = true;
        &mut self.table.as_chunks_mut::<N>().0[row][slot]
    }
}

#[inline(always)]
pub(super) fn row<const N: usize>(table: &[i16], number: usize) -> &[i16; N] {
    &table.as_chunks().0[number]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_touched_is_forgotten_and_the_rest_is_as_it_began() {
        let mut rows = Rows::<9>::new(5, -7).unwrap();
        for (row, slot) in [(0, 0), (3, 7), (4, 8)] {
            *rows.entry_mut(row, slot) = 9;
        }
        assert_eq!(rows.row(3)[7], 9);
        for start in [-7, 0] {
            rows.clear(start);
            assert!(rows.table.iter().all(|&score| score == start));
            assert!(!rows.is_touched.contains(&true));
        }
    }

    #[test]
    fn a_bonus_never_leaves_the_limit() {
        let mut entry = 0;
        for _ in 0..1000 {
            pull(&mut entry, 5000, 7183);
            assert!((0..=7183).contains(&(entry as i32)));
        }
        assert!(entry > 7000);
        for _ in 0..1000 {
            pull(&mut entry, -70000, 7183);
        }
        assert_eq!(entry, -7183);
    }
}
