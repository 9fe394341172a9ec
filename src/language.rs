//! In which language the program's tables are.

use kawasemi::usi::language::Language;

/// That of the system.
pub fn usual() -> Language {
    let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let system = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set);
    let is_japanese = system.is_some_and(|system| system.starts_with("ja"));
    if is_japanese { Language::Japanese } else { Language::English }
}
