//! Fingerprints of file contents, to detect changes.
//!
//! A match that continued with a rebuilt engine or another network under the same name would measure
//! neither, so the header of its file contains the fingerprints.

use std::collections::HashSet;
use std::env;
use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use crate::sys::open_input;

/// FNV-1a, 64 bits: not cryptographic, but enough against mistakes.
#[derive(Clone, Copy, Debug)]
struct Fnv(u64);

impl Fnv {
    fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// The fingerprint of a list of texts.
pub fn of_texts<T: ToString>(texts: impl IntoIterator<Item = T>) -> String {
    let mut hash = Fnv::new();
    for text in texts {
        hash.add(text.to_string().as_bytes());
        hash.add(b"\n");
    }
    format!("{:016x}", hash.0)
}

/// The fingerprints of a program and its data, separated by commas: of the program itself, of the
/// files and folders in `names` (its arguments and option values), relative to its working directory
/// (`None` for that of this process) or to the program, and of its default folder `eval`.
pub fn of_program<'a>(
    name: &str,
    directory: Option<&Path>,
    names: impl IntoIterator<Item = &'a str>,
) -> String {
    let base = directory.map(Path::to_path_buf).unwrap_or_default();
    let program = program(Path::new(name));
    let home = program.as_deref().and_then(Path::parent).map(Path::to_path_buf);
    let homes: Vec<PathBuf> = [base].into_iter().chain(home).collect();
    let names = names.into_iter().chain(["eval"]).filter(|name| !name.is_empty());
    let mut paths: Vec<PathBuf> = program.clone().into_iter().collect();
    for path in names.flat_map(|name| homes.iter().map(move |home| home.join(name))) {
        paths.extend(path.canonicalize());
    }
    let mut seen = HashSet::new();
    paths.retain(|path| seen.insert(path.clone()));
    of_paths(&paths)
}

/// The fingerprints of these files and folders, separated by commas; missing ones are skipped.
pub fn of_paths(paths: &[PathBuf]) -> String {
    paths.iter().filter_map(|path| of_path(path)).collect::<Vec<_>>().join(",")
}

/// The path where the system finds this program.
fn program(name: &Path) -> Option<PathBuf> {
    let mut whole = name.as_os_str().to_owned();
    whole.push(env::consts::EXE_SUFFIX);
    let names = [Path::new(&whole), name];
    if name.components().count() > 1 {
        return names.into_iter().find(|path| path.is_file())?.canonicalize().ok();
    }
    let folders = env::var_os("PATH")?;
    let mut paths =
        env::split_paths(&folders).flat_map(|folder| names.map(|name| folder.join(name)));
    paths.find(|path| path.is_file())?.canonicalize().ok()
}

/// The fingerprint of a file, or of the networks and books in a folder, independent of its location.
fn of_path(path: &Path) -> Option<String> {
    let of_content = |path: &Path| of_file(path).unwrap_or_else(|_| "unreadable".into());
    if path.is_file() {
        return Some(of_content(path));
    }
    let counts = |path: &PathBuf| {
        let ending = path.extension().and_then(OsStr::to_str);
        path.is_file() && ending.is_some_and(|ending| FOUND_IN_FOLDERS.contains(&ending))
    };
    let entries = path.read_dir().ok()?;
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).filter(counts).collect();
    files.sort();
    let line = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default();
        format!("{} {}", name.display(), of_content(file))
    };
    (!files.is_empty()).then(|| of_texts(files.iter().map(line)))
}

/// Extensions of the files that engines look for in folders: networks, their options, books.
const FOUND_IN_FOLDERS: [&str; 6] = ["bin", "nnue", "txt", "db", "ybb", "sbk"];

/// The fingerprint of the contents of a file.
///
/// # Errors
/// If it cannot be read.
pub fn of_file(path: &Path) -> io::Result<String> {
    let mut file = BufReader::new(open_input(path)?);
    let mut hash = Fnv::new();
    loop {
        let chunk = file.fill_buf()?;
        if chunk.is_empty() {
            return Ok(format!("{:016x}", hash.0));
        }
        hash.add(chunk);
        let length = chunk.len();
        file.consume(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fnv_1a() {
        let mut hash = Fnv::new();
        hash.add(b"foobar");
        assert_eq!(hash.0, 0x8594_4171_f739_67e8);
    }

    #[test]
    fn a_changed_network_changes_the_fingerprint_of_its_engine() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("net");
        let fingerprint = || of_program("nowhere", Some(folder.path()), ["net"]);
        assert_eq!(fingerprint(), "", "no file, no fingerprint");
        let fingerprint = |content| {
            std::fs::write(&path, content).unwrap();
            fingerprint()
        };
        let (first, second) = (fingerprint("first"), fingerprint("second"));
        assert_ne!(first, second);
        assert_eq!(first.len(), 16);
    }

    /// Regression: networks that an engine finds by a folder, or next to its program, were not
    /// noticed.
    #[test]
    fn a_changed_network_is_detected_in_every_folder_that_the_engine_reads() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(at("own/eval")).unwrap();
        std::fs::create_dir_all(at("other")).unwrap();
        std::fs::write(at("own/engine"), "program").unwrap();
        let engine = at("own/engine").display().to_string();
        let other = at("other").display().to_string();
        for (value, net) in [
            ("", "own/eval/nn.bin"),
            ("net.nnue", "own/net.nnue"),
            (other.as_str(), "other/nn.bin"),
            (other.as_str(), "other/eval_options.txt"),
        ] {
            let fingerprints = ["first", "second"].map(|content| {
                std::fs::write(at(net), content).unwrap();
                of_program(&engine, None, [value])
            });
            assert_ne!(fingerprints[0], fingerprints[1], "{net}");
        }
        let before = of_program(&engine, None, []);
        std::fs::write(at("own/eval/README.md"), "no network").unwrap();
        assert_eq!(of_program(&engine, None, []), before);
    }

    /// Regression: a match could not continue in a folder that had been moved, if there was a folder
    /// `eval` in it.
    #[test]
    fn a_folder_that_was_moved_keeps_its_fingerprint() {
        let folder = tempfile::tempdir().unwrap();
        let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
        std::fs::create_dir_all(old.join("eval")).unwrap();
        std::fs::write(old.join("eval/nn.bin"), "net").unwrap();
        let before = of_program("nowhere", Some(&old), []);
        std::fs::rename(&old, &new).unwrap();
        assert_eq!(of_program("nowhere", Some(&new), []), before);
        std::fs::rename(new.join("eval/nn.bin"), new.join("eval/other.bin")).unwrap();
        assert_ne!(of_program("nowhere", Some(&new), []), before);
    }

    #[cfg(unix)]
    #[test]
    fn a_program_is_found_as_the_system_finds_it() {
        let fingerprints = of_program("sh", None, []);
        assert_eq!(fingerprints.split(',').next().unwrap().len(), 16);
    }

    /// Regression: on Windows a program given by its path without `.exe` was left out.
    #[test]
    fn a_program_is_found_without_its_extension() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("engine");
        let path = format!("{}{}", name.display(), env::consts::EXE_SUFFIX);
        std::fs::write(&path, "program").unwrap();
        let fingerprints = of_program(&name.display().to_string(), Some(folder.path()), []);
        assert_eq!(fingerprints, of_file(Path::new(&path)).unwrap());
    }

    #[test]
    fn the_fingerprint_of_texts_depends_on_where_they_are_split() {
        assert_eq!(of_texts(["a", "b"]), of_texts(vec!["a", "b"]));
        assert_ne!(of_texts(["a", "b"]), of_texts(["ab"]));
    }
}
