//! The diagram of a position for a terminal, in ASCII.

use std::fmt;

use super::board::Position;
use crate::types::{Color, Hand, PieceKind, Square};

const BORDER: &str = "+---------------------------+";

impl fmt::Display for Position {
    /// Several lines, from Black's view, without a final newline.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hand(self, Color::White, f)?;
        writeln!(f, "  9  8  7  6  5  4  3  2  1\n{BORDER}")?;
        for rank in 0..9 {
            write_rank(self, rank, f)?;
        }
        writeln!(f, "{BORDER}")?;
        write_hand(self, Color::Black, f)?;
        write!(f, "Move {}, {:?} to move", self.game_ply(), self.side_to_move())?;
        if self.in_check() {
            f.write_str(", in check from")?;
            self.checkers().into_iter().try_for_each(|square| write!(f, " {square}"))?;
        }
        write!(f, "\nsfen {}\nkey {:016x}", self.to_sfen(), self.key())
    }
}

fn write_rank(position: &Position, rank: u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("|")?;
    for file in (0..9).rev() {
        match position.piece_at(Square::new(file, rank)) {
            Some(piece) if piece.kind().is_promoted() => write!(f, "{piece} ")?,
            Some(piece) => write!(f, " {piece} ")?,
            None => f.write_str(" . ")?,
        }
    }
    writeln!(f, "| {}", (b'a' + rank) as char)
}

fn write_hand(position: &Position, color: Color, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let hand: Hand = position.hand(color);
    write!(f, "{color:?} in hand:")?;
    if hand.is_empty() {
        f.write_str(" none")?;
    }
    // Most valuable first, as usual.
    for kind in PieceKind::HAND.into_iter().rev().filter(|&kind| hand.has(kind)) {
        write!(f, " {}", kind.letter())?;
        if hand.count(kind) > 1 {
            write!(f, "{}", hand.count(kind))?;
        }
    }
    writeln!(f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_diagram_shows_board_hands_side_check_and_sfen() {
        let sfen = "4k4/9/4+P4/9/9/9/9/4r4/4K4 b RB10Pgn2p 71";
        let position = Position::from_sfen(sfen).unwrap();
        let key = format!("key {:016x}", position.key());
        let expected = [
            "White in hand: G N P2",
            "  9  8  7  6  5  4  3  2  1",
            "+---------------------------+",
            "| .  .  .  .  k  .  .  .  . | a",
            "| .  .  .  .  .  .  .  .  . | b",
            "| .  .  .  . +P  .  .  .  . | c",
            "| .  .  .  .  .  .  .  .  . | d",
            "| .  .  .  .  .  .  .  .  . | e",
            "| .  .  .  .  .  .  .  .  . | f",
            "| .  .  .  .  .  .  .  .  . | g",
            "| .  .  .  .  r  .  .  .  . | h",
            "| .  .  .  .  K  .  .  .  . | i",
            "+---------------------------+",
            "Black in hand: R B P10",
            "Move 71, Black to move, in check from 5h",
            &format!("sfen {sfen}"),
            &key,
        ];
        assert_eq!(position.to_string().lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn empty_hands_are_shown() {
        let picture = Position::startpos().to_string();
        assert!(picture.starts_with("White in hand: none\n"));
        assert!(picture.contains("\nBlack in hand: none\nMove 1, Black to move\nsfen "));
    }
}
