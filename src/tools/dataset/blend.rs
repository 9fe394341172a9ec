//! Mixes scores with the static evaluations of a network.
//!
//! Two evaluations that were trained on different data err in different positions, so their mean is better
//! than either (an ensemble), and a network can be trained on the mean.

use std::path::{Path, PathBuf};

use super::reader::{DatasetFile, DatasetItem, ItemError};
use super::win_rate::win_rate;
use super::writer::DatasetWriter;
use super::{DatasetCounts, DatasetError, OnWarning};
use crate::nnue::{Evaluator, Network};
use crate::position::Position;
use crate::record::scored_position::ScoredPosition;
use crate::tools::game_file::{GameMove, Replay, ScoredGame};
use crate::types::Score;

/// How scores become win rates, and how much the network counts.
#[derive(Clone, Debug)]
pub struct BlendConfig {
    pub network: Network,
    /// Identifies the network in the header of the file.
    pub network_name: String,
    /// Weight of the network in the mean of the win rates, 0 to 1.
    pub weight: f64,
    /// A score s of the files is the win rate 1 / (1 + exp(-s / scale)).
    pub scale: f64,
    /// `scale` for the static evaluations of the network.
    pub network_scale: f64,
}

/// Copies files with every score replaced by the mean of the win rates of the score and of
/// the static evaluation, as a score with `scale`. Scores beyond those of evaluations,
/// such as mates, stay as they are.
///
/// # Errors
/// If a file cannot be read or written, or they are not of one kind.
pub fn blend(
    inputs: &[PathBuf],
    out: &Path,
    config: &BlendConfig,
    on_warning: OnWarning<'_>,
) -> Result<DatasetCounts, DatasetError> {
    let BlendConfig { network_name, weight, scale, network_scale, .. } = config;
    let inputs = DatasetFile::open_alike(inputs)?;
    let what = format!("blend; {network_name}; weight {weight}; scales {scale} {network_scale}");
    let mut output = DatasetWriter::like(out, &inputs, &what)?;
    let mut blender = Blender {
        config,
        evaluator: Evaluator::new(config.network.clone(), &Position::startpos()),
        counts: DatasetCounts::default(),
    };
    for input in inputs {
        input.read(on_warning, &mut |item| blender.take(item, &mut output))?;
    }
    output.finish()?;
    Ok(blender.counts)
}

struct Blender<'a> {
    config: &'a BlendConfig,
    evaluator: Evaluator,
    counts: DatasetCounts,
}

impl Blender<'_> {
    fn take(&mut self, item: DatasetItem<'_>, output: &mut DatasetWriter) -> Result<(), ItemError> {
        match item {
            DatasetItem::Game(game) => {
                let scored = game.scored();
                output.push_game(&self.blended_game(game)?)?;
                self.counts.games.add(1, 1);
                self.counts.positions.add(scored, scored);
            }
            DatasetItem::Position(bytes, format) => {
                let scored = format.read(bytes).map_err(ItemError::skip)?;
                let position = Position::from_setup(&scored.setup).map_err(ItemError::skip)?;
                let score = self.blended_score(&position, Score(scored.score.into())).0 as i16;
                let mut blended = Vec::with_capacity(format.size());
                format
                    .write(&ScoredPosition { score, ..scored }, &mut blended)
                    .map_err(ItemError::skip)?;
                output.push_position(&blended)?;
                self.counts.positions.add(1, 1);
            }
        }
        Ok(())
    }

    fn blended_game(&mut self, game: ScoredGame) -> Result<ScoredGame, ItemError> {
        let mut plies = game.plies.clone();
        let mut replay = Replay::new(&game).map_err(ItemError::skip)?;
        while let Some(sample) = replay.advance().map_err(ItemError::skip)? {
            if let Some(score) = sample.score() {
                let score = self.blended_score(sample.position, score);
                plies[sample.ply] = GameMove::searched(sample.mv(), score, sample.is_best());
            }
        }
        Ok(ScoredGame { plies, ..game })
    }

    fn blended_score(&mut self, position: &Position, score: Score) -> Score {
        if score.0.abs() > Score::MAX_EVAL.0 {
            return score;
        }
        let BlendConfig { weight, scale, network_scale, .. } = *self.config;
        self.evaluator.reset(position);
        let evaluation = self.evaluator.evaluate(position);
        let mean = |sign: i32| {
            let rate = |score: Score, scale| win_rate(Score(sign * score.0), scale);
            (1.0 - weight) * rate(score, scale) + weight * rate(evaluation, network_scale)
        };
        // The logit. Each win rate is computed by itself: one minus the other would round to zero.
        Score::from_eval((scale * (mean(1) / mean(-1)).ln()).round() as i32)
    }
}
