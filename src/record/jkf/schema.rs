//! The JSON objects of JKF.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// The deepest nesting of branches that is written: JSON readers, including ours, reject much deeper
/// ones.
pub(super) const MAX_DEPTH: usize = 40;

#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct JkfGame {
    #[serde(default)]
    pub(super) header: JkfHeader,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) initial: Option<JkfInitial>,
    /// The first one holds the comments on the start position.
    pub(super) moves: Vec<JkfMove>,
}

/// The headers in their order.
#[derive(Debug, Default)]
pub(super) struct JkfHeader {
    pub(super) texts: Vec<(String, String)>,
    /// The names of headers whose values are neither text nor number.
    pub(super) others: Vec<String>,
}

#[derive(Debug, Deserialize, Serialize)]
pub(super) struct JkfInitial {
    pub(super) preset: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) data: Option<JkfState>,
}

/// With this a comment is a bookmark.
pub(super) const BOOKMARK: char = '&';

/// 0 is Black and 1 White; in the oldest files `true` is Black.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(untagged)]
pub(super) enum JkfColor {
    Number(u8),
    IsBlack(bool),
}

#[derive(Debug, Deserialize, Serialize)]
pub(super) struct JkfState {
    pub(super) color: JkfColor,
    /// By file, then by rank, both from 1.
    pub(super) board: Vec<Vec<JkfPiece>>,
    /// Black's, then White's.
    #[serde(default)]
    pub(super) hands: Vec<BTreeMap<String, u32>>,
}

#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct JkfPiece {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) color: Option<JkfColor>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<String>,
}

#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct JkfMove {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) comments: Option<Vec<String>>,
    #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
    pub(super) step: Option<Box<JkfStep>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) time: Option<Box<JkfTimes>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) special: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) forks: Option<Vec<Vec<JkfMove>>>,
}

#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct JkfStep {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) color: Option<JkfColor>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) from: Option<JkfPlace>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) to: Option<JkfPlace>,
    /// Before the move.
    #[serde(default)]
    pub(super) piece: String,
    #[serde(default, deserialize_with = "truthy", skip_serializing_if = "Option::is_none")]
    pub(super) same: Option<bool>,
    #[serde(default, deserialize_with = "truthy", skip_serializing_if = "Option::is_none")]
    pub(super) promote: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) capture: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) relative: Option<String>,
}

/// Reads whether a value is true in a condition of JavaScript: some programs write an empty text for `false`.
fn truthy<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::Null => None,
        Value::Bool(is_true) => Some(is_true),
        Value::Number(number) => Some(number.as_f64() != Some(0.0)),
        Value::String(text) => Some(!text.is_empty()),
        Value::Array(_) | Value::Object(_) => Some(true),
    })
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(super) struct JkfPlace {
    pub(super) x: u8,
    pub(super) y: u8,
}

#[derive(Debug, Deserialize, Serialize)]
pub(super) struct JkfTimes {
    pub(super) now: JkfTime,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) total: Option<JkfTime>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
pub(super) struct JkfTime {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) h: Option<u64>,
    #[serde(default)]
    pub(super) m: u64,
    #[serde(default)]
    pub(super) s: JkfSeconds,
}

/// The format has whole seconds; some programs write fractions.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(untagged)]
pub(super) enum JkfSeconds {
    Whole(u64),
    Fractional(f64),
}

impl Default for JkfSeconds {
    fn default() -> JkfSeconds {
        JkfSeconds::Whole(0)
    }
}

/// The letters for the words that distinguish pieces.
pub(super) const RELATIVE: [(char, char); 7] =
    [('左', 'L'), ('直', 'C'), ('右', 'R'), ('上', 'U'), ('寄', 'M'), ('引', 'D'), ('打', 'H')];
