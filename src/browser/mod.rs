//! The JSON interface for a web page, in addition to USI: the rules, and game records in all
//! notations.
//!
//! [`call`] takes a request as JSON, `{"call": name, "argument": ...}`, and answers with
//! `{"result": ...}` or `{"error": message}`. A message has its text in English and Japanese. It keeps no state.
//! `docs/browser.md` describes the calls. What a page sends may come from anywhere, so every size is bounded and
//! every move checked.

mod error;
mod game_tree;
mod handicaps;
mod read_games;
mod rules;
mod tree_builder;
mod write_game;

#[cfg(test)]
mod tests;

use serde::Deserialize;
use serde_json::{Value, json};

use error::CallError;

/// The longest request in bytes. JSON makes a text longer; the readers have their own limit.
const MAX_REQUEST: usize = 16 << 20;

#[derive(Deserialize)]
struct Request {
    call: String,
    #[serde(default)]
    argument: Value,
}

/// Answers a request.
///
/// ```
/// let request = br#"{"call": "position", "argument": {"sfen": "startpos", "moves": ["7g7f"]}}"#;
/// let answer = kawasemi::browser::call(request);
/// assert!(answer.contains(r#""ja":"▲７六歩""#), "{answer}");
/// ```
pub fn call(request: &[u8]) -> String {
    let answer = match answer(request) {
        Ok(result) => json!({ "result": result }),
        Err(error) => json!({ "error": error.message() }),
    };
    answer.to_string()
}

fn answer(request: &[u8]) -> Result<Value, CallError> {
    if request.len() > MAX_REQUEST {
        return Err(CallError::TooLarge { bytes: request.len(), max: MAX_REQUEST });
    }
    let Request { call, argument } = serde_json::from_slice(request)?;
    match call.as_str() {
        "position" => rules::position(serde_json::from_value(argument)?),
        "spell" => rules::spell(serde_json::from_value(argument)?),
        "handicaps" => Ok(handicaps::handicaps()),
        "readGames" => read_games::read_games(serde_json::from_value(argument)?),
        "writeGame" => write_game::write_game(serde_json::from_value(argument)?),
        _ => Err(CallError::UnknownCall(call)),
    }
}
