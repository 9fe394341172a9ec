//! Errors in setting an option.

use std::fmt;

use crate::engine::BookOptionSet;
use crate::session::ValueError;
use crate::types::message::{Message, message};

/// Why an option is not set or shown. What it quotes is shortened and printable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    UnknownName {
        name: String,
        /// The option that was probably meant, if any.
        suggestion: Option<&'static str>,
    },
    /// The option belongs to the other set of book options. `book_options` is the set in use.
    OtherBookOptions {
        name: &'static str,
        book_options: BookOptionSet,
    },
    /// The word `value` is missing between name and value.
    MissingWord {
        name: &'static str,
    },
    MissingValue {
        name: &'static str,
    },
    /// The option refuses the value.
    Value(ValueError),
    /// `NAME=VALUE` was expected.
    NotAnAssignment {
        text: String,
    },
}

impl OptionError {
    /// The error in every language.
    pub fn message(&self) -> Message {
        match self {
            OptionError::UnknownName { name, suggestion: None } => {
                message!("no option is called \"{name}\"", "「{name}」というオプションはありません")
            }
            OptionError::UnknownName { name, suggestion: Some(known) } => message!(
                "no option is called \"{name}\"; did you mean {known}?",
                "「{name}」というオプションはありません。{known}ですか？"
            ),
            OptionError::OtherBookOptions { name, book_options: BookOptionSet::V1 } => message!(
                "option {name} is one of version 2 of the book options; write BOOK_OPTIONS=V2 into \
                 engine_option_profile.txt to use them",
                "オプション{name}は新しい定跡オプションです。使うには\
                 engine_option_profile.txtにBOOK_OPTIONS=V2と書いてください"
            ),
            OptionError::OtherBookOptions { name, book_options: BookOptionSet::V2 } => message!(
                "option {name} is one of version 1 of the book options, and \
                 engine_option_profile.txt chooses version 2",
                "オプション{name}は古い定跡オプションですが、\
                 engine_option_profile.txtが新しいものを選んでいます"
            ),
            OptionError::MissingWord { name } => {
                message!("the word value is missing after {name}", "{name}の後にvalueがありません")
            }
            OptionError::MissingValue { name } => {
                message!("option {name} needs a value", "オプション{name}には値が必要です")
            }
            OptionError::Value(error) => error.message(),
            OptionError::NotAnAssignment { text } => message!(
                "an option must have the form NAME=VALUE, not \"{text}\"",
                "オプションはNAME=VALUEで指定します。「{text}」は使えません"
            ),
        }
    }
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for OptionError {}

impl From<ValueError> for OptionError {
    fn from(error: ValueError) -> OptionError {
        OptionError::Value(error)
    }
}
