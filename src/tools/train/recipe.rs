//! What decides the outcome of a training besides the games: every setting, as a value and as text.
//!
//! A setting is one row of [`SETTINGS`]. Flags of the program, files of settings and the head of a
//! checkpoint are all made from the rows. The number of threads is no setting: it changes nothing.

use std::fmt;
use std::path::PathBuf;

use super::objective::{LossFunction, Objective};
use super::ranking::RankingLoss;
use super::rng_streams::COMPARISONS;
use super::sample::MOST_STACKS;
use super::scales::QuantScales;
use super::schedule::LrSchedule;
use crate::nnue::{Architecture, Buckets, BucketsError, FeatureSet, Topology};

mod settings;
#[cfg(test)]
mod tests;

pub use settings::{RecipeSetting, SETTINGS};

/// All settings of a training.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// Features and sizes of the net.
    pub net: NetSize,
    /// How a stack of layers is chosen; a classic net has none.
    pub buckets: Option<String>,
    /// Whether the rows of an input for all squares of the king share a part.
    pub factorizer: bool,
    /// Whether every second epoch sees a position mirrored.
    pub mirror: bool,
    /// A net to begin with.
    pub init: Option<PathBuf>,
    pub filter: PositionFilter,
    /// Share of what later searches of the game say in the score of a position.
    pub foresight: f32,
    /// Games of a thousand that are held out.
    pub held_out: u32,
    /// Most positions of held-out games that are looked at.
    pub held_out_positions: usize,
    /// What a wrong winning probability costs.
    pub loss: LossFunction,
    /// Share of the search's score in what is learned.
    pub lambda: f32,
    /// The same in the end, if it is to change.
    pub final_lambda: Option<f32>,
    /// The score at which a side wins `e` times as often as it loses, of the games that are learned
    /// from and of the net to begin with.
    pub win_rate_scale: f32,
    /// The same of the net that is made, if its scores are to have another unit.
    pub output_scale: Option<f32>,
    /// How much it counts that the best move is told from others; 0: moves are not looked at.
    pub moves: f32,
    /// So many others.
    pub rivals: usize,
    /// How surely the best of two moves is chosen, by the difference of their values.
    pub sharpness: f32,
    /// How often every position is learned from.
    pub epochs: u32,
    /// Positions of a step.
    pub batch: usize,
    /// The learning rate at its highest and in the end.
    pub learning_rate: [f32; 2],
    pub fall: LrSchedule,
    /// Share of the steps in which the learning rate rises.
    pub warm_up: f32,
    pub weight_decay: f32,
    /// How much of the running mean of the weights stays in a step.
    pub average: f32,
    /// Share of the steps, at the end, in which the net is rounded as in the file part by part.
    pub rounding: f32,
    /// What the output of the file is divided by to make a score.
    pub fv_scale: u32,
    pub seed: u64,
    /// How often in all the held-out positions are looked at.
    pub reports: u32,
    /// Reports without a better one after which only rounding is left; 0 for never.
    pub patience: u32,
}

/// Which positions are learned from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PositionFilter {
    /// Also those in check.
    pub checks: bool,
    /// Also those in which the move that was played captures or promotes.
    pub noisy: bool,
    /// Whether several equal positions are learned from.
    pub repeats: bool,
    /// The largest score.
    pub max_score: i32,
    /// Moves of a game before the first position.
    pub first_ply: usize,
    /// Most positions of a game; 0 for all.
    pub per_game: usize,
}

/// Features and sizes of a net, in a text such as `HalfKA_hm2 256x2-32-32`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetSize {
    pub features: FeatureSet,
    pub width: usize,
    pub h1: usize,
    pub h2: usize,
}

impl Default for Recipe {
    /// What suits some millions of positions and the smallest net.
    fn default() -> Recipe {
        Recipe {
            net: NetSize { features: FeatureSet::KP, width: 256, h1: 32, h2: 32 },
            buckets: None,
            factorizer: true,
            mirror: true,
            init: None,
            filter: PositionFilter {
                checks: false,
                noisy: false,
                repeats: false,
                max_score: 3000,
                first_ply: 0,
                per_game: 0,
            },
            foresight: 0.0,
            held_out: 20,
            held_out_positions: 100_000,
            loss: LossFunction::Entropy,
            lambda: 0.7,
            final_lambda: None,
            win_rate_scale: 600.0,
            output_scale: None,
            moves: 0.0,
            rivals: 7,
            sharpness: 10.0,
            epochs: 5,
            batch: 4096,
            learning_rate: [1e-3, 1e-5],
            fall: LrSchedule::Cosine,
            warm_up: 0.03,
            weight_decay: 0.0,
            average: 0.998,
            rounding: 0.2,
            fv_scale: 16,
            seed: 1,
            reports: 40,
            patience: 0,
        }
    }
}

/// Why there is no such recipe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecipeError {
    /// No setting has this name.
    Unknown(String),
    /// The setting of this name cannot have this value, but what follows.
    Value {
        name: &'static str,
        value: String,
        wanted: String,
    },
    /// A line of text, from 1, is no `name = value`.
    Line(usize),
    /// The engine has no such nets.
    Net(Architecture),
    Buckets(BucketsError),
    /// More stacks of layers than a sample can name.
    Stacks(usize),
    /// The stacks of this mode are not the same for a position and its mirror image.
    Mirror(String),
}

impl fmt::Display for RecipeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecipeError::Unknown(name) => write!(f, "there is no setting {name:?}"),
            RecipeError::Value { name, value, wanted } => {
                write!(f, "{name} cannot be {value:?}, but {wanted}")
            }
            RecipeError::Line(line) => write!(f, "line {line} is no `name = value`"),
            RecipeError::Net(net) => write!(
                f,
                "the engine reads no net {net}: widths are multiples of 32 from 64 to 2304, \
                 outputs of layers multiples of 8 to 128, one less where there is a shortcut"
            ),
            RecipeError::Buckets(error) => error.fmt(f),
            RecipeError::Stacks(count) => {
                write!(f, "nets of {count} stacks are not trained, but of {MOST_STACKS} at most")
            }
            RecipeError::Mirror(mode) => write!(
                f,
                "{mode} chooses other stacks for mirror images; set mirror to false, or take \
                 another mode"
            ),
        }
    }
}

impl std::error::Error for RecipeError {}

impl Recipe {
    /// Changes a setting.
    ///
    /// # Errors
    /// If there is none of this name, or it cannot have the value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), RecipeError> {
        let setting = SETTINGS.iter().find(|setting| setting.name == name);
        let setting = setting.ok_or_else(|| RecipeError::Unknown(name.into()))?;
        (setting.set)(self, value.trim()).ok_or_else(|| RecipeError::Value {
            name: setting.name,
            value: value.into(),
            wanted: setting.wanted.into(),
        })
    }

    /// Changes settings by lines of `name = value`; what follows `#` at the start or behind a blank is
    /// a remark.
    ///
    /// # Errors
    /// The first line that is wrong.
    pub fn set_all(&mut self, text: &str) -> Result<(), RecipeError> {
        for (number, line) in text.lines().enumerate() {
            let line = without_remark(line).trim();
            if line.is_empty() {
                continue;
            }
            let (name, value) = line.split_once('=').ok_or(RecipeError::Line(number + 1))?;
            self.set(name.trim(), value)?;
        }
        Ok(())
    }

    /// The net to be trained and how a stack of its layers is chosen.
    ///
    /// # Errors
    /// If the engine has no such nets, or they are not trained.
    pub fn architecture(&self) -> Result<(Architecture, Buckets), RecipeError> {
        let NetSize { features, width, h1, h2 } = self.net;
        let (topology, buckets) = match &self.buckets {
            None => (Topology::Classic, Buckets::One),
            Some(mode) => {
                let buckets = match mode.as_str() {
                    "one" => Buckets::One,
                    mode => Buckets::parse(mode, None).map_err(RecipeError::Buckets)?,
                };
                if buckets.count() > MOST_STACKS {
                    return Err(RecipeError::Stacks(buckets.count()));
                }
                if self.mirror && !buckets.is_mirror_symmetric() {
                    return Err(RecipeError::Mirror(mode.clone()));
                }
                let shortcut = h1 % 8 == 7;
                (Topology::Sfnn { stacks: buckets.count(), shortcut }, buckets)
            }
        };
        let architecture = Architecture { features, width, h1, h2, topology };
        if crate::nnue::file::is_readable(&architecture) {
            Ok((architecture, buckets))
        } else {
            Err(RecipeError::Net(architecture))
        }
    }

    /// The goal when this share of the steps is made.
    pub(super) fn goal(&self, done: f32) -> Objective {
        let lambda = self.lambda + done * (self.final_lambda.unwrap_or(self.lambda) - self.lambda);
        Objective { loss: self.loss, lambda, win_rate_scale: self.win_rate_scale }
    }

    /// How best moves are compared with others, if they are.
    pub(super) fn comparison(&self, buckets: Buckets) -> Option<RankingLoss> {
        let Recipe { moves, rivals, sharpness, seed, .. } = *self;
        let seed = seed ^ COMPARISONS;
        (moves > 0.0).then_some(RankingLoss { weight: moves, rivals, sharpness, buckets, seed })
    }

    /// The score for an output of 1 of the net that is made.
    pub(super) fn score_unit(&self) -> f32 {
        self.output_scale.unwrap_or(self.win_rate_scale)
    }

    pub(super) fn scales(&self) -> QuantScales {
        QuantScales::new(self.score_unit(), self.fv_scale)
    }

    /// The settings in which two recipes differ: name, value here, value there.
    pub fn differences(&self, other: &Recipe) -> Vec<(&'static str, String, String)> {
        let both = SETTINGS.iter().map(|s| (s.name, (s.show)(self), (s.show)(other)));
        both.filter(|(_, here, there)| here != there).collect()
    }
}

/// A `#` within a word belongs to it: names of files may have one.
fn without_remark(line: &str) -> &str {
    let begins = |at: usize| line[..at].chars().next_back().is_none_or(char::is_whitespace);
    let remark = line.match_indices('#').map(|(at, _)| at).find(|&at| begins(at));
    &line[..remark.unwrap_or(line.len())]
}

impl fmt::Display for Recipe {
    /// Lines that [`Recipe::set_all`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut settings = SETTINGS.iter();
        settings.try_for_each(|setting| writeln!(f, "{} = {}", setting.name, (setting.show)(self)))
    }
}

impl fmt::Display for NetSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.features.name().trim_end_matches("(Friend)");
        write!(f, "{name} {}x2-{}-{}", self.width, self.h1, self.h2)
    }
}

impl NetSize {
    /// The reverse of its text. Letter case does not matter; a colon may stand for the blank, and
    /// `K-P` for `K+P`.
    fn parse(text: &str) -> Option<NetSize> {
        let (name, sizes) = text.split_once([' ', ':'])?;
        let plain = |name: &str| name.trim_end_matches("(Friend)").replace('-', "+");
        let features = FeatureSet::ALL
            .into_iter()
            .find(|set| plain(set.name()).eq_ignore_ascii_case(&plain(name)))?;
        let (width, layers) = sizes.trim().split_once("x2-")?;
        let (h1, h2) = layers.split_once('-')?;
        let number = |text: &str| text.parse().ok();
        Some(NetSize { features, width: number(width)?, h1: number(h1)?, h2: number(h2)? })
    }
}
