//! The way through a game that is looked at: its main line, from the end to the start.

use std::collections::HashMap;

use crate::position::Position;
use crate::record::{Game, NodeId};
use crate::types::Move;

/// A position as far as it matters to what it is worth: board, side to move and hands, and how
/// often it has stood in the game before.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// An SFEN without the number of the move.
    sfen: String,
    /// Repetition makes another position of it.
    earlier: u32,
}

/// The main line of a game, with a position on it.
#[derive(Debug)]
pub struct Path {
    position: Position,
    /// Of the position at the start and after each move.
    places: Vec<Place>,
    moves: Vec<(NodeId, Move)>,
    /// How many of the moves have been made.
    made: usize,
}

impl Path {
    /// Stands at the end of the line.
    pub fn new(game: &Game) -> Path {
        let start = Position::from_setup(game.start());
        let mut position = start.expect("only a cursor makes games, and checks their start");
        let mut seen = HashMap::new();
        let mut places = vec![place(&position, &mut seen)];
        let mut moves = Vec::new();
        for id in game.main_line() {
            let Some(mv) = game.node(id).mv() else { continue };
            position.do_move(mv);
            places.push(place(&position, &mut seen));
            moves.push((id, mv));
        }
        let made = moves.len();
        Path { position, places, moves, made }
    }

    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Moves made so far.
    pub fn made(&self) -> usize {
        self.made
    }

    /// Of the position after so many moves.
    pub fn place(&self, made: usize) -> &Place {
        &self.places[made]
    }

    /// All moves of the line, with their nodes.
    pub fn moves(&self) -> &[(NodeId, Move)] {
        &self.moves
    }

    /// Takes a move back. False at the start.
    pub fn back(&mut self) -> bool {
        let Some(before) = self.made.checked_sub(1) else { return false };
        self.position.undo_move(self.moves[before].1);
        self.made = before;
        true
    }

    /// Makes the next move. False at the end.
    pub fn forth(&mut self) -> bool {
        let Some(&(_, mv)) = self.moves.get(self.made) else { return false };
        self.position.do_move(mv);
        self.made += 1;
        true
    }
}

fn place(position: &Position, seen: &mut HashMap<String, u32>) -> Place {
    let mut sfen = position.to_sfen();
    sfen.truncate(sfen.rfind(' ').unwrap_or(sfen.len()));
    let count = seen.entry(sfen.clone()).or_default();
    let earlier = *count;
    *count += 1;
    Place { sfen, earlier }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Format, Policy, read};

    fn path(line: &str) -> Path {
        Path::new(&read(line, Format::Usi, Policy::Refuse).unwrap().games[0])
    }

    #[test]
    fn a_position_is_the_same_on_another_way_and_another_when_it_comes_back() {
        let one = path("startpos moves 7g7f 3c3d 2g2f");
        let other = path("startpos moves 2g2f 3c3d 7g7f");
        assert_eq!(one.place(3), other.place(3));
        assert_ne!(one.place(1), other.place(1));
        let cycle = path("startpos moves 2h3h 8b7b 3h2h 7b8b");
        assert_ne!(cycle.place(0), cycle.place(4));
        assert_eq!(cycle.place(0).sfen, cycle.place(4).sfen);
    }

    #[test]
    fn it_goes_from_the_end_to_the_start_and_back() {
        let mut path = path("startpos moves 7g7f 3c3d");
        let end = path.position().to_sfen();
        assert!(!path.forth());
        assert!(path.back() && path.back() && !path.back());
        assert_eq!(path.position().to_sfen(), Position::startpos().to_sfen());
        assert!(path.forth() && path.forth());
        assert_eq!((path.position().to_sfen(), path.made()), (end, 2));
    }
}
