//! How lines end, in the terms of the notations.

use crate::types::Color;

/// How a line of moves ends (`special` in JKF, a "special move" in CSA). Where a player is meant, it is the
/// side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    Resign,
    /// The side to move is mated.
    Mate,
    /// A problem without a mate.
    NoMate,
    /// The side to move wins by an entering-king declaration.
    Declaration,
    Sennichite,
    /// Impasse: both kings have entered, and neither side wins.
    Jishogi,
    /// A draw by agreement or for an unknown reason.
    Draw,
    /// The move limit is reached.
    MaxMoves,
    TimeUp,
    /// The side to move made an illegal move. The move itself is not recorded.
    IllegalMove,
    /// This side, whoever is to move, broke the rules.
    IllegalAction(Color),
    Interrupted,
    WinByDefault,
    LossByDefault,
    /// A move was taken back, in old CSA files.
    Matta,
    Error,
    /// Another word, as it was found.
    Other(String),
}

/// The keywords in JSON.
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

/// Any other ending is `other:` and its word in the record.
const OTHER: &str = "other:";

impl Ending {
    /// Every ending but [`Ending::Other`].
    pub fn known() -> impl Iterator<Item = Ending> {
        KEYWORDS.iter().map(|(ending, _)| ending.clone())
    }

    /// The keyword in JSON, or `other:` with the word of the record.
    ///
    /// ```
    /// use kawasemi::record::Ending;
    /// assert_eq!(Ending::TimeUp.keyword(), "time_up");
    /// assert_eq!(Ending::Other("封じ手".into()).keyword(), "other:封じ手");
    /// ```
    pub fn keyword(&self) -> String {
        match (self, KEYWORDS.iter().find(|(known, _)| known == self)) {
            (_, Some((_, word))) => (*word).to_owned(),
            (Ending::Other(text), None) => format!("{OTHER}{text}"),
            (_, None) => unreachable!("every other ending has a keyword"),
        }
    }

    /// The ending of a keyword.
    pub fn from_keyword(word: &str) -> Option<Ending> {
        if let Some(text) = word.strip_prefix(OTHER) {
            return Some(Ending::Other(text.to_owned()));
        }
        KEYWORDS.iter().find(|(_, known)| *known == word).map(|(ending, _)| ending.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyword_means_its_ending() {
        for (ending, word) in &KEYWORDS {
            assert_eq!(ending.keyword(), *word);
            assert_eq!(Ending::from_keyword(word).as_ref(), Some(ending));
        }
        let other = Ending::Other("封じ手".into());
        assert_eq!(Ending::from_keyword(&other.keyword()), Some(other));
        assert_eq!(Ending::from_keyword("mated"), None);
    }
}
