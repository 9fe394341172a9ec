//! Splitting a command line into words.

use std::fmt;

use crate::types::message::{Message, message};

/// A quote is not closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnclosedQuote;

impl UnclosedQuote {
    /// The error in every language.
    pub fn message(&self) -> Message {
        message!("a quote is not closed", "引用符が閉じていません")
    }
}

impl fmt::Display for UnclosedQuote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for UnclosedQuote {}

/// Splits at white space outside quotes of either kind, and removes the quotes.
///
/// # Errors
/// [`UnclosedQuote`].
///
/// ```
/// use kawasemi::usi_client::split_command_line;
/// assert_eq!(split_command_line("ssh host 'a b' \"\"").unwrap(), ["ssh", "host", "a b", ""]);
/// assert!(split_command_line("ssh 'host").is_err());
/// ```
pub fn split_command_line(text: &str) -> Result<Vec<String>, UnclosedQuote> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    if quote.is_some() { Err(UnclosedQuote) } else { Ok(words) }
}
