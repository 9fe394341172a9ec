//! The names of pieces and moves in sentences.

use std::cmp::Reverse;

use crate::analysis::motifs::{LineReplay, MotifMatch, capture_value};
use crate::record::{japanese_move, ki2_move, western_move};
use crate::types::PieceKind;
use crate::types::message::{Message, message};

/// Several pieces: `a rook, a silver and two pawns`, `飛車・銀・歩2枚`. Equal ones stand side by side.
pub(super) fn pieces(kinds: &[PieceKind]) -> Message {
    const NUMBERS: [&str; 5] = ["no", "a", "two", "three", "four"];
    let (mut en, mut ja) = (Vec::new(), Vec::new());
    for same in kinds.chunk_by(|one, other| one == other) {
        let name = same[0].name();
        let count = same.len();
        let number = NUMBERS.get(count).map_or_else(|| count.to_string(), |&word| word.into());
        let plural = if count > 1 { "s" } else { "" };
        en.push(format!("{number} {}{plural}", name.en));
        ja.push(if count > 1 { format!("{}{count}枚", name.ja) } else { name.ja.to_owned() });
    }
    let last = en.pop().unwrap_or_default();
    let en = if en.is_empty() { last } else { format!("{} and {last}", en.join(", ")) };
    Message { en, ja: ja.join("・") }
}

/// Pieces won or lost, in Japanese with 得 or 損: `飛車・銀得`, `金損`; pawns alone by their number, `2歩損`. A promoted
/// piece has the name that it has in hand (a horse is 角得), except a tokin, which is worth more than a pawn.
pub(super) fn won_or_lost(kinds: &[PieceKind], change: &str) -> String {
    if kinds.iter().all(|&kind| kind == PieceKind::Pawn) {
        return format!("{}歩{change}", kinds.len());
    }
    let named =
        |&kind: &PieceKind| if kind == PieceKind::ProPawn { kind } else { kind.unpromoted() };
    let mut kinds: Vec<PieceKind> = kinds.iter().map(named).collect();
    // By the value without promotion.
    kinds.sort_by_key(|&kind| Reverse(capture_value(kind)));
    format!("{}{change}", pieces(&kinds).ja)
}

/// A move of a line in English and Japanese. 同 is the square of the move before, so only the first two moves may have
/// it: they follow a move of the game or one that the sentence names, and later ones a move that it leaves out.
pub(super) fn spelled(line: &LineReplay, ply: usize) -> Message {
    if ply >= 2 {
        return spelled_with_square(line, ply);
    }
    let (position, mv) = (line.before(ply), line.moves()[ply]);
    Message { en: western_move(position, mv), ja: japanese_move(position, mv) }
}

/// A move that a sentence names after another one, whose square 同 would mean.
pub(super) fn spelled_with_square(line: &LineReplay, ply: usize) -> Message {
    let (position, mv) = (line.before(ply), line.moves()[ply]);
    Message { en: western_move(position, mv), ja: ki2_move(position, mv, None) }
}

/// A word and the particle と with the next one: `飛車と銀`, `金と、と金`.
pub(super) fn with_particle(word: &str, next: &str) -> String {
    let pause = if next.starts_with('と') { "、" } else { "" };
    format!("{word}と{pause}{next}")
}

/// The moves that lead to one: the first of the line and that one, `N*5e and Nx6g+`.
pub(super) fn spelled_up_to(line: &LineReplay, ply: usize) -> Message {
    spelled_from(line, 0, ply)
}

/// A move of a line and a later one, to which it leads, or the move alone if they are the same.
pub(super) fn spelled_from(line: &LineReplay, first: usize, last: usize) -> Message {
    let (one, other) = (spelled(line, first), spelled(line, last));
    if first == last { one } else { message!("{} and {}", "{}から{}"; one, other) }
}

/// The move of a tactic with its name, and the capture if that is another move: `N*5e (knight fork) and Nx6g+`.
pub(super) fn tactic_to(line: &LineReplay, found: &MotifMatch, capture: usize) -> Message {
    let (first, name, last) =
        (spelled(line, found.ply), found.motif.name(), spelled(line, capture));
    let tactic = message!("{} ({})", "{}（{}）"; first, name);
    if found.ply == capture { tactic } else { message!("{} and {}", "{}から{}"; tactic, last) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::types::Move;

    /// Regression: `桂・香・桂得`, in the order of the promoted pieces.
    #[test]
    fn equal_pieces_are_counted_whether_they_are_promoted_or_not() {
        let won = [PieceKind::ProKnight, PieceKind::ProLance, PieceKind::Knight];
        assert_eq!(won_or_lost(&won, "得"), "桂2枚・香得");
    }

    /// Regression: `金とと金`.
    #[test]
    fn a_tokin_after_the_particle_is_set_off() {
        assert_eq!(with_particle("飛車", "銀"), "飛車と銀");
        assert_eq!(with_particle("金", "と金"), "金と、と金");
    }

    /// Regression: `△８五歩から△同　飛`, where 同 was the square of a move that the sentence left out.
    #[test]
    fn a_move_after_one_that_is_left_out_has_its_square() {
        let moves: Vec<Move> =
            ["7g7f", "3c3d", "8h2b+", "3a2b"].map(|mv| mv.parse().unwrap()).into();
        let line = LineReplay::new(&Position::startpos(), &moves);
        assert_eq!(spelled_up_to(&line, 3).ja, "▲７六歩から△２二銀");
        // The same move directly after one that is named.
        let exchange = LineReplay::new(line.before(2), &moves[2..]);
        assert_eq!(spelled_up_to(&exchange, 1).ja, "▲２二角成から△同　銀");
    }
}
