//! A file of games read from its beginning to its end, one block in memory at a time.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use super::block::{self, BlockHeader, MARKER};
use super::header::{self, GameFileHeader, HeaderError};
use super::scored_game::{GameFormatError, ScoredGame};

/// What a reader comes across.
#[derive(Debug)]
pub enum GameReadError {
    /// Nothing more can be read.
    Io(io::Error),
    /// Nothing can be read: the file is none of games, or of another version.
    Header(HeaderError),
    /// These bytes are no sound blocks. The reader goes on behind them, if that is not the end of
    /// the file; at the end they are most likely what a broken or unfinished write left.
    Damage { offset: u64, bytes: u64, at_end: bool },
    /// The checksum of the block at this offset is right, but the game of this number, from 0,
    /// cannot be. The reader goes on with the next block.
    Game { offset: u64, number: u64, error: GameFormatError },
}

impl GameReadError {
    /// Whether nothing follows.
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
                write!(f, "the last {bytes} bytes, from offset {offset} on, are no whole block")
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

/// The games of a file in their order. Errors come where they stand among the games; unless
/// [`GameReadError::is_fatal`], more games may follow.
#[derive(Debug)]
pub struct GameReader<R> {
    window: Window<R>,
    head: GameFileHeader,
    block: Block,
    /// Behind the last sound block.
    sound_end: u64,
    is_over: bool,
}

/// What is left of a block.
#[derive(Debug, Default)]
struct Block {
    offset: u64,
    /// Number of the next game.
    number: u64,
    games: u32,
    body: Vec<u8>,
    /// How much of the body is read.
    read: usize,
}

impl GameReader<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be read, or its head not be understood.
    pub fn open(path: &Path) -> Result<Self, GameReadError> {
        GameReader::new(BufReader::new(File::open(path)?))
    }
}

impl<R: Read> GameReader<R> {
    /// Reads from the beginning of a file. The input is read in small pieces, so it should be
    /// buffered.
    ///
    /// # Errors
    /// If it cannot be read, or its head not be understood.
    pub fn new(input: R) -> Result<GameReader<R>, GameReadError> {
        let mut window = Window::new(input);
        let length = GameFileHeader::length(window.look(header::FIXED)?)?;
        let head = GameFileHeader::from_bytes(window.look(length)?)?;
        window.pass(length);
        let sound_end = length as u64;
        Ok(GameReader { window, head, block: Block::default(), sound_end, is_over: false })
    }

    pub fn head(&self) -> &GameFileHeader {
        &self.head
    }

    /// Number of the next game, counted from 0 at the beginning of the file, with those that are
    /// lost in damage before it.
    pub fn number(&self) -> u64 {
        self.block.number
    }

    /// Where the last sound block ends that was come to.
    pub(super) fn sound_end(&self) -> u64 {
        self.sound_end
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
        let offset = self.window.offset;
        match self.sound_block()? {
            Found::Sound(head) => {
                let length = head.length as usize;
                let body = &self.window.look(block::HEAD + length)?[block::HEAD..][..length];
                let mut kept = std::mem::take(&mut self.block.body);
                kept.clear();
                kept.extend_from_slice(body);
                let (number, games) = (head.first, head.games);
                self.block = Block { offset, number, games, body: kept, read: 0 };
                self.window.pass(block::HEAD + length);
                self.sound_end = self.window.offset;
                Ok(true)
            }
            Found::End => Ok(false),
            Found::Damage => {
                let at_end = self.skip_damage()?;
                let bytes = self.window.offset - offset;
                Err(GameReadError::Damage { offset, bytes, at_end })
            }
        }
    }

    /// What stands where the window begins.
    fn sound_block(&mut self) -> io::Result<Found> {
        let bytes = self.window.look(block::HEAD)?;
        if bytes.is_empty() {
            return Ok(Found::End);
        }
        let Some(head) = BlockHeader::from_bytes(bytes) else { return Ok(Found::Damage) };
        let whole = block::HEAD + head.length as usize;
        let body = self.window.look(whole)?.get(block::HEAD..whole);
        Ok(match body {
            Some(body) if head.is_of(body) => Found::Sound(head),
            _ => Found::Damage,
        })
    }

    /// Moves the window to the next sound block, or to the end of the file; says whether it is the
    /// end. A block with a sound head counts as long as it says, so every byte is looked at once.
    fn skip_damage(&mut self) -> io::Result<bool> {
        loop {
            let damaged = BlockHeader::from_bytes(self.window.look(block::HEAD)?);
            self.window.skip(damaged.map_or(1, |head| block::HEAD + head.length as usize))?;
            self.window.seek(&MARKER)?;
            match self.sound_block()? {
                Found::Damage => {}
                Found::Sound(_) => return Ok(false),
                Found::End => return Ok(true),
            }
        }
    }
}

impl<R: Read> Iterator for GameReader<R> {
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

enum Found {
    Sound(BlockHeader),
    Damage,
    End,
}

/// A part of the input that is in memory.
#[derive(Debug)]
struct Window<R> {
    input: R,
    bytes: Vec<u8>,
    /// How many of the bytes are behind us already.
    passed: usize,
    /// Where we stand in the input.
    offset: u64,
}

impl<R: Read> Window<R> {
    fn new(input: R) -> Window<R> {
        Window { input, bytes: Vec::new(), passed: 0, offset: 0 }
    }

    /// The next bytes: so many at least, unless the input ends before.
    fn look(&mut self, count: usize) -> io::Result<&[u8]> {
        let missing = count.saturating_sub(self.bytes.len() - self.passed);
        if missing > 0 {
            self.bytes.drain(..self.passed);
            self.passed = 0;
            self.input.by_ref().take(missing as u64).read_to_end(&mut self.bytes)?;
        }
        Ok(&self.bytes[self.passed..])
    }

    /// Steps over bytes that were looked at.
    fn pass(&mut self, count: usize) {
        self.passed += count;
        self.offset += count as u64;
    }

    /// Steps over so many bytes, or to the end of the input.
    fn skip(&mut self, count: usize) -> io::Result<()> {
        let there = self.look(count)?.len();
        self.pass(count.min(there));
        Ok(())
    }

    /// Steps to the next place where these bytes stand, or to the end of the input.
    fn seek(&mut self, marker: &[u8]) -> io::Result<()> {
        const STRIDE: usize = 64 << 10;
        loop {
            let bytes = self.look(STRIDE)?;
            if let Some(at) = bytes.windows(marker.len()).position(|part| part == marker) {
                self.pass(at);
                return Ok(());
            }
            let is_end = bytes.len() < STRIDE;
            // The beginning of a marker may stand at the end.
            let seen = if is_end { bytes.len() } else { bytes.len() - marker.len() + 1 };
            self.pass(seen);
            if is_end {
                return Ok(());
            }
        }
    }
}
