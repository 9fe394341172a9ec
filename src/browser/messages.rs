//! Messages as JSON.

use serde_json::{Value, json};

use crate::types::message::Message;

/// The text in each language, under its code.
pub(super) fn in_every_language(message: &Message) -> Value {
    json!({ "en": message.en, "ja": message.ja })
}
