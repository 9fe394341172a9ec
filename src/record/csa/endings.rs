//! The words for endings. JKF uses the same ones.

use crate::record::special_move::SpecialMove;
use crate::types::Color;

/// Without the percent sign.
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

/// The ending that a word means.
pub(in crate::record) fn special(word: &str) -> SpecialMove {
    let found = ENDINGS.iter().find(|&&(_, known)| known == word);
    found.map_or_else(|| SpecialMove::Other(word.to_owned()), |(special, _)| special.clone())
}

/// The word for an ending, if there is one.
pub(in crate::record) fn special_word(special: &SpecialMove) -> Option<&str> {
    if let SpecialMove::Other(word) = special {
        let plain = |byte: u8| byte.is_ascii_uppercase() || matches!(byte, b'_' | b'+' | b'-');
        return (!word.is_empty() && word.bytes().all(plain)).then_some(word);
    }
    ENDINGS.iter().find(|(known, _)| known == special).map(|&(_, word)| word)
}
