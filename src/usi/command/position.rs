//! The commands `position` and `posdiff`.

use super::error::CommandError;
use super::parser::{Parser, parse_move};
use super::types::{Command, Start, UsiMoves};
use crate::types::usi::is_result_word;
use crate::types::{excerpt, printable};

impl Parser<'_> {
    pub(super) fn position(&mut self) -> Command {
        self.accept(b"sfen");
        if !self.accept(b"startpos") {
            let start = Start::Sfen(self.sfen_fields());
            return Command::Position { start, moves: self.move_list("moves") };
        }
        let before = if self.skip_to_moves() { "moves" } else { "startpos" };
        Command::Position { start: Start::Startpos, moves: self.move_list(before) }
    }

    /// Skips past the word `moves`; false if it is missing or a move stands before it.
    fn skip_to_moves(&mut self) -> bool {
        if !self.has(b"moves") {
            return false;
        }
        while let Some(token) = self.peek().filter(|token| parse_move(token).is_none()) {
            self.next();
            if token == b"moves" {
                return true;
            }
            self.error(CommandError::UnexpectedToken { word: "startpos", token: excerpt(token) });
        }
        false
    }

    /// The text up to the word `moves`, which is consumed, or to the end of the line.
    fn sfen_fields(&mut self) -> String {
        let mut fields = String::new();
        while let Some(token) = self.next() {
            if token == b"moves" {
                break;
            }
            if !fields.is_empty() {
                fields.push(' ');
            }
            fields.push_str(&printable(token));
        }
        fields
    }

    /// The moves after `word` up to the end of the line, a result word, or the first token that is not a move.
    fn move_list(&mut self, word: &'static str) -> UsiMoves {
        let mut list = UsiMoves::default();
        while let Some(token) = self.next() {
            match parse_move(token) {
                Some(mv) => list.moves.push(mv),
                None if is_result_word(token) => break,
                None => {
                    list.is_incomplete = true;
                    self.error(CommandError::NotAMove { word, token: excerpt(token) });
                    break;
                }
            }
        }
        list
    }

    pub(super) fn pos_diff(&mut self) -> Option<Command> {
        let list = self.move_list("posdiff");
        if list == UsiMoves::default() {
            self.error(CommandError::Missing { word: "posdiff", what: "a move" });
            return None;
        }
        Some(Command::PosDiff(list))
    }
}
