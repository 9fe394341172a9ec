//! Sets of squares.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::color::Color;
use super::square::{File, Rank, Square};

/// A set of squares: bit `file * 9 + rank` of one 128-bit word.
///
/// It fits two general registers, so portable code is fast too: sliders need only a subtraction with
/// borrow, and no square is a special case.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Bitboard(pub u128);

const ALL: u128 = (1 << Square::COUNT) - 1;
const FILE: u128 = 0x1ff;
/// The first rank of every file.
const RANK: u128 = {
    let mut bits = 0;
    let mut file = 0;
    while file < 9 {
        bits |= 1 << (file * 9);
        file += 1;
    }
    bits
};

/// The set of each single square: cheaper to load than to shift 128 bits.
static SINGLES: [u128; Square::COUNT] = {
    let mut table = [0; Square::COUNT];
    let mut square = 0;
    while square < Square::COUNT {
        table[square] = 1 << square;
        square += 1;
    }
    table
};

impl Bitboard {
    pub const EMPTY: Bitboard = Bitboard(0);
    pub const ALL: Bitboard = Bitboard(ALL);

    #[inline(always)]
    pub const fn from_square(square: Square) -> Bitboard {
        Bitboard(SINGLES[square.index()])
    }

    #[inline(always)]
    pub const fn file(file: File) -> Bitboard {
        Bitboard(FILE << (file * 9))
    }

    #[inline(always)]
    pub const fn rank(rank: Rank) -> Bitboard {
        Bitboard(RANK << rank)
    }

    /// The `count` farthest ranks from the view of `color`.
    pub const fn far_ranks(color: Color, count: u8) -> Bitboard {
        let mut bits = 0;
        let mut i = 0;
        while i < count {
            let rank = match color {
                Color::Black => i,
                Color::White => 8 - i,
            };
            bits |= RANK << rank;
            i += 1;
        }
        Bitboard(bits)
    }

    /// The three ranks where pieces of `color` promote.
    #[inline(always)]
    pub const fn promotion_zone(color: Color) -> Bitboard {
        const ZONES: [Bitboard; 2] =
            [Bitboard::far_ranks(Color::Black, 3), Bitboard::far_ranks(Color::White, 3)];
        ZONES[color.index()]
    }

    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        self.0 & SINGLES[square.index()] != 0
    }

    #[inline(always)]
    pub const fn intersects(self, other: Bitboard) -> bool {
        self.0 & other.0 != 0
    }

    #[inline(always)]
    pub const fn len(self) -> u32 {
        (self.0 as u64).count_ones() + ((self.0 >> 64) as u64).count_ones()
    }

    /// Whether it has at least two squares; cheaper than counting.
    #[inline(always)]
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    #[inline(always)]
    pub const fn without(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }

    #[inline(always)]
    pub const fn with(self, square: Square) -> Bitboard {
        Bitboard(self.0 | SINGLES[square.index()])
    }

    /// The square with the lowest number.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(self.lsb()) }
    }

    /// The square with the lowest number. The set must not be empty; [`Bitboard::first`] accepts any set.
    #[inline(always)]
    pub const fn lsb(self) -> Square {
        debug_assert!(self.0 != 0);
        Square::from_index(self.trailing_zeros())
    }

    #[inline(always)]
    const fn trailing_zeros(self) -> usize {
        let low = self.0 as u64;
        if low != 0 {
            low.trailing_zeros() as usize
        } else {
            64 + ((self.0 >> 64) as u64).trailing_zeros() as usize
        }
    }

    /// Visits the squares, lowest number first, and tells for each which of `sets` contain it. Cheaper than
    /// [`Bitboard::contains`] for every set.
    #[inline(always)]
    pub fn for_each_with<const N: usize>(
        self,
        sets: [Bitboard; N],
        mut visit: impl FnMut(Square, [bool; N]),
    ) {
        for half in [0, 64] {
            let mut left = (self.0 >> half) as u64;
            let sets = sets.map(|set| (set.0 >> half) as u64);
            while left != 0 {
                let bit = left.trailing_zeros();
                left &= left - 1;
                let square = Square::from_index((half + bit) as usize);
                visit(square, sets.map(|set| set >> bit & 1 != 0));
            }
        }
    }

    /// All squares shifted one rank forward from the view of `color`; those off the board are dropped.
    #[inline(always)]
    pub const fn forward(self, color: Color) -> Bitboard {
        match color {
            Color::Black => Bitboard((self.0 & !RANK) >> 1),
            Color::White => Bitboard((self.0 & !(RANK << 8)) << 1),
        }
    }

    /// All squares shifted one file to the left from Black's view; those off the board are dropped.
    #[inline(always)]
    pub const fn left(self) -> Bitboard {
        Bitboard(self.0 << 9 & ALL)
    }

    /// All squares shifted one file to the right.
    #[inline(always)]
    pub const fn right(self) -> Bitboard {
        Bitboard(self.0 >> 9)
    }

    /// All squares of the files that contain one of these.
    #[inline(always)]
    pub const fn fill_files(self) -> Bitboard {
        // The lowest bit of a file is set if any of its nine is. That bit, subtracted from the next file's, gives nine
        // ones.
        let any = {
            let two = self.0 | self.0 >> 1;
            let four = two | two >> 2;
            let eight = four | four >> 4;
            (eight | self.0 >> 8) & RANK
        };
        Bitboard((any << 9).wrapping_sub(any))
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares { low: self.0 as u64, high: (self.0 >> 64) as u64 }
    }
}

/// Iterates over the squares of a set, lowest number first, in two independent words.
#[derive(Clone, Copy, Debug)]
pub struct Squares {
    low: u64,
    high: u64,
}

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.low != 0 {
            let index = self.low.trailing_zeros();
            self.low &= self.low - 1;
            Some(Square::from_index(index as usize))
        } else if self.high != 0 {
            let index = 64 + self.high.trailing_zeros();
            self.high &= self.high - 1;
            Some(Square::from_index(index as usize))
        } else {
            None
        }
    }
}

impl BitAnd for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitand(self, rhs: Bitboard) -> Bitboard {
        Bitboard(self.0 & rhs.0)
    }
}

impl BitOr for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitor(self, rhs: Bitboard) -> Bitboard {
        Bitboard(self.0 | rhs.0)
    }
}

impl BitXor for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitxor(self, rhs: Bitboard) -> Bitboard {
        Bitboard(self.0 ^ rhs.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline(always)]
    fn bitand_assign(&mut self, rhs: Bitboard) {
        self.0 &= rhs.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline(always)]
    fn bitor_assign(&mut self, rhs: Bitboard) {
        self.0 |= rhs.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline(always)]
    fn bitxor_assign(&mut self, rhs: Bitboard) {
        self.0 ^= rhs.0;
    }
}

impl Not for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard(!self.0 & ALL)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, Bitboard::with)
    }
}

impl fmt::Debug for Bitboard {
    /// Nine lines, from Black's view.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in 0..9 {
            writeln!(f)?;
            for file in (0..9).rev() {
                f.write_str(if self.contains(Square::new(file, rank)) { "* " } else { ". " })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fill_files_fills_the_file_of_every_square() {
        for square in Square::all() {
            let one = Bitboard::from_square(square);
            assert_eq!(one.fill_files(), Bitboard::file(square.file()));
        }
        let squares = Bitboard::from_square(Square::new(0, 8)).with(Square::new(2, 0));
        assert_eq!(squares.fill_files(), Bitboard::file(0) | Bitboard::file(2));
        assert_eq!(Bitboard::EMPTY.fill_files(), Bitboard::EMPTY);
        assert_eq!(Bitboard::ALL.fill_files(), Bitboard::ALL);
    }

    #[test]
    fn iteration_visits_every_square_once_in_order() {
        let squares: Vec<_> = Bitboard::ALL.into_iter().collect();
        assert_eq!(squares, Square::all().collect::<Vec<_>>());
        assert_eq!(squares.len() as u32, Bitboard::ALL.len());
    }

    #[test]
    fn squares_are_visited_with_the_sets_that_contain_them() {
        let sets = [Bitboard::rank(3), Bitboard::file(7)];
        let mut visited = Vec::new();
        (!Bitboard::rank(0)).for_each_with(sets, |square, contained| {
            assert_eq!(contained, sets.map(|set| set.contains(square)), "{square}");
            visited.push(square);
        });
        assert_eq!(visited, (!Bitboard::rank(0)).into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn forward_leaves_the_board_at_its_edge() {
        for color in Color::ALL {
            let edge = Bitboard::far_ranks(color, 1);
            assert_eq!(edge.forward(color), Bitboard::EMPTY);
            assert_eq!(edge.forward(!color).forward(color), edge);
        }
    }

    #[test]
    fn left_and_right_leave_the_board_at_its_edges() {
        let (left, right) = (Bitboard::file(8), Bitboard::file(0));
        assert_eq!((left.left(), right.right()), (Bitboard::EMPTY, Bitboard::EMPTY));
        assert_eq!((left.right(), right.left()), (Bitboard::file(7), Bitboard::file(1)));
    }
}
