//! Writes files of either kind.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::reader::DatasetFile;
use super::{DatasetError, DatasetKind};
use crate::record::scored_position::PositionFormat;
use crate::sys::{TempFile, sync_file};
use crate::tools::files::check_absent;
use crate::tools::game_file::{GameFileHeader, GameFileWriter, ScoredGame};

/// A new file that gets its name when it is complete. No file of that name may exist before.
#[derive(Debug)]
pub(super) struct DatasetWriter {
    path: PathBuf,
    // Dropped, and so closed, before the temporary file is removed.
    body: Body,
    temp_file: TempFile,
}

/// An empty temporary file for this path, where no file may exist.
fn temp_file(path: &Path) -> Result<(TempFile, File), DatasetError> {
    let made = check_absent(path).and_then(|()| TempFile::create_beside(path));
    made.map_err(|error| DatasetError::writing(path, error))
}

#[derive(Debug)]
enum Body {
    Games(GameFileWriter),
    Positions(BufWriter<File>, PositionFormat),
}

impl DatasetWriter {
    /// Creates a file of the kind that its name says. `header` is the header of a game file.
    pub(super) fn create(
        path: &Path,
        header: &GameFileHeader,
    ) -> Result<DatasetWriter, DatasetError> {
        let kind = DatasetKind::of_name(path);
        if let DatasetKind::GameRecords(_) = kind {
            return Err(DatasetError::ReadOnly(path.into()));
        }
        let (temp_file, file) = temp_file(path)?;
        let body = if let DatasetKind::Positions(format) = kind {
            Body::Positions(BufWriter::new(file), format)
        } else {
            let writer = GameFileWriter::begin(file, header);
            Body::Games(writer.map_err(|error| DatasetError::Write(path.into(), error))?)
        };
        Ok(DatasetWriter { path: path.into(), body, temp_file })
    }

    /// Creates a file of the same kind as the inputs.
    pub(super) fn like(
        path: &Path,
        inputs: &[DatasetFile],
        what: &str,
    ) -> Result<DatasetWriter, DatasetError> {
        match inputs.first() {
            Some(input) if input.kind() != DatasetKind::of_name(path) => {
                Err(DatasetError::Mixed(path.into()))
            }
            _ => DatasetWriter::create(path, &header(inputs, what)),
        }
    }

    /// The format of a position file; `None` for a game file.
    pub(super) fn format(&self) -> Option<PositionFormat> {
        match &self.body {
            Body::Games(_) => None,
            Body::Positions(_, format) => Some(*format),
        }
    }

    /// Adds a game to a game file.
    pub(super) fn push_game(&mut self, game: &ScoredGame) -> Result<(), DatasetError> {
        match &mut self.body {
            Body::Games(writer) => {
                let written = writer.push(game);
                written.map_err(|error| DatasetError::Write(self.path.clone(), error))
            }
            Body::Positions(..) => unreachable!("games go into files of games"),
        }
    }

    /// Adds an encoded position to a position file.
    pub(super) fn push_position(&mut self, bytes: &[u8]) -> Result<(), DatasetError> {
        match &mut self.body {
            Body::Positions(file, _) => {
                file.write_all(bytes).map_err(|error| DatasetError::writing(&self.path, error))
            }
            Body::Games(_) => unreachable!("positions go into files of positions"),
        }
    }

    pub(super) fn finish(self) -> Result<(), DatasetError> {
        self.finish_by(GameFileWriter::finish)
    }

    /// Like [`finish`](Self::finish); a game file then says that no game is missing.
    pub(super) fn complete(self) -> Result<(), DatasetError> {
        self.finish_by(GameFileWriter::complete)
    }

    fn finish_by(self, end: fn(GameFileWriter) -> io::Result<()>) -> Result<(), DatasetError> {
        let DatasetWriter { path, body, temp_file } = self;
        let finished = match body {
            Body::Games(writer) => end(writer),
            Body::Positions(file, _) => file
                .into_inner()
                .map_err(|error| error.into_error())
                .and_then(|file| sync_file(&file)),
        };
        let put = finished.and_then(|()| temp_file.persist(&path));
        put.map_err(|error| DatasetError::writing(&path, error))
    }
}

/// Key of the header lines that list the commands applied to the games, in order.
const THEN: &str = "then";

/// The header for the output: the headers of the inputs and the command. Lines that all inputs share
/// appear once; all others get the number of their file as a prefix.
fn header(inputs: &[DatasetFile], what: &str) -> GameFileHeader {
    let headers: Vec<&GameFileHeader> = inputs.iter().filter_map(DatasetFile::header).collect();
    let is_common = |line: &(&str, &str)| {
        headers.len() == 1
            || line.0 != THEN
                && headers.iter().all(|header| header.entries().any(|other| other == *line))
    };
    let first = headers.first().into_iter().flat_map(|header| header.entries());
    let common: Vec<(&str, &str)> = first.filter(is_common).collect();
    let mut header = GameFileHeader::new();
    common.iter().for_each(|(key, value)| header.set(key, value));
    for (number, old) in headers.iter().enumerate() {
        for line in old.entries().filter(|line| !common.contains(line)) {
            header.set(&format!("{} {}", number + 1, line.0), line.1);
        }
    }
    header.set(THEN, what);
    header
}
