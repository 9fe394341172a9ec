//! Reads JKF.

use std::cmp::Ordering;
use std::fmt;
use std::io::{self, BufRead, Read};
use std::time::Duration;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::error::Category;

use super::schema::{
    BOOKMARK, JkfColor, JkfGame, JkfHeader, JkfInitial, JkfMove, JkfPlace, JkfSeconds, JkfState,
    JkfStep, JkfTime,
};
use crate::position::Setup;
use crate::record::csa;
use crate::record::csa_move::piece_of_code;
use crate::record::error::{
    GameStreamError, JsonFault, MoveError, RecordError, RecordErrorKind, WarningKind, quote,
};
use crate::record::game_builder::{ErrorPolicy, GameBuilder};
use crate::record::game_record::NodeId;
use crate::record::handicap::Handicap;
use crate::record::header::HeaderKey;
use crate::record::japanese_move::{Disambiguation, JapaneseMove, MoveOrigin};
use crate::types::{Color, Move, Piece, Square};

/// Reads games, one after the other or in an array.
pub(in crate::record) struct JkfReader<T> {
    text: CountedLines<T>,
    builder: GameBuilder,
    array_state: ArrayState,
}

/// The state of the reader.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ArrayState {
    Start,
    /// After a game outside an array.
    AfterGame,
    /// In an array, before its first game.
    ArrayBegan,
    /// In an array, after a game.
    InArray,
    /// After the array.
    ArrayEnded,
}

impl<T: BufRead> JkfReader<T> {
    pub(in crate::record) fn new(text: T, policy: ErrorPolicy) -> JkfReader<T> {
        let (text, builder) = (CountedLines { text, line: 1 }, GameBuilder::new(policy));
        JkfReader { text, builder, array_state: ArrayState::Start }
    }

    pub(in crate::record) fn builder(&mut self) -> &mut GameBuilder {
        &mut self.builder
    }

    /// Reads the next game. Returns false at the end.
    ///
    /// # Errors
    /// Errors of the input and of the text.
    pub(in crate::record) fn next(&mut self) -> Result<bool, GameStreamError> {
        loop {
            let next = self.text.peek()?;
            match (self.array_state, next) {
                (ArrayState::Start | ArrayState::AfterGame | ArrayState::ArrayEnded, None) => {
                    return Ok(false);
                }
                (ArrayState::Start, Some(b'[')) => self.array_state = ArrayState::ArrayBegan,
                (ArrayState::ArrayBegan | ArrayState::InArray, Some(b']')) => {
                    self.array_state = ArrayState::ArrayEnded
                }
                (ArrayState::InArray, Some(b',')) => {
                    self.text.consume(1);
                    self.text.peek()?;
                    break;
                }
                (ArrayState::Start | ArrayState::AfterGame | ArrayState::ArrayBegan, Some(_)) => {
                    break;
                }
                (ArrayState::ArrayBegan | ArrayState::InArray, _) => {
                    return Err(self.text.broken(JsonFault::NoSeparator));
                }
                (ArrayState::ArrayEnded, Some(_)) => {
                    return Err(self.text.broken(JsonFault::TextAfterEnd));
                }
            }
            self.text.consume(1);
        }
        let in_array = matches!(self.array_state, ArrayState::ArrayBegan | ArrayState::InArray);
        self.array_state = if in_array { ArrayState::InArray } else { ArrayState::AfterGame };
        let line = self.text.line;
        let game = self.text.game()?;
        read_game(&game, line, &mut self.builder)?;
        Ok(true)
    }
}

/// A text of which the lines are counted.
struct CountedLines<T> {
    text: T,
    /// The line of the next byte.
    line: usize,
}

/// Each of several joined files may begin with it.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
/// `copy` of Windows ends joined files with it.
const CTRL_Z: u8 = 0x1a;

impl<T: BufRead> CountedLines<T> {
    /// The next byte that is neither white space nor what joined files have between and after them.
    fn peek(&mut self) -> io::Result<Option<u8>> {
        loop {
            let bytes = self.text.fill_buf()?;
            let Some(&next) = bytes.first() else { return Ok(None) };
            // Byte by byte, because a mark may begin at the end of the buffer.
            let is_mark = next == CTRL_Z || BYTE_ORDER_MARK.contains(&next);
            if !next.is_ascii_whitespace() && !is_mark {
                return Ok(Some(next));
            }
            self.line += usize::from(next == b'\n');
            self.text.consume(1);
        }
    }

    fn consume(&mut self, amount: usize) {
        self.text.consume(amount);
    }

    fn game(&mut self) -> Result<JkfGame, GameStreamError> {
        let first = self.line;
        let read = JkfGame::deserialize(&mut serde_json::Deserializer::from_reader(&mut *self));
        read.map_err(|error| {
            if error.is_io() {
                return io::Error::from(error).into();
            }
            // The line of the error counts within this game.
            let message = error.to_string();
            let message =
                message.rsplit_once(" at line ").map_or(&*message, |(message, _)| message);
            // Each part alone: a long value must not hide what is expected.
            let why = match message.rsplit_once(", expected ") {
                Some((found, expected)) => {
                    format!("{}, expected {}", quote(found), quote(expected))
                }
                None => quote(message),
            };
            let fault = match error.classify() {
                Category::Eof => JsonFault::Incomplete(why),
                Category::Data => JsonFault::Value(why),
                Category::Syntax | Category::Io => JsonFault::Syntax(why),
            };
            broken(first + error.line().saturating_sub(1), fault).into()
        })
    }

    fn broken(&self, fault: JsonFault) -> GameStreamError {
        broken(self.line, fault).into()
    }
}

impl<T: BufRead> Read for CountedLines<T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.text.read(bytes)?;
        self.line += bytes[..read].iter().filter(|&&byte| byte == b'\n').count();
        Ok(read)
    }
}

fn broken(line: usize, fault: JsonFault) -> RecordError {
    RecordError { line, kind: RecordErrorKind::Json(fault) }
}

fn read_game(game: &JkfGame, line: usize, builder: &mut GameBuilder) -> Result<(), RecordError> {
    let error = read_tree(game, line, builder).err();
    builder.handle_error(line, error)?;
    builder.finish();
    Ok(())
}

fn read_tree(
    game: &JkfGame,
    line: usize,
    builder: &mut GameBuilder,
) -> Result<(), RecordErrorKind> {
    let start = read_start(game.initial.as_ref())?;
    for (name, value) in &game.header.texts {
        // Converters keep this KIF header, which is redundant here.
        let handicap = || Handicap::named(value).map(Handicap::setup);
        if name != "手合割" || handicap().as_ref() != Some(&start) {
            builder.header(HeaderKey::of_kif(name), value);
        }
    }
    for name in &game.header.others {
        builder.warn(line, WarningKind::NonTextHeader(quote(name)));
    }
    builder.begin(start)?;
    read_line(&game.moves, line, builder)
}

fn read_start(initial: Option<&JkfInitial>) -> Result<Setup, RecordErrorKind> {
    let Some(initial) = initial else { return Ok(Setup::startpos()) };
    if let Some(handicap) = Handicap::preset(&initial.preset) {
        return Ok(handicap.setup());
    }
    let setup = initial.data.as_ref().and_then(read_state);
    setup.ok_or_else(|| RecordErrorKind::InvalidPosition(quote(&initial.preset)))
}

fn read_state(state: &JkfState) -> Option<Setup> {
    let mut setup = Setup { side: color(state.color)?, ..Setup::empty() };
    for (file, pieces) in state.board.iter().enumerate() {
        for (rank, piece) in pieces.iter().enumerate() {
            let Some(code) = piece.kind.as_deref() else { continue };
            let square = square_at(JkfPlace {
                x: u8::try_from(file).ok()?.checked_add(1)?,
                y: u8::try_from(rank).ok()?.checked_add(1)?,
            })?;
            let piece = Piece::new(color(piece.color?)?, piece_of_code(code)?);
            setup.board[square.index()] = Some(piece);
        }
    }
    for (color, hand) in Color::ALL.into_iter().zip(&state.hands) {
        for (code, &count) in hand.iter().filter(|(_, count)| **count > 0) {
            setup.hands[color].try_add(piece_of_code(code)?, count)?;
        }
    }
    Some(setup)
}

fn color(color: JkfColor) -> Option<Color> {
    match color {
        JkfColor::Number(0) | JkfColor::IsBlack(true) => Some(Color::Black),
        JkfColor::Number(1) | JkfColor::IsBlack(false) => Some(Color::White),
        JkfColor::Number(_) => None,
    }
}

fn square_at(place: JkfPlace) -> Option<Square> {
    let fits = (1..=9).contains(&place.x) && (1..=9).contains(&place.y);
    fits.then(|| Square::new(place.x - 1, place.y - 1))
}

/// Reads a line and then its branches from the last to the first, so that the builder is always on the
/// line that they leave. The depth is bounded by the depth of the JSON.
fn read_line(
    moves: &[JkfMove],
    line: usize,
    builder: &mut GameBuilder,
) -> Result<(), RecordErrorKind> {
    let mut befores = Vec::with_capacity(moves.len());
    for element in moves {
        befores.push(builder.cursor.moves());
        read_element(element, line, builder)?;
    }
    for (element, before) in moves.iter().zip(befores).rev() {
        for fork in element.forks.iter().flatten() {
            builder.cursor.go_to(before);
            read_line(fork, line, builder)?;
        }
    }
    Ok(())
}

fn read_element(
    element: &JkfMove,
    line: usize,
    builder: &mut GameBuilder,
) -> Result<(), RecordErrorKind> {
    if let Some(step) = &element.step {
        let text = move_text(step);
        let found = resolve_move(step, builder);
        builder.play(line, &text, found)?;
    }
    if let Some(word) = &element.special {
        let side = builder.cursor.position().side_to_move();
        if !builder.end(csa::ending(word, side)) {
            builder.warn(line, WarningKind::DuplicateEnding(quote(word)));
        }
    }
    if let Some(times) = &element.time {
        let is_start = builder.cursor.current() == NodeId::ROOT;
        let text = time_text(times.now);
        match duration(times.now) {
            // Some programs write a time of zero before the first move.
            Some(Duration::ZERO) if is_start => {}
            Some(elapsed) if !is_start => builder.elapsed(line, elapsed, &text),
            _ => builder.warn(line, WarningKind::InvalidTime(quote(&text))),
        }
    }
    for comment in element.comments.iter().flatten() {
        match comment.strip_prefix(BOOKMARK) {
            Some(bookmark) => builder.bookmark(line, bookmark),
            None => builder.comment(comment),
        }
    }
    Ok(())
}

/// The largest valid number in any part of a time.
const MAX_TIME: u64 = 1_000_000;

fn duration(time: JkfTime) -> Option<Duration> {
    let (hours, minutes, seconds) = (time.h.unwrap_or(0), time.m, duration_of(time.s)?);
    let sound = hours.max(minutes) <= MAX_TIME;
    sound.then(|| Duration::from_secs(hours * 3600 + minutes * 60) + seconds)
}

fn duration_of(seconds: JkfSeconds) -> Option<Duration> {
    match seconds {
        JkfSeconds::Whole(whole) => (whole <= MAX_TIME).then(|| Duration::from_secs(whole)),
        JkfSeconds::Fractional(seconds) => {
            let sound = (0.0..=MAX_TIME as f64).contains(&seconds);
            sound.then(|| Duration::from_secs_f64(seconds))
        }
    }
}

/// A time as text for a warning, as in KIF.
fn time_text(time: JkfTime) -> String {
    let seconds = match time.s {
        JkfSeconds::Whole(seconds) => seconds.to_string(),
        JkfSeconds::Fractional(seconds) => seconds.to_string(),
    };
    format!("{}:{}:{seconds}", time.h.unwrap_or(0), time.m)
}

/// A move as text for an error, similar to CSA.
fn move_text(step: &JkfStep) -> String {
    let digits = |place: Option<JkfPlace>| match place {
        Some(JkfPlace { x, y }) => format!("{x}{y}"),
        None => "00".into(),
    };
    let promotes = if step.promote == Some(true) { "+" } else { "" };
    format!("{}{}{}{promotes}", digits(step.from), digits(step.to), step.piece)
}

fn resolve_move(step: &JkfStep, builder: &GameBuilder) -> Result<Move, MoveError> {
    let square =
        |at: Option<JkfPlace>| at.map(|at| square_at(at).ok_or(MoveError::Unreadable)).transpose();
    let side = step.color.map(|side| color(side).ok_or(MoveError::Unreadable)).transpose()?;
    let relative = step.relative.as_deref().unwrap_or("");
    let origin = match square(step.from)? {
        Some(from) => MoveOrigin::Board(from),
        None if relative.contains('H') => MoveOrigin::Hand,
        None => MoveOrigin::Unspecified,
    };
    let parsed_move = JapaneseMove {
        side,
        to: square(step.to)?,
        kind: piece_of_code(&step.piece).ok_or(MoveError::Unreadable)?,
        promotes: step.promote == Some(true),
        origin,
        disambiguation: disambiguation(relative),
    };
    let cursor = &builder.cursor;
    // In JKF a drop has no origin; but moves converted from KI2 have none either.
    if origin == MoveOrigin::Unspecified && parsed_move.disambiguation == Disambiguation::default()
    {
        let drop = JapaneseMove { origin: MoveOrigin::Hand, ..parsed_move };
        let found = drop.resolve(cursor.position(), cursor.last_square());
        if let Some(mv) = found.ok().filter(|&mv| cursor.position().is_legal(mv)) {
            return Ok(mv);
        }
    }
    parsed_move.resolve(cursor.position(), cursor.last_square())
}

fn disambiguation(letters: &str) -> Disambiguation {
    let mut disambiguation = Disambiguation::default();
    for letter in letters.chars() {
        match letter {
            'L' => disambiguation.relative_position = Some(Ordering::Greater),
            'C' => disambiguation.relative_position = Some(Ordering::Equal),
            'R' => disambiguation.relative_position = Some(Ordering::Less),
            'U' => disambiguation.movement = Some(Ordering::Greater),
            'M' => disambiguation.movement = Some(Ordering::Equal),
            'D' => disambiguation.movement = Some(Ordering::Less),
            _ => {}
        }
    }
    disambiguation
}

impl<'de> Deserialize<'de> for JkfHeader {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<JkfHeader, D::Error> {
        deserializer.deserialize_map(HeaderVisitor)
    }
}

struct HeaderVisitor;

impl<'de> Visitor<'de> for HeaderVisitor {
    type Value = JkfHeader;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("headers with texts for values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<JkfHeader, A::Error> {
        let mut header = JkfHeader::default();
        while let Some((name, value)) = map.next_entry::<String, Value>()? {
            match value {
                Value::String(text) => header.texts.push((name, text)),
                Value::Number(number) => header.texts.push((name, number.to_string())),
                // No value.
                Value::Null => {}
                Value::Bool(_) | Value::Array(_) | Value::Object(_) => header.others.push(name),
            }
        }
        Ok(header)
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    /// Regression: a mark of which the buffer had only the beginning was invalid JSON.
    #[test]
    fn a_byte_order_mark_between_games_may_be_split_between_two_buffers() {
        let text = "{\"moves\":[{}]}\n\u{feff}".repeat(2);
        let text = BufReader::with_capacity(1, text.as_bytes());
        let mut reader = JkfReader::new(text, ErrorPolicy::Refuse);
        let games = [reader.next(), reader.next(), reader.next()].map(Result::unwrap);
        assert_eq!(games, [true, true, false]);
    }
}
