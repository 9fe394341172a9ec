//! The CSA format, versions 2.2 and 3: what both directions share.
//!
//! Versions and the older ones differ in little, and are read alike. Branches have no place here.

mod read;
mod write;

pub(super) use read::read;
pub use read::read_move;
pub(super) use write::{CsaVersion, write};

use super::SpecialMove;
use crate::position::Position;
use crate::types::{Color, Move, PieceKind, Square};

/// File and rank: `77`.
pub(super) fn digits(square: Square) -> String {
    format!("{}{}", square.file() + 1, square.rank() + 1)
}

const fn sign(color: Color) -> char {
    match color {
        Color::Black => '+',
        Color::White => '-',
    }
}

/// A legal move: `+7776FU`, with the piece as it is after the move.
pub fn move_text(position: &Position, mv: Move) -> String {
    let from = if mv.is_drop() { "00".into() } else { digits(mv.from()) };
    let piece = code(position.moved_piece(mv).kind());
    format!("{}{from}{}{piece}", sign(position.side_to_move()), digits(mv.to()))
}

pub(super) const fn code(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "FU",
        PieceKind::Lance => "KY",
        PieceKind::Knight => "KE",
        PieceKind::Silver => "GI",
        PieceKind::Bishop => "KA",
        PieceKind::Rook => "HI",
        PieceKind::Gold => "KI",
        PieceKind::King => "OU",
        PieceKind::ProPawn => "TO",
        PieceKind::ProLance => "NY",
        PieceKind::ProKnight => "NK",
        PieceKind::ProSilver => "NG",
        PieceKind::Horse => "UM",
        PieceKind::Dragon => "RY",
    }
}

pub(super) fn kind(text: &str) -> Option<PieceKind> {
    PieceKind::ALL.into_iter().find(|&kind| code(kind) == text)
}

/// The words for endings, without the percent sign. JKF uses the same.
const ENDINGS: &[(SpecialMove, &str)] = &[
    (SpecialMove::Resign, "TORYO"),
    (SpecialMove::Mate, "TSUMI"),
    (SpecialMove::NoMate, "FUZUMI"),
    (SpecialMove::Declaration, "KACHI"),
    (SpecialMove::Sennichite, "SENNICHITE"),
    (SpecialMove::Jishogi, "JISHOGI"),
    (SpecialMove::Draw, "HIKIWAKE"),
    (SpecialMove::MaxMoves, "MAX_MOVES"),
    (SpecialMove::TimeUp, "TIME_UP"),
    (SpecialMove::IllegalMove, "ILLEGAL_MOVE"),
    (SpecialMove::IllegalAction(Color::Black), "+ILLEGAL_ACTION"),
    (SpecialMove::IllegalAction(Color::White), "-ILLEGAL_ACTION"),
    (SpecialMove::Interrupted, "CHUDAN"),
    (SpecialMove::Matta, "MATTA"),
    (SpecialMove::Error, "ERROR"),
];

/// The ending of a word.
pub(super) fn special(word: &str) -> SpecialMove {
    let found = ENDINGS.iter().find(|&&(_, known)| known == word);
    found.map_or_else(|| SpecialMove::Other(word.to_owned()), |(special, _)| special.clone())
}

/// The word of an ending, if it has one.
pub(super) fn special_word(special: &SpecialMove) -> Option<&str> {
    if let SpecialMove::Other(word) = special {
        let plain = |byte: u8| byte.is_ascii_uppercase() || matches!(byte, b'_' | b'+' | b'-');
        return (!word.is_empty() && word.bytes().all(plain)).then_some(word);
    }
    ENDINGS.iter().find(|(known, _)| known == special).map(|&(_, word)| word)
}
