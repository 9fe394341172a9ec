//! The games that are searched, and the puzzles found in them.

use kawasemi::puzzles::Puzzle;
use kawasemi::types::Color;
use kawasemi::types::message::{Message, message};

use crate::commands::source_game::SourceGame;

/// A game that is searched for puzzles.
pub struct SearchedGame {
    pub source: SourceGame,
    /// The sides whose moves are examined.
    pub sides: Vec<Color>,
}

impl SearchedGame {
    /// A game in which the moves of both sides are examined or, with a name, those of the players with this
    /// text in their name.
    pub fn new(source: SourceGame, player: Option<&str>) -> SearchedGame {
        let is_examined = |side: &Color| {
            player.is_none_or(|text| source.player(*side).is_some_and(|name| name.contains(text)))
        };
        let sides = Color::ALL.into_iter().filter(is_examined).collect();
        SearchedGame { source, sides }
    }
}

/// A puzzle with its game.
pub struct FoundPuzzle<'a> {
    pub source: &'a SourceGame,
    pub puzzle: Puzzle,
}

impl FoundPuzzle<'_> {
    /// The game, and the number of the missed move in it.
    pub fn place(&self) -> Message {
        let (game, ply) = (self.source.name(), self.puzzle.ply);
        message!("{}, move {ply}", "{} {ply}手目"; game)
    }
}
