//! Shuffles files of any size.
//!
//! Items are distributed at random to buckets that fit into memory, and each bucket is shuffled
//! there. So every order is equally likely.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::reader::{DatasetFile, DatasetItem, ItemError};
use super::writer::DatasetWriter;
use super::{DatasetCounts, DatasetError, OnWarning};
use crate::sys::{TempFile, is_stream};
use crate::tools::game_file::ScoredGame;
use crate::types::Random;

/// Copies all games or positions to a new file in random order.
///
/// Takes about `memory` bytes of memory. If the inputs are larger, temporary files of their size are
/// written next to the output. The same seed gives the same order.
///
/// # Errors
/// If a file cannot be read or written, or they are not of one kind.
pub fn shuffle(
    inputs: &[PathBuf],
    out: &Path,
    seed: u64,
    memory: u64,
    on_warning: OnWarning<'_>,
) -> Result<DatasetCounts, DatasetError> {
    let count = bucket_count(inputs, memory);
    let inputs = DatasetFile::open_alike(inputs)?;
    let mut output = DatasetWriter::like(out, &inputs, &format!("shuffle by seed {seed}"))?;
    let mut random = Random::new(seed);
    let writing = |error| DatasetError::writing(out, error);
    let buckets: io::Result<Vec<Bucket>> = (0..count).map(|_| Bucket::new(out, count)).collect();
    let mut buckets = buckets.map_err(writing)?;
    for input in inputs {
        input.read(on_warning, &mut |item| {
            let bucket = random.below(buckets.len());
            add(&mut buckets[bucket], &item).map_err(|error| ItemError::Abort(writing(error)))
        })?;
    }
    let mut counts = DatasetCounts::default();
    for bucket in buckets {
        let bytes = bucket.into_bytes().map_err(writing)?;
        let mut items = cut(&bytes);
        random.shuffle(&mut items);
        for item in items {
            put(item, &mut output, &mut counts)?;
        }
    }
    output.finish()?;
    Ok(counts)
}

/// Each bucket is an open file.
const MAX_BUCKETS: u64 = 256;
/// What a pipe, whose size is unknown, is taken to hold.
const PIPE_BYTES: u64 = 32 << 30;

/// The number of buckets of which each fits into memory.
fn bucket_count(inputs: &[PathBuf], memory: u64) -> usize {
    let size_of_file = |path: &PathBuf| fs::metadata(path).map_or(0, |data| data.len());
    let size = |path: &PathBuf| if is_stream(path) { PIPE_BYTES } else { size_of_file(path) };
    // The items and their index take about twice the bytes.
    let bytes = 2 * inputs.iter().map(size).sum::<u64>();
    bytes.div_ceil(memory.max(1)).clamp(1, MAX_BUCKETS) as usize
}

/// Items in memory, or in a temporary file if there are several buckets.
enum Bucket {
    Memory(Vec<u8>),
    File(BufWriter<File>, TempFile),
}

impl Bucket {
    /// One of `count` buckets.
    fn new(out: &Path, count: usize) -> io::Result<Bucket> {
        if count == 1 {
            return Ok(Bucket::Memory(Vec::new()));
        }
        let (temp_file, file) = TempFile::create_beside(out)?;
        Ok(Bucket::File(BufWriter::new(file), temp_file))
    }

    fn into_bytes(self) -> io::Result<Vec<u8>> {
        match self {
            Bucket::Memory(bytes) => Ok(bytes),
            Bucket::File(writer, _temp_file) => {
                let mut file = writer.into_inner().map_err(|error| error.into_error())?;
                let mut bytes = Vec::new();
                file.rewind()?;
                file.read_to_end(&mut bytes)?;
                Ok(bytes)
            }
        }
    }
}

impl Write for Bucket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Bucket::Memory(bucket) => bucket.write(bytes),
            Bucket::File(bucket, _) => bucket.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Bucket::Memory(_) => Ok(()),
            Bucket::File(bucket, _) => bucket.flush(),
        }
    }
}

/// Appends an item with its length in front.
fn add(bucket: &mut Bucket, item: &DatasetItem<'_>) -> io::Result<()> {
    let mut game_bytes = Vec::new();
    let bytes = match item {
        DatasetItem::Position(bytes, _) => *bytes,
        DatasetItem::Game(game) => {
            game.write(&mut game_bytes).map_err(io::Error::other)?;
            &game_bytes
        }
    };
    bucket.write_all(&(bytes.len() as u32).to_le_bytes())?;
    bucket.write_all(bytes)
}

/// Splits a bucket into its items.
fn cut(mut bytes: &[u8]) -> Vec<&[u8]> {
    let mut items = Vec::new();
    while let Some((&length, rest)) = bytes.split_first_chunk() {
        let (item, rest) = rest.split_at(u32::from_le_bytes(length) as usize);
        items.push(item);
        bytes = rest;
    }
    items
}

fn put(
    item: &[u8],
    output: &mut DatasetWriter,
    counts: &mut DatasetCounts,
) -> Result<(), DatasetError> {
    if output.format().is_some() {
        counts.positions.add(1, 1);
        return output.push_position(item);
    }
    let game = ScoredGame::read(&mut &item[..]).expect("it was written a moment ago");
    counts.games.add(1, 1);
    counts.positions.add(game.scored(), game.scored());
    output.push_game(&game)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: all that came from a pipe was kept in memory.
    #[test]
    fn what_comes_from_a_pipe_is_distributed_to_buckets() {
        assert_eq!(bucket_count(&["/dev/stdin".into()], 1 << 30), 64);
        assert_eq!(bucket_count(&["no such file".into()], 1 << 30), 1);
    }
}
