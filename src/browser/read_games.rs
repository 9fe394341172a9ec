//! Reads the games of a file or of pasted text.

use std::io::Cursor;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::CallError;
use super::game_tree::GameTree;
use crate::record::{
    ErrorPolicy, GameRecord, GameStream, GameStreamError, ReadWarning, RecordFormat, StreamedItem,
};
use crate::types::message::{Message, message};

/// The longest text in bytes.
const MAX_BYTES: usize = 4 << 20;
/// The rest of a file with more games or nodes is not read.
const MAX_GAMES: usize = 500;
const MAX_NODES: usize = 20_000;
/// Maximum number of warnings; the others are counted.
const MAX_WARNINGS: usize = 20;

/// A text, or a file in base64 with its name, whose extension is the notation if none is detected.
#[derive(Deserialize)]
pub(super) struct ReadQuery {
    text: Option<String>,
    base64: Option<String>,
    name: Option<String>,
}

#[derive(Serialize)]
struct ReadReport {
    format: &'static str,
    games: Vec<GameTree>,
    /// Warnings about content that was not understood or left out, in every language.
    notes: Vec<Message>,
}

/// The games found so far.
#[derive(Default)]
struct Collected {
    games: Vec<GameRecord>,
    nodes: usize,
    /// The first ones.
    warnings: Vec<ReadWarning>,
    more_warnings: usize,
}

pub(super) fn read_games(query: ReadQuery) -> Result<Value, CallError> {
    let bytes = query.bytes()?;
    if bytes.len() > MAX_BYTES {
        return Err(CallError::TooLarge { bytes: bytes.len(), max: MAX_BYTES });
    }
    let open = GameStream::open(Cursor::new(bytes), query.expected(), ErrorPolicy::KeepPartial);
    let mut stream = open.map_err(stream_error)?;
    let format = stream.format().name();
    let mut found = Collected::default();
    let is_whole = found.collect(&mut stream)?;
    if found.games.is_empty() {
        return Err(CallError::NoGame(found.warnings.into_iter().next()));
    }
    let mut notes = found.notes();
    if !is_whole {
        let shown = found.games.len();
        notes.push(message!(
            "only the first {shown} games are shown",
            "最初の{shown}局だけを表示します"
        ));
    }
    let games = found.games.iter().map(GameTree::of).collect();
    Ok(serde_json::to_value(ReadReport { format, games, notes })?)
}

impl ReadQuery {
    fn bytes(&self) -> Result<Vec<u8>, CallError> {
        match (&self.base64, &self.text) {
            (Some(base64), _) => BASE64.decode(base64).map_err(|_| CallError::Base64),
            (None, text) => Ok(text.as_deref().unwrap_or_default().as_bytes().to_owned()),
        }
    }

    fn expected(&self) -> Option<RecordFormat> {
        let (_, extension) = self.name.as_deref()?.rsplit_once('.')?;
        RecordFormat::of_extension(extension).map(|(format, _)| format)
    }
}

fn stream_error(error: GameStreamError) -> CallError {
    match error {
        GameStreamError::Record(error) => CallError::Record(error),
        GameStreamError::Io(error) => unreachable!("reading from memory does not fail: {error}"),
    }
}

impl Collected {
    /// Returns whether the limits left nothing out.
    fn collect(&mut self, stream: &mut GameStream<'_>) -> Result<bool, CallError> {
        for item in stream {
            match item.map_err(stream_error)? {
                StreamedItem::Warning(_) if self.warnings.len() >= MAX_WARNINGS => {
                    self.more_warnings += 1;
                }
                StreamedItem::Warning(warning) => self.warnings.push(warning),
                StreamedItem::Game(game) => {
                    let nodes = game.nodes().count();
                    let is_full = self.games.len() >= MAX_GAMES || self.nodes + nodes > MAX_NODES;
                    if is_full && !self.games.is_empty() {
                        return Ok(false);
                    }
                    if is_full {
                        return Err(CallError::TooManyMoves { moves: nodes - 1, max: MAX_NODES });
                    }
                    self.nodes += nodes;
                    self.games.push(game);
                }
            }
        }
        Ok(true)
    }

    fn notes(&self) -> Vec<Message> {
        let mut notes: Vec<Message> = self.warnings.iter().map(ReadWarning::message).collect();
        let more = self.more_warnings;
        if more > 0 {
            notes.push(message!("{more} more warnings", "ほかに{more}件の警告があります"));
        }
        notes
    }
}
