//! What a field may become: the longest chain that one or two more puyos of a colour set off, and its shape.
//!
//! No pattern of a chain is known here. The search finds by itself what makes this number grow.

use super::chain::count_links;
use super::field::{COLUMNS, Cells, Field, Puyo, VISIBLE_ROWS, cell, large_groups, spread};

/// For each link of the chain in sight.
const LINK: i32 = 1000;
/// For each row that its trigger lies higher: what is below it can still become part of the chain.
const TRIGGER_ROW: i32 = 80;
/// For each puyo that the trigger lacks.
const MISSING: i32 = 30;
/// For each row by which a column differs from the desired shape.
const UNEVEN: i32 = 12;
/// By how much the height of each column should differ from the mean: room to the centre, walls at the sides.
const DESIRED: [i32; COLUMNS] = [2, 0, -1, -1, 0, 2];

/// The higher, the more promising.
pub fn potential(field: &Field) -> i32 {
    let heights = field.heights();
    best_trigger(field, &heights) - unevenness(&heights)
}

/// The best chain that one or two puyos of a colour, dropped into a column, set off.
fn best_trigger(field: &Field, heights: &[usize; COLUMNS]) -> i32 {
    let mut best = 0;
    for color in Puyo::COLORS {
        let cells = field.visible_cells(color);
        for (column, &height) in heights.iter().enumerate() {
            if cells & spread(cell(column, height) | cell(column, height + 1)) != 0 {
                best = best.max(trigger(field, cells, color, column, height));
            }
        }
    }
    best
}

/// The value of the chain that puyos of this colour set off in this column; 0 if there is none.
#[inline]
fn trigger(field: &Field, mut cells: Cells, color: Puyo, column: usize, height: usize) -> i32 {
    let mut after = *field;
    for missing in 1..=2 {
        let row = height + missing - 1;
        if row >= VISIBLE_ROWS {
            break;
        }
        cells |= cell(column, row);
        after.put(column, row, color);
        let groups = large_groups(cells);
        if groups != 0 {
            let links = count_links(&mut after, groups) as i32;
            return links * LINK + height as i32 * TRIGGER_ROW - missing as i32 * MISSING;
        }
    }
    0
}

fn unevenness(heights: &[usize; COLUMNS]) -> i32 {
    let columns = COLUMNS as i32;
    let total: i32 = heights.iter().map(|&height| height as i32).sum();
    let difference =
        |(&height, desired): (&usize, i32)| (columns * (height as i32 - desired) - total).abs();
    heights.iter().zip(DESIRED).map(difference).sum::<i32>() * UNEVEN / columns
}
