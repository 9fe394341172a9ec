//! The words for the ends of lines.

use crate::record::SpecialMove;
use crate::types::Color;

/// The ends that have a word, those of `analyze` where it has one.
const WORDS: [(SpecialMove, &str); 17] = [
    (SpecialMove::Resign, "resign"),
    (SpecialMove::Mate, "mate"),
    (SpecialMove::NoMate, "no_mate"),
    (SpecialMove::Declaration, "declaration"),
    (SpecialMove::Sennichite, "repetition"),
    (SpecialMove::Jishogi, "impasse"),
    (SpecialMove::Draw, "draw"),
    (SpecialMove::MaxMoves, "max_moves"),
    (SpecialMove::TimeUp, "time_up"),
    (SpecialMove::IllegalMove, "foul"),
    (SpecialMove::IllegalAction(Color::Black), "foul_by_black"),
    (SpecialMove::IllegalAction(Color::White), "foul_by_white"),
    (SpecialMove::Interrupted, "interrupted"),
    (SpecialMove::WinByDefault, "win_by_default"),
    (SpecialMove::LossByDefault, "loss_by_default"),
    (SpecialMove::Matta, "matta"),
    (SpecialMove::Error, "error"),
];

/// Any other end is `other:` and the word of its record.
const OTHER: &str = "other:";

pub(super) fn word_of(end: &SpecialMove) -> String {
    match (end, WORDS.iter().find(|(known, _)| known == end)) {
        (_, Some((_, word))) => (*word).to_owned(),
        (SpecialMove::Other(text), None) => format!("{OTHER}{text}"),
        (_, None) => unreachable!("every other end has its word"),
    }
}

pub(super) fn of_word(word: &str) -> Option<SpecialMove> {
    if let Some(text) = word.strip_prefix(OTHER) {
        return Some(SpecialMove::Other(text.to_owned()));
    }
    WORDS.iter().find(|(_, known)| *known == word).map(|(end, _)| end.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_means_its_end() {
        for (end, word) in &WORDS {
            assert_eq!(word_of(end), *word);
            assert_eq!(of_word(word).as_ref(), Some(end));
        }
        let other = SpecialMove::Other("封じ手".into());
        assert_eq!(of_word(&word_of(&other)), Some(other));
        assert_eq!(of_word("mated"), None);
    }
}
