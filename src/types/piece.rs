//! Kinds of pieces and coloured pieces.

use std::fmt;
use std::num::NonZeroU8;

use super::color::Color;
use super::language::{Localized, localized};

/// A kind of piece; promoted kinds are separate. Promotion adds 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum PieceKind {
    Pawn = 1,
    Lance,
    Knight,
    Silver,
    Bishop,
    Rook,
    Gold,
    King,
    /// A promoted pawn (tokin). The first four promoted kinds move like a gold.
    ProPawn,
    ProLance,
    ProKnight,
    ProSilver,
    /// A promoted bishop, which may also move one square straight.
    Horse,
    /// A promoted rook, which may also move one square diagonally.
    Dragon,
}

impl PieceKind {
    /// Size of a table indexed by kind (0 is unused).
    pub const TABLE: usize = 15;

    pub const ALL: [PieceKind; 14] = [
        PieceKind::Pawn,
        PieceKind::Lance,
        PieceKind::Knight,
        PieceKind::Silver,
        PieceKind::Bishop,
        PieceKind::Rook,
        PieceKind::Gold,
        PieceKind::King,
        PieceKind::ProPawn,
        PieceKind::ProLance,
        PieceKind::ProKnight,
        PieceKind::ProSilver,
        PieceKind::Horse,
        PieceKind::Dragon,
    ];

    /// The kinds that a hand can hold, least valuable first.
    pub const HAND: [PieceKind; 7] = [
        PieceKind::Pawn,
        PieceKind::Lance,
        PieceKind::Knight,
        PieceKind::Silver,
        PieceKind::Gold,
        PieceKind::Bishop,
        PieceKind::Rook,
    ];

    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The kind with this number, 1..15.
    #[inline(always)]
    pub const fn from_index(index: usize) -> PieceKind {
        debug_assert!(index >= 1 && index < Self::TABLE);
        BY_INDEX[index & 15]
    }

    /// The promoted kind; `None` for gold, king and promoted kinds.
    #[inline(always)]
    pub const fn promoted(self) -> Option<PieceKind> {
        if self.can_promote() { Some(Self::from_index(self as usize + 8)) } else { None }
    }

    #[inline(always)]
    pub const fn can_promote(self) -> bool {
        (self as u8) < PieceKind::Gold as u8
    }

    /// Whether it is one of [`PieceKind::HAND`].
    #[inline(always)]
    pub const fn can_be_held(self) -> bool {
        self as u8 <= PieceKind::Gold as u8
    }

    #[inline(always)]
    pub const fn is_promoted(self) -> bool {
        self as u8 > PieceKind::King as u8
    }

    /// The kind of a captured piece in hand.
    #[inline(always)]
    pub const fn unpromoted(self) -> PieceKind {
        if self.is_promoted() { Self::from_index(self as usize - 8) } else { self }
    }

    /// Gold and the promoted kinds that move like it.
    #[inline(always)]
    pub const fn moves_like_gold(self) -> bool {
        matches!(
            self,
            PieceKind::Gold
                | PieceKind::ProPawn
                | PieceKind::ProLance
                | PieceKind::ProKnight
                | PieceKind::ProSilver
        )
    }

    /// How many pieces of this kind (promoted or not) a full set has.
    pub const fn set_size(self) -> u32 {
        match self.unpromoted() {
            PieceKind::Pawn => 18,
            PieceKind::Bishop | PieceKind::Rook | PieceKind::King => 2,
            _ => 4,
        }
    }

    /// The name in a sentence. Notations have shorter ones.
    pub const fn name(self) -> Localized {
        match self {
            PieceKind::Pawn => localized("pawn", "歩"),
            PieceKind::Lance => localized("lance", "香"),
            PieceKind::Knight => localized("knight", "桂"),
            PieceKind::Silver => localized("silver", "銀"),
            PieceKind::Bishop => localized("bishop", "角"),
            PieceKind::Rook => localized("rook", "飛車"),
            PieceKind::Gold => localized("gold", "金"),
            PieceKind::King => localized("king", "玉"),
            PieceKind::ProPawn => localized("tokin", "と金"),
            PieceKind::ProLance => localized("promoted lance", "成香"),
            PieceKind::ProKnight => localized("promoted knight", "成桂"),
            PieceKind::ProSilver => localized("promoted silver", "成銀"),
            PieceKind::Horse => localized("horse", "馬"),
            PieceKind::Dragon => localized("dragon", "龍"),
        }
    }

    /// The upper-case SFEN letter of the unpromoted kind.
    pub const fn letter(self) -> char {
        match self.unpromoted() {
            PieceKind::Pawn => 'P',
            PieceKind::Lance => 'L',
            PieceKind::Knight => 'N',
            PieceKind::Silver => 'S',
            PieceKind::Bishop => 'B',
            PieceKind::Rook => 'R',
            PieceKind::Gold => 'G',
            _ => 'K',
        }
    }

    /// The unpromoted kind of an upper-case SFEN letter.
    pub const fn from_letter(letter: char) -> Option<PieceKind> {
        Some(match letter {
            'P' => PieceKind::Pawn,
            'L' => PieceKind::Lance,
            'N' => PieceKind::Knight,
            'S' => PieceKind::Silver,
            'B' => PieceKind::Bishop,
            'R' => PieceKind::Rook,
            'G' => PieceKind::Gold,
            'K' => PieceKind::King,
            _ => return None,
        })
    }
}

/// Kinds by number, padded to a power of two so that no bounds check is needed.
static BY_INDEX: [PieceKind; 16] = {
    let mut table = [PieceKind::Dragon; 16];
    let mut i = 0;
    while i < PieceKind::ALL.len() {
        table[PieceKind::ALL[i].index()] = PieceKind::ALL[i];
        i += 1;
    }
    table
};

/// A coloured piece: kind in the low four bits, colour above. Never zero, so that `Option<Piece>` takes
/// one byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece(NonZeroU8);

impl Piece {
    /// Size of a table indexed by piece.
    pub const TABLE: usize = 32;

    #[inline(always)]
    pub const fn new(color: Color, kind: PieceKind) -> Piece {
        Piece::from_code(kind as u8 | (color as u8) << 4)
    }

    /// The piece with this code, which must be valid.
    #[inline(always)]
    pub(crate) const fn from_code(code: u8) -> Piece {
        match NonZeroU8::new(code) {
            Some(code) => Piece(code),
            None => unreachable!(),
        }
    }

    #[inline(always)]
    pub(crate) const fn code(self) -> u8 {
        self.0.get()
    }

    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0.get() & 31) as usize
    }

    #[inline(always)]
    pub const fn kind(self) -> PieceKind {
        PieceKind::from_index((self.0.get() & 15) as usize)
    }

    #[inline(always)]
    pub const fn color(self) -> Color {
        if self.0.get() & 16 == 0 { Color::Black } else { Color::White }
    }

    /// The promoted piece. The kind must have a promotion.
    #[inline(always)]
    pub const fn promote(self) -> Piece {
        debug_assert!(self.kind().can_promote());
        Piece::from_code(self.0.get() | 8)
    }

    /// The unpromoted piece. The kind must be promoted.
    #[inline(always)]
    pub const fn unpromote(self) -> Piece {
        debug_assert!(self.kind().is_promoted());
        Piece::from_code(self.0.get() & !8)
    }

    /// Every piece of both sides.
    pub fn all() -> impl Iterator<Item = Piece> {
        Color::ALL
            .into_iter()
            .flat_map(|color| PieceKind::ALL.into_iter().map(move |kind| Piece::new(color, kind)))
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind().is_promoted() {
            f.write_str("+")?;
        }
        let letter = self.kind().letter();
        match self.color() {
            Color::Black => write!(f, "{letter}"),
            Color::White => write!(f, "{}", letter.to_ascii_lowercase()),
        }
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
