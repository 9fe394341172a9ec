//! Labels positions of games with the values of a teacher.

use std::ops::Range;
use std::path::PathBuf;

use super::model::TeacherPool;
use super::predictions::{PackedPredictions, UnitPredictions};
use super::selection::{PlayedMove, PositionSelection, UnlabelledPosition, best_legal_move};
use super::wrong_values::WrongValues;
use crate::engine;
use crate::tools::game_file::{GameFileHeader, GameMove, ScoredGame};
use crate::tools::selfplay::{GameFailure, GameJob, RunTarget, SelfplayConfigError, StopState};
use crate::types::{Move, Score};

/// Values are clamped to this, because the logit of a sure win is infinite.
const MAX_VALUE: f32 = 0.996;

/// A job that makes a game of one move from each selected position, with the teacher's value as the score, its
/// most probable legal move or that of the original game, and the end of the original game.
#[derive(Debug)]
pub struct LabelConfig {
    pub out: PathBuf,
    pub positions: Option<u64>,
    /// Threads that prepare inputs; the teacher's processes come on top.
    pub threads: usize,
    pub selection: PositionSelection,
    /// A value v becomes the score s for which v is 2 / (1 + exp(-s / scale)) - 1.
    pub scale: f32,
    /// Keep the move of the game, and whether it was the best one of its search, instead of the teacher's.
    pub played_moves: bool,
    pub predictions: PredictionSource,
    /// What this run has found wrong; empty at first.
    pub wrong_values: WrongValues,
}

/// Where the predictions of the teacher come from.
#[derive(Debug)]
pub enum PredictionSource {
    Teacher(TeacherPool),
    /// What [`PredictConfig`](super::PredictConfig) has written; units without predictions are left out.
    Packed(PackedPredictions),
}

impl PredictionSource {
    /// Identifies the teacher in the header of the file.
    fn describe(&self, header: &mut GameFileHeader) {
        match self {
            PredictionSource::Teacher(pool) => header.set("teacher", pool.name()),
            PredictionSource::Packed(predictions) => {
                let name = predictions.value("teacher").unwrap_or_default();
                header.set("teacher", format!("{name} packed"));
                // Labels of more units would not begin where those of these end.
                if let Some(units) = predictions.incomplete_units() {
                    header.set("predictions", units);
                }
            }
        }
    }
}

impl GameJob for LabelConfig {
    type Worker<'a> = &'a StopState<'a>;

    fn target(&self) -> RunTarget<'_> {
        RunTarget { out: &self.out, positions: self.positions, threads: self.threads }
    }

    fn check(&self) -> Result<(), SelfplayConfigError> {
        match self.threads {
            0 => Err(SelfplayConfigError::NoThread),
            _ => self.selection.check(),
        }
    }

    fn header(&self, program: &str) -> GameFileHeader {
        let mut header = GameFileHeader::new();
        header.set("made by", "selfplay label");
        header.set("engine", engine::NAME);
        header.set("program", program);
        self.predictions.describe(&mut header);
        header.set("scale", self.scale);
        self.selection.describe(&mut header);
        if self.played_moves {
            header.set("moves", "played");
        }
        header
    }

    fn end_unit(&self) -> Option<u64> {
        Some(self.selection.units().end)
    }

    fn unit_after(&self, games: u64) -> Result<(u64, usize), String> {
        let units = self.selection.units();
        let (mut unit, mut remaining) = (units.start, games as usize);
        while remaining > 0 && unit < units.end {
            let count = self.label_count(unit)?;
            if count > remaining {
                break;
            }
            remaining -= count;
            unit += 1;
        }
        Ok((unit, remaining))
    }

    fn unit_name(&self, number: u64) -> String {
        let Range { start, end } = self.selection.games_of(number);
        format!("games {start} to {}", end - 1)
    }

    fn worker<'a>(&'a self, stop: &'a StopState<'a>) -> Result<&'a StopState<'a>, String> {
        Ok(stop)
    }

    fn play_unit(
        &self,
        number: u64,
        stop: &mut &StopState<'_>,
    ) -> Result<Vec<ScoredGame>, GameFailure> {
        if stop.must_abandon() {
            return Err(GameFailure::Abandoned);
        }
        let labels = match &self.predictions {
            PredictionSource::Teacher(pool) => self.predict(number, pool),
            PredictionSource::Packed(predictions) => {
                predictions.unit(number).map_or(Ok(Vec::new()), |unit| self.unpack(number, unit))
            }
        };
        labels.map_err(GameFailure::Impossible)
    }
}

impl LabelConfig {
    /// The number of labels of a unit.
    fn label_count(&self, unit: u64) -> Result<usize, String> {
        if let PredictionSource::Packed(predictions) = &self.predictions {
            return Ok(predictions.unit(unit).map_or(0, |unit| unit.predictions.len()));
        }
        let mut count = 0;
        self.selection.for_each(unit, &mut |_| count += 1)?;
        Ok(count)
    }

    fn predict(&self, unit: u64, pool: &TeacherPool) -> Result<Vec<ScoredGame>, String> {
        let (mut positions, mut inputs) = (Vec::new(), Vec::new());
        self.selection.for_each(unit, &mut |mut position| {
            inputs.push(position.input());
            positions.push((
                position.unlabelled(),
                position.legal_moves(),
                position.policy_indices(),
            ));
        })?;
        let predictions = pool.predict(&inputs)?;
        let mut games = Vec::with_capacity(positions.len());
        for ((position, moves, indices), prediction) in positions.into_iter().zip(&predictions) {
            self.wrong_values.check(&position.start, prediction.value)?;
            let best = best_legal_move(prediction, &indices).map(|number| moves[number]);
            games.push(self.label(position, prediction.value, best));
        }
        Ok(games)
    }

    fn unpack(&self, unit: u64, packed: &UnitPredictions) -> Result<Vec<ScoredGame>, String> {
        let (mut games, mut keys) = (Vec::with_capacity(packed.predictions.len()), Vec::new());
        self.selection.for_each(unit, &mut |position| {
            keys.extend(position.key().to_le_bytes());
            if let Some(prediction) = packed.predictions.get(games.len()) {
                let best = prediction.best();
                let best = best.and_then(|number| position.legal_moves().get(number).copied());
                games.push(self.label(position.unlabelled(), prediction.value(), best));
            }
        })?;
        if crc32fast::hash(&keys) != packed.positions_checksum
            || games.len() != packed.predictions.len()
        {
            return Err("the packed predictions belong to other positions".into());
        }
        Ok(games)
    }

    /// The game of one move, without a score if the value is not a number. `best` is the teacher's move, if it gives
    /// a legal one.
    fn label(&self, position: UnlabelledPosition, value: f32, best: Option<Move>) -> ScoredGame {
        let score = score_of(value, self.scale);
        let PlayedMove { mv: played, is_best } = position.played;
        let mut ply = match best.filter(|_| !self.played_moves) {
            Some(best) => GameMove::searched(best, score, true),
            None => GameMove::searched(played, score, self.played_moves && is_best),
        };
        if !value.is_finite() {
            // Not left out: a run continues after the number of games in the file.
            ply.remove_score();
        }
        ScoredGame { start: position.start, plies: vec![ply], end: position.end }
    }
}

fn score_of(value: f32, scale: f32) -> Score {
    let value = value.clamp(-MAX_VALUE, MAX_VALUE);
    Score::from_eval((scale * ((1.0 + value) / (1.0 - value)).ln()).round() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_converted_to_the_score_of_the_same_win_rate() {
        assert_eq!(score_of(0.0, 650.0), Score(0));
        let value = 2.0 / (1.0 + (-300.0_f32 / 650.0).exp()) - 1.0;
        assert_eq!(score_of(value, 650.0), Score(300));
        assert_eq!(score_of(-value, 650.0), Score(-300));
        assert_eq!(score_of(1.0, 650.0), score_of(0.999, 650.0));
        assert_eq!(score_of(-1.0, 650.0), Score(-4038));
    }

    /// Regression: with a large scale the labels of won positions were mate scores.
    #[test]
    fn a_label_is_never_a_mate_score() {
        assert_eq!(score_of(1.0, 5_000.0), Score::MAX_EVAL);
        assert_eq!(score_of(-1.0, 5_000.0), -Score::MAX_EVAL);
    }
}
