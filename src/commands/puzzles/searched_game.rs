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
    /// text in their name, in upper or lower case.
    pub fn new(source: SourceGame, player: Option<&str>) -> SearchedGame {
        let player = player.map(str::to_lowercase);
        let is_examined = |side: &Color| {
            let name = source.player(*side).unwrap_or_default().to_lowercase();
            player.as_deref().is_none_or(|text| name.contains(text))
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
