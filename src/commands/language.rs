//! In which language the program's tables are.

use kawasemi::sys::speaks_japanese;
use kawasemi::usi::language::Language;

/// That of the system: what the environment says, else what the system itself does, for Windows sets
/// none of these variables.
pub fn usual() -> Language {
    let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set);
    let is_japanese = locale.map_or_else(speaks_japanese, |locale| locale.starts_with("ja"));
    if is_japanese { Language::Japanese } else { Language::English }
}
