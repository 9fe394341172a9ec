//! Where a game stands: the commands `position` and `posdiff`, by start and moves.

use super::Command;
use super::error::CommandError;
use super::words::{Parser, parse_move};
use crate::position::{Position, SfenError};
use crate::record::usi_ending;
use crate::types::Move;
use crate::usi::quote::{ascii, quote};

/// Where a game begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    Startpos,
    /// The fields as sent, one blank between them, ASCII; some or all may be missing.
    Sfen(String),
}

impl Start {
    /// The position there.
    ///
    /// # Errors
    /// If the fields make none.
    pub fn position(&self) -> Result<Position, SfenError> {
        match self {
            Start::Startpos => Ok(Position::startpos()),
            Start::Sfen(text) => Position::from_sfen(text),
        }
    }
}

/// The moves of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveList {
    pub moves: Vec<Move>,
    /// Something that is no move stands behind them, so that the game goes on nobody knows how.
    pub breaks_off: bool,
}

impl Parser<'_> {
    pub(super) fn position(&mut self) -> Command {
        self.eat(b"sfen");
        if !self.eat(b"startpos") {
            let start = Start::Sfen(self.sfen_fields());
            return Command::Position { start, moves: self.move_list() };
        }
        let moves = if self.eat_to_moves() {
            self.move_list()
        } else {
            MoveList { breaks_off: true, ..MoveList::default() }
        };
        Command::Position { start: Start::Startpos, moves }
    }

    /// Steps over the word `moves` and what should not stand before it. The word may be missing, but
    /// not where something else stands, which may have been the moves: then this is false.
    fn eat_to_moves(&mut self) -> bool {
        let mut is_clean = true;
        while !self.eat(b"moves") {
            match self.peek() {
                Some(token) if parse_move(token).is_none() => {
                    self.next();
                    self.error(CommandError::Stray { word: "startpos", token: quote(token) });
                    is_clean = false;
                }
                _ => return is_clean,
            }
        }
        true
    }

    /// The text, which may be none, up to the word `moves`, which is stepped over, or to the end of
    /// the line.
    fn sfen_fields(&mut self) -> String {
        let mut fields = String::new();
        while let Some(token) = self.next() {
            if token == b"moves" {
                break;
            }
            if !fields.is_empty() {
                fields.push(' ');
            }
            fields.push_str(&ascii(token));
        }
        fields
    }

    /// The moves up to the end of the line, to the result of a pasted record, or to the first token
    /// that is no move: what comes after it would be played in a wrong position.
    fn move_list(&mut self) -> MoveList {
        let mut list = MoveList::default();
        while let Some(token) = self.next() {
            match parse_move(token) {
                Some(mv) => list.moves.push(mv),
                None if is_ending(token) => break,
                None => {
                    list.breaks_off = true;
                    self.error(CommandError::NotAMove { word: "moves", token: quote(token) });
                    break;
                }
            }
        }
        list
    }

    pub(super) fn pos_diff(&mut self) -> Option<Command> {
        let list = self.move_list();
        if list == MoveList::default() {
            self.error(CommandError::Missing { word: "posdiff", what: "a move" });
            return None;
        }
        Some(Command::PosDiff(list))
    }
}

fn is_ending(token: &[u8]) -> bool {
    std::str::from_utf8(token).is_ok_and(|word| usi_ending(word).is_some())
}
