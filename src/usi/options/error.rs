//! Errors in setting an option.

use std::fmt;

use crate::engine::BookOptionSet;
use crate::session::ValueError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    UnknownName {
        name: String,
        /// The option that was probably meant, if any.
        suggestion: Option<&'static str>,
    },
    /// The option belongs to the other set of book options than this one, which is chosen.
    OtherBookOptions {
        name: &'static str,
        set: BookOptionSet,
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

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::UnknownName { name, suggestion } => {
                write!(f, "no option is called {name}")?;
                suggestion
                    .iter()
                    .try_for_each(|suggestion| write!(f, "; did you mean {suggestion}?"))
            }
            OptionError::OtherBookOptions { name, set: BookOptionSet::V1 } => write!(
                f,
                "option {name} is one of version 2 of the book options; write BOOK_OPTIONS=V2 into \
                 engine_option_profile.txt to use them"
            ),
            OptionError::OtherBookOptions { name, set: BookOptionSet::V2 } => write!(
                f,
                "option {name} is one of version 1 of the book options, and \
                 engine_option_profile.txt chooses version 2"
            ),
            OptionError::MissingWord { name } => {
                write!(f, "the word value is missing after {name}")
            }
            OptionError::MissingValue { name } => write!(f, "option {name} needs a value"),
            OptionError::Value(error) => error.fmt(f),
            OptionError::NotAnAssignment { text } => {
                write!(f, "an option is set by NAME=VALUE, not by {text}")
            }
        }
    }
}

impl std::error::Error for OptionError {}

impl From<ValueError> for OptionError {
    fn from(error: ValueError) -> OptionError {
        OptionError::Value(error)
    }
}
