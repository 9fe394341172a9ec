//! The USI options.
//!
//! Each option is one row of `definitions`: name, type, range, explanations. The `option` lines, the
//! parser with its range check, the tables of the documents and of the command `options`,
//! `engine_define.xml` and `translation.txt` are generated from these. The values and their defaults
//! are in [`Settings`](crate::engine::Settings). [`UsiOption::is_for_browser`] says which options a browser lacks,
//! `book_v2` which ones depend on the set of book options.

mod book_v2;
mod definitions;
mod error;
mod option;
mod registry;
mod suggestion;
#[cfg(test)]
mod tests;
#[cfg(feature = "tuning")]
mod tuning;

pub use self::book_v2::{BOOK_OPTIONS_V2, for_users};
pub use self::definitions::{BROWSER_MAX_HASH_MIB, OPTIONS};
pub use self::error::OptionError;
pub use self::option::{OptionGroup, OptionType, UsiOption};
pub use self::registry::{
    assign, declarations, declared, find, find_or_suggest, intended_value, set,
};
pub use crate::session::ComboChoice;
