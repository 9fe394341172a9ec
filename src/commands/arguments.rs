//! Arguments that several commands share.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::ops::RangeInclusive;
use std::path::Path;

use kawasemi::position::{Position, is_separator};
use kawasemi::sys::{AtomicFile, is_stream};
use kawasemi::types::message::{Message, message};
use kawasemi::types::{Depth, MAX_PLY};
use kawasemi::usi::command::{Command, parse};
use kawasemi::usi::options::{self, OptionType};

use crate::commands::failure::Failure;
use crate::commands::notice::{file_error, in_system_language, system_error};

/// Parses a whole number within this range, with a clearer error message than clap's own parser.
pub fn number<T>(range: RangeInclusive<i64>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: TryFrom<i64>,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let (min, max) = (*range.start(), *range.end());
        number
            .and_then(|number| T::try_from(number).ok())
            .ok_or_else(|| in_system_language(&number_error(min, max)))
    }
}

fn number_error(min: i64, max: i64) -> Message {
    match max {
        i64::MAX => message!(
            "this must be a whole number, {min} or more",
            "{min}以上の整数を指定してください"
        ),
        _ => message!(
            "this must be a whole number from {min} to {max}",
            "{min}から{max}までの整数を指定してください"
        ),
    }
}

pub fn threads() -> impl Fn(&str) -> Result<usize, String> + Clone {
    number(range("Threads"))
}

/// In mebibytes.
pub fn hash() -> impl Fn(&str) -> Result<usize, String> + Clone {
    number(range("USI_Hash"))
}

/// Search depth in plies.
pub fn depth() -> impl Fn(&str) -> Result<Depth, String> + Clone {
    number(1..=MAX_PLY as i64)
}

/// The range of a USI option of type spin.
fn range(option: &str) -> RangeInclusive<i64> {
    match options::find(option.as_bytes()).map(|row| &row.kind) {
        Some(&OptionType::Spin { min, max, .. }) => min..=max,
        _ => panic!("{option} has no range"),
    }
}

/// The position of an argument, in the forms of [`position`].
pub fn given_position(text: &str) -> Result<Position, Failure> {
    position(text).map_err(|why| Failure::arguments(&why))
}

/// Parses a position: an SFEN, or as in USI, with or without the word `position`.
pub fn position(text: &str) -> Result<Position, Message> {
    let text = text.trim_start_matches(is_separator);
    let after = text.strip_prefix("position").filter(|rest| rest.starts_with(is_separator));
    let text = after.unwrap_or(text);
    let parsed = parse(format!("position {text}").as_bytes());
    if let Some(error) = parsed.errors.first() {
        return Err(error.message());
    }
    let Some(Command::Position { start, moves }) = parsed.command else {
        return Err(message!("{text:?} is not a position", "「{text}」は局面ではありません"));
    };
    let mut position = start.position().map_err(|error| error.message())?;
    for mv in moves.moves {
        let played = position.try_play(mv);
        played.map_err(|reason| {
            message!("{mv} cannot be played: {}", "{mv}は指せません：{}"; reason.message())
        })?;
    }
    Ok(position)
}

/// The first bytes of a file, which say what wrote it.
const HEAD_BYTES: u64 = 256;

/// Checks that a file may be replaced: it does not exist, is empty, or has the `mark` of its writer in its first
/// bytes. `must` is the error.
pub fn check_overwrite(path: &Path, mark: &str, must: &Message) -> Result<(), String> {
    if is_stream(path) {
        return Ok(());
    }
    let mut start = Vec::new();
    match File::open(path).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut start)) {
        Ok(0) => Ok(()),
        Ok(_) if String::from_utf8_lossy(&start).contains(mark) => Ok(()),
        Ok(_) => Err(file_error(path, must)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(system_error(path, &error)),
    }
}

/// Checks before long work that a file can be written to this path.
pub fn check_writable(path: &Path) -> Result<(), String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        return Err(file_error(
            folder,
            &message!("there is no such folder", "フォルダがありません"),
        ));
    }
    if is_stream(path) {
        return Ok(());
    }
    let tried = AtomicFile::create(path).map(drop);
    tried.map_err(|error| system_error(path, &error))
}
