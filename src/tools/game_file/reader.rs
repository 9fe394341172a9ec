//! Reads a game file from start to end, with one block in memory at a time.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use super::block::{self, BlockHeader, MARKER};
use super::header::{self, GameFileHeader, HeaderError};
use super::scored_game::{GameFormatError, ScoredGame};
use crate::sys::open_input;

/// Why a game cannot be read.
#[derive(Debug)]
pub enum GameReadError {
    /// Nothing more can be read.
    Io(io::Error),
    /// Nothing can be read: this is not a game file, or one of another version.
    Header(HeaderError),
    /// These bytes are not valid blocks. The reader continues after them. At the end of the file
    /// they are most likely an incomplete write.
    Damage { offset: u64, bytes: u64, at_end: bool },
    /// The checksum of the block at this offset is right, but the game with this number, from 0, is
    /// invalid. The reader continues with the next block.
    Game { offset: u64, number: u64, error: GameFormatError },
}

impl GameReadError {
    /// Whether no more games follow.
    pub fn is_fatal(&self) -> bool {
        matches!(self, GameReadError::Io(_) | GameReadError::Header(_))
    }
}

impl fmt::Display for GameReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameReadError::Io(error) => error.fmt(f),
            GameReadError::Header(error) => error.fmt(f),
            GameReadError::Damage { offset, bytes, at_end: false } => {
                write!(f, "{bytes} bytes from offset {offset} on are damaged")
            }
            GameReadError::Damage { offset, bytes, at_end: true } => {
                write!(
                    f,
                    "the last {bytes} bytes, from offset {offset} on, are not a complete block"
                )
            }
            GameReadError::Game { offset, number, error } => {
                write!(f, "game {number}, in the block at offset {offset}: {error}")
            }
        }
    }
}

impl std::error::Error for GameReadError {}

impl From<io::Error> for GameReadError {
    fn from(error: io::Error) -> GameReadError {
        GameReadError::Io(error)
    }
}

impl From<HeaderError> for GameReadError {
    fn from(error: HeaderError) -> GameReadError {
        GameReadError::Header(error)
    }
}

/// Iterates over the games of a file in order, with the errors between them. Unless an error
/// [`is_fatal`](GameReadError::is_fatal), more games may follow.
#[derive(Debug)]
pub struct GameFileReader<R> {
    input: LookaheadReader<R>,
    header: GameFileHeader,
    block: Block,
    /// Offset after the last valid block.
    valid_end: u64,
    is_over: bool,
    /// Whether the last valid block has no games.
    is_complete: bool,
}

/// The rest of a block.
#[derive(Debug, Default)]
struct Block {
    offset: u64,
    /// Number of the next game.
    number: u64,
    games: u32,
    body: Vec<u8>,
    /// Bytes of the body that have been read.
    read: usize,
}

impl GameFileReader<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be read or has no valid header.
    pub fn open(path: &Path) -> Result<Self, GameReadError> {
        GameFileReader::new(BufReader::new(open_input(path)?))
    }
}

impl<R: Read> GameFileReader<R> {
    /// Reads from the beginning of a file. The input should be buffered.
    ///
    /// # Errors
    /// If it cannot be read or has no valid header.
    pub fn new(input: R) -> Result<GameFileReader<R>, GameReadError> {
        let mut input = LookaheadReader::new(input);
        let length = GameFileHeader::length(input.peek(header::FIXED_BYTES)?)?;
        let header = GameFileHeader::from_bytes(input.peek(length)?)?;
        input.consume(length);
        let valid_end = length as u64;
        Ok(GameFileReader {
            input,
            header,
            block: Block::default(),
            valid_end,
            is_over: false,
            is_complete: false,
        })
    }

    pub fn header(&self) -> &GameFileHeader {
        &self.header
    }

    /// Number of the next game in the file, from 0, including games lost to damage.
    pub fn number(&self) -> u64 {
        self.block.number
    }

    /// Whether the file says that no game is missing, once all has been read.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Offset after the last valid block so far.
    pub(super) fn valid_end(&self) -> u64 {
        self.valid_end
    }

    fn try_next(&mut self) -> Result<Option<ScoredGame>, GameReadError> {
        while self.block.games == 0 {
            if !self.next_block()? {
                return Ok(None);
            }
        }
        let block = &mut self.block;
        let mut rest = &block.body[block.read..];
        match ScoredGame::read(&mut rest) {
            Ok(game) => {
                block.read = block.body.len() - rest.len();
                block.games -= 1;
                block.number += 1;
                Ok(Some(game))
            }
            Err(error) => {
                let (offset, number) = (block.offset, block.number);
                block.number += u64::from(block.games);
                block.games = 0;
                Err(GameReadError::Game { offset, number, error })
            }
        }
    }

    /// Goes to the next block; false at the end of the file.
    fn next_block(&mut self) -> Result<bool, GameReadError> {
        let offset = self.input.offset;
        match self.block_state()? {
            BlockState::Valid(header) => {
                let length = header.length as usize;
                let body = &self.input.peek(block::HEADER_BYTES + length)?[block::HEADER_BYTES..]
                    [..length];
                let mut kept = std::mem::take(&mut self.block.body);
                kept.clear();
                kept.extend_from_slice(body);
                let (number, games) = (header.first, header.games);
                self.is_complete = games == 0;
                self.block = Block { offset, number, games, body: kept, read: 0 };
                self.input.consume(block::HEADER_BYTES + length);
                self.valid_end = self.input.offset;
                Ok(true)
            }
            BlockState::End => Ok(false),
            BlockState::Damaged => {
                let at_end = self.skip_damage()?;
                let bytes = self.input.offset - offset;
                Err(GameReadError::Damage { offset, bytes, at_end })
            }
        }
    }

    /// The kind of data at the current offset.
    fn block_state(&mut self) -> io::Result<BlockState> {
        let bytes = self.input.peek(block::HEADER_BYTES)?;
        if bytes.is_empty() {
            return Ok(BlockState::End);
        }
        let Some(header) = BlockHeader::from_bytes(bytes) else { return Ok(BlockState::Damaged) };
        let whole = block::HEADER_BYTES + header.length as usize;
        let body = self.input.peek(whole)?.get(block::HEADER_BYTES..whole);
        Ok(match body {
            Some(body) if header.is_of(body) => BlockState::Valid(header),
            _ => BlockState::Damaged,
        })
    }

    /// Skips to the next valid block or to the end of the file; returns whether it is the end. Skips
    /// a whole block if its header is valid, so every byte is examined once.
    fn skip_damage(&mut self) -> io::Result<bool> {
        loop {
            let damaged = BlockHeader::from_bytes(self.input.peek(block::HEADER_BYTES)?);
            self.input
                .skip(damaged.map_or(1, |header| block::HEADER_BYTES + header.length as usize))?;
            self.input.seek(&MARKER)?;
            match self.block_state()? {
                BlockState::Damaged => {}
                BlockState::Valid(_) => return Ok(false),
                BlockState::End => return Ok(true),
            }
        }
    }
}

impl<R: Read> Iterator for GameFileReader<R> {
    type Item = Result<ScoredGame, GameReadError>;

    fn next(&mut self) -> Option<Result<ScoredGame, GameReadError>> {
        if self.is_over {
            return None;
        }
        let next = self.try_next().transpose();
        self.is_over = match &next {
            None => true,
            Some(result) => result.as_ref().is_err_and(GameReadError::is_fatal),
        };
        next
    }
}

enum BlockState {
    Valid(BlockHeader),
    Damaged,
    End,
}

/// A buffered input with lookahead.
#[derive(Debug)]
struct LookaheadReader<R> {
    input: R,
    bytes: Vec<u8>,
    /// Bytes of the buffer that have been consumed.
    consumed: usize,
    /// The current offset in the input.
    offset: u64,
}

impl<R: Read> LookaheadReader<R> {
    fn new(input: R) -> LookaheadReader<R> {
        LookaheadReader { input, bytes: Vec::new(), consumed: 0, offset: 0 }
    }

    /// The next bytes, at least `count` unless the input ends before.
    fn peek(&mut self, count: usize) -> io::Result<&[u8]> {
        let missing = count.saturating_sub(self.bytes.len() - self.consumed);
        if missing > 0 {
            self.bytes.drain(..self.consumed);
            self.consumed = 0;
            self.input.by_ref().take(missing as u64).read_to_end(&mut self.bytes)?;
        }
        Ok(&self.bytes[self.consumed..])
    }

    /// Consumes bytes that [`peek`](Self::peek) has returned.
    fn consume(&mut self, count: usize) {
        self.consumed += count;
        self.offset += count as u64;
    }

    /// Skips `count` bytes, at most to the end of the input.
    fn skip(&mut self, count: usize) -> io::Result<()> {
        let available = self.peek(count)?.len();
        self.consume(count.min(available));
        Ok(())
    }

    /// Skips to the next occurrence of `marker`, or to the end of the input.
    fn seek(&mut self, marker: &[u8]) -> io::Result<()> {
        const STRIDE: usize = 64 << 10;
        loop {
            let bytes = self.peek(STRIDE)?;
            if let Some(at) = bytes.windows(marker.len()).position(|part| part == marker) {
                self.consume(at);
                return Ok(());
            }
            let is_end = bytes.len() < STRIDE;
            // The buffer may end with the beginning of a marker.
            let seen = if is_end { bytes.len() } else { bytes.len() - marker.len() + 1 };
            self.consume(seen);
            if is_end {
                return Ok(());
            }
        }
    }
}
