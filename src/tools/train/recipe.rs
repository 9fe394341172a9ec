//! The settings of a training, as values and as text.
//!
//! [`SETTINGS`] has one row per setting, from which the flags of the program, files of settings and
//! the header of a checkpoint are derived. The number of threads is not a setting, because it does
//! not change the result.

use std::fmt;

use super::objective::Objective;
use super::ranking::RankingLoss;
use super::rng_streams::RANKING;
use super::sample::MAX_STACKS;
use super::scales::QuantScales;
use crate::nnue::{
    Architecture, Buckets, BucketsError, MAX_CLASSIC_WIDTH, MAX_OUTPUTS, MAX_WIDTH, Topology,
};

mod settings;
#[cfg(test)]
mod tests;
mod values;

pub use settings::{RecipeSetting, SETTINGS};
pub use values::{NetworkShape, Recipe, SampleFilter};

/// Why a recipe is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecipeError {
    /// No setting has this name.
    Unknown(String),
    /// The setting of this name does not accept this value.
    Value {
        name: &'static str,
        value: String,
        wanted: String,
    },
    /// The line of this number, from 1, is not `name = value`.
    Line(usize),
    /// The engine does not support this architecture.
    Architecture(Architecture),
    Buckets(BucketsError),
    /// The mode depends on progress, whose coefficients are not trained.
    Progress(String),
    /// More layer stacks than a sample can refer to.
    Stacks(usize),
    /// The mode is not mirror symmetric, and `mirror` is set.
    Mirror(String),
}

impl fmt::Display for RecipeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecipeError::Unknown(name) => write!(f, "there is no setting {name:?}"),
            RecipeError::Value { name, value, wanted } => {
                write!(f, "{name} must be {wanted}, not {value:?}")
            }
            RecipeError::Line(line) => write!(f, "line {line} is not `name = value`"),
            RecipeError::Architecture(net) => write!(
                f,
                "the engine does not support {net}: widths are multiples of 32 up to \
                 {MAX_CLASSIC_WIDTH}, or {MAX_WIDTH} with layer stacks, outputs of layers multiples \
                 of 8 up to {MAX_OUTPUTS}, one less with a shortcut"
            ),
            RecipeError::Buckets(error) => error.fmt(f),
            RecipeError::Progress(mode) => write!(
                f,
                "networks with the bucket mode {mode} cannot be trained: it needs coefficients of \
                 the progress of a game; use a mode of kings or hands, such as k3k3"
            ),
            RecipeError::Stacks(count) => {
                write!(f, "{count} layer stacks are too many to train; at most {MAX_STACKS}")
            }
            RecipeError::Mirror(mode) => write!(
                f,
                "{mode} selects other stacks for mirror images; set mirror to false, or use \
                 another mode"
            ),
        }
    }
}

impl std::error::Error for RecipeError {}

impl Recipe {
    /// Changes a setting, by its name or an earlier one.
    ///
    /// # Errors
    /// If there is no such setting, or it does not accept the value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), RecipeError> {
        // Checkpoints of earlier versions have the earlier names.
        let name = match name {
            "net" => "architecture",
            "buckets" => "bucket-mode",
            name => name,
        };
        let setting = SETTINGS.iter().find(|setting| setting.name == name);
        let setting = setting.ok_or_else(|| RecipeError::Unknown(name.into()))?;
        (setting.set)(self, value.trim()).ok_or_else(|| RecipeError::Value {
            name: setting.name,
            value: value.into(),
            wanted: setting.wanted.into(),
        })
    }

    /// Changes settings by lines of `name = value`; `#` at the start or after a space starts a
    /// comment.
    ///
    /// # Errors
    /// For the first invalid line.
    pub fn set_all(&mut self, text: &str) -> Result<(), RecipeError> {
        self.set_lines(text.lines().map(without_comment))
    }

    /// Changes settings by the lines that [`Display`](fmt::Display) writes. They have no comments: in a path, `#` may
    /// be after a space.
    ///
    /// # Errors
    /// For the first invalid line.
    pub(super) fn set_shown(&mut self, text: &str) -> Result<(), RecipeError> {
        self.set_lines(text.lines())
    }

    fn set_lines<'a>(&mut self, lines: impl Iterator<Item = &'a str>) -> Result<(), RecipeError> {
        for (index, line) in lines.enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let (name, value) = line.split_once('=').ok_or(RecipeError::Line(index + 1))?;
            self.set(name.trim(), value)?;
        }
        Ok(())
    }

    /// The architecture of the network and its buckets.
    ///
    /// # Errors
    /// If the engine does not support it, or it cannot be trained.
    pub fn architecture(&self) -> Result<(Architecture, Buckets), RecipeError> {
        let NetworkShape { features, width, h1, h2 } = self.shape;
        let (topology, buckets) = match &self.bucket_mode {
            None => (Topology::Classic, Buckets::One),
            Some(mode) => {
                let buckets = match mode.as_str() {
                    "one" => Buckets::One,
                    mode => Buckets::parse(mode, None).map_err(|error| match error {
                        BucketsError::NoProgress(mode) => RecipeError::Progress(mode),
                        unknown => RecipeError::Buckets(unknown),
                    })?,
                };
                if buckets.count() > MAX_STACKS {
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
            Err(RecipeError::Architecture(architecture))
        }
    }

    /// The objective after this share of the steps.
    pub(super) fn objective(&self, done: f32) -> Objective {
        let lambda = self.lambda + done * (self.final_lambda.unwrap_or(self.lambda) - self.lambda);
        Objective { loss: self.loss, lambda, sigmoid_scale: self.sigmoid_scale }
    }

    /// The ranking loss, if it is enabled.
    pub(super) fn ranking(&self, buckets: Buckets) -> Option<RankingLoss> {
        let weight = self.ranking_weight;
        (weight > 0.0).then_some(RankingLoss {
            weight,
            negatives: self.ranking_negatives,
            sharpness: self.sharpness,
            buckets,
            seed: self.seed ^ RANKING,
        })
    }

    /// The score for an output of 1 of the trained network.
    pub(super) fn score_unit(&self) -> f32 {
        self.output_scale.unwrap_or(self.sigmoid_scale)
    }

    pub(super) fn scales(&self) -> QuantScales {
        QuantScales::new(self.score_unit(), self.fv_scale)
    }

    /// The settings that differ: the name, the own value, and the value of the other recipe.
    pub fn differences(&self, other: &Recipe) -> Vec<(&'static str, String, String)> {
        let both = SETTINGS.iter().map(|s| (s.name, (s.show)(self), (s.show)(other)));
        both.filter(|(_, own, others)| own != others).collect()
    }
}

/// A `#` inside a word is not a comment: file names may contain one.
fn without_comment(line: &str) -> &str {
    let begins = |at: usize| line[..at].chars().next_back().is_none_or(char::is_whitespace);
    let comment = line.match_indices('#').map(|(at, _)| at).find(|&at| begins(at));
    &line[..comment.unwrap_or(line.len())]
}

impl fmt::Display for Recipe {
    /// Lines that `set_shown` reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut settings = SETTINGS.iter();
        settings.try_for_each(|setting| writeln!(f, "{} = {}", setting.name, (setting.show)(self)))
    }
}
