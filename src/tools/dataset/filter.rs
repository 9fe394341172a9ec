//! Removes games and positions by conditions.

use std::fmt;
use std::path::{Path, PathBuf};

use super::reader::{DatasetFile, DatasetItem, ItemError};
use super::writer::DatasetWriter;
use super::{DatasetCounts, DatasetError, DatasetKind, OnWarning};
use crate::position::Position;
use crate::record::scored_position::{PositionFormat, ScoredPosition};
use crate::tools::game_file::{GameSample, Replay, ScoredGame};
use crate::tools::referee::GameEndReason;
use crate::types::{Move, Random, Score};

/// The conditions for removing games and positions. By default nothing is removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilterConditions {
    pub games: GameFilter,
    pub positions: PositionFilter,
    /// Keep at most this many random positions of each game.
    pub per_game: Option<usize>,
    /// Seed of the random choice.
    pub seed: u64,
}

/// Which whole games are removed. Not for position files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFilter {
    /// Remove shorter games.
    pub min_plies: Option<usize>,
    /// Remove longer games.
    pub max_plies: Option<usize>,
    /// Remove games that ended for one of these reasons.
    pub end_reasons: Vec<GameEndReason>,
}

/// Which positions are removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionFilter {
    /// Before this move number, counted as in SFEN.
    pub min_number: Option<u32>,
    /// After this move number.
    pub max_number: Option<u32>,
    /// The score is larger, for either side.
    pub max_score: Option<Score>,
    /// A side is ahead by this much or more and loses the game.
    pub contradiction: Option<Score>,
    /// The side to move is in check.
    pub no_check: bool,
    /// The move that was played is a capture.
    pub no_capture: bool,
    /// The move that was played promotes.
    pub no_promotion: bool,
    /// The best move of the search was not played. Not for position files.
    pub best_only: bool,
}

impl fmt::Display for FilterConditions {
    /// As a line of the file header, without conditions that remove nothing.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("filter")?;
        let FilterConditions { games, positions, per_game, seed } = self;
        let end_reasons = games.end_reasons.iter().map(|reason| format!("no {reason}"));
        let options = [
            games.min_plies.map(|plies| format!("game from {plies} plies")),
            games.max_plies.map(|plies| format!("game to {plies} plies")),
            positions.min_number.map(|number| format!("from move {number}")),
            positions.max_number.map(|number| format!("to move {number}")),
            positions.max_score.map(|score| format!("score to {}", score.0)),
            positions.contradiction.map(|score| format!("no contradiction from {}", score.0)),
            per_game.map(|count| format!("{count} a game by seed {seed}")),
            positions.no_check.then(|| "no check".into()),
            positions.no_capture.then(|| "no capture".into()),
            positions.no_promotion.then(|| "no promotion".into()),
            positions.best_only.then(|| "first choices".into()),
        ];
        options
            .into_iter()
            .flatten()
            .chain(end_reasons)
            .try_for_each(|words| write!(f, "; {words}"))
    }
}

/// Copies the games and positions that pass the conditions to a new file.
///
/// # Errors
/// If a file cannot be read or written, or they are not of one kind.
pub fn filter(
    inputs: &[PathBuf],
    out: &Path,
    conditions: &FilterConditions,
    on_warning: OnWarning<'_>,
) -> Result<DatasetCounts, DatasetError> {
    let inputs = DatasetFile::open_alike(inputs)?;
    if let Some(not_in_format) =
        inputs.first().and_then(|input| conditions.not_in_format(input.kind()))
    {
        return Err(DatasetError::NotInFormat(not_in_format));
    }
    let mut output = DatasetWriter::like(out, &inputs, &conditions.to_string())?;
    let mut filter = Filter { conditions, number: 0, counts: DatasetCounts::default() };
    for input in inputs {
        input.read(on_warning, &mut |item| filter.take(item, &mut output))?;
    }
    output.finish()?;
    Ok(filter.counts)
}

impl FilterConditions {
    /// Names what files of this kind do not contain, if a condition needs it.
    fn not_in_format(&self, kind: DatasetKind) -> Option<&'static str> {
        let DatasetKind::Positions(format) = kind else { return None };
        let FilterConditions { games, positions, per_game, .. } = self;
        if per_game.is_some() || *games != GameFilter::default() {
            Some("which game a position is of")
        } else if positions.best_only {
            Some("what the search chose first")
        } else if format == PositionFormat::Hcpe
            && (positions.min_number.is_some() || positions.max_number.is_some())
        {
            Some("the number of a move")
        } else {
            None
        }
    }
}

struct Filter<'a> {
    conditions: &'a FilterConditions,
    /// Number of the next game.
    number: u64,
    counts: DatasetCounts,
}

impl Filter<'_> {
    fn take(&mut self, item: DatasetItem<'_>, output: &mut DatasetWriter) -> Result<(), ItemError> {
        match item {
            DatasetItem::Game(game) => {
                let scored = game.scored();
                self.counts.games.add(1, 0);
                self.counts.positions.add(scored, 0);
                if let Some(game) = self.game(game)? {
                    self.counts.games.add(0, 1);
                    self.counts.positions.add(0, game.scored());
                    output.push_game(&game)?;
                }
            }
            DatasetItem::Position(bytes, format) => {
                let scored = format.read(bytes).map_err(ItemError::skip)?;
                let keep = self.conditions.positions.keep_position(&scored)?;
                self.counts.positions.add(1, usize::from(keep));
                if keep {
                    output.push_position(bytes)?;
                }
            }
        }
        Ok(())
    }

    /// The game without the removed scores; `None` if the game itself is removed.
    fn game(&mut self, mut game: ScoredGame) -> Result<Option<ScoredGame>, ItemError> {
        self.number += 1;
        if !self.conditions.games.keep(&game) {
            return Ok(None);
        }
        let mut kept = Vec::new();
        let mut replay = Replay::new(&game).map_err(ItemError::skip)?;
        while let Some(sample) = replay.advance().map_err(ItemError::skip)? {
            if self.conditions.positions.keep_sample(&sample) {
                kept.push(sample.ply);
            }
        }
        if let Some(max) = self.conditions.per_game {
            Random::of_part(self.conditions.seed, self.number).shuffle(&mut kept);
            kept.truncate(max);
        }
        let mut is_kept = vec![false; game.plies.len()];
        kept.iter().for_each(|&ply| is_kept[ply] = true);
        for (ply, is_kept) in game.plies.iter_mut().zip(is_kept) {
            if !is_kept {
                ply.remove_score();
            }
        }
        Ok(Some(game))
    }
}

impl GameFilter {
    fn keep(&self, game: &ScoredGame) -> bool {
        self.min_plies.is_none_or(|min| game.plies.len() >= min)
            && self.max_plies.is_none_or(|max| game.plies.len() <= max)
            && !self.end_reasons.contains(&game.end.reason)
    }
}

impl PositionFilter {
    fn keep_sample(&self, sample: &GameSample<'_>) -> bool {
        let number = sample.position.game_ply();
        sample.score().is_some_and(|score| self.keep_values(number, score, sample.result()))
            && (sample.is_best() || !self.best_only)
            && self.keep_move(sample.position, sample.mv())
    }

    fn keep_position(&self, scored: &ScoredPosition) -> Result<bool, ItemError> {
        if !self.keep_values(scored.number.into(), Score(scored.score.into()), scored.result) {
            return Ok(false);
        }
        if !(self.no_check || self.no_capture || self.no_promotion) {
            return Ok(true);
        }
        let position = Position::from_setup(&scored.setup);
        let position = position.map_err(ItemError::skip)?;
        Ok(self.keep_move(&position, scored.mv))
    }

    fn keep_values(&self, number: u32, score: Score, result: i8) -> bool {
        let contradicts =
            |limit: Score| score >= limit && result < 0 || score <= -limit && result > 0;
        self.min_number.is_none_or(|min| number >= min)
            && self.max_number.is_none_or(|max| number <= max)
            && self.max_score.is_none_or(|max| score.0.abs() <= max.0)
            && !self.contradiction.is_some_and(contradicts)
    }

    fn keep_move(&self, position: &Position, mv: Move) -> bool {
        let takes = || mv.is_some() && position.is_capture(mv);
        !(self.no_check && position.in_check()
            || self.no_capture && takes()
            || self.no_promotion && mv.is_promotion())
    }
}
