//! The languages of the program, and constant texts in both. USI is ASCII, so its messages are in English.

use std::str::FromStr;

use serde::Serialize;

/// A language of the messages and pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    English,
    Japanese,
}

impl Language {
    pub const ALL: [Language; 2] = [Language::English, Language::Japanese];

    /// The ISO 639-1 code.
    pub const fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Japanese => "ja",
        }
    }
}

/// The code of a language that is not supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownLanguage;

impl std::error::Error for UnknownLanguage {}

impl FromStr for Language {
    type Err = UnknownLanguage;

    /// From the ISO 639-1 code, in any case.
    fn from_str(code: &str) -> Result<Language, UnknownLanguage> {
        let is_named = |language: &Language| language.code().eq_ignore_ascii_case(code);
        let found = Language::ALL.into_iter().find(is_named);
        found.ok_or(UnknownLanguage)
    }
}

/// A constant text in every language, for tables that constant functions build. A
/// [`Message`](super::message::Message) is formatted at run time and owns its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Localized {
    /// ASCII.
    pub en: &'static str,
    pub ja: &'static str,
}

impl Localized {
    pub const fn of(self, language: Language) -> &'static str {
        match language {
            Language::English => self.en,
            Language::Japanese => self.ja,
        }
    }
}

/// A text in English and Japanese.
pub const fn localized(en: &'static str, ja: &'static str) -> Localized {
    Localized { en, ja }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_known_by_its_code() {
        for language in Language::ALL {
            assert_eq!(language.code().parse(), Ok(language));
        }
        let message = "de".parse::<Language>().unwrap_err().to_string();
        assert_eq!(message, "a language is one of en, ja");
        assert_eq!(localized("a", "b").of(Language::Japanese), "b");
    }
}
