//! The board of the screen, with the last move marked.

use crate::position::Position;
use crate::record::kanji_diagram;
use crate::types::language::{Language, Localized};
use crate::types::{ByColor, Move};

/// Reverse video, which a terminal without colours has too.
const REVERSE_ON: &str = "\x1b[7m";
const REVERSE_OFF: &str = "\x1b[27m";

/// Board and hands: kanji and `sides` for Japanese, letters for English. The square to which `last` went is marked.
pub(super) fn board(
    position: &Position,
    last: Option<Move>,
    sides: &ByColor<Localized>,
    language: Language,
) -> String {
    let (text, end, cell) = match language {
        Language::English => (position.to_string(), "Move ", 3),
        Language::Japanese => (kanji_diagram(&position.setup(), sides), "手番", 2),
    };
    // The lines after the hands repeat what the screen shows elsewhere.
    let is_end = |line: &str| match language {
        Language::English => line.starts_with(end),
        Language::Japanese => line.ends_with(end),
    };
    let mut rank = 0;
    let mut board = String::new();
    for line in text.lines().take_while(|line| !is_end(line)) {
        let is_rank = line.starts_with('|');
        let square =
            last.map(Move::to).filter(|square| is_rank && usize::from(square.rank()) == rank);
        rank += usize::from(is_rank);
        match square {
            Some(square) => {
                board += &marked(line, 1 + cell * (8 - usize::from(square.file())), cell)
            }
            None => board += line,
        }
        board.push('\n');
    }
    board
}

/// The line with `count` characters from the `first` on marked.
fn marked(line: &str, first: usize, count: usize) -> String {
    let mut chars = line.chars();
    let before: String = chars.by_ref().take(first).collect();
    let cell: String = chars.by_ref().take(count).collect();
    format!("{before}{REVERSE_ON}{cell}{REVERSE_OFF}{}", chars.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::side_names;

    #[test]
    fn the_square_of_the_last_move_is_marked_on_boards_of_kanji_and_of_letters() {
        let mut position = Position::startpos();
        let sides = &side_names(&position.setup());
        let last: Move = "2g2f".parse().unwrap();
        position.try_play(last).unwrap();
        let kanji = board(&position, Some(last), sides, Language::Japanese);
        assert!(kanji.contains("| ・ ・ ・ ・ ・ ・ ・\x1b[7m 歩\x1b[27m ・|六\n"), "{kanji}");
        assert!(kanji.contains("後手の持駒：なし\n") && !kanji.contains("手番"), "{kanji}");
        let letters = board(&position, Some(last), sides, Language::English);
        assert!(letters.contains(" . \x1b[7m P \x1b[27m . | f\n"), "{letters}");
        assert!(letters.contains("Black in hand: none\n") && !letters.contains("sfen"));
        assert_eq!([&kanji, &letters].map(|text| text.matches(REVERSE_ON).count()), [1, 1]);
        assert!(!board(&position, None, sides, Language::Japanese).contains('\x1b'));
    }
}
