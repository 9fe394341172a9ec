//! The training data: reads game files into samples for training and validation.
//!
//! Every game is replayed once, on all threads. Positions that pass the [`SampleFilter`] are kept
//! in memory as [`TrainingSample`]s of 92 bytes, so that every epoch can visit all of them in an
//! order of its own. Whole games are held out, because positions of one game are alike; labelled positions are games of
//! their own, so they are validated on other files.

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};

use super::parallel;
use super::recipe::{Recipe, SampleFilter};
use super::rng_streams::{HELD_OUT, HELD_OUT_SAMPLE, PER_GAME};
use super::sample::{Label, SampleRef, TrainingSample};
use super::td_lambda;
use crate::nnue::Buckets;
use crate::tools::dataset::win_rate::ResultsByScore;
use crate::tools::game_file;
use crate::tools::game_file::{GameFileReader, GameReadError, IllegalGame, Replay, ScoredGame};
use crate::types::message::counted;
use crate::types::{Move, Random};

/// The samples for training and for validation.
#[derive(Debug, Default)]
pub struct TrainingData {
    pub training: Vec<TrainingSample>,
    pub held_out: Vec<TrainingSample>,
    pub counts: SampleCounts,
    /// Why some games were skipped.
    pub warnings: Vec<String>,
    /// A checksum of all samples: a training can be resumed with the same samples only.
    pub fingerprint: u32,
}

/// How many positions were used or skipped, and why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SampleCounts {
    pub games: u64,
    pub positions: u64,
    pub unsearched: u64,
    pub early: u64,
    pub checks: u64,
    pub noisy: u64,
    pub extreme: u64,
    pub repeated: u64,
    /// Above the limit per game or of held-out positions.
    pub surplus: u64,
}

/// Memory per position, including its place in the order of an epoch.
const BYTES_EACH: usize = size_of::<TrainingSample>() + size_of::<SampleRef>();

/// Why there is no training data.
#[derive(Debug)]
pub enum TrainingDataError {
    File(PathBuf, GameReadError),
    /// More positions than allowed.
    TooMany(u32),
}

impl fmt::Display for TrainingDataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrainingDataError::File(path, error) => write!(f, "{}: {error}", path.display()),
            TrainingDataError::TooMany(max) => write!(
                f,
                "more than {max} positions; take fewer games, fewer of each (per-game), or allow \
                 more memory (--max-positions), some {} bytes for each",
                BYTES_EACH
            ),
        }
    }
}

impl std::error::Error for TrainingDataError {}

impl fmt::Display for SampleCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", counted(self.games, "game"), counted(self.positions, "position"))?;
        for (count, what) in [
            (self.unsearched, "not searched"),
            (self.early, "too early"),
            (self.checks, "in check"),
            (self.noisy, "before a capture or promotion"),
            (self.extreme, "decided"),
            (self.repeated, "repeated"),
            (self.surplus, "in surplus"),
        ] {
            if count > 0 {
                write!(f, ", {count} {what}")?;
            }
        }
        Ok(())
    }
}

impl SampleCounts {
    fn add(&mut self, other: &SampleCounts) {
        self.games += other.games;
        self.positions += other.positions;
        self.unsearched += other.unsearched;
        self.early += other.early;
        self.checks += other.checks;
        self.noisy += other.noisy;
        self.extreme += other.extreme;
        self.repeated += other.repeated;
        self.surplus += other.surplus;
    }
}

/// A position of a game that passed the filter.
struct Candidate {
    key: u64,
    /// Labelled by its own search, as for validation.
    sample: TrainingSample,
    /// The label for training, which later searches of the game may influence.
    training_label: Label,
}

/// Reads all games of these files in order; at most `max_positions` training samples. The games of the files of
/// `validation` are held out; without such files, a share of all games is.
///
/// # Errors
/// If a file cannot be read, or there are too many positions. Games that are damaged or illegal are
/// skipped with a warning.
pub fn read(
    files: &[PathBuf],
    validation: &[PathBuf],
    recipe: &Recipe,
    buckets: &Buckets,
    threads: usize,
    max_positions: u32,
) -> Result<TrainingData, TrainingDataError> {
    let mut builder = TrainingDataBuilder::new(recipe, buckets, threads, max_positions);
    if !validation.is_empty() {
        builder.held_out_permille = 0;
    }
    for path in files {
        read_file(path, &mut builder)?;
    }
    builder.held_out_permille = ALL_PER_MILLE;
    for path in validation {
        read_file(path, &mut builder)?;
    }
    if builder.more_warnings > 0 {
        builder.data.warnings.push(format!("{} more such warnings", builder.more_warnings));
    }
    Ok(builder.data)
}

/// Reads all games of these files for validation.
///
/// # Errors
/// If a file cannot be read.
pub(super) fn read_for_validation(
    files: &[PathBuf],
    recipe: &Recipe,
    buckets: &Buckets,
    threads: usize,
) -> Result<TrainingData, TrainingDataError> {
    read(&[], files, recipe, buckets, threads, 0)
}

const ALL_PER_MILLE: u32 = 1000;
/// Games that are replayed together, and per job.
const GAMES: usize = 8192;
const GAMES_PER_JOB: usize = 64;
/// Maximum number of warnings that are kept; the others are counted.
const MAX_WARNINGS: usize = 20;

fn read_file(path: &Path, builder: &mut TrainingDataBuilder<'_>) -> Result<(), TrainingDataError> {
    let at_path = |error| TrainingDataError::File(path.to_owned(), error);
    let mut games = Vec::with_capacity(GAMES);
    for item in GameFileReader::open(path).map_err(at_path)? {
        match item {
            Ok(game) => games.push(game),
            Err(error) if error.is_fatal() => return Err(at_path(error)),
            Err(error) => builder.warn(format!("{}: {error}", path.display())),
        }
        if games.len() == GAMES {
            builder.add(path, &games)?;
            games.clear();
        }
    }
    builder.add(path, &games)
}

/// Training data under construction.
struct TrainingDataBuilder<'a> {
    recipe: &'a Recipe,
    buckets: &'a Buckets,
    threads: usize,
    max_positions: u32,
    /// The share of the games that are held out.
    held_out_permille: u32,
    data: TrainingData,
    /// Number of warnings that are not kept.
    more_warnings: u64,
    seen: HashSet<u64>,
    fingerprint: crc32fast::Hasher,
    /// Number of held-out positions so far, kept or not.
    held_out_seen: usize,
    /// Draws which of them are kept.
    held_out_random: Random,
}

impl TrainingDataBuilder<'_> {
    fn new<'a>(
        recipe: &'a Recipe,
        buckets: &'a Buckets,
        threads: usize,
        max_positions: u32,
    ) -> TrainingDataBuilder<'a> {
        TrainingDataBuilder {
            recipe,
            buckets,
            threads,
            max_positions,
            held_out_permille: recipe.held_out_permille,
            data: TrainingData::default(),
            more_warnings: 0,
            seen: HashSet::new(),
            fingerprint: crc32fast::Hasher::new(),
            held_out_seen: 0,
            held_out_random: Random::of_part(recipe.seed, HELD_OUT_SAMPLE),
        }
    }

    fn warn(&mut self, text: String) {
        if self.data.warnings.len() < MAX_WARNINGS {
            self.data.warnings.push(text);
        } else {
            self.more_warnings += 1;
        }
    }

    /// Adds the positions of some games of a file.
    fn add(&mut self, path: &Path, games: &[ScoredGame]) -> Result<(), TrainingDataError> {
        let first = self.data.counts.games;
        let mut found: Vec<_> = games.iter().map(|_| None).collect();
        let jobs = games.chunks(GAMES_PER_JOB).zip(found.chunks_mut(GAMES_PER_JOB)).enumerate();
        let (recipe, buckets) = (self.recipe, self.buckets);
        parallel::for_each(self.threads, jobs.collect(), |(job, (games, found))| {
            for (at, (game, found)) in games.iter().zip(found.iter_mut()).enumerate() {
                let number = first + (job * GAMES_PER_JOB + at) as u64;
                *found = Some(candidates(game, number, recipe, buckets));
            }
        });
        for (at, found) in found.into_iter().enumerate() {
            let number = first + at as u64;
            self.data.counts.games += 1;
            match found.expect("every game was replayed") {
                Ok((candidates, counts)) => {
                    self.data.counts.add(&counts);
                    self.keep(candidates, number);
                }
                Err(error) => {
                    self.warn(format!("{}: game {number} of all: {error}", path.display()));
                }
            }
        }
        if self.data.training.len() > self.max_positions as usize {
            Err(TrainingDataError::TooMany(self.max_positions))
        } else {
            Ok(())
        }
    }

    fn keep(&mut self, candidates: Vec<Candidate>, number: u64) {
        let draw =
            Random::of_part(self.recipe.seed, HELD_OUT ^ number).below(ALL_PER_MILLE as usize);
        let is_held_out = draw < self.held_out_permille as usize;
        for Candidate { key, mut sample, training_label } in candidates {
            if !self.recipe.filter.repeats && !self.seen.insert(key) {
                self.data.counts.repeated += 1;
                continue;
            }
            if !is_held_out {
                sample.label = training_label;
            }
            self.fingerprint.update(&key.to_le_bytes());
            self.fingerprint.update(&sample.label.score.to_le_bytes());
            self.fingerprint.update(&[sample.label.result as u8, u8::from(is_held_out)]);
            if self.recipe.ranking_weight > 0.0 {
                self.fingerprint.update(&sample.best.bits().to_le_bytes());
            }
            if is_held_out {
                self.hold_out(sample);
            } else {
                self.data.training.push(sample);
            }
        }
        self.data.fingerprint = self.fingerprint.clone().finalize();
    }

    /// Adds a held-out position. Of more than the maximum, each is kept with the same probability (reservoir sampling,
    /// Vitter 1985): the first ones would all be of the first file.
    fn hold_out(&mut self, sample: TrainingSample) {
        self.held_out_seen += 1;
        if self.data.held_out.len() < self.recipe.held_out_positions {
            return self.data.held_out.push(sample);
        }
        self.data.counts.surplus += 1;
        let place = self.held_out_random.below(self.held_out_seen);
        if let Some(old) = self.data.held_out.get_mut(place) {
            *old = sample;
        }
    }
}

/// The positions of a game that pass the filter, and counts of the others.
fn candidates(
    game: &ScoredGame,
    number: u64,
    recipe: &Recipe,
    buckets: &Buckets,
) -> Result<(Vec<Candidate>, SampleCounts), IllegalGame> {
    let (mut taken, mut counts) = (Vec::new(), SampleCounts::default());
    let scores = td_lambda::scores(game, recipe.td_lambda, recipe.sigmoid_scale);
    let mut replay = Replay::new(game)?;
    while let Some(sample) = replay.advance()? {
        counts.positions += 1;
        if let Some(label) = label(&recipe.filter, &sample, &mut counts) {
            let position = sample.position;
            taken.push(Candidate {
                key: position.key(),
                sample: TrainingSample {
                    label,
                    best: if sample.is_best() { sample.mv() } else { Move::NONE },
                    ..TrainingSample::unlabelled(position, buckets)
                },
                training_label: Label { score: scores[sample.ply].unwrap_or(label.score), ..label },
            });
        }
    }
    let per_game = recipe.filter.per_game;
    if per_game > 0 && taken.len() > per_game {
        counts.surplus += (taken.len() - per_game) as u64;
        Random::of_part(recipe.seed, PER_GAME ^ number).shuffle(&mut taken);
        taken.truncate(per_game);
    }
    Ok((taken, counts))
}

/// The label of a position, if it passes the filter.
fn label(
    filter: &SampleFilter,
    sample: &game_file::GameSample<'_>,
    counts: &mut SampleCounts,
) -> Option<Label> {
    let out = match sample.score() {
        None => &mut counts.unsearched,
        Some(_) if sample.ply < filter.first_ply => &mut counts.early,
        Some(score) if score.0.abs() > filter.max_score => &mut counts.extreme,
        Some(_) if !filter.checks && sample.position.in_check() => &mut counts.checks,
        Some(_) if !filter.noisy && !sample.is_quiet() => &mut counts.noisy,
        Some(score) => return Some(Label { score: score.0 as i16, result: sample.result() }),
    };
    *out += 1;
    None
}

/// The scale of the sigmoid that fits the results of these positions best; `None` if they do not
/// determine it.
pub fn fitted_scale(samples: &[TrainingSample]) -> Option<f64> {
    let mut results = ResultsByScore::default();
    let labels = samples.iter().map(|sample| sample.label);
    labels.for_each(|label| results.add(label.score.into(), label.result));
    results.fit_scale()
}
