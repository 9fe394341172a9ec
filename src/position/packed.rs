//! Positions in 32 bytes and moves in two, as files of training data and books keep them:
//! YaneuraOu's PackedSfen, and the Huffman-coded positions (hcp) of Apery, cshogi and dlshogi.
//!
//! Both write the same things in the same order, as bits from the lowest of each byte on: the side
//! to move, the squares of both kings, all other squares from 1a to 9i, what Black and White hold,
//! and the pieces of the set that are nowhere. They differ in the codes. A full set, wherever its
//! pieces are, always takes exactly 256 bits. The number of the move is not kept.

mod moves;

use std::fmt;

use super::Setup;
use crate::types::{Color, Piece, PieceKind, Square};

/// A position in 32 bytes.
pub type Packed = [u8; 32];

const BITS: usize = 256;

/// By which codes pieces are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// PackedSfen.
    Yaneuraou,
    /// hcp.
    Apery,
}

/// A run of bits, the first in the lowest place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Word {
    bits: u8,
    len: u8,
}

/// The word of these digits, first bit first.
const fn word(digits: &str) -> Word {
    let digits = digits.as_bytes();
    let mut word = Word { bits: 0, len: digits.len() as u8 };
    let mut i = 0;
    while i < digits.len() {
        word.bits |= (digits[i] - b'0') << i;
        i += 1;
    }
    word
}

/// The words of one coding.
struct Codes {
    /// On the board, without promotion and colour, by [`ORDER`].
    board: [Word; 7],
    /// In a hand, without the colour that follows.
    hand: [Word; 7],
    /// In nobody's possession.
    missing: [Word; 7],
    /// Whether the bit of promotion stands before that of colour on the board.
    promotion_first: bool,
}

/// The kinds in the order in which hands are written.
const ORDER: [PieceKind; 7] = PieceKind::HAND;

const YANEURAOU: Codes = Codes {
    board: [
        word("10"),
        word("1100"),
        word("1101"),
        word("1110"),
        word("11110"),
        word("111110"),
        word("111111"),
    ],
    hand: [
        word("00"),
        word("1000"),
        word("1010"),
        word("1100"),
        word("1110"),
        word("111100"),
        word("111110"),
    ],
    missing: [
        word("010"),
        word("10010"),
        word("10110"),
        word("11010"),
        word("11011"),
        word("1111010"),
        word("1111110"),
    ],
    promotion_first: true,
};

const APERY: Codes = Codes {
    board: [
        word("10"),
        word("1100"),
        word("1110"),
        word("1101"),
        word("11110"),
        word("111110"),
        word("111111"),
    ],
    hand: [
        word("00"),
        word("1000"),
        word("1100"),
        word("1010"),
        word("1110"),
        word("111110"),
        word("111111"),
    ],
    missing: [
        word("010"),
        word("10010"),
        word("11010"),
        word("10110"),
        word("10111"),
        word("1111000"),
        word("1111010"),
    ],
    promotion_first: false,
};

impl Coding {
    const fn codes(self) -> &'static Codes {
        match self {
            Coding::Yaneuraou => &YANEURAOU,
            Coding::Apery => &APERY,
        }
    }
}

/// Why a position has no packed form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackError {
    /// It would take one bit too many.
    NoKing(Color),
    /// More pieces of a kind than the set has, or more than one king of a side.
    TooMany(PieceKind),
}

/// Why 32 bytes are no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnpackError {
    /// The kings stand on no squares, or on the same one.
    Kings,
    /// No code begins at this bit.
    NoCode { bit: usize },
    /// The last piece needs more bits than there are.
    TooLong,
    /// Board, hands and the rest do not make one set.
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

/// Packs a position, all but the number of its move.
///
/// ```
/// use kawasemi::position::Setup;
/// use kawasemi::position::packed::{Coding, pack, unpack};
/// let packed = pack(&Setup::startpos(), Coding::Yaneuraou).unwrap();
/// assert_eq!(packed[..4], [0x58, 0xa4, 0x51, 0x22]);
/// assert_eq!(unpack(&packed, Coding::Yaneuraou), Ok(Setup::startpos()));
/// ```
///
/// # Errors
/// See [`PackError`]. Every position of a game has a packed form.
pub fn pack(setup: &Setup, coding: Coding) -> Result<Packed, PackError> {
    let codes = coding.codes();
    let mut kings = [None; 2];
    for (square, piece) in setup.pieces().filter(|(_, piece)| piece.kind() == PieceKind::King) {
        if kings[piece.color().index()].replace(square).is_some() {
            return Err(PackError::TooMany(PieceKind::King));
        }
    }
    let mut left = check_counts(setup)?;
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
                let slot = slot(piece.kind());
                left[slot] -= 1;
                put_board_piece(&mut out, codes, slot, piece);
            }
        }
    }
    for color in Color::ALL {
        for (slot, kind) in ORDER.into_iter().enumerate() {
            for _ in 0..setup.hands[color].count(kind) {
                left[slot] -= 1;
                out.put_word(codes.hand[slot]);
                out.put(color as u8, 1);
            }
        }
    }
    for (word, count) in codes.missing.into_iter().zip(left) {
        (0..count).for_each(|_| out.put_word(word));
    }
    debug_assert_eq!(out.len, BITS);
    Ok(out.bytes)
}

/// How many of each kind a set has, if the position has no more of any.
fn check_counts(setup: &Setup) -> Result<[u32; 7], PackError> {
    let mut found = [0; 7];
    for (_, piece) in setup.pieces().filter(|(_, piece)| piece.kind() != PieceKind::King) {
        found[slot(piece.kind())] += 1;
    }
    let set = ORDER.map(PieceKind::set_size);
    for (slot, kind) in ORDER.into_iter().enumerate() {
        let in_hands: u32 = Color::ALL.map(|color| setup.hands[color].count(kind)).iter().sum();
        if found[slot] + in_hands > set[slot] {
            return Err(PackError::TooMany(kind));
        }
    }
    Ok(set)
}

fn put_board_piece(out: &mut BitWriter, codes: &Codes, slot: usize, piece: Piece) {
    out.put_word(codes.board[slot]);
    let (promoted, color) = (piece.kind().is_promoted() as u8, piece.color() as u8);
    match (ORDER[slot].can_promote(), codes.promotion_first) {
        (false, _) => out.put(color, 1),
        (true, true) => out.put(promoted | color << 1, 2),
        (true, false) => out.put(color | promoted << 1, 2),
    }
}

/// Place of a kind in [`ORDER`].
fn slot(kind: PieceKind) -> usize {
    let kind = kind.unpromoted();
    ORDER.iter().position(|&other| other == kind).expect("kings are packed apart")
}

/// Reads a packed position; its move gets the number 1. Whether it can be played is not looked at.
///
/// # Errors
/// What is wrong with the bits.
pub fn unpack(packed: &Packed, coding: Coding) -> Result<Setup, UnpackError> {
    let codes = coding.codes();
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
        if setup.piece_at(square).is_some() || bits.take_if(word("0")) {
            continue;
        }
        let (slot, piece) = take_board_piece(&mut bits, codes)?;
        found[slot] += 1;
        setup.board[square.index()] = Some(piece);
    }
    while bits.at < BITS {
        let (slot, owner) = take_other_piece(&mut bits, codes)?;
        found[slot] += 1;
        if found[slot] > ORDER[slot].set_size() {
            break;
        }
        if let Some(color) = owner {
            setup.hands[color].add(ORDER[slot]);
        }
    }
    let odd = ORDER.into_iter().zip(found).find(|&(kind, found)| found != kind.set_size());
    odd.map_or(Ok(setup), |(kind, _)| Err(UnpackError::NotOneSet(kind)))
}

fn take_board_piece(
    bits: &mut BitReader<'_>,
    codes: &Codes,
) -> Result<(usize, Piece), UnpackError> {
    let bit = bits.at;
    let slot = codes.board.iter().position(|&word| bits.take_if(word));
    let slot = slot.ok_or(UnpackError::NoCode { bit })?;
    let kind = ORDER[slot];
    let (promoted, white) = match (kind.can_promote(), codes.promotion_first) {
        (false, _) => (0, bits.take(1)?),
        (true, true) => (bits.take(1)?, bits.take(1)?),
        (true, false) => {
            let white = bits.take(1)?;
            (bits.take(1)?, white)
        }
    };
    let kind = kind.promoted().filter(|_| promoted != 0).unwrap_or(kind);
    Ok((slot, Piece::new(color_of(white), kind)))
}

/// A piece that is not on the board, and in whose hand, if in any.
fn take_other_piece(
    bits: &mut BitReader<'_>,
    codes: &Codes,
) -> Result<(usize, Option<Color>), UnpackError> {
    let bit = bits.at;
    if let Some(slot) = codes.hand.iter().position(|&word| bits.take_if(word)) {
        return Ok((slot, Some(color_of(bits.take(1)?))));
    }
    let slot = codes.missing.iter().position(|&word| bits.take_if(word));
    slot.map(|slot| (slot, None)).ok_or(UnpackError::NoCode { bit })
}

fn color_of(bit: u8) -> Color {
    if bit == 0 { Color::Black } else { Color::White }
}

#[derive(Default)]
struct BitWriter {
    bytes: Packed,
    len: usize,
}

impl BitWriter {
    fn put(&mut self, bits: u8, len: u8) {
        for i in 0..len {
            self.bytes[self.len / 8] |= (bits >> i & 1) << (self.len % 8);
            self.len += 1;
        }
    }

    fn put_word(&mut self, word: Word) {
        self.put(word.bits, word.len);
    }
}

struct BitReader<'a> {
    bytes: &'a Packed,
    at: usize,
}

impl BitReader<'_> {
    /// The next eight bits, with zeros behind the end.
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

    /// Takes the word if it is what comes next.
    fn take_if(&mut self, word: Word) -> bool {
        let len = usize::from(word.len);
        let found = self.at + len <= BITS && self.peek() & ((1 << len) - 1) as u8 == word.bits;
        self.at += if found { len } else { 0 };
        found
    }
}

#[cfg(test)]
mod tests;
