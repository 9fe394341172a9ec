//! Files that are named by a pattern, such as `*.kif`. Shells of Unix put the names in its place; those
//! of Windows leave that to the program, and no name has a `*` or `?` of its own there.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// The files that are meant. Where a pattern means several they are in the order of their names; one
/// that means none stays, to be told of as a file that is not there.
pub fn expand_wildcards(named: &[PathBuf]) -> Vec<PathBuf> {
    match cfg!(windows) {
        true => named.iter().flat_map(|path| meant(path)).collect(),
        false => named.to_vec(),
    }
}

fn meant(path: &Path) -> Vec<PathBuf> {
    let pattern = characters(path.file_name().unwrap_or_default());
    let mut found = Vec::new();
    if pattern.iter().any(|character| "*?".contains(*character)) {
        // Of a bare name the folder is empty, and cannot be read by that name.
        let folder = path.parent().unwrap_or(path).join(".");
        let names = fs::read_dir(folder).into_iter().flatten().flatten();
        let names = names.map(|entry| entry.file_name());
        let fitting = names.filter(|name| fits(&characters(name), &pattern));
        found.extend(fitting.map(|name| path.with_file_name(name)));
        found.sort();
    }
    if found.is_empty() { vec![path.to_path_buf()] } else { found }
}

/// Upper and lower case alike, as names are on Windows.
fn characters(name: &OsStr) -> Vec<char> {
    name.to_string_lossy().to_lowercase().chars().collect()
}

/// `*` stands for any characters, `?` for one.
fn fits(name: &[char], pattern: &[char]) -> bool {
    match (pattern, name) {
        ([], []) => true,
        (['*', rest @ ..], []) => fits(name, rest),
        (['*', rest @ ..], [_, behind @ ..]) => fits(name, rest) || fits(behind, pattern),
        (['?', rest @ ..], [_, behind @ ..]) => fits(behind, rest),
        ([wanted, rest @ ..], [first, behind @ ..]) => wanted == first && fits(behind, rest),
        ([], [_, ..]) | ([_, ..], []) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_means_the_files_that_fit_it_in_the_order_of_their_names() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.kif", "a.KIF", "a.kifu", "c.csa", "棋譜1.kif"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let names = |pattern: &str| -> Vec<String> {
            let files = meant(&folder.path().join(pattern));
            let name =
                |file: PathBuf| file.strip_prefix(folder.path()).unwrap().display().to_string();
            files.into_iter().map(name).collect()
        };
        assert_eq!(names("*.kif"), ["a.KIF", "b.kif", "棋譜1.kif"]);
        assert_eq!(names("?.k*"), ["a.KIF", "a.kifu", "b.kif"]);
        assert_eq!(names("棋譜?.kif"), ["棋譜1.kif"]);
        // Names, and patterns that nothing fits, stay what they are.
        for other in ["b.kif", "none.kif", "*.ki2", "?.db"] {
            assert_eq!(names(other), [other]);
        }
        assert_eq!(meant(Path::new("-")), [Path::new("-")]);
        assert_eq!(meant(Path::new("Cargo.*")), ["Cargo.lock", "Cargo.toml"].map(PathBuf::from));
    }
}
