//! The keywords for the special moves that end a line.

use crate::record::SpecialMove;
use crate::types::Color;

/// The keywords, those of `analyze` where it has one.
const KEYWORDS: [(SpecialMove, &str); 17] = [
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

/// Any other end is `other:` and its word in the record.
const OTHER: &str = "other:";

pub(super) fn keyword_of(end: &SpecialMove) -> String {
    match (end, KEYWORDS.iter().find(|(known, _)| known == end)) {
        (_, Some((_, word))) => (*word).to_owned(),
        (SpecialMove::Other(text), None) => format!("{OTHER}{text}"),
        (_, None) => unreachable!("every other end has a keyword"),
    }
}

pub(super) fn from_keyword(word: &str) -> Option<SpecialMove> {
    if let Some(text) = word.strip_prefix(OTHER) {
        return Some(SpecialMove::Other(text.to_owned()));
    }
    KEYWORDS.iter().find(|(_, known)| *known == word).map(|(end, _)| end.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyword_means_its_end() {
        for (end, word) in &KEYWORDS {
            assert_eq!(keyword_of(end), *word);
            assert_eq!(from_keyword(word).as_ref(), Some(end));
        }
        let other = SpecialMove::Other("封じ手".into());
        assert_eq!(from_keyword(&keyword_of(&other)), Some(other));
        assert_eq!(from_keyword("mated"), None);
    }
}
