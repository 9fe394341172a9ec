//! The evaluation of a field: the longest chain that one or two more puyos of a colour trigger, and the shape.
//!
//! There are no chain patterns; the search finds the chains.

use super::chain::count_links;
use super::field::{
    COLUMNS, Cells, Field, Puyo, VISIBLE_ROWS, cell, large_groups, with_neighbours,
};

/// Value of each link of the longest chain.
const LINK_VALUE: i32 = 1000;
/// Value of each row below the trigger: puyos below it can still become part of the chain.
const TRIGGER_ROW_VALUE: i32 = 80;
/// Penalty for each puyo that the trigger needs.
const TRIGGER_PUYO_PENALTY: i32 = 30;
/// Penalty for each row by which a column differs from the desired shape.
const UNEVEN_PENALTY: i32 = 12;
/// The desired difference of the height of each column from the mean: higher at the sides.
const DESIRED_SHAPE: [i32; COLUMNS] = [2, 0, -1, -1, 0, 2];

/// The evaluation; higher is better.
pub fn evaluate(field: &Field) -> i32 {
    let heights = field.heights();
    best_trigger(field, &heights) - unevenness(&heights)
}

/// The value of the best chain that one or two puyos of a colour, dropped into a column, trigger.
fn best_trigger(field: &Field, heights: &[usize; COLUMNS]) -> i32 {
    let mut best = 0;
    for color in Puyo::COLORS {
        let cells = field.visible_cells(color);
        for (column, &height) in heights.iter().enumerate() {
            if cells & with_neighbours(cell(column, height) | cell(column, height + 1)) != 0 {
                best = best.max(trigger(field, cells, color, column, height));
            }
        }
    }
    best
}

/// The value of the chain that puyos of this colour trigger in this column; 0 if there is none.
#[inline]
fn trigger(field: &Field, mut cells: Cells, color: Puyo, column: usize, height: usize) -> i32 {
    let mut after = *field;
    for dropped in 1..=2 {
        let row = height + dropped - 1;
        if row >= VISIBLE_ROWS {
            break;
        }
        cells |= cell(column, row);
        after.put(column, row, color);
        let groups = large_groups(cells);
        if groups != 0 {
            let links = count_links(&mut after, groups) as i32;
            let penalty = dropped as i32 * TRIGGER_PUYO_PENALTY;
            return links * LINK_VALUE + height as i32 * TRIGGER_ROW_VALUE - penalty;
        }
    }
    0
}

fn unevenness(heights: &[usize; COLUMNS]) -> i32 {
    let columns = COLUMNS as i32;
    let total: i32 = heights.iter().map(|&height| height as i32).sum();
    let difference =
        |(&height, desired): (&usize, i32)| (columns * (height as i32 - desired) - total).abs();
    heights.iter().zip(DESIRED_SHAPE).map(difference).sum::<i32>() * UNEVEN_PENALTY / columns
}
