//! Appends games to a file.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::block::{self, BlockHeader};
use super::header::{GameFileHeader, HeaderError};
use super::reader::{GameFileReader, GameReadError};
use super::scored_game::{GameFormatError, ScoredGame};
use crate::sys::sync_file;
use crate::tools::files::{FileLock, HeaderMismatch, append_whole, check_header, with_suffix};

/// Why games cannot be written.
#[derive(Debug)]
pub enum GameWriteError {
    Io(io::Error),
    Header(HeaderError),
    OtherHeader(HeaderMismatch),
    Game(GameFormatError),
}

impl fmt::Display for GameWriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameWriteError::Io(error) => error.fmt(f),
            GameWriteError::Header(error) => error.fmt(f),
            GameWriteError::OtherHeader(other) => {
                write!(f, "its games were made with other settings; {other}")
            }
            GameWriteError::Game(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for GameWriteError {}

impl From<io::Error> for GameWriteError {
    fn from(error: io::Error) -> GameWriteError {
        GameWriteError::Io(error)
    }
}

impl From<HeaderError> for GameWriteError {
    fn from(error: HeaderError) -> GameWriteError {
        GameWriteError::Header(error)
    }
}

/// The content of a file when it was opened for appending.
#[derive(Debug, Default)]
pub struct ExistingGames {
    /// Number of the next game: the count of all games before it, including games lost to damage.
    pub games: u64,
    /// Damage within the file. It stays there.
    pub damage: Vec<GameReadError>,
    /// Bytes of an incomplete block at the end, which were removed.
    pub cut: u64,
    /// Whether the file says that no game is missing.
    pub is_complete: bool,
}

/// Writes games, a block at a time. [`GameFileWriter::finish`] must be called at the end: the last block is
/// lost when the writer is dropped.
#[derive(Debug)]
pub struct GameFileWriter {
    file: File,
    /// `None` for a temporary file.
    _lock: Option<FileLock>,
    /// Number of the first game in `body`.
    first: u64,
    games: u32,
    body: Vec<u8>,
    /// Whether the file ends with the block without games that says that it is complete.
    is_complete: bool,
}

impl GameFileWriter {
    /// Writes to an empty file that no other process writes.
    ///
    /// # Errors
    /// If it cannot be written, or the header is too long.
    pub fn begin(
        mut file: File,
        header: &GameFileHeader,
    ) -> Result<GameFileWriter, GameWriteError> {
        file.write_all(&header.to_bytes()?)?;
        Ok(GameFileWriter::at_end(file, None, 0))
    }

    /// Opens a file for appending, or creates it. Calls `visit` for every game in it and removes an
    /// incomplete block at the end.
    ///
    /// # Errors
    /// If it has another header or is not a game file, if another process writes it, or if it cannot
    /// be read or written. Then it stays unchanged.
    pub fn append(
        path: &Path,
        header: &GameFileHeader,
        visit: &mut dyn FnMut(&ScoredGame),
    ) -> Result<(GameFileWriter, ExistingGames), GameWriteError> {
        let bytes = header.to_bytes()?;
        let lock = Some(lock(path)?);
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        let mut start = Vec::new();
        (&file).take(bytes.len() as u64).read_to_end(&mut start)?;
        if bytes.starts_with(&start) && start.len() < bytes.len() {
            // Empty, or truncated within the header.
            file.rewind()?;
            file.write_all(&bytes)?;
            let contents = ExistingGames { cut: start.len() as u64, ..ExistingGames::default() };
            return Ok((GameFileWriter::at_end(file, lock, 0), contents));
        }
        file.rewind()?;
        let (contents, end) = scan_existing(&file, header, visit)?;
        file.set_len(end)?;
        file.seek(SeekFrom::End(0))?;
        let mut writer = GameFileWriter::at_end(file, lock, contents.games);
        writer.is_complete = contents.is_complete;
        Ok((writer, contents))
    }

    fn at_end(file: File, lock: Option<FileLock>, first: u64) -> GameFileWriter {
        let body = Vec::with_capacity(block::MAX_BODY_BYTES);
        GameFileWriter { file, _lock: lock, first, games: 0, body, is_complete: false }
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If it cannot be encoded or written. After an error other than [`GameWriteError::Game`] no more games may be
    /// added; [`finish`](Self::finish) tries again to write the last ones.
    pub fn push(&mut self, game: &ScoredGame) -> Result<(), GameWriteError> {
        game.write(&mut self.body).map_err(GameWriteError::Game)?;
        self.games += 1;
        if self.body.len() >= block::FULL_BYTES {
            self.flush()?;
        }
        Ok(())
    }

    /// Number of the next game, from 0.
    pub fn number(&self) -> u64 {
        self.first + u64::from(self.games)
    }

    /// Writes the last block and flushes the file to the disk.
    ///
    /// # Errors
    /// If that fails.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        sync_file(&self.file)
    }

    /// [`finish`](Self::finish), and says in the file that no game is missing. More games may still follow.
    ///
    /// # Errors
    /// If that fails.
    pub fn complete(mut self) -> io::Result<()> {
        self.flush()?;
        if !self.is_complete {
            self.write_block()?;
        }
        sync_file(&self.file)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.games == 0 {
            return Ok(());
        }
        self.is_complete = false;
        self.write_block()
    }

    fn write_block(&mut self) -> io::Result<()> {
        let header = BlockHeader::of(self.first, self.games, &self.body);
        let block = [&header.to_bytes()[..], &self.body].concat();
        append_whole(&mut self.file, &block)?;
        self.first = self.number();
        self.games = 0;
        self.body.clear();
        Ok(())
    }
}

/// Locks a file beside it: on Windows nobody could read a locked file.
fn lock(path: &Path) -> io::Result<FileLock> {
    FileLock::take(with_suffix(path, ".lock"))
}

/// Reads a file with this header; returns its contents and the offset after its last valid block.
fn scan_existing(
    file: &File,
    header: &GameFileHeader,
    visit: &mut dyn FnMut(&ScoredGame),
) -> Result<(ExistingGames, u64), GameWriteError> {
    let length = file.metadata()?.len();
    let stop = |error| match error {
        GameReadError::Io(error) => GameWriteError::Io(error),
        GameReadError::Header(error) => GameWriteError::Header(error),
        GameReadError::Damage { .. } | GameReadError::Game { .. } => {
            unreachable!("the reader goes on")
        }
    };
    let mut reader = GameFileReader::new(BufReader::new(file)).map_err(stop)?;
    let (found, expected) = (reader.header().to_string(), header.to_string());
    check_header(found.lines(), expected.lines()).map_err(GameWriteError::OtherHeader)?;
    let mut contents = ExistingGames::default();
    for item in reader.by_ref() {
        match item {
            Ok(game) => visit(&game),
            Err(GameReadError::Damage { at_end: true, .. }) => {}
            Err(error) if error.is_fatal() => return Err(stop(error)),
            Err(error) => contents.damage.push(error),
        }
    }
    contents.games = reader.number();
    contents.cut = length - reader.valid_end();
    contents.is_complete = reader.is_complete();
    Ok((contents, reader.valid_end()))
}
