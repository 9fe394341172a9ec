//! One option: its name, type and range, and how its value is read and written.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::error::OptionError;
use crate::engine::Settings;
use crate::sys::path_from_bytes;
use crate::types::language::{Localized, localized};
use crate::usi::quote::{ascii, printable, quote};

/// One option.
#[derive(Debug)]
pub struct UsiOption {
    /// As declared to the GUI. Without blanks, at which several GUIs cut names.
    pub name: &'static str,
    /// Other accepted names. Not declared, because a GUI would set both options.
    pub aliases: &'static [&'static str],
    pub group: OptionGroup,
    pub kind: OptionType,
    /// The default in words, if it depends on the machine.
    pub varying_default: Option<Localized>,
    /// One line of explanation.
    pub help: Localized,
}

/// Groups of options, in the order in which they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionGroup {
    Engine,
    Strength,
    Analysis,
    Rules,
    Time,
    Book,
    Evaluation,
    Files,
}

impl OptionGroup {
    pub const ALL: [OptionGroup; 8] = [
        OptionGroup::Engine,
        OptionGroup::Strength,
        OptionGroup::Analysis,
        OptionGroup::Rules,
        OptionGroup::Time,
        OptionGroup::Book,
        OptionGroup::Evaluation,
        OptionGroup::Files,
    ];

    pub const fn title(self) -> Localized {
        match self {
            OptionGroup::Engine => localized("Engine", "基本"),
            OptionGroup::Strength => localized("Strength", "棋力"),
            OptionGroup::Analysis => localized("Analysis", "検討・解析"),
            OptionGroup::Rules => localized("Rules of the game", "対局ルール"),
            OptionGroup::Time => localized("Time", "時間"),
            OptionGroup::Book => localized("Opening book", "定跡"),
            OptionGroup::Evaluation => localized("Evaluation", "評価関数"),
            OptionGroup::Files => localized("Files", "記録ファイル"),
        }
    }
}

/// The type of an option, and its accessors in the settings.
#[derive(Debug)]
pub enum OptionType {
    Check {
        get: fn(&Settings) -> bool,
        set: fn(&mut Settings, bool),
    },
    /// A number in a range, both ends included.
    Spin {
        min: i64,
        max: i64,
        get: fn(&Settings) -> i64,
        set: fn(&mut Settings, i64),
    },
    /// One of several words. The value is the index of the word.
    Combo {
        words: &'static [ComboValue],
        get: fn(&Settings) -> usize,
        set: fn(&mut Settings, usize),
    },
    /// A path; an empty text unsets it.
    File {
        /// File or folder, in words.
        what: Localized,
        get: fn(&Settings) -> Option<&Path>,
        set: fn(&mut Settings, Option<PathBuf>),
    },
    /// A text; an empty text unsets it.
    Text {
        get: fn(&Settings) -> Option<&str>,
        set: fn(&mut Settings, Option<String>),
    },
}

/// A value of a combo: the word of the protocol, and its label (without commas).
pub type ComboValue = (&'static str, Localized);

/// An empty text in the protocol.
const EMPTY: &str = "<empty>";

impl UsiOption {
    /// Whether the option has a meaning in a browser, where there are no files and no other threads.
    pub fn is_for_browser(&self) -> bool {
        let needs_files = matches!(self.kind, OptionType::File { .. })
            || matches!(self.group, OptionGroup::Evaluation | OptionGroup::Files);
        !needs_files && !["Threads", "BookOnTheFly"].contains(&self.name)
    }

    pub(super) fn set(&self, settings: &mut Settings, value: &[u8]) -> Result<(), OptionError> {
        let name = self.name;
        match &self.kind {
            OptionType::Check { set, .. } => {
                let value = parse_bool(value)
                    .ok_or_else(|| OptionError::NotABoolean { name, value: quote(value) })?;
                set(settings, value);
            }
            OptionType::Spin { min, max, set, .. } => {
                set(settings, parse_spin(name, value, *min, *max)?)
            }
            OptionType::Combo { words, set, .. } => {
                let same = |(word, _): &ComboValue| word.as_bytes().eq_ignore_ascii_case(value);
                let index = words.iter().position(same).ok_or_else(|| OptionError::NotAWord {
                    name,
                    value: quote(value),
                    words: words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(" "),
                })?;
                set(settings, index);
            }
            OptionType::File { set, .. } => set(settings, non_empty(value).map(path_from_bytes)),
            OptionType::Text { set, .. } => {
                let text = |value| String::from_utf8_lossy(value).into_owned();
                set(settings, non_empty(value).map(text));
            }
        }
        Ok(())
    }

    /// The value as the protocol writes it.
    pub fn value(&self, settings: &Settings) -> Cow<'static, str> {
        match &self.kind {
            OptionType::Check { get, .. } => {
                Cow::Borrowed(if get(settings) { "true" } else { "false" })
            }
            OptionType::Spin { get, .. } => Cow::Owned(get(settings).to_string()),
            OptionType::Combo { words, get, .. } => Cow::Borrowed(words[get(settings)].0),
            OptionType::File { .. } | OptionType::Text { .. } => match self.kind.bytes(settings) {
                None => Cow::Borrowed(EMPTY),
                Some(bytes) => Cow::Owned(printable(bytes).into_owned()),
            },
        }
    }

    /// Whether this is a path or text that is not set.
    pub fn is_empty(&self, settings: &Settings) -> bool {
        self.value(settings) == EMPTY
    }

    /// The value that a GUI means. A GUI that sends the declared default back means the real one, of which
    /// the declaration has the ASCII characters only, and some GUIs keep that up to the first blank.
    pub fn intended_value<'a>(&self, initial: &'a Settings, value: &'a [u8]) -> &'a [u8] {
        let Some(real) = self.kind.bytes(initial) else { return value };
        let declared = self.declared_value(initial);
        let first_word = declared.split(' ').next().unwrap_or_default();
        let is_echo = [&declared, first_word].iter().any(|echo| echo.as_bytes() == value);
        if is_echo { real } else { value }
    }

    /// The default of the `option` line, in ASCII: GUIs read that line in different encodings, and send
    /// the value back.
    fn declared_value(&self, initial: &Settings) -> Cow<'static, str> {
        match self.kind.bytes(initial) {
            Some(bytes) => Cow::Owned(ascii(bytes)),
            None => self.value(initial),
        }
    }

    /// The `option` line.
    pub fn declaration(&self, initial: &Settings) -> String {
        let mut line = format!("option name {} type {}", self.name, self.kind.word());
        line += " default ";
        line += &self.declared_value(initial);
        line += &self.kind.range();
        line
    }
}

impl OptionType {
    /// The name of the type in the protocol.
    pub fn word(&self) -> &'static str {
        match self {
            OptionType::Check { .. } => "check",
            OptionType::Spin { .. } => "spin",
            OptionType::Combo { .. } => "combo",
            // Not `filename`: one GUI ignores options of unknown types.
            OptionType::File { .. } | OptionType::Text { .. } => "string",
        }
    }

    /// The bytes of a path or text that is set.
    fn bytes<'a>(&self, settings: &'a Settings) -> Option<&'a [u8]> {
        match self {
            OptionType::File { get, .. } => {
                get(settings).map(|path| path.as_os_str().as_encoded_bytes())
            }
            OptionType::Text { get, .. } => get(settings).map(str::as_bytes),
            _ => None,
        }
    }

    /// The accepted values in words, with `mark` around literal ones.
    pub fn values(&self, mark: &str) -> String {
        match self {
            OptionType::Check { .. } => format!("{mark}true{mark}, {mark}false{mark}"),
            OptionType::Spin { min, max: i64::MAX, .. } => format!("{min} or more"),
            OptionType::Spin { min, max, .. } => format!("{min} to {max}"),
            OptionType::Combo { words, .. } => {
                let value =
                    |(word, label): &ComboValue| format!("{mark}{word}{mark} ({})", label.en);
                words.iter().map(value).collect::<Vec<_>>().join(", ")
            }
            OptionType::File { what, .. } => what.en.to_string(),
            OptionType::Text { .. } => "a text".to_string(),
        }
    }

    /// What follows the default: each part begins with a blank.
    fn range(&self) -> String {
        match self {
            OptionType::Spin { min, max, .. } => format!(" min {min} max {max}"),
            OptionType::Combo { words, .. } => {
                words.iter().map(|(word, _)| format!(" var {word}")).collect()
            }
            OptionType::Check { .. } | OptionType::File { .. } | OptionType::Text { .. } => {
                String::new()
            }
        }
    }
}

fn parse_bool(value: &[u8]) -> Option<bool> {
    let known = [(&b"true"[..], true), (b"false", false)];
    known.into_iter().find(|(word, _)| word.eq_ignore_ascii_case(value)).map(|(_, value)| value)
}

fn parse_spin(name: &'static str, value: &[u8], min: i64, max: i64) -> Result<i64, OptionError> {
    let digits = value.strip_prefix(b"-").or(value.strip_prefix(b"+")).unwrap_or(value);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(OptionError::NotANumber { name, value: quote(value) });
    }
    // Digits that do not fit the type are out of every range.
    let number = std::str::from_utf8(value).ok().and_then(|text| text.parse().ok());
    let in_range = number.filter(|number| (min..=max).contains(number));
    in_range.ok_or_else(|| OptionError::OutOfRange { name, value: quote(value), min, max })
}

/// The value, unless it is empty.
fn non_empty(value: &[u8]) -> Option<&[u8]> {
    let empty = value.is_empty() || value.eq_ignore_ascii_case(EMPTY.as_bytes());
    (!empty).then_some(value)
}
