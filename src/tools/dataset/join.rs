//! Joins the files of the parts of a job to the file that one process would have written.

use std::path::{Path, PathBuf};

use super::writer::DatasetWriter;
use super::{DatasetCounts, DatasetError, DatasetKind};
use crate::sys::in_file;
use crate::tools::files::check_header;
use crate::tools::game_file::{GameFileHeader, GameFileReader, GameReadError};
use crate::tools::part::{PART, Part};
use crate::tools::selfplay::FIRST_GAME;

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
pub fn join(inputs: &[PathBuf], out: &Path, games: Option<u64>) -> Result<DatasetCounts, String> {
    if DatasetKind::of_name(out) != DatasetKind::Games {
        return Err(DatasetError::Mixed(out.into()).to_string());
    }
    let mut parts =
        inputs.iter().map(|path| PartFile::read(path)).collect::<Result<Vec<_>, _>>()?;
    let header = parts.first().ok_or("all parts are missing")?.header.clone();
    for part in &parts[1..] {
        let (found, expected) = (part.header.to_string(), header.to_string());
        check_header(found.lines(), expected.lines()).map_err(|other| {
            let text = format!("it was made with other settings than the first file; {other}");
            in_file(&part.path, text)
        })?;
    }
    parts.sort_by_key(PartFile::rank);
    match parts[0].range {
        PartRange::FromGame(_) => check_games(&parts, games)?,
        PartRange::Part(part) => check_parts(&parts, part.count())?,
    }
    let mut counts = DatasetCounts::default();
    let fail = |error: DatasetError| error.to_string();
    let mut output = DatasetWriter::create(out, &header).map_err(fail)?;
    for part in parts {
        let read = |error: GameReadError| in_file(&part.path, error);
        for game in GameFileReader::open(&part.path).map_err(read)? {
            output.push_game(&game.map_err(read)?).map_err(fail)?;
        }
        counts.games.add(part.games as usize, part.games as usize);
        counts.positions.add(part.positions, part.positions);
    }
    output.complete().map_err(fail)?;
    Ok(counts)
}

impl PartFile {
    fn read(path: &Path) -> Result<PartFile, String> {
        let damaged = |error: GameReadError| in_file(path, error);
        let incomplete =
            "it is not complete; the command that made it continues it, `generate` with --games";
        let mut reader = GameFileReader::open(path).map_err(damaged)?;
        let wrong = || in_file(path, "its header does not say which part it is");
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
                    return Err(in_file(path, incomplete));
                }
                Err(error) => return Err(damaged(error)),
            }
        }
        if !reader.is_complete() {
            return Err(in_file(path, incomplete));
        }
        Ok(PartFile { path: path.into(), header, range, games, positions })
    }

    fn overlaps(&self, other: &PartFile) -> String {
        format!("{} and {} have the same games", self.path.display(), other.path.display())
    }

    fn is_of_another_kind(&self) -> String {
        in_file(&self.path, "it is a part of another kind than the first file")
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
fn check_games(parts: &[PartFile], games: Option<u64>) -> Result<(), String> {
    let missing = |from: u64, to: u64| match to - from {
        1 => format!("game {from} is missing"),
        _ => format!("games {from} to {} are missing", to - 1),
    };
    let mut end = 0;
    for (number, part) in parts.iter().enumerate() {
        match part.range {
            PartRange::FromGame(first) if first > end => return Err(missing(end, first)),
            PartRange::FromGame(first) if first < end => {
                return Err(parts[number - 1].overlaps(part));
            }
            PartRange::FromGame(first) => end = first + part.games,
            PartRange::Part(_) => return Err(part.is_of_another_kind()),
        }
    }
    match games {
        None => Err("--games must give the number of games of all parts".into()),
        Some(games) if games > end => Err(missing(end, games)),
        Some(games) if games < end => Err(format!("there are {end} games, more than --games")),
        Some(_) => Ok(()),
    }
}

/// There is one part of each number up to `count`.
fn check_parts(parts: &[PartFile], count: u64) -> Result<(), String> {
    let mut next = 1;
    for (index, file) in parts.iter().enumerate() {
        match file.range {
            PartRange::Part(part) if part.count() == count => match part.number() {
                number if number > next => break,
                number if number < next => {
                    return Err(parts[index - 1].overlaps(file));
                }
                _ => next += 1,
            },
            _ => return Err(file.is_of_another_kind()),
        }
    }
    if next > count { Ok(()) } else { Err(format!("part {next}/{count} is missing")) }
}
