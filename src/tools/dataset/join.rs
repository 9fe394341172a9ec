//! Joins the files of the parts of a job to the file that one process would have written.

use std::fmt;
use std::path::{Path, PathBuf};

use super::writer::DatasetWriter;
use super::{DatasetCounts, DatasetError, DatasetKind};
use crate::tools::files::{HeaderMismatch, check_header};
use crate::tools::game_file::{GameFileHeader, GameFileReader, GameReadError};
use crate::tools::part::{PART, Part};
use crate::tools::selfplay::FIRST_GAME;

/// Why files are not joined.
#[derive(Debug)]
pub enum JoinError {
    Dataset(DatasetError),
    /// The files cannot be parts of one job: the settings or the program differ.
    Settings(PathBuf, HeaderMismatch),
    /// Games of this file are damaged.
    Damaged(PathBuf, GameReadError),
    /// The header of this file does not say which part it is.
    PartHeader(PathBuf),
    /// This file is a part of a job that was divided in another way.
    OtherKind(PathBuf),
    /// The job of this file has not come to its end.
    Incomplete(PathBuf),
    /// Both files have games of the same numbers.
    Overlap(PathBuf, PathBuf),
    /// A description of the games that no file has.
    Missing(String),
    /// The number of games is unknown, so missing last games would go unnoticed.
    NoTotal,
    /// More games than `--games`: this many.
    TooMany(u64),
}

impl fmt::Display for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JoinError::Dataset(error) => error.fmt(f),
            JoinError::Settings(path, other) => {
                let path = path.display();
                write!(f, "{path}: it was made with other settings than the first file; {other}")
            }
            JoinError::Damaged(path, error) => write!(f, "{}: {error}", path.display()),
            JoinError::PartHeader(path) => {
                write!(f, "{}: its header does not say which part it is", path.display())
            }
            JoinError::OtherKind(path) => {
                write!(f, "{}: it is a part of another kind than the first file", path.display())
            }
            JoinError::Incomplete(path) => {
                let path = path.display();
                let command = "the command that made it continues it, `generate` with --games";
                write!(f, "{path}: it is not complete; {command}")
            }
            JoinError::Overlap(one, other) => {
                write!(f, "{} and {} have the same games", one.display(), other.display())
            }
            JoinError::Missing(what) => write!(f, "{what} missing"),
            JoinError::NoTotal => f.write_str("--games must give the number of games of all parts"),
            JoinError::TooMany(games) => write!(f, "there are {games} games, more than --games"),
        }
    }
}

impl std::error::Error for JoinError {}

impl From<DatasetError> for JoinError {
    fn from(error: DatasetError) -> JoinError {
        JoinError::Dataset(error)
    }
}

/// The file of a part.
struct PartFile {
    path: PathBuf,
    /// The header that the file of the whole job has.
    header: GameFileHeader,
    range: PartRange,
    games: u64,
    positions: usize,
}

/// The part of the job that a file has.
#[derive(Clone, Copy)]
enum PartRange {
    /// The games from this number on.
    FromGame(u64),
    Part(Part),
}

/// Joins parts, in any order, to a new file: the same bytes as one process writes. `games` is how many there
/// must be, if the parts do not tell.
///
/// # Errors
/// A part is missing, duplicate, incomplete, damaged or of another job, a file cannot be read or written, or the new
/// one has the name of another kind. Then there is no new file.
pub fn join(
    inputs: &[PathBuf],
    out: &Path,
    games: Option<u64>,
) -> Result<DatasetCounts, JoinError> {
    if DatasetKind::of_name(out) != DatasetKind::Games {
        return Err(DatasetError::Mixed(out.into()).into());
    }
    let mut parts =
        inputs.iter().map(|path| PartFile::read(path)).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = parts.first() else { return Err(JoinError::Missing("all parts are".into())) };
    let header = first.header.clone();
    for part in &parts[1..] {
        let (found, expected) = (part.header.to_string(), header.to_string());
        check_header(found.lines(), expected.lines())
            .map_err(|other| JoinError::Settings(part.path.clone(), other))?;
    }
    parts.sort_by_key(PartFile::rank);
    match parts[0].range {
        PartRange::FromGame(_) => check_games(&parts, games)?,
        PartRange::Part(part) => check_parts(&parts, part.count())?,
    }
    let mut counts = DatasetCounts::default();
    let mut output = DatasetWriter::create(out, &header)?;
    for part in parts {
        let read = |error| JoinError::Damaged(part.path.clone(), error);
        for game in GameFileReader::open(&part.path).map_err(read)? {
            output.push_game(&game.map_err(read)?)?;
        }
        counts.games.add(part.games as usize, part.games as usize);
        counts.positions.add(part.positions, part.positions);
    }
    output.complete()?;
    Ok(counts)
}

impl PartFile {
    fn read(path: &Path) -> Result<PartFile, JoinError> {
        let open = |error| JoinError::Dataset(DatasetError::Read(path.into(), error));
        let mut reader = GameFileReader::open(path).map_err(open)?;
        let wrong = || JoinError::PartHeader(path.into());
        let number = |text: &str| text.parse().map(PartRange::FromGame).map_err(|_| wrong());
        let range = match (reader.header().get(PART), reader.header().get(FIRST_GAME)) {
            (Some(part), _) => PartRange::Part(part.parse().map_err(|_| wrong())?),
            (None, first) => first.map_or(Ok(PartRange::FromGame(0)), number)?,
        };
        let mut header = GameFileHeader::new();
        let of_all = reader.header().entries().filter(|(key, _)| ![PART, FIRST_GAME].contains(key));
        of_all.for_each(|(key, value)| header.set(key, value));
        let (mut games, mut positions) = (0, 0);
        for game in reader.by_ref() {
            match game {
                Ok(game) => (games, positions) = (games + 1, positions + game.scored()),
                // A killed process leaves an incomplete block at the end.
                Err(GameReadError::Damage { at_end: true, .. }) => {
                    return Err(JoinError::Incomplete(path.into()));
                }
                Err(error) => return Err(JoinError::Damaged(path.into(), error)),
            }
        }
        if !reader.is_complete() {
            return Err(JoinError::Incomplete(path.into()));
        }
        Ok(PartFile { path: path.into(), header, range, games, positions })
    }

    /// Its rank in the order of the games.
    fn rank(&self) -> u64 {
        match self.range {
            PartRange::FromGame(first) => first,
            PartRange::Part(part) => part.number(),
        }
    }
}

/// Every part begins where the one before ends, and there are `games` in all.
fn check_games(parts: &[PartFile], games: Option<u64>) -> Result<(), JoinError> {
    let missing = |from: u64, to: u64| {
        JoinError::Missing(match to - from {
            1 => format!("game {from} is"),
            _ => format!("games {from} to {} are", to - 1),
        })
    };
    let mut end = 0;
    for (number, part) in parts.iter().enumerate() {
        match part.range {
            PartRange::FromGame(first) if first > end => return Err(missing(end, first)),
            PartRange::FromGame(first) if first < end => {
                return Err(JoinError::Overlap(parts[number - 1].path.clone(), part.path.clone()));
            }
            PartRange::FromGame(first) => end = first + part.games,
            PartRange::Part(_) => return Err(JoinError::OtherKind(part.path.clone())),
        }
    }
    match games {
        None => Err(JoinError::NoTotal),
        Some(games) if games > end => Err(missing(end, games)),
        Some(games) if games < end => Err(JoinError::TooMany(end)),
        Some(_) => Ok(()),
    }
}

/// There is one part of each number up to `count`.
fn check_parts(parts: &[PartFile], count: u64) -> Result<(), JoinError> {
    let mut next = 1;
    for (index, file) in parts.iter().enumerate() {
        match file.range {
            PartRange::Part(part) if part.count() == count => match part.number() {
                number if number > next => break,
                number if number < next => {
                    return Err(JoinError::Overlap(
                        parts[index - 1].path.clone(),
                        file.path.clone(),
                    ));
                }
                _ => next += 1,
            },
            _ => return Err(JoinError::OtherKind(file.path.clone())),
        }
    }
    if next > count { Ok(()) } else { Err(JoinError::Missing(format!("part {next}/{count} is"))) }
}
