//! The arguments of the program, with file patterns expanded, which the shells of Windows leave to programs.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use glob::{MatchOptions, Paths, glob_with};

/// The arguments from the name of the program on. On Windows patterns are replaced by the files that match.
pub fn expanded_arguments() -> impl Iterator<Item = OsString> {
    let expand = |argument| if cfg!(windows) { expanded(argument) } else { vec![argument] };
    env::args_os().flat_map(expand)
}

/// The files that match a pattern, or else the argument itself. Only `*` and `?`, which no name on Windows has, make a
/// pattern, also in quotes: `game[1].kif` is a name that a browser gives.
fn expanded(argument: OsString) -> Vec<OsString> {
    let text = argument.to_str().filter(|text| text.contains(['*', '?']));
    let pattern = text.map(|text| text.replace('[', "[[]"));
    let options = MatchOptions { case_sensitive: false, ..MatchOptions::default() };
    let found: Option<Paths> = pattern.and_then(|pattern| glob_with(&pattern, options).ok());
    let files = found.into_iter().flatten().flatten().map(PathBuf::into_os_string);
    let files: Vec<OsString> = files.collect();
    if files.is_empty() { vec![argument] } else { files }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Regression: `game[1].kif` was read as a pattern, so that `game1.kif` was opened instead.
    #[test]
    fn only_stars_and_question_marks_make_a_pattern() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["game1.kif", "game[1].kif", "other.csa"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let expand = |name: &str| -> Vec<String> {
            let files = expanded(folder.path().join(name).into_os_string());
            let name =
                |file: OsString| PathBuf::from(file).file_name().unwrap().display().to_string();
            files.into_iter().map(name).collect()
        };
        assert_eq!(expand("game[1].kif"), ["game[1].kif"]);
        assert_eq!(expand("*.KIF"), ["game1.kif", "game[1].kif"]);
        assert_eq!(expand("game[?].kif"), ["game[1].kif"]);
        assert_eq!(expand("none?.kif"), ["none?.kif"]);
        for other in ["--to", "a[*", ""] {
            assert_eq!(expanded(other.into()), [other]);
        }
    }
}
