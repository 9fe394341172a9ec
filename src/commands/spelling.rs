//! Lines of moves in the notations that programs show.

use kawasemi::position::Position;
use kawasemi::record::SpelledMove;
use kawasemi::types::Move;
use kawasemi::types::language::Language;

/// The moves of a line as text: in a language or, without one, in USI.
pub fn line_text(start: &Position, moves: &[Move], language: Option<Language>) -> String {
    let name = |SpelledMove { usi, ja, en }| match language {
        None => usi,
        Some(Language::Japanese) => ja,
        Some(Language::English) => en,
    };
    let line = SpelledMove::line(start, moves.iter().copied());
    line.into_iter().map(name).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_spelled_up_to_an_illegal_move() {
        let moves =
            ["7g7f", "3c3d", "8h2b+", "8h2b+", "3a2b"].map(|mv| mv.parse::<Move>().unwrap());
        let text = |language| line_text(&Position::startpos(), &moves, language);
        assert_eq!(text(None), "7g7f 3c3d 8h2b+");
        assert_eq!(text(Some(Language::English)), "P-7f P-3d Bx2b+");
        assert_eq!(text(Some(Language::Japanese)), "▲７六歩 △３四歩 ▲２二角成");
    }
}
