//! Writes a game in any notation.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Deserialize;
use serde_json::{Value, json};

use super::error::CallError;
use super::game_tree::GameTree;
use super::tree_builder::game_of;
use crate::record::{ConversionLosses, Encoding, RecordFormat, write, write_bytes};
use crate::types::message::Message;

#[derive(Deserialize)]
pub(super) struct WriteQuery {
    game: GameTree,
    /// A name of [`RecordFormat`].
    format: String,
    /// The name of an [`Encoding`]: then the answer is the file in base64 instead of text.
    encoding: Option<String>,
}

pub(super) fn write_game(query: WriteQuery) -> Result<Value, CallError> {
    let format: RecordFormat = query.format.parse()?;
    let games = [game_of(&query.game)?];
    let Some(name) = query.encoding else {
        let (text, losses) = write(&games, format, Encoding::Utf8);
        return Ok(json!({ "text": text, "losses": messages_of(&losses) }));
    };
    let (bytes, losses) = write_bytes(&games, format, name.parse()?);
    Ok(json!({ "base64": BASE64.encode(bytes), "losses": messages_of(&losses) }))
}

fn messages_of(losses: &ConversionLosses) -> Vec<Message> {
    losses.messages().collect()
}
