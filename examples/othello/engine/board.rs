//! The board: two bitboards from the side to move, moves, flips, and the end of the game.

/// A bitboard, a set of squares: bit 0 is a1, bit 7 is a8, bit 63 is h8 (row letter, column digit).
pub type Bitboard = u64;

/// A square as the number of its bit.
pub type Square = u8;

pub const CORNERS: Bitboard = 0x8100_0000_0000_0081;
pub const FIRST_COLUMN: Bitboard = 0x0101_0101_0101_0101;
pub const LAST_COLUMN: Bitboard = 0x8080_8080_8080_8080;

/// The squares that are neither in the first nor in the last column.
const INNER_COLUMNS: Bitboard = !(FIRST_COLUMN | LAST_COLUMN);

/// The steps along a row, a column and both diagonals, with the squares over which a line of them may run.
const STEPS: [(u32, Bitboard); 4] =
    [(1, INNER_COLUMNS), (8, !0), (9, INNER_COLUMNS), (7, INNER_COLUMNS)];

/// The rays from each square to the edge, in the four directions of larger numbers and in the opposite ones.
static RAYS: [[[Bitboard; 4]; 2]; 64] = rays();

const fn rays() -> [[[Bitboard; 4]; 2]; 64] {
    const DIRECTIONS: [[(i32, i32); 4]; 2] =
        [[(0, 1), (1, 0), (1, 1), (1, -1)], [(0, -1), (-1, 0), (-1, -1), (-1, 1)]];
    let mut rays = [[[0; 4]; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let mut index = 0;
        while index < 8 {
            let (rows, columns) = DIRECTIONS[index / 4][index % 4];
            let (mut row, mut column) = (square as i32 / 8 + rows, square as i32 % 8 + columns);
            while row >= 0 && row < 8 && column >= 0 && column < 8 {
                rays[square][index / 4][index % 4] |= 1 << (row * 8 + column);
                row += rows;
                column += columns;
            }
            index += 1;
        }
        square += 1;
    }
    rays
}

/// The discs of the side to move and those of the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    pub own: Bitboard,
    pub other: Bitboard,
}

impl Board {
    /// The start position, with Black to move.
    pub const START: Board = Board { own: 0x0000_0008_1000_0000, other: 0x0000_0010_0800_0000 };

    pub fn empty(self) -> Bitboard {
        !(self.own | self.other)
    }

    /// The number of empty squares.
    pub fn empties(self) -> u32 {
        self.empty().count_ones()
    }

    /// The squares on which the side to move may play.
    pub fn moves(self) -> Bitboard {
        let reached = STEPS.iter().fold(0, |reached, &(step, inside)| {
            let between = self.other & inside;
            reached | line_ends(self.own, between, step)
        });
        reached & self.empty()
    }

    /// The discs that a move to an empty square flips; none if it is illegal.
    pub fn flips(self, square: Square) -> Bitboard {
        let [up, down] = &RAYS[usize::from(square)];
        let mut flips = 0;
        for ray in up {
            // The first square without a disc of the opponent. Only an own disc there encloses those before it.
            let first = ray & !self.other;
            let end = first & first.wrapping_neg() & self.own;
            flips |= end.wrapping_sub(u64::from(end != 0)) & ray;
        }
        for ray in down {
            let first = ray & !self.other;
            // Without such a square the ray has no end either.
            let end = (1 << 63 >> (first | 1).leading_zeros()) & first & self.own;
            flips |= (end.wrapping_neg() << 1) & ray;
        }
        flips
    }

    /// The board after a legal move, from the side that is then to move.
    pub fn play(self, square: Square) -> Board {
        let flips = self.flips(square);
        debug_assert!(flips != 0 && self.empty() & (1 << square) != 0);
        Board { own: self.other ^ flips, other: self.own ^ flips ^ (1 << square) }
    }

    /// The board after a pass.
    pub fn pass(self) -> Board {
        Board { own: self.other, other: self.own }
    }

    /// Whether neither side has a move.
    pub fn is_over(self) -> bool {
        self.moves() == 0 && self.pass().moves() == 0
    }

    /// The disc difference at the end of the game. Empty squares count for the winner.
    pub fn final_score(self) -> i32 {
        let difference = self.own.count_ones() as i32 - self.other.count_ones() as i32;
        difference + difference.signum() * self.empties() as i32
    }
}

/// The ends of all lines that begin at `own` and run over `between` only.
fn line_ends(own: Bitboard, between: Bitboard, step: u32) -> Bitboard {
    let mut up = between & (own << step);
    let mut down = between & (own >> step);
    let (mut over_up, mut over_down) = (between, between);
    for reach in [step, 2 * step, 4 * step] {
        up |= over_up & (up << reach);
        down |= over_down & (down >> reach);
        over_up &= over_up << reach;
        over_down &= over_down >> reach;
    }
    (up << step) | (down >> step)
}

/// The squares of a set, lowest first.
pub fn squares_of(squares: Bitboard) -> impl Iterator<Item = Square> {
    let rest =
        |&squares: &Bitboard| (squares & (squares - 1) != 0).then(|| squares & (squares - 1));
    std::iter::successors((squares != 0).then_some(squares), rest)
        .map(|squares| squares.trailing_zeros() as Square)
}

/// Counts the sequences of `depth` moves. A pass is a move.
pub fn perft(board: Board, depth: u32) -> u64 {
    let moves = board.moves();
    match depth {
        0 => 1,
        _ if moves == 0 && board.is_over() => 1,
        _ if moves == 0 => perft(board.pass(), depth - 1),
        1 => u64::from(moves.count_ones()),
        _ => squares_of(moves).map(|square| perft(board.play(square), depth - 1)).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published counts.
    #[test]
    fn perft_of_the_start_is_known() {
        let counts = (1..=8).map(|depth| perft(Board::START, depth)).collect::<Vec<_>>();
        assert_eq!(counts, [4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216]);
    }

    #[test]
    #[ignore = "takes seconds without optimisation; `othello perft 9` counts the same"]
    fn perft_nine_of_the_start_is_known() {
        assert_eq!(perft(Board::START, 9), 3_005_288);
    }

    #[test]
    fn empty_squares_belong_to_the_winner() {
        assert_eq!(Board { own: 0b111, other: 0b1000 }.final_score(), 62);
        assert_eq!(Board { own: 0b1, other: 0b1110 }.final_score(), -62);
        assert_eq!(Board { own: 0b1, other: 0b10 }.final_score(), 0);
    }
}
