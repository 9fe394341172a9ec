//! From files of games to positions to learn from.
//!
//! Every game is replayed once, on all threads; the positions that pass the [`PositionFilter`] are kept in
//! memory, [`TrainingSample`]s of 92 bytes, so that every epoch can go through all of them in an order
//! of its own. Positions of one game are alike, so whole games are held out.

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};

use super::parallel;
use super::recipe::{PositionFilter, Recipe};
use super::rng_streams::{HELD_OUT, PER_GAME};
use super::sample::{Label, SampleRef, TrainingSample};
use super::td_lambda;
use crate::nnue::Buckets;
use crate::tools::dataset::win_rate::WinRateFit;
use crate::tools::game_file;
use crate::tools::game_file::{GameReadError, GameReader, IllegalGame, Replay, ScoredGame};
use crate::types::{Move, Random};

/// What is learned from, and what is judged by.
#[derive(Debug, Default)]
pub struct Dataset {
    pub learned: Vec<TrainingSample>,
    pub held_out: Vec<TrainingSample>,
    pub counts: DatasetCounts,
    /// What was wrong with some games, which were left out.
    pub troubles: Vec<String>,
    /// A mark of everything above: training goes on with the same positions only.
    pub mark: u32,
}

/// Where the positions of the games went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DatasetCounts {
    pub games: u64,
    pub positions: u64,
    pub unsearched: u64,
    pub early: u64,
    pub checks: u64,
    pub noisy: u64,
    pub extreme: u64,
    pub repeated: u64,
    /// More than are taken of a game, or than are held out.
    pub surplus: u64,
}

/// What a position and its place in the order of an epoch take.
const BYTES_EACH: usize = size_of::<TrainingSample>() + size_of::<SampleRef>();

/// Why there is no data.
#[derive(Debug)]
pub enum DatasetError {
    File(PathBuf, GameReadError),
    /// More positions than memory is to be used for.
    TooMany(usize),
}

impl fmt::Display for DatasetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DatasetError::File(path, error) => write!(f, "{}: {error}", path.display()),
            DatasetError::TooMany(most) => write!(
                f,
                "more than {most} positions; take fewer games, fewer of each (per-game), or allow \
                 more memory (--max-positions), some {} bytes for each",
                BYTES_EACH
            ),
        }
    }
}

impl std::error::Error for DatasetError {}

impl fmt::Display for DatasetCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games, {} positions", self.games, self.positions)?;
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

impl DatasetCounts {
    fn add(&mut self, other: &DatasetCounts) {
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

/// A position that has passed all that can be told from its game alone.
struct Candidate {
    key: u64,
    /// As its own search judges it.
    sample: TrainingSample,
    /// As it is learned: what comes later in the game may have a part.
    learned: Label,
}

/// Reads all games of these files, in order. No more than `most` positions are kept to be learned
/// from.
///
/// # Errors
/// If a file cannot be read, or there are too many positions. Games that are damaged or break the
/// rules are left out and told of.
pub fn read(
    files: &[PathBuf],
    recipe: &Recipe,
    buckets: &Buckets,
    threads: usize,
    most: usize,
) -> Result<Dataset, DatasetError> {
    let mut gathering = DatasetBuilder::new(recipe, buckets, threads, most);
    for path in files {
        read_file(path, &mut gathering)?;
    }
    Ok(gathering.data)
}

/// Games that are replayed side by side, and those of one job.
const GAMES: usize = 8192;
const GAMES_OF_JOB: usize = 64;
/// So many troubles are told.
const MOST_TROUBLES: usize = 20;

fn read_file(path: &Path, gathering: &mut DatasetBuilder<'_>) -> Result<(), DatasetError> {
    let blame = |error| DatasetError::File(path.to_owned(), error);
    let mut games = Vec::with_capacity(GAMES);
    for item in GameReader::open(path).map_err(blame)? {
        match item {
            Ok(game) => games.push(game),
            Err(error) if error.is_fatal() => return Err(blame(error)),
            Err(error) => gathering.trouble(format!("{}: {error}", path.display())),
        }
        if games.len() == GAMES {
            gathering.take(path, &games)?;
            games.clear();
        }
    }
    gathering.take(path, &games)
}

/// Data in the making.
struct DatasetBuilder<'a> {
    recipe: &'a Recipe,
    buckets: &'a Buckets,
    threads: usize,
    most: usize,
    data: Dataset,
    seen: HashSet<u64>,
    mark: crc32fast::Hasher,
}

impl DatasetBuilder<'_> {
    fn new<'a>(
        recipe: &'a Recipe,
        buckets: &'a Buckets,
        threads: usize,
        most: usize,
    ) -> DatasetBuilder<'a> {
        DatasetBuilder {
            recipe,
            buckets,
            threads,
            most,
            data: Dataset::default(),
            seen: HashSet::new(),
            mark: crc32fast::Hasher::new(),
        }
    }

    fn trouble(&mut self, text: String) {
        if self.data.troubles.len() < MOST_TROUBLES {
            self.data.troubles.push(text);
        }
    }

    /// Takes the positions of some games of a file.
    fn take(&mut self, path: &Path, games: &[ScoredGame]) -> Result<(), DatasetError> {
        let first = self.data.counts.games;
        let mut found: Vec<_> = games.iter().map(|_| None).collect();
        let jobs = games.chunks(GAMES_OF_JOB).zip(found.chunks_mut(GAMES_OF_JOB)).enumerate();
        let (recipe, buckets) = (self.recipe, self.buckets);
        parallel::for_each(self.threads, jobs.collect(), |(job, (games, found))| {
            for (at, (game, found)) in games.iter().zip(found.iter_mut()).enumerate() {
                let number = first + (job * GAMES_OF_JOB + at) as u64;
                *found = Some(candidates(game, number, recipe, buckets));
            }
        });
        for (at, found) in found.into_iter().enumerate() {
            let number = first + at as u64;
            self.data.counts.games += 1;
            match found.expect("every game was looked at") {
                Ok((candidates, counts)) => {
                    self.data.counts.add(&counts);
                    self.keep(candidates, number);
                }
                Err(error) => {
                    self.trouble(format!("{}: game {number} of all: {error}", path.display()));
                }
            }
        }
        match self.data.learned.len() > self.most {
            true => Err(DatasetError::TooMany(self.most)),
            false => Ok(()),
        }
    }

    fn keep(&mut self, candidates: Vec<Candidate>, number: u64) {
        let draw = Random::of_part(self.recipe.seed, HELD_OUT ^ number).below(1000);
        let is_held_out = draw < self.recipe.held_out as usize;
        for Candidate { key, mut sample, learned } in candidates {
            if !self.recipe.filter.repeats && !self.seen.insert(key) {
                self.data.counts.repeated += 1;
                continue;
            }
            if is_held_out && self.data.held_out.len() >= self.recipe.held_out_positions {
                self.data.counts.surplus += 1;
                continue;
            }
            if !is_held_out {
                sample.label = learned;
            }
            self.mark.update(&key.to_le_bytes());
            self.mark.update(&sample.label.score.to_le_bytes());
            self.mark.update(&[sample.label.result as u8, u8::from(is_held_out)]);
            if self.recipe.moves > 0.0 {
                self.mark.update(&sample.best.bits().to_le_bytes());
            }
            if is_held_out {
                self.data.held_out.push(sample);
            } else {
                self.data.learned.push(sample);
            }
        }
        self.data.mark = self.mark.clone().finalize();
    }
}

/// The positions of a game that pass the filter, and how many did not. The counts have no game.
fn candidates(
    game: &ScoredGame,
    number: u64,
    recipe: &Recipe,
    buckets: &Buckets,
) -> Result<(Vec<Candidate>, DatasetCounts), IllegalGame> {
    let (mut taken, mut counts) = (Vec::new(), DatasetCounts::default());
    let scores = td_lambda::scores(game, recipe.foresight, recipe.win_rate_scale);
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
                learned: Label { score: scores[sample.ply].unwrap_or(label.score), ..label },
            });
        }
    }
    let most = recipe.filter.per_game;
    if most > 0 && taken.len() > most {
        counts.surplus += (taken.len() - most) as u64;
        Random::of_part(recipe.seed, PER_GAME ^ number).shuffle(&mut taken);
        taken.truncate(most);
    }
    Ok((taken, counts))
}

/// What is to be learned of a position, if it passes the filter.
fn label(
    filter: &PositionFilter,
    sample: &game_file::GameSample<'_>,
    counts: &mut DatasetCounts,
) -> Option<Label> {
    let out = match sample.score() {
        None => &mut counts.unsearched,
        Some(_) if sample.ply < filter.first_ply => &mut counts.early,
        Some(score) if score.0.abs() > filter.max_score => &mut counts.extreme,
        Some(_) if !filter.checks && sample.is_in_check() => &mut counts.checks,
        Some(_) if !filter.noisy && !sample.is_quiet() => &mut counts.noisy,
        Some(score) => return Some(Label { score: score.0 as i16, result: sample.result() }),
    };
    *out += 1;
    None
}

/// The score at which a side wins `e` times as often as it loses, by what became of these
/// positions; `None` if they do not tell.
pub fn fitted_scale(samples: &[TrainingSample]) -> Option<f64> {
    let mut rates = WinRateFit::default();
    let labels = samples.iter().map(|sample| sample.label);
    labels.for_each(|label| rates.add(label.score.into(), label.result));
    rates.fit()
}
