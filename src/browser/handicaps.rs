//! The start positions of even and handicap games.

use serde_json::{Value, json};

use crate::record::{HANDICAPS, Handicap};

pub(super) fn handicaps() -> Value {
    let handicap = |handicap: &Handicap| {
        json!({
            "name": handicap.name,
            "preset": handicap.preset,
            "sfen": handicap.setup().to_string(),
        })
    };
    HANDICAPS.iter().map(handicap).collect()
}
