//! Statistics of files.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::dedup::game_key;
use super::distinct_counter::DistinctCounter;
use super::reader::{DatasetFile, DatasetItem, ItemError};
use super::win_rate::ResultsByScore;
use super::{DatasetError, OnWarning};
use crate::position::Position;
use crate::record::scored_position::PositionFormat;
use crate::tools::game_file::{GameFileHeader, IllegalGame, Replay, ScoredGame};
use crate::tools::referee::{GameEndReason, GameOutcome};
use crate::types::{ByColor, Color, Move, Score};

/// All counts. `Display` gives the report.
#[derive(Clone, Debug, Default)]
pub struct DatasetStats {
    /// Size of all files.
    pub bytes: u64,
    /// The headers of the game files.
    pub headers: Vec<(PathBuf, GameFileHeader)>,
    pub games: GameStats,
    pub positions: PositionStats,
}

#[derive(Clone, Debug, Default)]
pub struct GameStats {
    pub wins: ByColor<u64>,
    pub draws: u64,
    pub end_reasons: BTreeMap<GameEndReason, u64>,
    /// Number of games by plies.
    pub lengths: BTreeMap<usize, u64>,
    pub(super) distinct: DistinctCounter,
}

/// Counts of positions with a score, except for `unscored`.
#[derive(Clone, Debug, Default)]
pub struct PositionStats {
    pub scored: u64,
    /// Moves without a score.
    pub unscored: u64,
    pub in_check: u64,
    pub captures: u64,
    pub promotions: u64,
    /// The best move of the search was not played.
    pub not_best: u64,
    /// Histogram of absolute scores: up to each of [`PositionStats::SCORE_BOUNDS`], beyond them, mates.
    pub score_histogram: [u64; PositionStats::SCORE_BOUNDS.len() + 2],
    pub results: ResultsByScore,
    pub(super) distinct: DistinctCounter,
}

impl PositionStats {
    /// Upper bounds of the bins of absolute scores.
    pub const SCORE_BOUNDS: [i32; 8] = [50, 100, 200, 400, 800, 1500, 2500, 4000];

    fn add(&mut self, position: &Position, mv: Move, score: Score, result: i8) {
        self.scored += 1;
        self.in_check += u64::from(position.in_check());
        self.captures += u64::from(mv.is_some() && position.is_capture(mv));
        self.promotions += u64::from(mv.is_promotion());
        let size = score.0.abs();
        let bounds = PositionStats::SCORE_BOUNDS;
        let bin = match bounds.iter().position(|&bound| size <= bound) {
            Some(bin) => bin,
            None => bounds.len() + usize::from(score.is_decisive()),
        };
        self.score_histogram[bin] += 1;
        self.results.add(score.0, result);
        self.distinct.add(position.key());
    }
}

impl GameStats {
    pub fn count(&self) -> u64 {
        self.lengths.values().sum()
    }

    pub fn plies(&self) -> u64 {
        self.lengths.iter().map(|(&length, &count)| length as u64 * count).sum()
    }

    /// The length that a share `part` of the games, 0 to 1, does not exceed.
    pub fn quantile(&self, part: f64) -> usize {
        let wanted = (part * self.count() as f64).ceil() as u64;
        let mut seen = 0;
        let mut lengths = self.lengths.iter();
        let found = lengths.find(|&(_, count)| {
            seen += count;
            seen >= wanted
        });
        found.map_or(0, |(&length, _)| length)
    }

    fn add(&mut self, game: &ScoredGame) {
        match game.end.outcome {
            GameOutcome::Draw => self.draws += 1,
            GameOutcome::Win(winner) => self.wins[winner] += 1,
        }
        *self.end_reasons.entry(game.end.reason).or_default() += 1;
        *self.lengths.entry(game.plies.len()).or_default() += 1;
        self.distinct.add(game_key(game));
    }
}

impl DatasetStats {
    /// Reads files of any kinds.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn of_files(
        paths: &[PathBuf],
        on_warning: OnWarning<'_>,
    ) -> Result<DatasetStats, DatasetError> {
        let mut stats = DatasetStats::default();
        for path in paths {
            let input = DatasetFile::open(path)?;
            stats.bytes += std::fs::metadata(path).map_or(0, |data| data.len());
            if let Some(header) = input.header() {
                stats.headers.push((path.clone(), header.clone()));
            }
            input.read(on_warning, &mut |item| match item {
                DatasetItem::Game(game) => stats.add_game(&game).map_err(ItemError::skip),
                DatasetItem::Position(bytes, format) => {
                    stats.add_position(bytes, format).map_err(ItemError::Skip)
                }
            })?;
        }
        Ok(stats)
    }

    fn add_game(&mut self, game: &ScoredGame) -> Result<(), IllegalGame> {
        game.check()?;
        self.games.add(game);
        let positions = &mut self.positions;
        let mut replay = Replay::new(game)?;
        while let Some(sample) = replay.advance()? {
            match sample.score() {
                None => positions.unscored += 1,
                Some(score) => {
                    positions.add(sample.position, sample.mv(), score, sample.result());
                    positions.not_best += u64::from(!sample.is_best());
                }
            }
        }
        Ok(())
    }

    fn add_position(&mut self, bytes: &[u8], format: PositionFormat) -> Result<(), String> {
        let scored = format.read(bytes).map_err(|error| error.to_string())?;
        let position = Position::from_setup(&scored.setup).map_err(|error| error.to_string())?;
        self.positions.add(&position, scored.mv, Score(scored.score.into()), scored.result);
        Ok(())
    }

    /// Score of Black in percent.
    pub fn black_percent(&self) -> f64 {
        let games = &self.games;
        let points = games.wins[Color::Black] as f64 + games.draws as f64 / 2.0;
        100.0 * points / games.count().max(1) as f64
    }
}
