//! Arguments that several commands share.

use std::error::Error;
use std::ops::RangeInclusive;
use std::path::Path;

use clap::builder::RangedI64ValueParser;
use kawasemi::position::{Position, is_blank};
use kawasemi::sys::{AtomicFile, in_file, is_stream};
use kawasemi::types::{Depth, MAX_PLY};
use kawasemi::usi::command::{Command, parse};
use kawasemi::usi::options::{self, OptionType};

pub fn threads() -> RangedI64ValueParser<usize> {
    range("Threads").into()
}

/// In mebibytes.
pub fn hash() -> RangedI64ValueParser<usize> {
    range("USI_Hash").into()
}

/// A number from 1 on. The range of clap would name the largest number that fits.
pub fn positive(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| "this must be a whole number, 1 or more".into())
}

/// Search depth in plies.
pub fn depth() -> RangedI64ValueParser<Depth> {
    (1..=MAX_PLY as i64).into()
}

/// The range of a USI option of type spin.
fn range(option: &str) -> RangeInclusive<i64> {
    match options::find(option.as_bytes()).map(|row| &row.kind) {
        Some(&OptionType::Spin { min, max, .. }) => min..=max,
        _ => panic!("{option} has no range"),
    }
}

/// Parses a position: an SFEN, or as in USI, with or without the word `position`.
pub fn position(text: &str) -> Result<Position, Box<dyn Error>> {
    let text = text.trim_start_matches(is_blank);
    let behind = text.strip_prefix("position").filter(|rest| rest.starts_with(is_blank));
    let text = behind.unwrap_or(text);
    let parsed = parse(format!("position {text}").as_bytes());
    if let Some(error) = parsed.errors.first() {
        return Err(error.to_string().into());
    }
    let Some(Command::Position { start, moves }) = parsed.command else {
        return Err(format!("{text:?} is not a position").into());
    };
    let mut position = start.position()?;
    for mv in moves.moves {
        let played = position.try_play(mv);
        played.map_err(|reason| format!("{mv} cannot be played: {reason}"))?;
    }
    Ok(position)
}

/// Checks before long work that a file can be written to this path.
pub fn check_writable(path: &Path) -> Result<(), String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        return Err(in_file(folder, "there is no such folder"));
    }
    if is_stream(path) {
        return Ok(());
    }
    let tried = AtomicFile::create(path).map(drop);
    tried.map_err(|error| in_file(path, error))
}
