//! Messages to the user.

use std::{fmt, io};

use serde::Serialize;

use super::language::{Language, Localized, UnknownLanguage};

/// A count with its English noun, whose plural ends in `s`: `1 game`, `2 games`.
pub fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// Names as a list, with the separator of each language: `a, b, c`, `a、b、c`.
pub fn listed(names: &[&str]) -> Message {
    Message { en: names.join(", "), ja: names.join("、") }
}

/// A message in every language. `Display` writes it in English, which protocols and logs need.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Message {
    pub en: String,
    pub ja: String,
}

impl Message {
    /// A text of another program or of the system, unchanged in both languages.
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

impl From<Localized> for Message {
    fn from(text: Localized) -> Message {
        Message { en: text.en.into(), ja: text.ja.into() }
    }
}

impl From<&io::Error> for Message {
    /// Translates common errors into Japanese. All others keep the text of the system.
    fn from(error: &io::Error) -> Message {
        use io::ErrorKind as Kind;
        if let Some(inner) = error.get_ref().and_then(|inner| inner.downcast_ref::<Message>()) {
            return inner.clone();
        }
        let ja = match error.kind() {
            Kind::NotFound => "ファイルまたはフォルダがありません",
            Kind::PermissionDenied => "権限がありません",
            Kind::AlreadyExists => "同じ名前のファイルがすでにあります",
            Kind::IsADirectory => "ファイルではなくフォルダです",
            Kind::NotADirectory => "フォルダではありません",
            Kind::StorageFull => "空き容量が足りません",
            Kind::ReadOnlyFilesystem => "読み取り専用です",
            Kind::ConnectionRefused => "接続を拒否されました",
            Kind::ConnectionReset | Kind::ConnectionAborted | Kind::BrokenPipe => {
                "接続が切れました"
            }
            Kind::HostUnreachable | Kind::NetworkUnreachable => "接続先に届きません",
            Kind::TimedOut => "タイムアウトしました",
            Kind::OutOfMemory => "メモリが足りません",
            _ => return Message::verbatim(error),
        };
        Message { en: error.to_string(), ja: ja.into() }
    }
}

impl UnknownLanguage {
    /// The error in every language.
    pub fn message(&self) -> Message {
        let codes = listed(&Language::ALL.map(Language::code));
        message!("a language is one of {}", "言語は{}のどれかです"; codes)
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

/// Makes a [`Message`] from format strings in English and Japanese. Other messages follow after a semicolon;
/// each fills a `{}` of both strings.
///
/// ```
/// use kawasemi::types::message::message;
/// let (line, inner) = (3, message!("it is empty", "空です"));
/// let outer = message!("line {line}: {}", "{line}行目：{}"; inner);
/// assert_eq!((outer.en.as_str(), outer.ja.as_str()), ("line 3: it is empty", "3行目：空です"));
/// ```
pub use __message as message;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_errors_have_japanese_texts() {
        let missing = Message::from(&io::Error::from(io::ErrorKind::NotFound));
        assert_eq!(missing.ja, "ファイルまたはフォルダがありません");
        // Regression: the text was that of a game lost on time.
        let late = Message::from(&io::Error::from(io::ErrorKind::TimedOut));
        assert_eq!(late.ja, "タイムアウトしました");
        let own = message!("it is a pipe", "パイプです");
        assert_eq!(Message::from(&io::Error::other(own.clone())), own);
    }
}
