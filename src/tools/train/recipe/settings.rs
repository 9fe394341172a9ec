//! The table of settings.

use std::str::FromStr;

use super::values::{NetworkShape, Recipe};
use crate::tools::train::objective::LossFunction;
use crate::tools::train::schedule::LrSchedule;

/// A setting.
pub struct RecipeSetting {
    /// Its name as a flag, in files and in checkpoints.
    pub name: &'static str,
    /// The accepted values, for messages.
    pub(super) wanted: &'static str,
    pub help: &'static str,
    /// `None` if the value is not accepted.
    pub(super) set: fn(&mut Recipe, &str) -> Option<()>,
    pub(super) show: fn(&Recipe) -> String,
}

impl RecipeSetting {
    /// The default value as text.
    pub fn default(&self) -> String {
        (self.show)(&Recipe::default())
    }
}

impl std::fmt::Debug for RecipeSetting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// Parses a number of this range, including the end.
fn number<T: FromStr + PartialOrd>(text: &str, from: T, to: T) -> Option<T> {
    text.parse().ok().filter(|number| (from..=to).contains(number))
}

fn put<T>(to: &mut T, value: Option<T>) -> Option<()> {
    *to = value?;
    Some(())
}

fn optional<T>(text: &str, parse: impl Fn(&str) -> Option<T>) -> Option<Option<T>> {
    if text == NOTHING { Some(None) } else { parse(text).map(Some) }
}

const NOTHING: &str = "none";

fn shown<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| NOTHING.into(), |value| value.to_string())
}

fn loss(text: &str) -> Option<LossFunction> {
    match text.strip_prefix("power") {
        Some(power) => number(power, 1.5, 4.0).map(LossFunction::Power),
        None => (text == "entropy").then_some(LossFunction::CrossEntropy),
    }
}

fn show_loss(recipe: &Recipe) -> String {
    match recipe.loss {
        LossFunction::CrossEntropy => "entropy".into(),
        LossFunction::Power(power) => format!("power{power}"),
    }
}

// The casts allow to write the bounds of floats as integers.
macro_rules! number {
    ($name:literal, $($field:ident).+ $([$at:literal])?,
     $from:literal to $to:literal, $help:literal) => {
        RecipeSetting {
            name: $name,
            wanted: concat!("a number from ", $from, " to ", $to),
            help: $help,
            set: |recipe, text| {
                put(&mut recipe.$($field).+ $([$at])?, number(text, $from as _, $to as _))
            },
            show: |recipe| recipe.$($field).+ $([$at])?.to_string(),
        }
    };
}

macro_rules! flag {
    ($name:literal, $($field:ident).+, $help:literal) => {
        RecipeSetting {
            name: $name,
            wanted: "true or false",
            help: $help,
            set: |recipe, text| put(&mut recipe.$($field).+, text.parse().ok()),
            show: |recipe| recipe.$($field).+.to_string(),
        }
    };
}

/// All settings, the most used ones first.
pub static SETTINGS: &[RecipeSetting] = &[
    RecipeSetting {
        name: "architecture",
        wanted: "features and sizes such as \"K-P 256x2-32-32\" or HalfKA_hm2:256x2-32-32",
        help: "Features and sizes of the network: K-P (or K+P), HalfKP, HalfKP_vm, K+A2, HalfKA1, \
               HalfKA2, HalfKA_hm1, HalfKA_hm2 or ZoneKA_hm1, a space or colon, then WIDTHx2-H1-H2",
        set: |recipe, text| put(&mut recipe.shape, NetworkShape::parse(text)),
        show: |recipe| recipe.shape.to_string(),
    },
    RecipeSetting {
        name: "bucket-mode",
        wanted: "none, one, or a mode of LS_BUCKET_MODE without progress",
        help: "How a layer stack is selected, such as k3k3, for an SFNN network; one: an SFNN \
               network with one stack; none: a classic network",
        set: |recipe, text| {
            put(&mut recipe.bucket_mode, optional(text, |text| Some(text.to_ascii_lowercase())))
        },
        show: |recipe| shown(recipe.bucket_mode.as_ref()),
    },
    flag!(
        "factorizer",
        factorizer,
        "Train rows that all king buckets share besides their own; they are added to these when \
         the network is written"
    ),
    flag!("mirror", mirror, "Train on each position and on its mirror image in turn"),
    RecipeSetting {
        name: "init",
        wanted: "none, or a network file or a checkpoint",
        help: "The initial network: a network file, or a checkpoint, whose weights are not rounded to \
               those of a file",
        set: |recipe, text| put(&mut recipe.init, optional(text, |text| Some(text.into()))),
        show: |recipe| shown(recipe.init.as_ref().map(|path| path.display())),
    },
    number!("epochs", epochs, 1 to 1000, "Passes over all positions"),
    number!("batch", batch, 16 to 1_048_576, "Positions per step"),
    number!("lr", learning_rate[0], 0 to 1, "The maximum learning rate"),
    number!("final-lr", learning_rate[1], 0 to 1, "The final learning rate"),
    RecipeSetting {
        name: "lr-schedule",
        wanted: LrSchedule::WANTED,
        help: "How the learning rate decreases: cosine, linear, constant, or stepN: in N equal \
               steps, each by the same factor",
        set: |recipe, text| put(&mut recipe.lr_schedule, LrSchedule::parse(text)),
        show: |recipe| recipe.lr_schedule.to_string(),
    },
    number!("warm-up", warm_up, 0 to 1,
        "Share of the steps before the quantisation in which the learning rate rises"),
    number!("weight-decay", weight_decay, 0 to 100,
        "Decoupled weight decay per step, as a multiple of the learning rate"),
    number!("lambda", lambda, 0 to 1,
        "Weight of the search's score in the target; the game's result has the rest"),
    RecipeSetting {
        name: "final-lambda",
        wanted: "none or a number from 0 to 1",
        help: "Lambda at the end of the training, if it changes",
        set: |recipe, text| {
            put(&mut recipe.final_lambda, optional(text, |text| number(text, 0.0, 1.0)))
        },
        show: |recipe| shown(recipe.final_lambda),
    },
    number!("td-lambda", td_lambda, 0 to 0.99,
        "The lambda of TD(lambda): the share of the searches of later moves in the score of a \
         position; 0: its own search alone"),
    number!("scale", sigmoid_scale, 50 to 5000,
        "Scale of the sigmoid: a score is the win rate 1 / (1 + exp(-score / scale)) \
         (a pawn is 90); the value that fits the games is printed at the start"),
    RecipeSetting {
        name: "output-scale",
        wanted: "none or a number from 50 to 5000",
        help: "The scale of the trained network, to make its scores larger or smaller than those \
               of the games, for example those that the search was tuned with; none: scale",
        set: |recipe, text| {
            put(&mut recipe.output_scale, optional(text, |text| number(text, 50.0, 5000.0)))
        },
        show: |recipe| shown(recipe.output_scale),
    },
    RecipeSetting {
        name: "loss",
        wanted: "entropy, or power with a number from 1.5 to 4 such as power2.5",
        help: "The loss of a win rate: entropy, or a power of its error (power2.5)",
        set: |recipe, text| put(&mut recipe.loss, loss(text)),
        show: show_loss,
    },
    number!("ranking-weight", ranking_weight, 0 to 10,
        "Weight of the ranking loss: the position after the search's best move, if that is quiet, \
         should be worth more than those after other quiet moves; 0: none"),
    number!("ranking-negatives", ranking_negatives, 1 to 100,
        "Other moves that the best one is compared with, chosen at random each time"),
    number!("sharpness", sharpness, 0.1 to 100,
        "Inverse temperature of the ranking softmax, per unit of scale"),
    number!("ema-decay", ema_decay, 0 to 0.99999,
        "Decay per step of the exponential moving average of the weights"),
    number!("quantize-share", quantize_share, 0 to 1,
        "Share of all steps, at the end, in which the network is quantised part by part, so that \
         the other parts can compensate"),
    number!("fv-scale", fv_scale, 1 to 128,
        "The divisor that turns the output of the network into a score; it is written into the file"),
    number!("max-score", filter.max_score, 1 to 32_000,
        "Skip positions with a larger score; 32000 skips none, not even mates"),
    number!("first-ply", filter.first_ply, 0 to 1000,
        "Skip this number of plies of each game; plies that were not searched are always skipped"),
    number!("per-game", filter.per_game, 0 to 1000,
        "Maximum number of positions of a game, chosen at random; 0: all"),
    flag!("checks", filter.checks, "Include positions in check"),
    flag!("noisy", filter.noisy, "Include positions in which the played move captures or promotes"),
    flag!("repeats", filter.repeats, "Include positions that occurred before"),
    number!("held-out", held_out_permille, 0 to 500,
        "Games per mille that are used for validation, not for training"),
    number!("held-out-positions", held_out_positions, 1 to 10_000_000,
        "Maximum number of positions for validation"),
    number!("reports", reports, 1 to 10_000, "Number of validations during the training"),
    number!("patience", patience, 0 to 10_000,
        "Early stopping: after this number of reports without an improvement only quantise, and end; \
         0: never"),
    RecipeSetting {
        name: "seed",
        wanted: "a whole number",
        help: "Seed of all random numbers",
        set: |recipe, text| put(&mut recipe.seed, text.parse().ok()),
        show: |recipe| recipe.seed.to_string(),
    },
];
