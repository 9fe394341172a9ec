//! The complete state of a training in one file.
//!
//! | size | content |
//! |---|---|
//! | 8 | `KWTRAIN1` |
//! | 4 | *n*, length of the text |
//! | *n* | text: the recipe, a line `[progress]`, and the progress |
//! | 4 *m* | words of 32 bits; *m* follows from the recipe |
//! | 4 | CRC-32 of everything before |
//!
//! The words are the weights, both moments of Adam, the EMA of the weights, and the step counts
//! of the rows, little-endian. The file is replaced atomically.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use super::recipe::{Recipe, RecipeError};
use super::tensor_layout::{TILE, TensorLayout};
use super::tensors::NetworkTensors;
use super::trainer::Trainer;
use crate::sys::{AllocationError, AtomicFile, open_input};

const MAGIC: [u8; 8] = *b"KWTRAIN1";
const MAX_TEXT: u32 = 1 << 20;
/// Separates the recipe from the rest of the text.
const PROGRESS_SECTION: &str = "[progress]\n";

/// The progress of a training.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingProgress {
    pub steps: u64,
    /// Updates of the EMA of the weights.
    pub(super) updates: u64,
    /// The number of training positions, and the fingerprint of the training data.
    pub training_positions: usize,
    pub fingerprint: u32,
    /// Since the last report: the sum of losses, and the number of positions.
    pub(super) loss_sum: f64,
    pub(super) loss_positions: u64,
    /// The smallest validation loss so far, and the number of reports since.
    pub(super) best_loss: f64,
    pub(super) since_best: u32,
}

impl TrainingProgress {
    pub(super) fn new(training_positions: usize, fingerprint: u32) -> TrainingProgress {
        TrainingProgress {
            steps: 0,
            updates: 0,
            training_positions,
            fingerprint,
            loss_sum: 0.0,
            loss_positions: 0,
            best_loss: f64::INFINITY,
            since_best: 0,
        }
    }

    /// Mean loss since the last report.
    pub(super) fn mean_loss(&self) -> f64 {
        self.loss_sum / self.loss_positions.max(1) as f64
    }
}

/// Why a checkpoint cannot be used.
#[derive(Debug)]
pub enum CheckpointError {
    Io(io::Error),
    NotACheckpoint,
    /// The size does not match the recipe: the file is truncated or too long.
    Size {
        needs: u64,
        has: u64,
    },
    /// The checksum is wrong.
    Damaged,
    /// The text cannot be read.
    Text,
    Recipe(RecipeError),
    Memory(AllocationError),
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckpointError::Io(error) => error.fmt(f),
            CheckpointError::NotACheckpoint => f.write_str("not a checkpoint of a training"),
            CheckpointError::Size { needs, has } if has < needs => {
                write!(f, "truncated: it has {has} bytes and needs {needs}")
            }
            CheckpointError::Size { needs, has } => {
                write!(f, "it has {has} bytes, more than the {needs} of its training")
            }
            CheckpointError::Damaged => f.write_str("damaged: its checksum is wrong"),
            CheckpointError::Text => f.write_str("its text cannot be read"),
            CheckpointError::Recipe(error) => write!(f, "its settings: {error}"),
            CheckpointError::Memory(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CheckpointError {}

impl From<io::Error> for CheckpointError {
    fn from(error: io::Error) -> CheckpointError {
        CheckpointError::Io(error)
    }
}

impl From<AllocationError> for CheckpointError {
    fn from(error: AllocationError) -> CheckpointError {
        CheckpointError::Memory(error)
    }
}

impl From<RecipeError> for CheckpointError {
    fn from(error: RecipeError) -> CheckpointError {
        CheckpointError::Recipe(error)
    }
}

/// Writes a checkpoint, replacing the one before.
pub(super) fn write(
    path: &Path,
    recipe: &Recipe,
    progress: &TrainingProgress,
    trainer: &Trainer,
) -> io::Result<()> {
    let mut out = Checksummed { inner: AtomicFile::create(path)?, sum: Default::default() };
    let text = format!("{recipe}{PROGRESS_SECTION}{progress}");
    out.put(&MAGIC)?;
    out.put(&(text.len() as u32).to_le_bytes())?;
    out.put(text.as_bytes())?;
    for array in numbers(trainer).into_iter().flat_map(NetworkTensors::arrays) {
        out.put_words(array.iter().map(|number| number.to_bits()))?;
    }
    out.put_words(trainer.sparse_adam.bucket_steps.iter().copied())?;
    out.put_words(trainer.sparse_adam.shared_steps.iter().copied())?;
    let sum = out.sum.clone().finalize();
    out.put(&sum.to_le_bytes())?;
    out.inner.commit()
}

fn numbers(trainer: &Trainer) -> [&NetworkTensors; 4] {
    let [first, second] = &trainer.moments;
    [&trainer.weights, first, second, &trainer.ema.tensors]
}

/// A checkpoint whose header was read and whose size is right.
#[derive(Debug)]
pub struct Checkpoint {
    pub recipe: Recipe,
    pub progress: TrainingProgress,
    pub(super) layout: TensorLayout,
    input: Checksummed<BufReader<File>>,
}

impl Checkpoint {
    /// Opens a checkpoint. Uses little memory, whatever the file contains.
    ///
    /// # Errors
    /// See [`CheckpointError`].
    pub fn open(path: &Path) -> Result<Checkpoint, CheckpointError> {
        let file = open_input(path)?;
        let has = file.metadata()?.len();
        let mut input = Checksummed { inner: BufReader::new(file), sum: Default::default() };
        let mut header = [0; 12];
        match input.take(&mut header) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Err(CheckpointError::NotACheckpoint);
            }
            result => result?,
        }
        let (magic, length) = header.split_at(8);
        let length = u32::from_le_bytes(length.try_into().expect("four bytes"));
        if magic != MAGIC || length > MAX_TEXT {
            return Err(CheckpointError::NotACheckpoint);
        }
        let text_end = 12 + u64::from(length);
        if has < text_end {
            return Err(CheckpointError::Size { needs: text_end, has });
        }
        let mut text = vec![0; length as usize];
        input.take(&mut text)?;
        let text = std::str::from_utf8(&text).map_err(|_| CheckpointError::Text)?;
        let (settings, progress) =
            text.split_once(PROGRESS_SECTION).ok_or(CheckpointError::Text)?;
        let mut recipe = Recipe::default();
        recipe.set_shown(settings)?;
        let progress = TrainingProgress::parse(progress).ok_or(CheckpointError::Text)?;
        let (architecture, _) = recipe.architecture()?;
        let layout = TensorLayout::new(architecture, recipe.factorizer);
        let needs = text_end + 4 * words(&layout) + 4;
        if has != needs {
            return Err(CheckpointError::Size { needs, has });
        }
        Ok(Checkpoint { recipe, progress, layout, input })
    }

    /// Restores the trainer.
    ///
    /// # Errors
    /// If the file is damaged, or memory cannot be allocated.
    pub(super) fn trainer(mut self, threads: usize) -> Result<Trainer, CheckpointError> {
        let weights = NetworkTensors::zeros(&self.layout)?;
        let (scales, ema_decay) = (self.recipe.scales(), self.recipe.ema_decay);
        let mut trainer = Trainer::new(self.layout, weights, scales, ema_decay, threads)?;
        let [first, second] = &mut trainer.moments;
        let all = [&mut trainer.weights, first, second, &mut trainer.ema.tensors];
        for array in all.into_iter().flat_map(NetworkTensors::arrays_mut) {
            self.input.take_words(array, f32::from_bits)?;
        }
        self.input.take_words(&mut trainer.sparse_adam.bucket_steps, |word| word)?;
        self.input.take_words(&mut trainer.sparse_adam.shared_steps, |word| word)?;
        let sum = self.input.sum.clone().finalize();
        let mut stored = [0; 4];
        self.input.take(&mut stored)?;
        if u32::from_le_bytes(stored) != sum {
            return Err(CheckpointError::Damaged);
        }
        trainer.steps = self.progress.steps;
        trainer.ema.updates = self.progress.updates;
        Ok(trainer)
    }
}

/// Number of words of a checkpoint.
fn words(layout: &TensorLayout) -> u64 {
    let rows = (layout.tiles
        * layout.bucket_len
        * (layout.king_buckets + usize::from(layout.shared))) as u64;
    let [l1, l2] = layout.layers();
    let stack = l1.outputs * (l1.inputs + 1) + l2.outputs * (l2.inputs + 1) + l2.outputs + 1;
    let stacks = (layout.architecture.stacks() * stack) as u64;
    4 * (layout.width() as u64 + rows * TILE as u64 + stacks) + rows
}

impl fmt::Display for TrainingProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "steps = {}\nema-updates = {}", self.steps, self.updates)?;
        writeln!(f, "training-positions = {}", self.training_positions)?;
        writeln!(f, "fingerprint = {}", self.fingerprint)?;
        // As bits, to be exact.
        writeln!(f, "loss = {}\npositions = {}", self.loss_sum.to_bits(), self.loss_positions)?;
        writeln!(f, "best = {}\nsince-best = {}", self.best_loss.to_bits(), self.since_best)
    }
}

impl TrainingProgress {
    fn parse(text: &str) -> Option<TrainingProgress> {
        let field = |name: &str| {
            let mut lines = text.lines().filter_map(|line| line.split_once(" = "));
            lines.find(|(key, _)| *key == name).map(|(_, value)| value)
        };
        let bits = |name| field(name)?.parse().ok().map(f64::from_bits);
        Some(TrainingProgress {
            steps: field("steps")?.parse().ok()?,
            updates: field("ema-updates")?.parse().ok()?,
            training_positions: field("training-positions")?.parse().ok()?,
            fingerprint: field("fingerprint")?.parse().ok()?,
            loss_sum: bits("loss")?,
            loss_positions: field("positions")?.parse().ok()?,
            best_loss: bits("best")?,
            since_best: field("since-best")?.parse().ok()?,
        })
    }
}

/// A stream with the checksum of everything that passed through it.
#[derive(Debug)]
struct Checksummed<T> {
    inner: T,
    sum: crc32fast::Hasher,
}

/// Words converted at a time.
const CHUNK: usize = 1 << 14;

impl<T: Write> Checksummed<T> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.inner.write_all(bytes)
    }

    fn put_words(&mut self, words: impl Iterator<Item = u32>) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(4 * CHUNK);
        for word in words {
            bytes.extend(word.to_le_bytes());
            if bytes.len() == 4 * CHUNK {
                self.put(&bytes)?;
                bytes.clear();
            }
        }
        self.put(&bytes)
    }
}

impl<T: Read> Checksummed<T> {
    fn take(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.inner.read_exact(bytes)?;
        self.sum.update(bytes);
        Ok(())
    }

    fn take_words<N>(&mut self, to: &mut [N], of: impl Fn(u32) -> N) -> io::Result<()> {
        let mut bytes = vec![0; 4 * CHUNK];
        for to in to.chunks_mut(CHUNK) {
            let bytes = &mut bytes[..4 * to.len()];
            self.take(bytes)?;
            for (to, word) in to.iter_mut().zip(bytes.as_chunks().0) {
                *to = of(u32::from_le_bytes(*word));
            }
        }
        Ok(())
    }
}
