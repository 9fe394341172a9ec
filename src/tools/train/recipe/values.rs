//! The settings of a training as values, with their defaults.

use std::fmt;
use std::path::PathBuf;

use crate::nnue::FeatureSet;
use crate::tools::train::objective::LossFunction;
use crate::tools::train::schedule::LrSchedule;

/// All settings of a training.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// Features and sizes of the network.
    pub shape: NetworkShape,
    /// The bucket mode; `None` for a classic network.
    pub bucket_mode: Option<String>,
    /// Whether king buckets have shared rows apart from their own.
    pub factorizer: bool,
    /// Whether every other epoch sees a position mirrored.
    pub mirror: bool,
    /// The initial network: a network file or a checkpoint.
    pub init: Option<PathBuf>,
    pub filter: SampleFilter,
    /// The lambda of TD(lambda): the share of later searches in the score of a position.
    pub td_lambda: f32,
    /// Held-out games, per mille.
    pub held_out_permille: u32,
    /// Maximum number of held-out positions.
    pub held_out_positions: usize,
    pub loss: LossFunction,
    /// The weight of the score in the target; the result has the rest.
    pub lambda: f32,
    /// `lambda` at the end, if it changes.
    pub final_lambda: Option<f32>,
    /// A score of the games or of the initial network is the win rate
    /// `sigmoid(score / sigmoid_scale)`.
    pub sigmoid_scale: f32,
    /// `sigmoid_scale` of the trained network, if it differs.
    pub output_scale: Option<f32>,
    /// The weight of the ranking loss; 0 disables it.
    pub ranking_weight: f32,
    /// Other moves that the best one is compared with.
    pub ranking_negatives: usize,
    /// The inverse temperature of the ranking softmax.
    pub sharpness: f32,
    pub epochs: u32,
    /// Positions per step.
    pub batch: usize,
    /// The maximum and the final learning rate.
    pub learning_rate: [f32; 2],
    pub lr_schedule: LrSchedule,
    /// The share of the steps in which the learning rate rises.
    pub warm_up: f32,
    pub weight_decay: f32,
    /// The decay of the EMA of the weights per step.
    pub ema_decay: f32,
    /// The share of the steps, at the end, in which the network is quantised part by part.
    pub quantize_share: f32,
    /// The divisor of the output of the file.
    pub fv_scale: u32,
    pub seed: u64,
    /// The number of reports.
    pub reports: u32,
    /// Reports without an improvement before early stopping; 0 for never.
    pub patience: u32,
}

/// Which positions are used for training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleFilter {
    /// Includes positions in check.
    pub checks: bool,
    /// Includes positions in which the played move captures or promotes.
    pub noisy: bool,
    /// Includes positions that occurred before.
    pub repeats: bool,
    /// The largest absolute score.
    pub max_score: i32,
    /// Plies of a game before the first position.
    pub first_ply: usize,
    /// Maximum number of positions of a game; 0 for all.
    pub per_game: usize,
}

/// Features and sizes of a network; the text is for example `HalfKA_hm2 256x2-32-32`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkShape {
    pub features: FeatureSet,
    pub width: usize,
    pub h1: usize,
    pub h2: usize,
}

impl Default for Recipe {
    /// Settings for a few million positions and the smallest network.
    fn default() -> Recipe {
        Recipe {
            shape: NetworkShape { features: FeatureSet::KP, width: 256, h1: 32, h2: 32 },
            bucket_mode: None,
            factorizer: true,
            mirror: true,
            init: None,
            filter: SampleFilter {
                checks: false,
                noisy: false,
                repeats: false,
                max_score: 3000,
                first_ply: 0,
                per_game: 0,
            },
            td_lambda: 0.0,
            held_out_permille: 20,
            held_out_positions: 100_000,
            loss: LossFunction::CrossEntropy,
            lambda: 0.7,
            final_lambda: None,
            sigmoid_scale: 600.0,
            output_scale: None,
            ranking_weight: 0.0,
            ranking_negatives: 7,
            sharpness: 10.0,
            epochs: 5,
            batch: 4096,
            learning_rate: [1e-3, 1e-5],
            lr_schedule: LrSchedule::Cosine,
            warm_up: 0.03,
            weight_decay: 0.0,
            ema_decay: 0.998,
            quantize_share: 0.2,
            fv_scale: 16,
            seed: 1,
            reports: 40,
            patience: 0,
        }
    }
}

impl fmt::Display for NetworkShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.features.name().trim_end_matches("(Friend)");
        write!(f, "{name} {}x2-{}-{}", self.width, self.h1, self.h2)
    }
}

impl NetworkShape {
    /// Parses the text, ignoring letter case; a colon may replace the space, and `K-P` is `K+P`.
    pub(super) fn parse(text: &str) -> Option<NetworkShape> {
        let (name, sizes) = text.split_once([' ', ':'])?;
        let plain = |name: &str| name.trim_end_matches("(Friend)").replace('-', "+");
        let features = FeatureSet::ALL
            .into_iter()
            .find(|set| plain(set.name()).eq_ignore_ascii_case(&plain(name)))?;
        let (width, layers) = sizes.trim().split_once("x2-")?;
        let (h1, h2) = layers.split_once('-')?;
        let number = |text: &str| text.parse().ok();
        Some(NetworkShape { features, width: number(width)?, h1: number(h1)?, h2: number(h2)? })
    }
}
