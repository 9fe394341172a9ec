//! The keywords of endings.

use crate::record::Ending;
use crate::types::Color;

/// The keywords, those of `analyze` where it has one.
const KEYWORDS: [(Ending, &str); 17] = [
    (Ending::Resign, "resign"),
    (Ending::Mate, "mate"),
    (Ending::NoMate, "no_mate"),
    (Ending::Declaration, "declaration"),
    (Ending::Sennichite, "repetition"),
    (Ending::Jishogi, "impasse"),
    (Ending::Draw, "draw"),
    (Ending::MaxMoves, "max_moves"),
    (Ending::TimeUp, "time_up"),
    (Ending::IllegalMove, "foul"),
    (Ending::IllegalAction(Color::Black), "foul_by_black"),
    (Ending::IllegalAction(Color::White), "foul_by_white"),
    (Ending::Interrupted, "interrupted"),
    (Ending::WinByDefault, "win_by_default"),
    (Ending::LossByDefault, "loss_by_default"),
    (Ending::Matta, "matta"),
    (Ending::Error, "error"),
];

/// Any other end is `other:` and its word in the record.
const OTHER: &str = "other:";

pub(super) fn keyword_of(end: &Ending) -> String {
    match (end, KEYWORDS.iter().find(|(known, _)| known == end)) {
        (_, Some((_, word))) => (*word).to_owned(),
        (Ending::Other(text), None) => format!("{OTHER}{text}"),
        (_, None) => unreachable!("every other end has a keyword"),
    }
}

pub(super) fn from_keyword(word: &str) -> Option<Ending> {
    if let Some(text) = word.strip_prefix(OTHER) {
        return Some(Ending::Other(text.to_owned()));
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
        let other = Ending::Other("封じ手".into());
        assert_eq!(from_keyword(&keyword_of(&other)), Some(other));
        assert_eq!(from_keyword("mated"), None);
    }
}
