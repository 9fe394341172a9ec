//! All options of this build, looked up and set by name.

use super::book_v2::for_users;
use super::error::OptionError;
use super::option::UsiOption;
use super::suggestion::suggestion;
#[cfg(feature = "tuning")]
use super::tuning;
use crate::engine::{BookOptionSet, Settings};
use crate::types::excerpt;

/// All options with this set of book options, and in builds for tuning the tunable parameters.
pub fn declared(book_options: BookOptionSet) -> impl Iterator<Item = &'static UsiOption> {
    for_users(book_options).chain(tunables())
}

fn tunables() -> &'static [UsiOption] {
    #[cfg(feature = "tuning")]
    return &tuning::OPTIONS;
    #[cfg(not(feature = "tuning"))]
    return &[];
}

/// The option of this name or alias, in any case, whatever the set of book options is.
pub fn find(name: &[u8]) -> Option<&'static UsiOption> {
    [BookOptionSet::V1, BookOptionSet::V2]
        .into_iter()
        .find_map(|book_options| find_in(book_options, name))
}

fn find_in(book_options: BookOptionSet, name: &[u8]) -> Option<&'static UsiOption> {
    let same = |known: &&str| known.as_bytes().eq_ignore_ascii_case(name);
    declared(book_options).find(|option| same(&option.name) || option.aliases.iter().any(same))
}

/// The option of this name or alias that is declared with this set of book options.
///
/// # Errors
/// If there is no such option. The error may suggest a similar name.
pub fn find_or_suggest(
    book_options: BookOptionSet,
    name: &[u8],
) -> Result<&'static UsiOption, OptionError> {
    find_in(book_options, name).ok_or_else(|| not_declared(book_options, name))
}

fn not_declared(book_options: BookOptionSet, name: &[u8]) -> OptionError {
    if let Some(option) = find(name) {
        return OptionError::OtherBookOptions { name: option.name, book_options };
    }
    let suggestion = suggestion(name, declared(book_options).map(|option| option.name));
    OptionError::UnknownName { name: excerpt(name), suggestion }
}

/// The value that a GUI means for the option of this name: see [`UsiOption::intended_value`].
pub fn intended_value<'a>(name: &[u8], initial: &'a Settings, value: &'a [u8]) -> &'a [u8] {
    find(name).map_or(value, |option| option.intended_value(initial, value))
}

/// Sets one option.
///
/// # Errors
/// If no option has this name or it does not take this value. The settings are unchanged then.
///
/// ```
/// use kawasemi::engine::Settings;
/// use kawasemi::usi::options;
/// let mut settings = Settings::default();
/// options::set(&mut settings, b"hash", Some(b"64")).unwrap();
/// assert_eq!(settings.hash_mib, 64);
/// let error = options::set(&mut settings, b"Threads", Some(b"0")).unwrap_err();
/// assert_eq!(error.to_string(), "option Threads is from 1 to 1024, not \"0\"");
/// ```
pub fn set(
    settings: &mut Settings,
    name: &[u8],
    value: Option<&[u8]>,
) -> Result<&'static UsiOption, OptionError> {
    let book_options = settings.profile.book_options;
    let option = find_in(book_options, name).ok_or_else(|| not_found(book_options, name, value))?;
    let value = value.ok_or(OptionError::MissingValue { name: option.name })?;
    option.set(settings, value)?;
    Ok(option)
}

/// The error for an unknown name in `setoption`.
fn not_found(book_options: BookOptionSet, name: &[u8], value: Option<&[u8]>) -> OptionError {
    let end = name.iter().position(|byte| b" =".contains(byte)).unwrap_or(name.len());
    match find(&name[..end]).filter(|_| value.is_none()) {
        Some(option) => OptionError::MissingWord { name: option.name },
        None => not_declared(book_options, name),
    }
}

/// Sets one option by `NAME=VALUE`, as on the command line.
///
/// # Errors
/// If the text has no `=`, and as [`set`].
pub fn assign(settings: &mut Settings, text: &[u8]) -> Result<&'static UsiOption, OptionError> {
    let error = || OptionError::NotAnAssignment { text: excerpt(text) };
    let equals = text.iter().position(|&byte| byte == b'=').ok_or_else(error)?;
    set(settings, &text[..equals], Some(&text[equals + 1..]))
}

/// The `option` lines. They declare the initial settings as defaults: a GUI sends every default back, and
/// must not undo what the command line has set.
pub fn declarations(initial: &Settings) -> impl Iterator<Item = String> {
    let options = declared(initial.profile.book_options);
    let here = options.filter(|option| !cfg!(target_family = "wasm") || option.is_for_browser());
    here.map(|option| option.declaration(initial))
}
