//! Messages to the user.

use std::fmt;

use super::language::{Language, UnknownLanguage};

/// A message in every language. It shows itself in English, as protocols and logs need it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub en: String,
    pub ja: String,
}

impl Message {
    /// What another program or the system says, in whatever language.
    pub fn verbatim(text: impl fmt::Display) -> Message {
        let text = text.to_string();
        Message { en: text.clone(), ja: text }
    }

    pub fn of(&self, language: Language) -> &str {
        match language {
            Language::English => &self.en,
            Language::Japanese => &self.ja,
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.en)
    }
}

impl std::error::Error for Message {}

impl UnknownLanguage {
    /// The error in every language.
    pub fn message(&self) -> Message {
        let codes = Language::ALL.map(Language::code).join(" ");
        message!("a language is one of {codes}", "言語は{codes}のどれかです")
    }
}

impl fmt::Display for UnknownLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

#[doc(hidden)]
#[macro_export]
macro_rules! __message {
    ($en:literal, $ja:literal $(; $($inner:expr),+)?) => {
        $crate::types::message::Message {
            en: format!($en $($(, $inner.en)+)?),
            ja: format!($ja $($(, $inner.ja)+)?),
        }
    };
}

/// Makes a [`Message`] from format strings in English and Japanese. After a semicolon follow other
/// messages, for the places `{}` of both strings.
///
/// ```
/// use kawasemi::types::message::message;
/// let (line, inner) = (3, message!("it is empty", "空です"));
/// let outer = message!("line {line}: {}", "{line}行目：{}"; inner);
/// assert_eq!((outer.en.as_str(), outer.ja.as_str()), ("line 3: it is empty", "3行目：空です"));
/// ```
pub use __message as message;
