//! The words for endings. JKF uses the same ones.

use crate::record::ending::Ending;
use crate::types::Color;

/// Without the percent sign.
const ENDINGS: &[(Ending, &str)] = &[
    (Ending::Resign, "TORYO"),
    (Ending::Mate, "TSUMI"),
    (Ending::NoMate, "FUZUMI"),
    (Ending::Declaration, "KACHI"),
    (Ending::Sennichite, "SENNICHITE"),
    (Ending::Jishogi, "JISHOGI"),
    (Ending::Draw, "HIKIWAKE"),
    (Ending::MaxMoves, "MAX_MOVES"),
    (Ending::TimeUp, "TIME_UP"),
    (Ending::IllegalMove, "ILLEGAL_MOVE"),
    (Ending::IllegalAction(Color::Black), "+ILLEGAL_ACTION"),
    (Ending::IllegalAction(Color::White), "-ILLEGAL_ACTION"),
    (Ending::Interrupted, "CHUDAN"),
    (Ending::Matta, "MATTA"),
    (Ending::Error, "ERROR"),
];

/// The sign is missing in Kifu for JS: there the side that is not to move broke the rules.
const ILLEGAL_BEFORE: &str = "ILLEGAL_ACTION";

/// The ending that a word means, with `side` to move.
pub(in crate::record) fn ending(word: &str, side: Color) -> Ending {
    if word == ILLEGAL_BEFORE {
        return Ending::IllegalAction(!side);
    }
    let found = ENDINGS.iter().find(|&&(_, known)| known == word);
    found.map_or_else(|| Ending::Other(word.to_owned()), |(ending, _)| ending.clone())
}

/// The word for an ending, if there is one.
pub(in crate::record) fn ending_word(ending: &Ending) -> Option<&str> {
    if let Ending::Other(word) = ending {
        let plain = |byte: u8| byte.is_ascii_uppercase() || matches!(byte, b'_' | b'+' | b'-');
        return (!word.is_empty() && word.bytes().all(plain)).then_some(word);
    }
    ENDINGS.iter().find(|(known, _)| known == ending).map(|&(_, word)| word)
}
