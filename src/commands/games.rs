//! Records of games as commands read and write them; what of them is lost is told on the error
//! output.

use std::error::Error;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use kawasemi::record::{self, Encoding, ErrorPolicy, GameRecord, RecordFormat};
use kawasemi::sys::{expand_wildcards, in_file, replace};

use crate::commands::remark::remark;

/// The most that is told of what was passed over in one file.
const MAX_WARNINGS: usize = 20;

/// What the ending of a name promises.
pub fn by_extension(path: &Path) -> Option<(RecordFormat, Encoding)> {
    RecordFormat::of_extension(path.extension()?.to_str()?)
}

/// What is in a file; `-` is standard input.
pub fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    if path != Path::new("-") {
        return fs::read(path);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads the games of each file, and tells what was passed over among them. Where a game may be kept
/// in part, a file without any is told of and left out, if another has some.
pub fn read_all(
    named: &[PathBuf],
    policy: ErrorPolicy,
) -> Result<Vec<(PathBuf, Vec<GameRecord>)>, String> {
    let paths = expand_wildcards(named);
    let may_leave_out = policy == ErrorPolicy::KeepBefore && paths.len() > 1;
    let mut files = Vec::new();
    for path in paths {
        match read(&path, policy) {
            Ok(games) => files.push((path, games)),
            Err(error) if may_leave_out => remark(error),
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
    let expected = by_extension(path).map(|(format, _)| format);
    let (_, parsed) = record::read_bytes(&bytes, expected, policy)?;
    for warning in parsed.warnings.iter().take(MAX_WARNINGS) {
        remark(in_file(path, warning));
    }
    if let Some(more) = parsed.warnings.len().checked_sub(MAX_WARNINGS + 1) {
        remark(in_file(path, format_args!("{} more like these", more + 1)));
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
        remark(format_args!("in {format}: {sentence}"));
    }
    if games.len() > 1 && !format.holds_many() {
        remark(format_args!("in {format}: other programs may read only the first game of a file"));
    }
    bytes
}

/// Puts a file in its place.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), String> {
    replace(path, bytes).map_err(|error| in_file(path, error))
}
