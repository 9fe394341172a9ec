//! Reading and writing game records, with notices of what is lost.

use std::error::Error;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use kawasemi::record::{self, Encoding, ErrorPolicy, GameRecord, RecordFormat};
use kawasemi::sys::{in_file, write_atomically};

use crate::commands::notice::notice;

/// Maximum number of warnings about one file.
const MAX_WARNINGS: usize = 20;

/// The format and encoding that an extension stands for.
pub fn by_extension(path: &Path) -> Option<(RecordFormat, Encoding)> {
    RecordFormat::of_extension(path.extension()?.to_str()?)
}

/// The contents of a file; `-` is standard input.
pub fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    if path != Path::new("-") {
        // The message of the system is not always about a folder.
        if path.is_dir() {
            return Err(io::Error::other("this is a folder, not a file"));
        }
        return fs::read(path);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads the games of each file, with warnings about what was skipped. If partial games are accepted, a
/// file without games is skipped with a warning, unless it is the only one.
pub fn read_all(
    paths: &[PathBuf],
    policy: ErrorPolicy,
) -> Result<Vec<(PathBuf, Vec<GameRecord>)>, String> {
    let may_leave_out = policy == ErrorPolicy::KeepBefore && paths.len() > 1;
    let mut files = Vec::new();
    for path in paths {
        match read(path, policy) {
            Ok(games) => files.push((path.clone(), games)),
            Err(error) if may_leave_out => notice(error),
            Err(error) => return Err(error),
        }
    }
    if files.is_empty() { Err("there is no game in any of the files".into()) } else { Ok(files) }
}

fn read(path: &Path, policy: ErrorPolicy) -> Result<Vec<GameRecord>, String> {
    read_named(path, policy).map_err(|error| in_file(path, error))
}

fn read_named(path: &Path, policy: ErrorPolicy) -> Result<Vec<GameRecord>, Box<dyn Error>> {
    let bytes = read_bytes(path)?;
    if bytes.trim_ascii().is_empty() {
        return Err("there is no game in it: it is empty".into());
    }
    let expected = by_extension(path).map(|(format, _)| format);
    let (_, parsed) = record::read_bytes(&bytes, expected, policy)?;
    for warning in parsed.warnings.iter().take(MAX_WARNINGS) {
        notice(in_file(path, warning));
    }
    if let Some(more) = parsed.warnings.len().checked_sub(MAX_WARNINGS + 1) {
        notice(in_file(path, format_args!("{} more warnings", more + 1)));
    }
    if parsed.games.is_empty() {
        return Err("there is no game in it".into());
    }
    Ok(parsed.games)
}

/// Games as the content of a file. Tells what the notation cannot hold.
pub fn encode(games: &[GameRecord], format: RecordFormat, encoding: Encoding) -> Vec<u8> {
    let (bytes, losses) = record::write_bytes(games, format, encoding);
    for sentence in losses.sentences() {
        notice(format_args!("in {format}: {sentence}"));
    }
    if games.len() > 1 && !format.holds_many() {
        notice(format_args!("in {format}: other programs may read only the first game of a file"));
    }
    bytes
}

/// Writes a file.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), String> {
    write_atomically(path, bytes).map_err(|error| in_file(path, error))
}
