//! The language of the tables that the program prints.

use kawasemi::usi::language::Language;

/// The language of the system.
pub fn system_language() -> Language {
    match sys_locale::get_locale() {
        Some(locale) if locale.starts_with("ja") => Language::Japanese,
        _ => Language::English,
    }
}
