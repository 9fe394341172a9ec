//! The type of an option: its range, and how its value is read from and written to settings of any kind.

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::sys::path_from_bytes;
use crate::types::language::Localized;
use crate::types::message::{Message, listed, message};
use crate::types::usi::{EMPTY, non_empty};
use crate::types::{excerpt, printable};

/// The type of an option, and its accessors in the settings.
#[derive(Debug)]
pub enum OptionType<S> {
    Check {
        get: fn(&S) -> bool,
        set: fn(&mut S, bool),
    },
    /// A number in a range, both ends included.
    Spin {
        min: i64,
        max: i64,
        get: fn(&S) -> i64,
        set: fn(&mut S, i64),
    },
    /// One of several choices. The value is the index of the choice.
    Combo {
        choices: &'static [ComboChoice],
        get: fn(&S) -> usize,
        set: fn(&mut S, usize),
    },
    /// A path; an empty text unsets it.
    File {
        /// File or folder, in words.
        what: Localized,
        get: fn(&S) -> Option<&Path>,
        set: fn(&mut S, Option<PathBuf>),
    },
    /// A text; an empty text unsets it.
    Text {
        get: fn(&S) -> Option<&str>,
        set: fn(&mut S, Option<String>),
    },
}

/// A choice of a combo: its spelling in the protocol, and its label (without commas).
pub type ComboChoice = (&'static str, Localized);

/// A value that an option refuses, shortened and printable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueError {
    NotABoolean {
        name: &'static str,
        value: String,
    },
    NotANumber {
        name: &'static str,
        value: String,
    },
    OutOfRange {
        name: &'static str,
        value: String,
        min: i64,
        max: i64,
    },
    NotAChoice {
        name: &'static str,
        value: String,
        /// The accepted values.
        choices: Vec<&'static str>,
    },
}

impl ValueError {
    /// The error in every language.
    pub fn message(&self) -> Message {
        match self {
            ValueError::NotABoolean { name, value } => message!(
                "option {name} is true or false, not \"{value}\"",
                "オプション{name}の値はtrueかfalseです。「{value}」は使えません"
            ),
            ValueError::NotANumber { name, value } => message!(
                "option {name} is a number, not \"{value}\"",
                "オプション{name}の値は数です。「{value}」は使えません"
            ),
            ValueError::OutOfRange { name, value, min, max } => message!(
                "option {name} is from {min} to {max}, not \"{value}\"",
                "オプション{name}の値は{min}から{max}までです。「{value}」は使えません"
            ),
            ValueError::NotAChoice { name, value, choices } => message!(
                "option {name} is one of {}, not \"{value}\"",
                "オプション{name}の値は{}のどれかです。「{value}」は使えません";
                listed(choices)
            ),
        }
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for ValueError {}

impl<S> OptionType<S> {
    /// Reads the value of the option of this name. On an error the settings are unchanged.
    ///
    /// # Errors
    /// If the value does not have this type or is out of range.
    pub fn set(
        &self,
        name: &'static str,
        settings: &mut S,
        value: &[u8],
    ) -> Result<(), ValueError> {
        match self {
            OptionType::Check { set, .. } => {
                let value = parse_bool(value)
                    .ok_or_else(|| ValueError::NotABoolean { name, value: excerpt(value) })?;
                set(settings, value);
            }
            OptionType::Spin { min, max, set, .. } => {
                set(settings, parse_spin(name, value, *min, *max)?)
            }
            OptionType::Combo { choices, set, .. } => {
                let same = |(word, _): &ComboChoice| word.as_bytes().eq_ignore_ascii_case(value);
                let Some(index) = choices.iter().position(same) else {
                    let choices = choices.iter().map(|(word, _)| *word).collect();
                    return Err(ValueError::NotAChoice { name, value: excerpt(value), choices });
                };
                set(settings, index);
            }
            OptionType::File { set, .. } => {
                set(settings, non_empty(unquoted(value)).map(path_from_bytes))
            }
            OptionType::Text { set, .. } => {
                let text = |value| String::from_utf8_lossy(value).into_owned();
                set(settings, non_empty(value).map(text));
            }
        }
        Ok(())
    }

    /// The value as the protocols write it.
    pub fn value(&self, settings: &S) -> Cow<'static, str> {
        match self {
            OptionType::Check { get, .. } => {
                Cow::Borrowed(if get(settings) { "true" } else { "false" })
            }
            OptionType::Spin { get, .. } => Cow::Owned(get(settings).to_string()),
            OptionType::Combo { choices, get, .. } => Cow::Borrowed(choices[get(settings)].0),
            OptionType::File { .. } | OptionType::Text { .. } => match self.bytes(settings) {
                None => Cow::Borrowed(EMPTY),
                Some(bytes) => Cow::Owned(printable(bytes).into_owned()),
            },
        }
    }

    /// The bytes of a path or text that is set.
    pub fn bytes<'a>(&self, settings: &'a S) -> Option<&'a [u8]> {
        match self {
            OptionType::File { get, .. } => {
                get(settings).map(|path| path.as_os_str().as_encoded_bytes())
            }
            OptionType::Text { get, .. } => get(settings).map(str::as_bytes),
            _ => None,
        }
    }

    /// The accepted values in words, with `mark` around literal ones. A label equal to its word is left out.
    pub fn values(&self, mark: &str) -> String {
        match self {
            OptionType::Check { .. } => format!("{mark}true{mark}, {mark}false{mark}"),
            OptionType::Spin { min, max: i64::MAX, .. } => format!("{min} or more"),
            OptionType::Spin { min, max, .. } => format!("{min} to {max}"),
            OptionType::Combo { choices, .. } => {
                let value = |(word, label): &ComboChoice| match label.en {
                    same if same == *word => format!("{mark}{word}{mark}"),
                    label => format!("{mark}{word}{mark} ({label})"),
                };
                choices.iter().map(value).collect::<Vec<_>>().join(", ")
            }
            OptionType::File { what, .. } => what.en.to_string(),
            OptionType::Text { .. } => "a text".to_string(),
        }
    }
}

fn parse_bool(value: &[u8]) -> Option<bool> {
    let known = [(&b"true"[..], true), (b"false", false)];
    known.into_iter().find(|(word, _)| word.eq_ignore_ascii_case(value)).map(|(_, value)| value)
}

fn parse_spin(name: &'static str, value: &[u8], min: i64, max: i64) -> Result<i64, ValueError> {
    let digits = value.strip_prefix(b"-").or(value.strip_prefix(b"+")).unwrap_or(value);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(ValueError::NotANumber { name, value: excerpt(value) });
    }
    // Digits that do not fit the type are out of every range.
    let number = std::str::from_utf8(value).ok().and_then(|text| text.parse().ok());
    let in_range = number.filter(|number| (min..=max).contains(number));
    in_range.ok_or_else(|| ValueError::OutOfRange { name, value: excerpt(value), min, max })
}

/// The path without the quotation marks with which Windows copies it.
fn unquoted(path: &[u8]) -> &[u8] {
    match path {
        [b'"', inner @ .., b'"'] => inner,
        _ => path,
    }
}
