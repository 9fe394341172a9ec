//! Builds the games of a text from the lines of a reader, in any notation: headers first, then
//! moves, then perhaps another game. After an error it rejects the whole text, or keeps the moves before
//! the error.

use std::time::Duration;

use super::ending::Ending;
use super::error::{MoveError, ReadWarning, RecordError, RecordErrorKind, WarningKind, quote};
use super::game_cursor::GameCursor;
use super::game_record::{GameRecord, GameStep, NodeId};
use super::header::HeaderKey;
use crate::position::Setup;
use crate::types::Move;

/// The handling of an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ErrorPolicy {
    /// Reject the whole text.
    #[default]
    Refuse,
    /// End the game before the error, and continue with the next game (`--partial`).
    KeepPartial,
}

/// The result of reading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParsedGames {
    pub games: Vec<GameRecord>,
    /// Tolerated problems.
    pub warnings: Vec<ReadWarning>,
}

pub(super) struct GameBuilder {
    policy: ErrorPolicy,
    games: Vec<GameRecord>,
    warnings: Vec<ReadWarning>,
    /// At the initial position until [`GameBuilder::begin`].
    pub(super) cursor: GameCursor,
    state: State,
    /// The last illegal move of this game.
    illegal_ending: Option<IllegalEnding>,
}

/// A move against the rules, recorded as the ending of its line.
struct IllegalEnding {
    node: NodeId,
    line: usize,
    error: RecordErrorKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Empty,
    /// Reading headers.
    Header,
    /// The start position is known.
    Begun,
    /// After an error.
    GivenUp {
        keep_moves: bool,
    },
}

/// Reads the games of a text line by line.
pub(super) trait LineReader {
    /// Reads the next line.
    fn line(&mut self, line_number: usize, line: &str) -> Result<(), RecordError>;

    /// Ends the text, after the line with this number.
    fn end_text(&mut self, last: usize) -> Result<(), RecordError>;

    /// The games read so far.
    fn builder(&mut self) -> &mut GameBuilder;
}

fn new_cursor() -> GameCursor {
    GameCursor::new(Setup::startpos()).expect("the start position is legal")
}

impl GameBuilder {
    pub(super) fn new(policy: ErrorPolicy) -> GameBuilder {
        GameBuilder {
            policy,
            games: Vec::new(),
            warnings: Vec::new(),
            cursor: new_cursor(),
            state: State::Empty,
            illegal_ending: None,
        }
    }

    /// Records that something of a game was read.
    pub(super) fn mark_content(&mut self) {
        if self.state == State::Empty {
            self.state = State::Header;
        }
    }

    pub(super) fn has_content(&self) -> bool {
        self.state != State::Empty
    }

    pub(super) fn is_begun(&self) -> bool {
        self.state == State::Begun
    }

    pub(super) fn is_given_up(&self) -> bool {
        matches!(self.state, State::GivenUp { .. })
    }

    pub(super) fn warn(&mut self, line: usize, kind: WarningKind) {
        self.warnings.push(ReadWarning { line, kind });
    }

    /// Adds a header unless its value is blank.
    pub(super) fn header(&mut self, key: HeaderKey, value: &str) {
        self.mark_content();
        let value = value.trim();
        if !value.is_empty() {
            self.cursor.headers_mut().add(key, value);
        }
    }

    /// Adds the lines of a comment. Those before the first move wait until the start position is known.
    pub(super) fn comment(&mut self, text: &str) {
        self.mark_content();
        for line in text.replace("\r\n", "\n").split(['\r', '\n']) {
            if self.is_begun() {
                self.cursor.comment(line);
            } else {
                self.cursor.node_mut().comments.push(line.to_owned());
            }
        }
    }

    /// Adds a remark, which programs do not show.
    pub(super) fn remark(&mut self, text: &str) {
        self.mark_content();
        self.cursor.node_mut().remarks.push(text.to_owned());
    }

    /// Sets the time of the last step. If several are given, as where a branch repeats a move, the first
    /// stays.
    pub(super) fn elapsed(&mut self, line: usize, spent: Duration, text: &str) {
        let known = *self.cursor.node_mut().elapsed.get_or_insert(spent);
        if known != spent {
            self.warn(line, WarningKind::DuplicateAnnotation(quote(text)));
        }
    }

    /// Sets the bookmark of the last step. If several are given, the first stays.
    pub(super) fn bookmark(&mut self, line: usize, text: &str) {
        self.mark_content();
        let known = self.cursor.node_mut().bookmark.get_or_insert_with(|| text.to_owned());
        if known.as_str() != text {
            self.warn(line, WarningKind::DuplicateAnnotation(quote(text)));
        }
    }

    /// Ends the headers: the moves start from here.
    pub(super) fn begin(&mut self, start: Setup) -> Result<(), RecordErrorKind> {
        self.mark_content();
        self.cursor.set_start(start).map_err(RecordErrorKind::IllegalStart)?;
        self.state = State::Begun;
        for text in std::mem::take(self.cursor.node_mut().comments) {
            self.cursor.comment(&text);
        }
        Ok(())
    }

    /// Plays the move that was read from `text`. An illegal move ends the line, so it is an error
    /// only if another move follows. After any other ending the line continues, and the ending becomes
    /// a branch.
    pub(super) fn play(
        &mut self,
        line: usize,
        text: &str,
        found: Result<Move, MoveError>,
    ) -> Result<(), RecordErrorKind> {
        if let Some(illegal) = self.current_illegal_ending() {
            return Err(illegal.error.clone());
        }
        let had_ended = self.cursor.is_at_ending();
        let played = found.and_then(|mv| self.cursor.play(mv).map_err(MoveError::Refused));
        let Err(reason) = played else {
            if had_ended {
                self.cursor.insert_before_ending();
                self.warn(line, WarningKind::MoveAfterEnding(quote(text)));
            }
            return Ok(());
        };
        let number = self.cursor.moves() + 1;
        let error = RecordErrorKind::Move { number, text: quote(text), error: reason };
        if !reason.breaks_rule() || !self.cursor.end(Ending::IllegalMove) {
            return Err(error);
        }
        self.warn(line, WarningKind::IllegalMove(error.clone()));
        self.illegal_ending = Some(IllegalEnding { node: self.cursor.current(), line, error });
        Ok(())
    }

    /// The illegal move that ended the current line.
    fn current_illegal_ending(&self) -> Option<&IllegalEnding> {
        self.illegal_ending.as_ref().filter(|illegal| illegal.node == self.cursor.current())
    }

    pub(super) fn ends_with_illegal_move(&self) -> bool {
        self.current_illegal_ending().is_some()
    }

    /// Ends the line. Returns false, and does nothing, if it already has another ending.
    pub(super) fn end(&mut self, ending: Ending) -> bool {
        let is_illegal = matches!(ending, Ending::IllegalMove | Ending::IllegalAction(_));
        is_illegal && self.ends_with_illegal_move() || self.cursor.end(ending)
    }

    /// Rejects the text because of an error, or gives up the rest of this game alone.
    pub(super) fn handle_error(
        &mut self,
        line: usize,
        error: Option<RecordErrorKind>,
    ) -> Result<(), RecordError> {
        match (error, self.policy) {
            (None, _) => Ok(()),
            (Some(kind), ErrorPolicy::Refuse) => {
                let illegal = self.illegal_ending.take().filter(|illegal| illegal.error == kind);
                Err(RecordError { line: illegal.map_or(line, |illegal| illegal.line), kind })
            }
            (Some(kind), ErrorPolicy::KeepPartial) => {
                self.warn(line, WarningKind::RestSkipped(kind));
                self.state = State::GivenUp { keep_moves: self.is_begun() };
                Ok(())
            }
        }
    }

    /// Whether the game has a move, or an ending by a word that is known.
    pub(super) fn has_steps(&self) -> bool {
        self.cursor.game().nodes().any(|(_, node)| match node.step() {
            GameStep::Start | GameStep::Ending(Ending::Other(_)) => false,
            GameStep::Move(_) | GameStep::Ending(_) => true,
        })
    }

    /// Drops what was read, because it is not a game.
    pub(super) fn discard(&mut self) {
        (self.cursor, self.state, self.illegal_ending) = (new_cursor(), State::Empty, None);
    }

    /// Ends a game. Nothing is kept if nothing was read, or if no start position could be read.
    pub(super) fn finish(&mut self) {
        if !matches!(self.state, State::Empty | State::GivenUp { keep_moves: false }) {
            let cursor = std::mem::replace(&mut self.cursor, new_cursor());
            self.games.push(cursor.into_game());
        }
        self.discard();
    }

    /// Takes what has been read since the last call.
    pub(super) fn take(&mut self) -> ParsedGames {
        let (games, warnings) = (&mut self.games, &mut self.warnings);
        ParsedGames { games: std::mem::take(games), warnings: std::mem::take(warnings) }
    }
}
