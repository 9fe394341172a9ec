//! Positions in 32 bytes and moves in two bytes, as in training data and books: YaneuraOu's PackedSfen,
//! and the Huffman-coded positions (hcp) of Apery, cshogi and dlshogi.
//!
//! Both write the same sequence of bits, lowest bit of each byte first: side to move, squares of both
//! kings, all other squares from 1a to 9i, the hands of Black and White, and the pieces that are not in
//! the game. They differ in the codes. A full set always takes exactly 256 bits. The move number is not
//! stored.

mod moves;

use std::fmt;

use super::setup::Setup;
use crate::types::{Color, Piece, PieceKind, Square};

/// A position in 32 bytes.
pub type PackedPosition = [u8; 32];

const BITS: usize = 256;

/// The format of packed positions and moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackedFormat {
    /// PackedSfen.
    Yaneuraou,
    /// hcp.
    Apery,
}

/// A sequence of bits, the first in the lowest position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Code {
    bits: u8,
    len: u8,
}

/// The code with these digits, first bit first.
const fn code(digits: &str) -> Code {
    let digits = digits.as_bytes();
    let mut code = Code { bits: 0, len: digits.len() as u8 };
    let mut i = 0;
    while i < digits.len() {
        code.bits |= (digits[i] - b'0') << i;
        i += 1;
    }
    code
}

/// The prefix codes of a format, by [`ORDER`].
struct CodeTable {
    /// On the board, without promotion and colour.
    board: [Code; 7],
    /// In a hand, without the colour that follows.
    hand: [Code; 7],
    /// Not in the game.
    missing: [Code; 7],
    /// Whether the promotion bit precedes the colour bit on the board.
    promotion_first: bool,
}

/// The kinds in the order in which hands are written.
const ORDER: [PieceKind; 7] = PieceKind::HAND;

const YANEURAOU: CodeTable = CodeTable {
    board: [
        code("10"),
        code("1100"),
        code("1101"),
        code("1110"),
        code("11110"),
        code("111110"),
        code("111111"),
    ],
    hand: [
        code("00"),
        code("1000"),
        code("1010"),
        code("1100"),
        code("1110"),
        code("111100"),
        code("111110"),
    ],
    missing: [
        code("010"),
        code("10010"),
        code("10110"),
        code("11010"),
        code("11011"),
        code("1111010"),
        code("1111110"),
    ],
    promotion_first: true,
};

const APERY: CodeTable = CodeTable {
    board: [
        code("10"),
        code("1100"),
        code("1110"),
        code("1101"),
        code("11110"),
        code("111110"),
        code("111111"),
    ],
    hand: [
        code("00"),
        code("1000"),
        code("1100"),
        code("1010"),
        code("1110"),
        code("111110"),
        code("111111"),
    ],
    missing: [
        code("010"),
        code("10010"),
        code("11010"),
        code("10110"),
        code("10111"),
        code("1111000"),
        code("1111010"),
    ],
    promotion_first: false,
};

impl PackedFormat {
    const fn codes(self) -> &'static CodeTable {
        match self {
            PackedFormat::Yaneuraou => &YANEURAOU,
            PackedFormat::Apery => &APERY,
        }
    }
}

/// Why a position cannot be packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackError {
    /// This side has no king: the empty square instead of it would take one bit too many.
    NoKing(Color),
    /// More pieces of a kind than the set has, or more than one king of a side.
    TooMany(PieceKind),
}

/// Why 32 bytes are not a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnpackError {
    /// The kings are on invalid squares or on the same one.
    Kings,
    /// Invalid code at this bit.
    NoCode { bit: usize },
    /// The last piece needs more bits than there are.
    TooLong,
    /// The number of pieces of a kind is not that of a set.
    NotOneSet(PieceKind),
}

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PackError::NoKing(color) => write!(f, "{color:?} has no king"),
            PackError::TooMany(kind) => write!(f, "more of {kind:?} than a set has"),
        }
    }
}

impl fmt::Display for UnpackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnpackError::Kings => f.write_str("the packed kings have no two squares"),
            UnpackError::NoCode { bit } => write!(f, "no piece is coded at bit {bit}"),
            UnpackError::TooLong => f.write_str("the packed position is longer than 256 bits"),
            UnpackError::NotOneSet(kind) => {
                write!(f, "the number of packed pieces of {kind:?} is not that of a set")
            }
        }
    }
}

impl std::error::Error for PackError {}
impl std::error::Error for UnpackError {}

/// Packs a position without its move number.
///
/// ```
/// use kawasemi::position::Setup;
/// use kawasemi::position::packed::{PackedFormat, pack, unpack};
/// let packed = pack(&Setup::startpos(), PackedFormat::Yaneuraou).unwrap();
/// assert_eq!(packed[..4], [0x58, 0xa4, 0x51, 0x22]);
/// assert_eq!(unpack(&packed, PackedFormat::Yaneuraou), Ok(Setup::startpos()));
/// ```
///
/// # Errors
/// See [`PackError`]. Every position of a game can be packed.
pub fn pack(setup: &Setup, format: PackedFormat) -> Result<PackedPosition, PackError> {
    let codes = format.codes();
    let mut kings = [None; 2];
    for (square, piece) in setup.pieces().filter(|(_, piece)| piece.kind() == PieceKind::King) {
        if kings[piece.color().index()].replace(square).is_some() {
            return Err(PackError::TooMany(PieceKind::King));
        }
    }
    // The pieces of a set that are not written yet, by kind as in `ORDER`.
    let mut left = ORDER.map(PieceKind::set_size);
    let mut out = BitWriter::default();
    out.put(setup.side as u8, 1);
    for color in Color::ALL {
        let king = kings[color.index()].ok_or(PackError::NoKing(color))?;
        out.put(king.index() as u8, 7);
    }
    for square in Square::all() {
        match setup.piece_at(square) {
            None => out.put(0, 1),
            Some(piece) if piece.kind() == PieceKind::King => {}
            Some(piece) => {
                let index = take_one(&mut left, piece.kind())?;
                put_board_piece(&mut out, codes, index, piece);
            }
        }
    }
    for color in Color::ALL {
        for (kind, count) in setup.hands[color].iter() {
            for _ in 0..count {
                let index = take_one(&mut left, kind)?;
                out.put_code(codes.hand[index]);
                out.put(color as u8, 1);
            }
        }
    }
    for (code, count) in codes.missing.into_iter().zip(left) {
        (0..count).for_each(|_| out.put_code(code));
    }
    debug_assert_eq!(out.len, BITS);
    Ok(out.bytes)
}

/// Takes a piece out of what is left of a set. Returns the index of its kind in [`ORDER`].
fn take_one(left: &mut [u32; 7], kind: PieceKind) -> Result<usize, PackError> {
    let kind = kind.unpromoted();
    let index = ORDER.iter().position(|&other| other == kind).expect("kings are packed apart");
    left[index] = left[index].checked_sub(1).ok_or(PackError::TooMany(kind))?;
    Ok(index)
}

fn put_board_piece(out: &mut BitWriter, codes: &CodeTable, index: usize, piece: Piece) {
    out.put_code(codes.board[index]);
    let (promoted, color) = (piece.kind().is_promoted() as u8, piece.color() as u8);
    match (ORDER[index].can_promote(), codes.promotion_first) {
        (false, _) => out.put(color, 1),
        (true, true) => out.put(promoted | color << 1, 2),
        (true, false) => out.put(color | promoted << 1, 2),
    }
}

/// Unpacks a position, with move number 1. It may be illegal.
///
/// # Errors
/// See [`UnpackError`].
pub fn unpack(packed: &PackedPosition, format: PackedFormat) -> Result<Setup, UnpackError> {
    let codes = format.codes();
    let mut bits = BitReader { bytes: packed, at: 0 };
    let mut setup = Setup::empty();
    let mut found = [0u32; 7];
    setup.side = if bits.take(1)? == 0 { Color::Black } else { Color::White };
    for color in Color::ALL {
        let square = usize::from(bits.take(7)?);
        match setup.board.get_mut(square) {
            Some(empty @ None) => *empty = Some(Piece::new(color, PieceKind::King)),
            _ => return Err(UnpackError::Kings),
        }
    }
    for square in Square::all() {
        if setup.piece_at(square).is_some() || bits.take_if(code("0")) {
            continue;
        }
        let (index, piece) = take_board_piece(&mut bits, codes)?;
        found[index] += 1;
        setup.board[square.index()] = Some(piece);
    }
    while bits.at < BITS {
        let (index, owner) = take_other_piece(&mut bits, codes)?;
        found[index] += 1;
        if found[index] > ORDER[index].set_size() {
            break;
        }
        if let Some(color) = owner {
            setup.hands[color].add(ORDER[index]);
        }
    }
    let odd = ORDER.into_iter().zip(found).find(|&(kind, found)| found != kind.set_size());
    odd.map_or(Ok(setup), |(kind, _)| Err(UnpackError::NotOneSet(kind)))
}

fn take_board_piece(
    bits: &mut BitReader<'_>,
    codes: &CodeTable,
) -> Result<(usize, Piece), UnpackError> {
    let bit = bits.at;
    let index = codes.board.iter().position(|&code| bits.take_if(code));
    let index = index.ok_or(UnpackError::NoCode { bit })?;
    let kind = ORDER[index];
    let (promoted, white) = match (kind.can_promote(), codes.promotion_first) {
        (false, _) => (0, bits.take(1)?),
        (true, true) => (bits.take(1)?, bits.take(1)?),
        (true, false) => {
            let white = bits.take(1)?;
            (bits.take(1)?, white)
        }
    };
    let kind = kind.promoted().filter(|_| promoted != 0).unwrap_or(kind);
    Ok((index, Piece::new(color_of(white), kind)))
}

/// A piece that is not on the board, and its owner if it is in a hand.
fn take_other_piece(
    bits: &mut BitReader<'_>,
    codes: &CodeTable,
) -> Result<(usize, Option<Color>), UnpackError> {
    let bit = bits.at;
    if let Some(index) = codes.hand.iter().position(|&code| bits.take_if(code)) {
        return Ok((index, Some(color_of(bits.take(1)?))));
    }
    let index = codes.missing.iter().position(|&code| bits.take_if(code));
    index.map(|index| (index, None)).ok_or(UnpackError::NoCode { bit })
}

fn color_of(bit: u8) -> Color {
    if bit == 0 { Color::Black } else { Color::White }
}

#[derive(Default)]
struct BitWriter {
    bytes: PackedPosition,
    len: usize,
}

impl BitWriter {
    fn put(&mut self, bits: u8, len: u8) {
        for i in 0..len {
            self.bytes[self.len / 8] |= (bits >> i & 1) << (self.len % 8);
            self.len += 1;
        }
    }

    fn put_code(&mut self, code: Code) {
        self.put(code.bits, code.len);
    }
}

struct BitReader<'a> {
    bytes: &'a PackedPosition,
    at: usize,
}

impl BitReader<'_> {
    /// The next eight bits, with zeros after the end.
    fn peek(&self) -> u8 {
        let byte = |index: usize| u16::from(self.bytes.get(index).copied().unwrap_or(0));
        let pair = byte(self.at / 8) | byte(self.at / 8 + 1) << 8;
        (pair >> (self.at % 8)) as u8
    }

    fn take(&mut self, len: u8) -> Result<u8, UnpackError> {
        if self.at + usize::from(len) > BITS {
            return Err(UnpackError::TooLong);
        }
        let bits = self.peek() & ((1 << len) - 1);
        self.at += usize::from(len);
        Ok(bits)
    }

    /// Reads this code if it comes next.
    fn take_if(&mut self, code: Code) -> bool {
        let len = usize::from(code.len);
        let found = self.at + len <= BITS && self.peek() & ((1 << len) - 1) as u8 == code.bits;
        self.at += if found { len } else { 0 };
        found
    }
}

#[cfg(test)]
mod tests;
