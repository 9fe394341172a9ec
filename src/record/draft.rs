//! A game while it is read, whatever the notation: head first, then moves, then perhaps another
//! game. Knows what to do about a fault: refuse the whole text, or keep what came before.

use std::time::Duration;

use super::error::{Fault, MoveFault, Note, Passed, Quote, RecordError};
use super::game::{Game, NodeId};
use super::header::Key;
use super::{Cursor, Policy, Reading, Special};
use crate::position::Setup;
use crate::types::{Hand, Move, PieceKind};

pub(super) struct Draft {
    policy: Policy,
    games: Vec<Game>,
    notes: Vec<Note>,
    /// At the start position until the head of the game says something else.
    pub(super) cursor: Cursor,
    state: State,
    /// The last foul of this game.
    foul: Option<Foul>,
}

/// A move that breaks a rule of the game. Its line ends with it, so whoever writes more behind it
/// writes about that end.
struct Foul {
    end: NodeId,
    line: usize,
    fault: Fault,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Untouched,
    Head,
    /// The start is known.
    Begun,
    /// A fault was met; `true` if moves before it are to be kept.
    GivenUp(bool),
}

fn fresh() -> Cursor {
    Cursor::new(Setup::startpos()).expect("the start position can be played")
}

impl Draft {
    pub(super) fn new(policy: Policy) -> Draft {
        let (games, notes) = (Vec::new(), Vec::new());
        Draft { policy, games, notes, cursor: fresh(), state: State::Untouched, foul: None }
    }

    /// Something of a game has been seen.
    pub(super) fn touch(&mut self) {
        if self.state == State::Untouched {
            self.state = State::Head;
        }
    }

    pub(super) fn is_touched(&self) -> bool {
        self.state != State::Untouched
    }

    pub(super) fn is_begun(&self) -> bool {
        self.state == State::Begun
    }

    pub(super) fn is_given_up(&self) -> bool {
        matches!(self.state, State::GivenUp(_))
    }

    pub(super) fn pass(&mut self, line: usize, what: Passed) {
        self.notes.push(Note { line, what });
    }

    pub(super) fn header(&mut self, key: Key, value: &str) {
        self.touch();
        let value = value.trim();
        if !value.is_empty() {
            self.cursor.game_mut().headers.add(key, value);
        }
    }

    /// Files a comment. Those on the start wait until its position is known.
    pub(super) fn comment(&mut self, text: &str) {
        self.touch();
        if self.is_begun() {
            self.cursor.comment(text);
        } else {
            self.cursor.node().comments.push(text.to_owned());
        }
    }

    /// Files what programs leave for themselves.
    pub(super) fn remark(&mut self, text: &str) {
        self.touch();
        self.cursor.node().remarks.push(text.to_owned());
    }

    /// Files what the last step took. Of several times, as where a branch repeats a move, the first
    /// stays.
    pub(super) fn elapsed(&mut self, line: usize, spent: Duration, text: &str) {
        let known = *self.cursor.node().elapsed.get_or_insert(spent);
        if known != spent {
            self.pass(line, Passed::Second(Quote::of(text)));
        }
    }

    /// Files a bookmark, the first of several.
    pub(super) fn bookmark(&mut self, line: usize, text: &str) {
        self.touch();
        let known = self.cursor.node().bookmark.get_or_insert_with(|| text.to_owned());
        if known.as_str() != text {
            self.pass(line, Passed::Second(Quote::of(text)));
        }
    }

    /// Ends the head: the moves start from here.
    pub(super) fn begin(&mut self, start: Setup) -> Result<(), Fault> {
        self.touch();
        self.cursor.set_start(start).map_err(Fault::Start)?;
        self.state = State::Begun;
        for text in std::mem::take(&mut self.cursor.node().comments) {
            self.cursor.comment(&text);
        }
        Ok(())
    }

    /// Plays the move that was found in a text. A foul is no move but the end of the line, and so
    /// a fault only when another move follows. Behind any other end the line goes on, and the end
    /// becomes a branch.
    pub(super) fn play(
        &mut self,
        line: usize,
        text: &str,
        found: Result<Move, MoveFault>,
    ) -> Result<(), Fault> {
        if let Some(foul) = self.foul_here() {
            return Err(foul.fault.clone());
        }
        let had_ended = self.cursor.is_at_an_end();
        let played = found.and_then(|mv| self.cursor.play(mv).map_err(MoveFault::Refused));
        let Err(reason) = played else {
            if had_ended {
                self.cursor.put_before_the_end();
                self.pass(line, Passed::EarlyEnd(Quote::of(text)));
            }
            return Ok(());
        };
        let number = self.cursor.moves() + 1;
        let fault = Fault::Move { number, text: Quote::of(text), fault: reason };
        if !reason.is_foul() || !self.cursor.end(Special::IllegalMove) {
            return Err(fault);
        }
        self.pass(line, Passed::Foul(fault.clone()));
        self.foul = Some(Foul { end: self.cursor.current(), line, fault });
        Ok(())
    }

    /// The foul by which the line has ended that is being read.
    fn foul_here(&self) -> Option<&Foul> {
        self.foul.as_ref().filter(|foul| foul.end == self.cursor.current())
    }

    pub(super) fn ends_with_a_foul(&self) -> bool {
        self.foul_here().is_some()
    }

    /// Ends the line. `false`, and nothing is done, if it has ended otherwise.
    pub(super) fn end(&mut self, special: Special) -> bool {
        let is_told = matches!(special, Special::IllegalMove | Special::IllegalAction(_));
        is_told && self.ends_with_a_foul() || self.cursor.end(special)
    }

    /// Refuses the text because of a fault, or gives up the rest of this game alone.
    pub(super) fn settle(&mut self, line: usize, fault: Option<Fault>) -> Result<(), RecordError> {
        match (fault, self.policy) {
            (None, _) => Ok(()),
            (Some(fault), Policy::Refuse) => {
                let foul = self.foul.take().filter(|foul| foul.fault == fault);
                Err(RecordError { line: foul.map_or(line, |foul| foul.line), fault })
            }
            (Some(fault), Policy::KeepBefore) => {
                self.pass(line, Passed::Rest(fault));
                self.state = State::GivenUp(self.state == State::Begun);
                Ok(())
            }
        }
    }

    /// Ends a game. Nothing is kept where nothing was seen, or where no start could be read.
    pub(super) fn finish(&mut self) {
        let game = std::mem::replace(&mut self.cursor, fresh()).into_game();
        if matches!(self.state, State::Head | State::Begun | State::GivenUp(true)) {
            self.games.push(game);
        }
        self.state = State::Untouched;
        self.foul = None;
    }

    pub(super) fn into_reading(self) -> Reading {
        Reading { games: self.games, notes: self.notes }
    }
}

/// The lines of a text with their numbers, from 1. Ends of lines are those of any system.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.trim_start_matches('\u{feff}');
    let end = if text.contains('\n') { '\n' } else { '\r' };
    let lines = text.split(end).map(|line| line.trim_end_matches('\r'));
    lines.enumerate().map(|(at, line)| (at + 1, line))
}

/// Puts pieces into a hand; `None` if a set has not so many of them.
pub(super) fn add_to_hand(hand: &mut Hand, kind: PieceKind, count: u32) -> Option<()> {
    let fits = kind.can_be_held() && hand.count(kind).saturating_add(count) <= kind.set_size();
    fits.then(|| (0..count).for_each(|_| hand.add(kind)))
}
