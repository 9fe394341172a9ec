//! The registry: one row for each option, and what is made from the rows.
//!
//! A row holds what the outside must know of an option: its name, the range it accepts, a line of
//! help in each language. From the rows come the `option` lines, the parser with its range check,
//! the tables of the README and of the command `options`, `engine_define.xml` and the translations.
//! The values and their defaults are [`Settings`]; what a changed setting does is the engine's
//! affair.

mod alike;
mod error;
mod rows;
#[cfg(test)]
mod tests;
#[cfg(feature = "tuning")]
mod tuning;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use self::alike::alike;
pub use self::error::OptionError;
pub use self::rows::ROWS;
use super::language::{Words, both};
use super::quote::{ascii, quote};
use crate::engine::Settings;
use crate::sys::file_name;

/// One option.
#[derive(Debug)]
pub struct Row {
    /// As declared to the GUI. Without blanks: several GUIs cut names there.
    pub name: &'static str,
    /// Names accepted besides, for GUIs that write the option otherwise. Not declared: a GUI that
    /// is told of two options sets both.
    pub aliases: &'static [&'static str],
    pub group: Group,
    pub kind: Kind,
    /// The default in words, where it depends on the machine.
    pub varying_default: Option<Words>,
    /// One line of help.
    pub help: Words,
}

/// Related options, in the order in which a user looks for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    Engine,
    Strength,
    Analysis,
    Rules,
    Time,
    Book,
    Evaluation,
    Files,
}

impl Group {
    pub const ALL: [Group; 8] = [
        Group::Engine,
        Group::Strength,
        Group::Analysis,
        Group::Rules,
        Group::Time,
        Group::Book,
        Group::Evaluation,
        Group::Files,
    ];

    pub const fn title(self) -> Words {
        match self {
            Group::Engine => both("Engine", "基本"),
            Group::Strength => both("Strength", "棋力"),
            Group::Analysis => both("Analysis", "検討・解析"),
            Group::Rules => both("Rules of the game", "対局ルール"),
            Group::Time => both("Time", "時間"),
            Group::Book => both("Opening book", "定跡"),
            Group::Evaluation => both("Evaluation", "評価関数"),
            Group::Files => both("Files", "記録ファイル"),
        }
    }
}

/// What an option may be set to, and where it lives in the settings.
#[derive(Debug)]
pub enum Kind {
    Check {
        get: fn(&Settings) -> bool,
        set: fn(&mut Settings, bool),
    },
    /// A number of the range, both ends included.
    Spin {
        min: i64,
        max: i64,
        get: fn(&Settings) -> i64,
        set: fn(&mut Settings, i64),
    },
    /// One of some words, each with a label for people. The value is the index of the word.
    Combo {
        words: &'static [Word],
        get: fn(&Settings) -> usize,
        set: fn(&mut Settings, usize),
    },
    /// A path; none for the empty text.
    File {
        /// What it leads to, in words.
        what: Words,
        get: fn(&Settings) -> Option<&Path>,
        set: fn(&mut Settings, Option<PathBuf>),
    },
    /// A text; none for the empty one.
    Text {
        get: fn(&Settings) -> Option<&str>,
        set: fn(&mut Settings, Option<String>),
    },
}

/// A word of a combo: as sent, and as a person reads it (no commas).
pub type Word = (&'static str, Words);

/// What the names of the search's numbers begin with, in builds that have them as options.
pub const TUNING_PREFIX: &str = "Tune_";

/// How the protocol spells an empty text.
const EMPTY: &str = "<empty>";

/// All options that this build declares: those for users, and in a build for tuning the numbers of
/// the search behind them.
pub fn declared() -> impl Iterator<Item = &'static Row> {
    let rows = ROWS.iter();
    #[cfg(feature = "tuning")]
    let rows = rows.chain(tuning::ROWS.iter());
    rows
}

/// The option of this name or alias, upper and lower case alike.
pub fn find(name: &[u8]) -> Option<&'static Row> {
    let same = |known: &&str| known.as_bytes().eq_ignore_ascii_case(name);
    declared().find(|row| same(&row.name) || row.aliases.iter().any(same))
}

/// The same for who needs it.
///
/// # Errors
/// There is none, and perhaps one whose name is near.
pub fn named(name: &[u8]) -> Result<&'static Row, OptionError> {
    find(name).ok_or_else(|| unknown(name))
}

fn unknown(name: &[u8]) -> OptionError {
    OptionError::UnknownName { name: quote(name), alike: alike(name) }
}

/// What a GUI means that sets the option of this name to this value: see [`Row::meant`].
pub fn meant<'a>(name: &[u8], initial: &'a Settings, value: &'a [u8]) -> &'a [u8] {
    find(name).map_or(value, |row| row.meant(initial, value))
}

/// Sets one option. On an error the settings are as before.
///
/// ```
/// use kawasemi::engine::Settings;
/// use kawasemi::usi::options;
/// let mut settings = Settings::default();
/// options::set(&mut settings, b"hash", Some(b"64")).unwrap();
/// assert_eq!(settings.hash_mb, 64);
/// let error = options::set(&mut settings, b"Threads", Some(b"0")).unwrap_err();
/// assert_eq!(error.to_string(), "option Threads is from 1 to 1024, not \"0\"");
/// ```
pub fn set(
    settings: &mut Settings,
    name: &[u8],
    value: Option<&[u8]>,
) -> Result<&'static Row, OptionError> {
    let row = find(name).ok_or_else(|| not_found(name, value))?;
    let value = value.ok_or(OptionError::MissingValue { name: row.name })?;
    row.set(settings, value)?;
    Ok(row)
}

/// What is wrong with a name that no option has, where one is to be set.
fn not_found(name: &[u8], value: Option<&[u8]>) -> OptionError {
    let end = name.iter().position(|byte| b" =".contains(byte)).unwrap_or(name.len());
    match find(&name[..end]).filter(|_| value.is_none()) {
        Some(row) => OptionError::MissingWord { name: row.name },
        None => unknown(name),
    }
}

/// Sets one option by `NAME=VALUE`, as on the command line.
pub fn assign(settings: &mut Settings, text: &[u8]) -> Result<&'static Row, OptionError> {
    let error = || OptionError::NotAnAssignment { text: quote(text) };
    let equals = text.iter().position(|&byte| byte == b'=').ok_or_else(error)?;
    set(settings, &text[..equals], Some(&text[equals + 1..]))
}

/// The `option` lines. Their defaults are what `initial` holds: a GUI sends every option at its
/// declared default, and must not undo what the command line has set.
pub fn declarations(initial: &Settings) -> impl Iterator<Item = String> {
    declared().map(|row| row.declaration(initial))
}

impl Row {
    fn set(&self, settings: &mut Settings, value: &[u8]) -> Result<(), OptionError> {
        let name = self.name;
        match &self.kind {
            Kind::Check { set, .. } => {
                let value = parse_bool(value)
                    .ok_or_else(|| OptionError::NotABoolean { name, value: quote(value) })?;
                set(settings, value);
            }
            Kind::Spin { min, max, set, .. } => set(settings, parse_spin(name, value, *min, *max)?),
            Kind::Combo { words, set, .. } => {
                let same = |(word, _): &Word| word.as_bytes().eq_ignore_ascii_case(value);
                let index = words.iter().position(same).ok_or_else(|| OptionError::NotAWord {
                    name,
                    value: quote(value),
                    words,
                })?;
                set(settings, index);
            }
            Kind::File { set, .. } => set(settings, given(value).map(file_name)),
            Kind::Text { set, .. } => {
                let text = |value| String::from_utf8_lossy(value).into_owned();
                set(settings, given(value).map(text));
            }
        }
        Ok(())
    }

    /// The value as the protocol writes it, ASCII.
    pub fn value(&self, settings: &Settings) -> Cow<'static, str> {
        match &self.kind {
            Kind::Check { get, .. } => Cow::Borrowed(if get(settings) { "true" } else { "false" }),
            Kind::Spin { get, .. } => Cow::Owned(get(settings).to_string()),
            Kind::Combo { words, get, .. } => Cow::Borrowed(words[get(settings)].0),
            Kind::File { .. } | Kind::Text { .. } => match self.kind.bytes(settings) {
                None => Cow::Borrowed(EMPTY),
                Some(bytes) => Cow::Owned(ascii(bytes)),
            },
        }
    }

    /// Whether it is a path or a text that is not set.
    pub fn is_empty(&self, settings: &Settings) -> bool {
        self.value(settings) == EMPTY
    }

    /// The value that a GUI means that gives the declared default back: that is declared in ASCII,
    /// and some keep no more of it than stands before the first blank.
    pub fn meant<'a>(&self, initial: &'a Settings, value: &'a [u8]) -> &'a [u8] {
        let Some(real) = self.kind.bytes(initial) else { return value };
        let declared = ascii(real);
        let first_word = declared.split(' ').next().unwrap_or_default();
        let is_echo = [declared.as_str(), first_word].iter().any(|echo| echo.as_bytes() == value);
        if is_echo { real } else { value }
    }

    /// The line that tells a GUI of this option.
    pub fn declaration(&self, initial: &Settings) -> String {
        let mut line = format!("option name {} type {}", self.name, self.kind.word());
        line += " default ";
        line += &self.value(initial);
        line += &self.kind.range();
        line
    }
}

impl Kind {
    /// The type as the protocol names it.
    pub fn word(&self) -> &'static str {
        match self {
            Kind::Check { .. } => "check",
            Kind::Spin { .. } => "spin",
            Kind::Combo { .. } => "combo",
            // Not `filename`: a GUI is known that drops options of a type it does not know.
            Kind::File { .. } | Kind::Text { .. } => "string",
        }
    }

    /// A path or a text that is set.
    fn bytes<'a>(&self, settings: &'a Settings) -> Option<&'a [u8]> {
        match self {
            Kind::File { get, .. } => get(settings).map(|path| path.as_os_str().as_encoded_bytes()),
            Kind::Text { get, .. } => get(settings).map(str::as_bytes),
            _ => None,
        }
    }

    /// What there is to choose from, in words, with this mark around what is to be sent as it stands.
    pub fn values(&self, mark: &str) -> String {
        match self {
            Kind::Check { .. } => format!("{mark}true{mark}, {mark}false{mark}"),
            Kind::Spin { min, max: i64::MAX, .. } => format!("{min} or more"),
            Kind::Spin { min, max, .. } => format!("{min} to {max}"),
            Kind::Combo { words, .. } => {
                let value = |(word, label): &Word| format!("{mark}{word}{mark} ({})", label.en);
                words.iter().map(value).collect::<Vec<_>>().join(", ")
            }
            Kind::File { what, .. } => what.en.to_string(),
            Kind::Text { .. } => "a text".to_string(),
        }
    }

    /// What stands behind the default: each part begins with a blank.
    fn range(&self) -> String {
        match self {
            Kind::Spin { min, max, .. } => format!(" min {min} max {max}"),
            Kind::Combo { words, .. } => {
                words.iter().map(|(word, _)| format!(" var {word}")).collect()
            }
            Kind::Check { .. } | Kind::File { .. } | Kind::Text { .. } => String::new(),
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
    // What is a number and yet not read is too long for the type, so out of every range.
    let number = std::str::from_utf8(value).ok().and_then(|text| text.parse().ok());
    let in_range = number.filter(|number| (min..=max).contains(number));
    in_range.ok_or_else(|| OptionError::OutOfRange { name, value: quote(value), min, max })
}

/// The value, unless it is empty or says so.
fn given(value: &[u8]) -> Option<&[u8]> {
    let empty = value.is_empty() || value.eq_ignore_ascii_case(EMPTY.as_bytes());
    (!empty).then_some(value)
}
