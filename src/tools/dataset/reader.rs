//! Reads files of every kind.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::game_records::{GameRecordItem, GameRecordReader};
use super::{DatasetError, DatasetKind, OnWarning};
use crate::record::scored_position::PositionFormat;
use crate::record::{GameStreamError, RecordFormat};
use crate::sys::{is_stream, open_input};
use crate::tools::game_file::{GameFileHeader, GameFileReader, GameWriteError, ScoredGame};

/// An input file. It is open only while it is read, because the number of open files is limited.
#[derive(Debug)]
pub(super) struct DatasetFile {
    path: PathBuf,
    kind: DatasetKind,
    header: Option<GameFileHeader>,
    /// The open file, if it can be read only once, such as a pipe.
    opened: Option<Body>,
}

#[derive(Debug)]
enum Body {
    Games(GameFileReader<BufReader<File>>),
    Positions(PositionReader<BufReader<File>>),
    GameRecords(File, RecordFormat),
}

/// A game or a position of a file.
#[derive(Debug)]
pub(super) enum DatasetItem<'a> {
    Game(ScoredGame),
    /// The encoded position.
    Position(&'a [u8], PositionFormat),
}

/// Why an item was not processed.
#[derive(Debug)]
pub(super) enum ItemError {
    /// The item is invalid and is skipped.
    Skip(String),
    Abort(DatasetError),
}

impl ItemError {
    pub(super) fn skip(error: impl fmt::Display) -> ItemError {
        ItemError::Skip(error.to_string())
    }
}

impl From<DatasetError> for ItemError {
    /// A game that a game file cannot hold, such as one without a king, is invalid.
    fn from(error: DatasetError) -> ItemError {
        match error {
            DatasetError::Write(_, GameWriteError::Game(error)) => ItemError::skip(error),
            error => ItemError::Abort(error),
        }
    }
}

impl Body {
    /// Opens a file of the kind that its name says.
    fn open(path: &Path) -> Result<Body, DatasetError> {
        match DatasetKind::of_name(path) {
            DatasetKind::Games => {
                let reader = GameFileReader::open(path);
                Ok(Body::Games(reader.map_err(|error| DatasetError::Read(path.into(), error))?))
            }
            DatasetKind::Positions(format) => {
                let file = open_input(path).map_err(|error| DatasetError::reading(path, error))?;
                Ok(Body::Positions(PositionReader::new(BufReader::new(file), format)))
            }
            DatasetKind::GameRecords(format) => {
                let file = open_input(path).map_err(|error| DatasetError::reading(path, error))?;
                Ok(Body::GameRecords(file, format))
            }
        }
    }

    /// The header of a game file.
    fn header(&self) -> Option<&GameFileHeader> {
        match self {
            Body::Games(reader) => Some(reader.header()),
            Body::Positions(_) | Body::GameRecords(..) => None,
        }
    }
}

impl DatasetFile {
    /// Opens a file of the kind that its name says, and reads its header.
    pub(super) fn open(path: &Path) -> Result<DatasetFile, DatasetError> {
        let body = Body::open(path)?;
        let header = body.header().cloned();
        let opened = is_stream(path).then_some(body);
        Ok(DatasetFile { path: path.into(), kind: DatasetKind::of_name(path), header, opened })
    }

    /// Opens several files.
    pub(super) fn open_all(paths: &[PathBuf]) -> Result<Vec<DatasetFile>, DatasetError> {
        paths.iter().map(|path| DatasetFile::open(path)).collect()
    }

    /// Opens several files of the same kind.
    pub(super) fn open_alike(paths: &[PathBuf]) -> Result<Vec<DatasetFile>, DatasetError> {
        let kinds: Vec<DatasetKind> = paths.iter().map(|path| DatasetKind::of_name(path)).collect();
        let is_record = |kind: &DatasetKind| matches!(kind, DatasetKind::GameRecords(_));
        if let Some(record) = kinds.iter().position(is_record) {
            return Err(DatasetError::ConvertFirst(paths[record].clone()));
        }
        match kinds.iter().position(|&kind| kind != kinds[0]) {
            Some(other) => Err(DatasetError::Mixed(paths[other].clone())),
            None => DatasetFile::open_all(paths),
        }
    }

    pub(super) fn kind(&self) -> DatasetKind {
        self.kind
    }

    /// The header of a game file.
    pub(super) fn header(&self) -> Option<&GameFileHeader> {
        self.header.as_ref()
    }

    /// Calls `on_item` for every valid item.
    pub(super) fn read(
        self,
        on_warning: OnWarning<'_>,
        on_item: OnItem<'_>,
    ) -> Result<(), DatasetError> {
        let DatasetFile { path, opened, .. } = self;
        let body = match opened {
            Some(body) => body,
            None => Body::open(&path)?,
        };
        match body {
            Body::Games(reader) => read_games(&path, reader, on_warning, on_item),
            Body::Positions(reader) => read_positions(&path, reader, on_warning, on_item),
            Body::GameRecords(file, format) => match GameRecordReader::new(&path, file, format) {
                Ok(reader) => read_game_records(&path, reader, on_warning, on_item),
                Err(GameStreamError::Io(error)) => Err(DatasetError::reading(&path, error)),
                Err(GameStreamError::Record(error)) => {
                    on_warning(format!("{}: {error}", path.display()));
                    Ok(())
                }
            },
        }
    }
}

/// Receives the items of a file.
type OnItem<'a> = &'a mut dyn FnMut(DatasetItem<'_>) -> Result<(), ItemError>;

fn read_games(
    path: &Path,
    mut reader: GameFileReader<BufReader<File>>,
    on_warning: OnWarning<'_>,
    on_item: OnItem<'_>,
) -> Result<(), DatasetError> {
    let name = path.display();
    while let Some(item) = reader.next() {
        let number = reader.number().saturating_sub(1);
        match item {
            Ok(game) => {
                let result = on_item(DatasetItem::Game(game));
                warn_if_skipped(result, format_args!("{name}: game {number}"), on_warning)?;
            }
            Err(error) if error.is_fatal() => {
                return Err(DatasetError::Read(path.into(), error));
            }
            Err(error) => on_warning(format!("{name}: {error}")),
        }
    }
    Ok(())
}

fn read_positions(
    path: &Path,
    mut positions: PositionReader<BufReader<File>>,
    on_warning: OnWarning<'_>,
    on_item: OnItem<'_>,
) -> Result<(), DatasetError> {
    let name = path.display();
    let (format, fail) = (positions.format, |error| DatasetError::reading(path, error));
    while let Some((number, bytes)) = positions.advance().map_err(fail)? {
        let result = on_item(DatasetItem::Position(bytes, format));
        warn_if_skipped(result, format_args!("{name}: position {number}"), on_warning)?;
    }
    if positions.incomplete_bytes > 0 {
        let bytes = positions.incomplete_bytes;
        on_warning(format!("{name}: the last {bytes} bytes are not a complete position"));
    }
    Ok(())
}

fn read_game_records(
    path: &Path,
    mut reader: GameRecordReader,
    on_warning: OnWarning<'_>,
    on_item: OnItem<'_>,
) -> Result<(), DatasetError> {
    let name = path.display();
    while let Some(item) = reader.advance().map_err(|error| DatasetError::reading(path, error))? {
        match item {
            GameRecordItem::Game(number, game) => {
                let result = on_item(DatasetItem::Game(game));
                warn_if_skipped(result, format_args!("{name}: game {number}"), on_warning)?;
            }
            GameRecordItem::Warning(reason) => on_warning(format!("{name}: {reason}")),
        }
    }
    Ok(())
}

/// Makes a warning of a skipped item. Other errors end the reading.
fn warn_if_skipped(
    result: Result<(), ItemError>,
    item: fmt::Arguments<'_>,
    on_warning: OnWarning<'_>,
) -> Result<(), DatasetError> {
    match result {
        Err(ItemError::Skip(reason)) => on_warning(format!("{item}: {reason}")),
        Err(ItemError::Abort(error)) => return Err(error),
        Ok(()) => {}
    }
    Ok(())
}

/// Reads positions of a fixed size.
#[derive(Debug)]
struct PositionReader<R> {
    input: R,
    format: PositionFormat,
    bytes: Vec<u8>,
    /// Number of the next position, from 0.
    number: u64,
    /// Bytes after the last whole position.
    incomplete_bytes: usize,
}

impl<R: Read> PositionReader<R> {
    fn new(input: R, format: PositionFormat) -> PositionReader<R> {
        PositionReader { input, format, bytes: Vec::new(), number: 0, incomplete_bytes: 0 }
    }

    /// The next position and its number; `None` at the end of the file.
    fn advance(&mut self) -> io::Result<Option<(u64, &[u8])>> {
        let size = self.format.size();
        self.bytes.clear();
        self.input.by_ref().take(size as u64).read_to_end(&mut self.bytes)?;
        if self.bytes.len() < size {
            self.incomplete_bytes = self.bytes.len();
            return Ok(None);
        }
        self.number += 1;
        Ok(Some((self.number - 1, &self.bytes)))
    }
}
