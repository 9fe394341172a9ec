//! JKF, the JSON Kifu Format: the same tree in JSON, always in UTF-8.
//!
//! A file holds one game; several are read and written one after the other. The shapes here are
//! those of the format's own description, but nothing is required that is not needed.

mod read;
mod write;

pub(super) use read::read;
pub(super) use write::write;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Branches nested more deeply than this are not written: readers of JSON, ours too, give up soon
/// after.
const MAX_DEPTH: usize = 40;

#[derive(Debug, Default, Deserialize, Serialize)]
struct JkfGame {
    #[serde(default)]
    header: JkfHeader,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    initial: Option<JkfInitial>,
    /// The first of them holds remarks on the start; a game without any is another thing in JSON.
    moves: Vec<JkfMove>,
}

/// The headers in their order.
#[derive(Debug, Default)]
struct JkfHeader {
    texts: Vec<(String, String)>,
    /// The names of those whose values are neither texts nor numbers.
    others: Vec<String>,
}

#[derive(Debug, Deserialize, Serialize)]
struct JkfInitial {
    preset: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    data: Option<JkfState>,
}

/// 0 is Black and 1 White; in the oldest files `true` is Black.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(untagged)]
enum JkfColor {
    Number(u8),
    IsBlack(bool),
}

#[derive(Debug, Deserialize, Serialize)]
struct JkfState {
    color: JkfColor,
    /// By file, then by rank, both from 1.
    board: Vec<Vec<JkfPiece>>,
    /// Black's, then White's.
    #[serde(default)]
    hands: Vec<BTreeMap<String, u32>>,
}

#[derive(Debug, Default, Deserialize, Serialize)]
struct JkfPiece {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    color: Option<JkfColor>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
}

#[derive(Debug, Default, Deserialize, Serialize)]
struct JkfMove {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    comments: Option<Vec<String>>,
    #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
    step: Option<Box<JkfStep>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time: Option<Box<JkfTimes>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    special: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    forks: Option<Vec<Vec<JkfMove>>>,
}

#[derive(Debug, Default, Deserialize, Serialize)]
struct JkfStep {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    color: Option<JkfColor>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from: Option<JkfPlace>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    to: Option<JkfPlace>,
    /// Before the move.
    #[serde(default)]
    piece: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    same: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    promote: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    capture: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    relative: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
struct JkfPlace {
    x: u8,
    y: u8,
}

#[derive(Debug, Deserialize, Serialize)]
struct JkfTimes {
    now: JkfTime,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    total: Option<JkfTime>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
struct JkfTime {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    h: Option<u64>,
    #[serde(default)]
    m: u64,
    #[serde(default)]
    s: JkfSeconds,
}

/// The format has whole seconds, and so they are written; some programs write parts of them.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(untagged)]
enum JkfSeconds {
    Whole(u64),
    Parts(f64),
}

impl Default for JkfSeconds {
    fn default() -> JkfSeconds {
        JkfSeconds::Whole(0)
    }
}

/// The letters for words that tell pieces apart.
const RELATIVE: [(char, char); 7] =
    [('左', 'L'), ('直', 'C'), ('右', 'R'), ('上', 'U'), ('寄', 'M'), ('引', 'D'), ('打', 'H')];
