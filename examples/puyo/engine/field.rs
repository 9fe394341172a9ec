//! The field: six columns of thirteen cells, as bits.
//!
//! A set of cells is a `u128` with sixteen bits for each column, the lowest row in the lowest bit. A field has
//! three such sets, the bits of the puyo in each cell. No puyo floats: whoever removes puyos lets the others fall.

/// Columns of the field.
pub const COLUMNS: usize = 6;
/// Rows of the field. The top row is hidden.
pub const ROWS: usize = 13;
/// Rows in which puyos vanish: in the hidden row they neither form groups nor vanish.
pub const VISIBLE_ROWS: usize = 12;
/// The column in which pairs appear. The game is lost when its highest visible cell is occupied.
pub const ENTRY_COLUMN: usize = 2;
/// Minimum number of connected puyos of a colour that vanish.
pub const MIN_GROUP: u32 = 4;

/// Number of bits of a column in a set of cells.
const COLUMN_BITS: usize = 16;
const ONE_PER_COLUMN: u128 = 0x0001_0001_0001_0001_0001_0001;
const VISIBLE: u128 = ONE_PER_COLUMN * 0x0fff;
/// One bit in each of the three planes of a column.
const ONE_PER_PLANE: u64 = 0x0000_0001_0001_0001;

/// A set of cells.
pub type Cells = u128;

/// The content of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Puyo {
    Garbage = 1,
    Red,
    Green,
    Blue,
    Yellow,
    Purple,
}

impl Puyo {
    pub const COLORS: [Puyo; 5] = [Puyo::Red, Puyo::Green, Puyo::Blue, Puyo::Yellow, Puyo::Purple];

    /// The letter of the protocol.
    pub fn letter(self) -> char {
        ['o', 'r', 'g', 'b', 'y', 'p'][self as usize - 1]
    }

    pub fn from_letter(letter: char) -> Option<Puyo> {
        Puyo::COLORS.into_iter().chain([Puyo::Garbage]).find(|puyo| puyo.letter() == letter)
    }
}

/// The puyos of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Field {
    planes: [Cells; 3],
}

/// The set of one cell.
#[inline]
pub fn cell(column: usize, row: usize) -> Cells {
    1 << (column * COLUMN_BITS + row)
}

/// A set of cells and their neighbours.
#[inline]
pub fn with_neighbours(cells: Cells) -> Cells {
    cells | cells << 1 | cells >> 1 | cells << COLUMN_BITS | cells >> COLUMN_BITS
}

/// The cells of the groups of a colour that are large enough to vanish.
///
/// A seed is a cell with three neighbours of its colour, or one of two adjacent cells with two such neighbours. In a
/// group of four or more, every cell is a seed or beside one; a smaller group has no seed.
#[inline]
pub fn large_groups(color: Cells) -> Cells {
    let (above, below) = (color & color >> 1, color & color << 1);
    let (right, left) = (color & color >> COLUMN_BITS, color & color << COLUMN_BITS);
    let (both_vertical, any_vertical) = (above & below, above | below);
    let (both_sides, any_side) = (right & left, right | left);
    let two = both_vertical | both_sides | any_vertical & any_side;
    let three = both_vertical & any_side | both_sides & any_vertical;
    let pairs = two & (two << 1 | two >> 1 | two << COLUMN_BITS | two >> COLUMN_BITS);
    let seeds = three | pairs;
    if seeds == 0 { 0 } else { color & with_neighbours(seeds) }
}

/// The group of the colour around `start`.
pub fn group_around(start: Cells, color: Cells) -> Cells {
    let mut group = start;
    loop {
        let larger = with_neighbours(group) & color;
        if larger == group {
            return group;
        }
        group = larger;
    }
}

impl Field {
    #[inline]
    pub fn occupied(&self) -> Cells {
        self.planes[0] | self.planes[1] | self.planes[2]
    }

    pub fn is_empty(&self) -> bool {
        self.occupied() == 0
    }

    /// The number of puyos in a column.
    #[inline]
    pub fn height(&self, column: usize) -> usize {
        self.heights()[column]
    }

    #[inline]
    pub fn heights(&self) -> [usize; COLUMNS] {
        let occupied = self.occupied();
        std::array::from_fn(|column| {
            ((occupied >> (column * COLUMN_BITS)) as u16).trailing_ones() as usize
        })
    }

    /// The number of puyos in the field.
    pub fn count(&self) -> usize {
        self.heights().iter().sum()
    }

    #[inline]
    pub fn puyo(&self, column: usize, row: usize) -> Option<Puyo> {
        let bit = |plane: Cells| (plane >> (column * COLUMN_BITS + row)) as u8 & 1;
        let [low, middle, high] = self.planes.map(bit);
        match low | middle << 1 | high << 2 {
            1 => Some(Puyo::Garbage),
            2 => Some(Puyo::Red),
            3 => Some(Puyo::Green),
            4 => Some(Puyo::Blue),
            5 => Some(Puyo::Yellow),
            6 => Some(Puyo::Purple),
            _ => None,
        }
    }

    /// The cells with this puyo.
    #[inline]
    pub fn cells(&self, puyo: Puyo) -> Cells {
        let code = puyo as u8;
        let plane = |bit: usize| {
            if code & 1 << bit == 0 { !self.planes[bit] } else { self.planes[bit] }
        };
        plane(0) & plane(1) & plane(2)
    }

    /// The visible cells with this puyo.
    #[inline]
    pub fn visible_cells(&self, puyo: Puyo) -> Cells {
        self.cells(puyo) & VISIBLE
    }

    /// Puts a puyo on top of a column. One above the hidden row is lost.
    #[inline]
    pub fn drop_puyo(&mut self, column: usize, puyo: Puyo) {
        let row = self.height(column);
        if row < ROWS {
            self.put(column, row, puyo);
        }
    }

    /// Puts a puyo into the lowest empty cell of a column.
    #[inline]
    pub fn put(&mut self, column: usize, row: usize, puyo: Puyo) {
        let (code, at) = (puyo as u128, column * COLUMN_BITS + row);
        for (bit, plane) in self.planes.iter_mut().enumerate() {
            *plane |= (code >> bit & 1) << at;
        }
    }

    /// All groups that vanish now.
    #[inline]
    pub fn vanishing(&self) -> Cells {
        Puyo::COLORS.iter().fold(0, |all, &color| all | large_groups(self.visible_cells(color)))
    }

    /// Removes groups with the garbage beside them, and lets what is above fall.
    #[inline]
    pub fn vanish(&mut self, groups: Cells) {
        self.remove(groups | with_neighbours(groups) & self.visible_cells(Puyo::Garbage));
    }

    #[inline]
    fn remove(&mut self, cells: Cells) {
        for column in 0..COLUMNS {
            let shift = column * COLUMN_BITS;
            let mut removed = (cells >> shift) as u16;
            if removed == 0 {
                continue;
            }
            // The three planes of a column beside each other.
            let lane = |plane: Cells| u64::from((plane >> shift) as u16);
            let [low, middle, high] = self.planes;
            let mut planes = lane(low) | lane(middle) << 16 | lane(high) << 32;
            while removed != 0 {
                let top = 15 - removed.leading_zeros();
                let below = (1u64 << top) - 1;
                removed &= below as u16;
                let above = (0x7fff & !below) * ONE_PER_PLANE;
                planes = (planes & (below * ONE_PER_PLANE)) | ((planes >> 1) & above);
            }
            let keep = !(0xffff << shift);
            for (bit, plane) in self.planes.iter_mut().enumerate() {
                *plane = *plane & keep | u128::from((planes >> (16 * bit)) as u16) << shift;
            }
        }
    }

    /// Whether the game is lost, because no pair can enter.
    #[inline]
    pub fn is_lost(&self) -> bool {
        self.occupied() & cell(ENTRY_COLUMN, VISIBLE_ROWS - 1) != 0
    }

    /// A hash of the field.
    #[inline]
    pub fn key(&self) -> u64 {
        self.planes.iter().fold(0, |key: u64, &plane| {
            let folded = plane as u64 ^ ((plane >> 64) as u64).rotate_left(32);
            kawasemi::types::mix64(key.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ folded)
        })
    }
}
