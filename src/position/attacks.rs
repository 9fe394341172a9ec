//! Attacks of every kind of piece for a given occupancy.
//!
//! Steps come from tables built at compile time. On a ray of ascending square numbers one subtraction
//! finds the nearest blocker (`m ^ (m - 1)`); rays of descending numbers do the same on the
//! byte-reversed board, which reverses the order of squares at least eight apart (the Qugiy method).
//! Files, whose squares are one apart, use a table of 9 x 128 words. All tables together take less
//! than 100 KiB, of which a search reads a small part, which leaves the cache to the network.

use crate::types::{Bitboard, Color, Piece, PieceKind, Square};

/// The eight directions; `direction ^ 4` is the opposite. The first four increase the square number.
type Direction = usize;
const DOWN: Direction = 0;
const LEFT: Direction = 1;
const DOWN_LEFT: Direction = 2;
const UP_LEFT: Direction = 3;
const UP: Direction = 4;
const RIGHT: Direction = 5;
const UP_RIGHT: Direction = 6;
const DOWN_RIGHT: Direction = 7;
const NO_DIRECTION: u8 = 8;
/// The direction of a lance, by colour.
const FORWARD: [Direction; 2] = [UP, DOWN];

/// Files to the left and ranks down for each direction.
const STEPS: [(i8, i8); 8] = [(0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)];

const fn ray(square: usize, direction: Direction) -> u128 {
    let (files, ranks) = STEPS[direction];
    let mut bits = 0;
    let mut at = Square::from_index(square).offset(files, ranks);
    while let Some(next) = at {
        bits |= 1 << next.index();
        at = next.offset(files, ranks);
    }
    bits
}

/// The direction from one square to another on a common line, or [`NO_DIRECTION`].
static DIRECTIONS: [[u8; Square::COUNT]; Square::COUNT] = {
    let mut table = [[NO_DIRECTION; Square::COUNT]; Square::COUNT];
    let mut from = 0;
    while from < Square::COUNT {
        let mut direction = 0;
        while direction < 8 {
            let (files, ranks) = STEPS[direction];
            let mut at = Square::from_index(from).offset(files, ranks);
            while let Some(next) = at {
                table[from][next.index()] = direction as u8;
                at = next.offset(files, ranks);
            }
            direction += 1;
        }
        from += 1;
    }
    table
};

/// Attacks along a file, by rank and by the occupancy of its seven inner squares.
static FILE_ATTACKS: [[u16; 128]; 9] = {
    let mut table = [[0; 128]; 9];
    let mut rank = 0;
    while rank < 9 {
        let mut inner = 0;
        while inner < 128 {
            let occupied = (inner as u16) << 1;
            let mut bits = 0;
            let mut at = rank as i8 - 1;
            while at >= 0 {
                bits |= 1 << at;
                if occupied >> at & 1 != 0 {
                    break;
                }
                at -= 1;
            }
            at = rank as i8 + 1;
            while at < 9 {
                bits |= 1 << at;
                if occupied >> at & 1 != 0 {
                    break;
                }
                at += 1;
            }
            table[rank][inner] = bits;
            inner += 1;
        }
        rank += 1;
    }
    table
};

const KING_STEPS: &[(i8, i8)] = &STEPS;
const PAWN_STEPS: &[(i8, i8)] = &[(0, -1)];
const KNIGHT_STEPS: &[(i8, i8)] = &[(1, -2), (-1, -2)];
const SILVER_STEPS: &[(i8, i8)] = &[(0, -1), (1, -1), (-1, -1), (1, 1), (-1, 1)];
const GOLD_STEPS: &[(i8, i8)] = &[(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1)];

/// The tables of one square, in adjacent memory.
struct SquareAttacks {
    /// Targets of steps, by colour.
    pawn: [u128; 2],
    knight: [u128; 2],
    silver: [u128; 2],
    gold: [u128; 2],
    king: u128,
    /// All squares of the four diagonal and the four orthogonal rays.
    diagonals: u128,
    orthogonals: u128,
    /// Squares of each ray on the empty board, without the origin.
    rays: [u128; 8],
    /// The rays [`DESCENDING`], byte-reversed.
    reversed: [u128; 3],
    /// Index of the first bit of the file.
    file_shift: u8,
    rank: u8,
}

const DESCENDING: [Direction; 3] = [RIGHT, UP_RIGHT, DOWN_RIGHT];

static ATTACKS: [SquareAttacks; Square::COUNT] = {
    let mut table = [const { square_attacks(0) }; Square::COUNT];
    let mut square = 1;
    while square < Square::COUNT {
        table[square] = square_attacks(square);
        square += 1;
    }
    table
};

/// The attacks of every kind on the empty board, by square, colour and kind. Only the rows of the two kings
/// are read often, so the table does not fill the cache.
static PSEUDO_ATTACKS: [[[u128; PieceKind::TABLE]; 2]; Square::COUNT] = {
    let mut table = [[[0; PieceKind::TABLE]; 2]; Square::COUNT];
    let mut square = 0;
    while square < Square::COUNT {
        let mut i = 0;
        while i < 2 * PieceKind::ALL.len() {
            let (color, kind) = (i % 2, PieceKind::ALL[i / 2]);
            table[square][color][kind.index()] = pseudo_attacks_of(&ATTACKS[square], color, kind);
            i += 1;
        }
        square += 1;
    }
    table
};

const fn pseudo_attacks_of(from: &SquareAttacks, color: usize, kind: PieceKind) -> u128 {
    match kind {
        PieceKind::Pawn => from.pawn[color],
        PieceKind::Lance => from.rays[FORWARD[color]],
        PieceKind::Knight => from.knight[color],
        PieceKind::Silver => from.silver[color],
        PieceKind::Bishop => from.diagonals,
        PieceKind::Rook => from.orthogonals,
        PieceKind::King => from.king,
        PieceKind::Horse => from.diagonals | from.king,
        PieceKind::Dragon => from.orthogonals | from.king,
        _ => from.gold[color],
    }
}

const fn square_attacks(index: usize) -> SquareAttacks {
    let square = Square::from_index(index);
    let mut rays = [0; 8];
    let mut direction = 0;
    while direction < 8 {
        rays[direction] = ray(index, direction);
        direction += 1;
    }
    SquareAttacks {
        pawn: steps(square, PAWN_STEPS),
        knight: steps(square, KNIGHT_STEPS),
        silver: steps(square, SILVER_STEPS),
        gold: steps(square, GOLD_STEPS),
        king: steps(square, KING_STEPS)[0],
        diagonals: rays[DOWN_LEFT] | rays[UP_LEFT] | rays[UP_RIGHT] | rays[DOWN_RIGHT],
        orthogonals: rays[DOWN] | rays[LEFT] | rays[UP] | rays[RIGHT],
        rays,
        reversed: [
            rays[DESCENDING[0]].swap_bytes(),
            rays[DESCENDING[1]].swap_bytes(),
            rays[DESCENDING[2]].swap_bytes(),
        ],
        file_shift: square.file() * 9,
        rank: square.rank(),
    }
}

/// Targets of the given steps (from Black's view) from a square, for both sides.
const fn steps(square: Square, steps: &[(i8, i8)]) -> [u128; 2] {
    let mut targets = [0; 2];
    let mut i = 0;
    while i < steps.len() {
        let (files, ranks) = steps[i];
        if let Some(to) = square.offset(files, ranks) {
            targets[0] |= 1 << to.index();
        }
        if let Some(to) = square.offset(files, -ranks) {
            targets[1] |= 1 << to.index();
        }
        i += 1;
    }
    targets
}

#[inline(always)]
fn at(square: Square) -> &'static SquareAttacks {
    &ATTACKS[square.index()]
}

#[inline(always)]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    Bitboard(at(square).pawn[color.index()])
}

#[inline(always)]
pub fn knight(color: Color, square: Square) -> Bitboard {
    Bitboard(at(square).knight[color.index()])
}

#[inline(always)]
pub fn silver(color: Color, square: Square) -> Bitboard {
    Bitboard(at(square).silver[color.index()])
}

#[inline(always)]
pub fn gold(color: Color, square: Square) -> Bitboard {
    Bitboard(at(square).gold[color.index()])
}

#[inline(always)]
pub fn king(square: Square) -> Bitboard {
    Bitboard(at(square).king)
}

/// The attacks of a lance on the empty board.
#[inline(always)]
pub fn lance_ray(color: Color, square: Square) -> Bitboard {
    Bitboard(at(square).rays[FORWARD[color.index()]])
}

/// The pseudo-attacks of a piece: the squares that it attacks on the empty board.
#[inline(always)]
pub fn pseudo_attacks(color: Color, kind: PieceKind, square: Square) -> Bitboard {
    Bitboard(PSEUDO_ATTACKS[square.index()][color.index()][kind.index()])
}

#[inline(always)]
pub fn lance(color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match color {
        Color::Black => file_attacks(square, occupied) & lance_ray(color, square),
        Color::White => ascending(DOWN, square, occupied),
    }
}

#[inline(always)]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    ascending(DOWN_LEFT, square, occupied)
        | ascending(UP_LEFT, square, occupied)
        | descending::<1, 3>(square, occupied)
}

#[inline(always)]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    file_attacks(square, occupied)
        | ascending(LEFT, square, occupied)
        | descending::<0, 1>(square, occupied)
}

#[inline(always)]
pub fn horse(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | king(square)
}

#[inline(always)]
pub fn dragon(square: Square, occupied: Bitboard) -> Bitboard {
    rook(square, occupied) | king(square)
}

/// The squares that a piece on `square` attacks.
#[inline]
pub fn of(piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
    let color = piece.color();
    match piece.kind() {
        PieceKind::Pawn => pawn(color, square),
        PieceKind::Lance => lance(color, square, occupied),
        PieceKind::Knight => knight(color, square),
        PieceKind::Silver => silver(color, square),
        PieceKind::Bishop => bishop(square, occupied),
        PieceKind::Rook => rook(square, occupied),
        PieceKind::King => king(square),
        PieceKind::Horse => horse(square, occupied),
        PieceKind::Dragon => dragon(square, occupied),
        _ => gold(color, square),
    }
}

/// The diagonals through a square on the empty board.
#[inline(always)]
pub fn diagonals(square: Square) -> Bitboard {
    Bitboard(at(square).diagonals)
}

/// The rank and the file through a square on the empty board.
#[inline(always)]
pub fn orthogonals(square: Square) -> Bitboard {
    Bitboard(at(square).orthogonals)
}

/// The squares strictly between two squares on a line; empty if they share no line.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    let direction = DIRECTIONS[a.index()][b.index()];
    if direction == NO_DIRECTION {
        return Bitboard::EMPTY;
    }
    let direction = (direction & 7) as usize;
    Bitboard(at(a).rays[direction] & at(b).rays[direction ^ 4])
}

/// The ray from `origin` through `via` to the edge; empty if they share no line.
#[inline(always)]
pub fn ray_through(origin: Square, via: Square) -> Bitboard {
    let direction = DIRECTIONS[origin.index()][via.index()];
    if direction == NO_DIRECTION {
        return Bitboard::EMPTY;
    }
    Bitboard(at(origin).rays[(direction & 7) as usize])
}

/// Attacks along a ray of ascending square numbers.
#[inline(always)]
fn ascending(direction: Direction, square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(up_to_first(at(square).rays[direction], occupied.0))
}

/// Attacks along the rays `BEGIN..END` of [`DESCENDING`], whose square numbers differ by at least
/// eight.
#[inline(always)]
fn descending<const BEGIN: usize, const END: usize>(
    square: Square,
    occupied: Bitboard,
) -> Bitboard {
    let occupied = occupied.0.swap_bytes();
    let rays = &at(square).reversed[BEGIN..END];
    let reached = rays.iter().fold(0, |reached, &ray| reached | up_to_first(ray, occupied));
    Bitboard(reached.swap_bytes())
}

/// The ray up to its first occupied square.
#[inline(always)]
fn up_to_first(ray: u128, occupied: u128) -> u128 {
    let blockers = occupied & ray;
    ray & (blockers ^ blockers.wrapping_sub(1))
}

#[inline(always)]
fn file_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let SquareAttacks { file_shift, rank, .. } = *at(square);
    let inner = (occupied.0 >> (file_shift + 1)) as usize & 127;
    Bitboard((FILE_ATTACKS[rank as usize][inner] as u128) << file_shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks the ray square by square.
    fn slow_ray(square: Square, direction: Direction, occupied: Bitboard) -> Bitboard {
        let (files, ranks) = STEPS[direction];
        let mut reached = Bitboard::EMPTY;
        let mut at = square.offset(files, ranks);
        while let Some(next) = at {
            reached = reached.with(next);
            if occupied.contains(next) {
                break;
            }
            at = next.offset(files, ranks);
        }
        reached
    }

    fn slow(square: Square, directions: &[Direction], occupied: Bitboard) -> Bitboard {
        directions
            .iter()
            .fold(Bitboard::EMPTY, |set, &direction| set | slow_ray(square, direction, occupied))
    }

    proptest::proptest! {
        #[test]
        fn sliders_equal_a_walk_along_their_rays(bits: u128, sparse: u128) {
            for occupied in [Bitboard(bits), Bitboard(bits & sparse)] {
                let occupied = occupied & Bitboard::ALL;
                for square in Square::all() {
                    assert_eq!(
                        bishop(square, occupied),
                        slow(square, &[DOWN_LEFT, UP_LEFT, UP_RIGHT, DOWN_RIGHT], occupied)
                    );
                    assert_eq!(
                        rook(square, occupied),
                        slow(square, &[DOWN, LEFT, UP, RIGHT], occupied)
                    );
                    assert_eq!(
                        lance(Color::Black, square, occupied),
                        slow(square, &[UP], occupied)
                    );
                    assert_eq!(
                        lance(Color::White, square, occupied),
                        slow(square, &[DOWN], occupied)
                    );
                }
            }
        }
    }

    #[test]
    fn pseudo_attacks_are_the_attacks_on_the_empty_board() {
        for (piece, square) in Piece::all().flat_map(|p| Square::all().map(move |s| (p, s))) {
            let expected = of(piece, square, Bitboard::EMPTY);
            assert_eq!(
                pseudo_attacks(piece.color(), piece.kind(), square),
                expected,
                "{piece} {square}"
            );
        }
    }

    #[test]
    fn between_and_ray_follow_the_line() {
        let square = |text: &str| text.parse::<Square>().unwrap();
        let set = |texts: &[&str]| texts.iter().map(|text| square(text)).collect::<Bitboard>();
        assert_eq!(between(square("5e"), square("5h")), set(&["5f", "5g"]));
        assert_eq!(between(square("8b"), square("5e")), set(&["7c", "6d"]));
        assert_eq!(between(square("8b"), square("5f")), Bitboard::EMPTY);
        assert_eq!(ray_through(square("2h"), square("3g")), {
            set(&["3g", "4f", "5e", "6d", "7c", "8b", "9a"])
        });
        assert_eq!(ray_through(square("2h"), square("3f")), Bitboard::EMPTY);
    }
}
