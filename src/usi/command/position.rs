//! The commands `position` and `posdiff`.

use super::error::CommandError;
use super::parser::{Parser, parse_move};
use super::types::{Command, Start, UsiMoves};
use crate::session::{printable, quote};
use crate::types::usi::is_result_word;

impl Parser<'_> {
    pub(super) fn position(&mut self) -> Command {
        self.accept(b"sfen");
        if !self.accept(b"startpos") {
            let start = Start::Sfen(self.sfen_fields());
            return Command::Position { start, moves: self.move_list() };
        }
        let moves = if self.skip_to_moves() {
            self.move_list()
        } else {
            UsiMoves { is_incomplete: true, ..UsiMoves::default() }
        };
        Command::Position { start: Start::Startpos, moves }
    }

    /// Skips past the word `moves`, which may be missing; false if other tokens, possibly meant as moves,
    /// stood before the end.
    fn skip_to_moves(&mut self) -> bool {
        let mut is_clean = true;
        while !self.accept(b"moves") {
            match self.peek() {
                Some(token) if parse_move(token).is_none() => {
                    self.next();
                    self.error(CommandError::UnexpectedToken {
                        word: "startpos",
                        token: quote(token),
                    });
                    is_clean = false;
                }
                _ => return is_clean,
            }
        }
        true
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

    /// The moves up to the end of the line, a result word, or the first token that is not a move.
    fn move_list(&mut self) -> UsiMoves {
        let mut list = UsiMoves::default();
        while let Some(token) = self.next() {
            match parse_move(token) {
                Some(mv) => list.moves.push(mv),
                None if is_result_word(token) => break,
                None => {
                    list.is_incomplete = true;
                    self.error(CommandError::NotAMove { word: "moves", token: quote(token) });
                    break;
                }
            }
        }
        list
    }

    pub(super) fn pos_diff(&mut self) -> Option<Command> {
        let list = self.move_list();
        if list == UsiMoves::default() {
            self.error(CommandError::Missing { word: "posdiff", what: "a move" });
            return None;
        }
        Some(Command::PosDiff(list))
    }
}
