//! One option: its name, type and range, and how its value is read and written.

use std::borrow::Cow;

use super::error::OptionError;
use crate::engine::Settings;
use crate::session;
use crate::types::language::{Localized, localized};
use crate::types::usi::EMPTY;

/// One option.
#[derive(Debug)]
pub struct UsiOption {
    /// As declared to the GUI. Without spaces, because several GUIs cut a name there.
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
    General,
    Strength,
    Analysis,
    Rules,
    Time,
    Book,
    Evaluation,
    Logs,
}

impl OptionGroup {
    pub const ALL: [OptionGroup; 8] = [
        OptionGroup::General,
        OptionGroup::Strength,
        OptionGroup::Analysis,
        OptionGroup::Rules,
        OptionGroup::Time,
        OptionGroup::Book,
        OptionGroup::Evaluation,
        OptionGroup::Logs,
    ];

    pub const fn title(self) -> Localized {
        match self {
            OptionGroup::General => localized("General", "基本"),
            OptionGroup::Strength => localized("Strength", "棋力"),
            OptionGroup::Analysis => localized("Analysis", "検討・解析"),
            OptionGroup::Rules => localized("Rules of the game", "対局ルール"),
            OptionGroup::Time => localized("Time", "時間"),
            OptionGroup::Book => localized("Opening book", "定跡"),
            OptionGroup::Evaluation => localized("Evaluation", "評価関数"),
            OptionGroup::Logs => localized("Logs", "ログ"),
        }
    }
}

/// The type of an option, and its accessors in the settings.
pub type OptionType = session::OptionType<Settings>;

impl UsiOption {
    /// Whether the option is meaningful in a browser, which has no files, one thread and no cluster.
    pub fn is_for_browser(&self) -> bool {
        let needs_files = matches!(self.kind, OptionType::File { .. })
            || matches!(self.group, OptionGroup::Evaluation | OptionGroup::Logs);
        !needs_files && !["Threads", "ClusterWorker", "BookOnTheFly"].contains(&self.name)
    }

    pub(super) fn set(&self, settings: &mut Settings, value: &[u8]) -> Result<(), OptionError> {
        Ok(self.kind.set(self.name, settings, value)?)
    }

    /// The value as the protocol writes it.
    pub fn value(&self, settings: &Settings) -> Cow<'static, str> {
        self.kind.value(settings)
    }

    /// Whether this is a path or text that is not set.
    pub fn is_empty(&self, settings: &Settings) -> bool {
        self.value(settings) == EMPTY
    }

    /// The value that the user means. A GUI that sends the declared default back means the real default: the
    /// declaration keeps only its ASCII characters, and some GUIs only those before the first space.
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

    /// The text after the default; each part begins with a space.
    fn range(&self) -> String {
        match self {
            OptionType::Spin { min, max, .. } => format!(" min {min} max {max}"),
            OptionType::Combo { choices, .. } => {
                choices.iter().map(|(word, _)| format!(" var {word}")).collect()
            }
            OptionType::Check { .. } | OptionType::File { .. } | OptionType::Text { .. } => {
                String::new()
            }
        }
    }
}

/// The text with `?` for every character that is not printable ASCII.
fn ascii(bytes: &[u8]) -> String {
    let shown = |c: char| if matches!(c, ' '..='~') { c } else { '?' };
    String::from_utf8_lossy(bytes).chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_character_that_is_not_ascii_becomes_one_question_mark() {
        assert_eq!(ascii("a\u{3042}b\n".as_bytes()), "a?b?");
        assert_eq!(ascii(b"a\xffb"), "a?b");
    }
}
