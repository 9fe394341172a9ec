//! The state file of a tuning, from which it can be continued.
//!
//! Header lines begin with `#` and name everything that the values depend on, including every parameter
//! as `row PARAMETER`; a file with another header belongs to another tuning and is rejected. Then
//! follow `pairs N`, `points N`, and a line `NAME VALUE` for each parameter. The file is always
//! replaced as a whole.

use std::fmt;
use std::io;
use std::path::Path;

use super::optimizer::SpsaOptimizer;
use super::parameter::Parameter;
use crate::sys;
use crate::tools::files::{HeaderMismatch, check_header, read_text};

/// Why a file cannot be used.
#[derive(Debug)]
pub enum StateError {
    Io(io::Error),
    OtherTuning(HeaderMismatch),
    /// The line with this number, from 1, is invalid.
    BadLine(usize),
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StateError::Io(error) => error.fmt(f),
            StateError::OtherTuning(other) => write!(f, "it belongs to another tuning; {other}"),
            StateError::BadLine(number) => write!(f, "line {number} is not valid"),
        }
    }
}

impl std::error::Error for StateError {}

impl From<io::Error> for StateError {
    fn from(error: io::Error) -> StateError {
        StateError::Io(error)
    }
}

/// The contents of a state file of any tuning.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedState {
    pub pairs: usize,
    pub net_wins: i64,
    pub values: Vec<(Parameter, f64)>,
}

/// Reads a state file of any tuning.
///
/// # Errors
/// [`StateError::Io`] and [`StateError::BadLine`].
pub fn read(path: &Path) -> Result<SavedState, StateError> {
    parse(&read_text(path)?)
}

/// Replaces the state file.
pub(super) fn save(path: &Path, header: &[String], optimizer: &SpsaOptimizer) -> io::Result<()> {
    let mut text: String = header.iter().map(|line| format!("# {line}\n")).collect();
    text += &format!("pairs {}\npoints {}\n", optimizer.pairs, optimizer.net_wins);
    for (parameter, value) in optimizer.values() {
        // The shortest text that is parsed as the same number.
        text += &format!("{} {value:?}\n", parameter.name);
    }
    sys::write_atomically(path, text.as_bytes())
}

/// Continues the tuning of the state file, if there is one.
pub(super) fn resume(
    path: &Path,
    header: &[String],
    optimizer: &mut SpsaOptimizer,
) -> Result<(), StateError> {
    let text = match read_text(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        text => text?,
    };
    let found = text.lines().map_while(|line| line.strip_prefix("# "));
    check_header(found, header).map_err(StateError::OtherTuning)?;
    let SavedState { pairs, net_wins, values } = parse(&text)?;
    (optimizer.pairs, optimizer.net_wins) = (pairs, net_wins);
    optimizer.values = values.into_iter().map(|(_, value)| value).collect();
    Ok(())
}

fn parse(text: &str) -> Result<SavedState, StateError> {
    let mut parameters = Vec::new();
    let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line)).peekable();
    while let Some((at, line)) = lines.next_if(|(_, line)| line.starts_with('#')) {
        if let Some(row) = line.strip_prefix("# row ") {
            parameters.push(row.parse::<Parameter>().map_err(|_| StateError::BadLine(at))?);
        }
    }
    let end = text.lines().count() + 1;
    let mut field = |key: &str| {
        let (at, line) = lines.next().unwrap_or((end, ""));
        (at, line.strip_prefix(key).and_then(|value| value.strip_prefix(' ')).unwrap_or_default())
    };
    let (at, pairs) = field("pairs");
    let pairs = pairs.parse().map_err(|_| StateError::BadLine(at))?;
    let (at, net_wins) = field("points");
    let net_wins = net_wins.parse().map_err(|_| StateError::BadLine(at))?;
    let mut values = Vec::with_capacity(parameters.len());
    for parameter in parameters {
        let (at, value) = field(&parameter.name);
        let value = value.parse().ok().filter(|&value| parameter.clamp(value) == value);
        values.push((parameter, value.ok_or(StateError::BadLine(at))?));
    }
    match lines.next() {
        Some((at, _)) => Err(StateError::BadLine(at)),
        None => Ok(SavedState { pairs, net_wins, values }),
    }
}
