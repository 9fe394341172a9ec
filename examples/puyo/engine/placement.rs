//! The legal placements of a pair.
//!
//! The pair appears above the third column and moves sideways until a column of twelve puyos blocks it, as in the GUI
//! of the protocol's author. Nothing is placed above row m, because a column that can be reached has room for two.

use std::fmt;

use super::field::{COLUMNS, ENTRY_COLUMN, Field, ROWS, VISIBLE_ROWS};
use super::tumo::Pair;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Square {
    pub column: u8,
    pub row: u8,
}

/// A move of the protocol: where the two puyos of a pair come to rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Placement {
    pub axis: Square,
    pub child: Square,
}

impl Placement {
    /// The answer if there is no legal placement. It is illegal itself: both puyos are in one cell.
    pub const NONE: Placement =
        Placement { axis: Square { column: 0, row: 0 }, child: Square { column: 0, row: 0 } };

    /// All legal placements. For a pair of one colour, equal placements are listed once.
    pub fn all(field: &Field, pair: Pair) -> impl Iterator<Item = Placement> + use<> {
        let heights = field.heights();
        let (first, last) = reachable_columns(&heights);
        let square = move |column: usize, above: usize| Square {
            column: column as u8,
            row: (heights[column] + above) as u8,
        };
        let is_lost = field.is_lost();
        let columns = (first..=last).filter(move |_| !is_lost);
        let pairs = columns.flat_map(move |column| {
            let upright = (square(column, 0), square(column, 1));
            let lying = (column < last).then(|| (square(column, 0), square(column + 1, 0)));
            [Some(upright), lying].into_iter().flatten()
        });
        pairs.flat_map(move |(one, other)| {
            let turned = (!pair.is_double()).then_some(Placement { axis: other, child: one });
            [Some(Placement { axis: one, child: other }), turned].into_iter().flatten()
        })
    }

    /// Puts the pair into the field, without running a chain.
    #[inline]
    pub fn put(self, field: &mut Field, pair: Pair) {
        field.put(self.axis.column.into(), self.axis.row.into(), pair.axis);
        field.put(self.child.column.into(), self.child.row.into(), pair.child);
    }

    /// Whether the two puyos separate when they fall.
    pub fn splits(self) -> bool {
        self.axis.column != self.child.column && self.axis.row != self.child.row
    }

    /// The row of the higher puyo.
    pub fn highest_row(self) -> u8 {
        self.axis.row.max(self.child.row)
    }

    pub fn parse(text: &str) -> Option<Placement> {
        let &[axis_column, axis_row, child_column, child_row] = text.as_bytes() else {
            return None;
        };
        let axis = Square::parse(axis_column, axis_row)?;
        Some(Placement { axis, child: Square::parse(child_column, child_row)? })
    }
}

/// The first and the last column that a pair can reach.
fn reachable_columns(heights: &[usize; COLUMNS]) -> (usize, usize) {
    let is_open = |column: &usize| heights[*column] < VISIBLE_ROWS;
    let first = (0..ENTRY_COLUMN).rev().take_while(is_open).last().unwrap_or(ENTRY_COLUMN);
    let last = (ENTRY_COLUMN + 1..COLUMNS).take_while(is_open).last().unwrap_or(ENTRY_COLUMN);
    (first, last)
}

impl Square {
    fn parse(column: u8, row: u8) -> Option<Square> {
        let column = column.checked_sub(b'1').filter(|&column| usize::from(column) < COLUMNS)?;
        let row = row.checked_sub(b'a').filter(|&row| usize::from(row) < ROWS)?;
        Some(Square { column, row })
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'1' + self.column), char::from(b'a' + self.row))
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.axis, self.child)
    }
}
