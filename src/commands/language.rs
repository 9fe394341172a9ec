//! The language of the system, in which the program prints messages and tables.

use std::env;

use kawasemi::types::language::Language;

/// The language of the system.
pub fn system_language() -> Language {
    let named = ["LC_ALL", "LC_MESSAGES", "LANG"];
    let locale = named.into_iter().find_map(|name| env::var(name).ok().filter(|v| !v.is_empty()));
    choose(locale.as_deref(), sys_locale::get_locales())
}

/// The first preferred language that the program has. The locale C means no translation, whatever is
/// preferred (gettext).
fn choose(locale: Option<&str>, preferred: impl IntoIterator<Item = String>) -> Language {
    if locale.is_some_and(|locale| matches!(locale.split('.').next(), Some("C" | "POSIX"))) {
        return Language::English;
    }
    let known = |locale: String| match locale.get(..2) {
        Some("ja") => Some(Language::Japanese),
        Some("en") => Some(Language::English),
        _ => None,
    };
    preferred.into_iter().find_map(known).unwrap_or(Language::English)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_known_language_is_chosen_and_none_under_the_locale_c() {
        let choose = |locale, preferred: &[&str]| {
            super::choose(locale, preferred.iter().map(|&name| name.to_owned()))
        };
        assert_eq!(choose(Some("ja_JP.UTF-8"), &["ja-JP"]), Language::Japanese);
        assert_eq!(choose(Some("fr_FR.UTF-8"), &["fr", "ja"]), Language::Japanese);
        assert_eq!(choose(None, &["en-US", "ja-JP"]), Language::English);
        assert_eq!(choose(None, &["fr-FR"]), Language::English);
        for c in ["C", "C.UTF-8", "POSIX"] {
            assert_eq!(choose(Some(c), &["ja"]), Language::English);
        }
    }
}
