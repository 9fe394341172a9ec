//! The settings, one row each.

use std::str::FromStr;

use super::{NetSize, Recipe};
use crate::tools::train::objective::LossFunction;
use crate::tools::train::schedule::LrSchedule;

/// A setting.
pub struct RecipeSetting {
    /// As flags, files and checkpoints call it.
    pub name: &'static str,
    /// What its value may be, for messages.
    pub(super) wanted: &'static str,
    pub help: &'static str,
    /// `None` if it cannot have this value.
    pub(super) set: fn(&mut Recipe, &str) -> Option<()>,
    pub(super) show: fn(&Recipe) -> String,
}

impl RecipeSetting {
    /// What the value is if it is not set.
    pub fn default(&self) -> String {
        (self.show)(&Recipe::default())
    }
}

impl std::fmt::Debug for RecipeSetting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// A number from this range, the end included.
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
        None => (text == "entropy").then_some(LossFunction::Entropy),
    }
}

fn show_loss(recipe: &Recipe) -> String {
    match recipe.loss {
        LossFunction::Entropy => "entropy".into(),
        LossFunction::Power(power) => format!("power{power}"),
    }
}

// The casts let a float's bounds be written as whole numbers.
macro_rules! number {
    ($name:literal, $($field:ident).+ $([$at:literal])?, $from:literal to $to:literal,
     $help:literal) => {
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

/// All settings, those first that are set most often.
pub static SETTINGS: &[RecipeSetting] = &[
    RecipeSetting {
        name: "net",
        wanted: "features and sizes such as \"K-P 256x2-32-32\" or HalfKA_hm2:256x2-32-32",
        help: "Features and sizes of the net: K+P or K-P, HalfKP, HalfKP_vm, K+A2, HalfKA1, \
               HalfKA2, HalfKA_hm1 or HalfKA_hm2, a blank or colon, and width x2- outputs - \
               outputs",
        set: |recipe, text| put(&mut recipe.net, NetSize::parse(text)),
        show: |recipe| recipe.net.to_string(),
    },
    RecipeSetting {
        name: "buckets",
        wanted: "none, one, or a mode of LS_BUCKET_MODE without progress",
        help: "How a stack of layers is chosen, such as k3k3, which makes it an SFNN net; one: an \
               SFNN net with one stack; none: a classic net",
        set: |recipe, text| {
            put(&mut recipe.buckets, optional(text, |text| Some(text.to_ascii_lowercase())))
        },
        show: |recipe| shown(recipe.buckets.as_ref()),
    },
    flag!(
        "factorizer",
        factorizer,
        "Train a part of each row that the squares of the king share; it is folded in when the net \
         is written"
    ),
    flag!("mirror", mirror, "Learn from each position and from its mirror image by turns"),
    RecipeSetting {
        name: "init",
        wanted: "none or a file of a net of the same shape",
        help: "A net to begin with",
        set: |recipe, text| put(&mut recipe.init, optional(text, |text| Some(text.into()))),
        show: |recipe| shown(recipe.init.as_ref().map(|path| path.display())),
    },
    number!("epochs", epochs, 1 to 1000, "How often every position is learned from"),
    number!("batch", batch, 16 to 1_048_576, "Positions of a step"),
    number!("lr", learning_rate[0], 0 to 1, "The learning rate at its highest"),
    number!("final-lr", learning_rate[1], 0 to 1, "The learning rate in the end"),
    RecipeSetting {
        name: "fall",
        wanted: LrSchedule::WANTED,
        help: "How the learning rate gets there: cosine, linear, constant, or stepN: in N equal \
               steps, each by the same factor",
        set: |recipe, text| put(&mut recipe.fall, LrSchedule::parse(text)),
        show: |recipe| recipe.fall.to_string(),
    },
    number!("warm-up", warm_up, 0 to 1,
        "Share of the steps before the rounding in which the learning rate rises to its highest"),
    number!("weight-decay", weight_decay, 0 to 100,
        "How much of itself a weight loses in a step, as a multiple of the learning rate"),
    number!("lambda", lambda, 0 to 1,
        "Share of the search's score in what is learned; the game's result has the rest"),
    RecipeSetting {
        name: "final-lambda",
        wanted: "none or a number from 0 to 1",
        help: "The same in the end, if it is to change",
        set: |recipe, text| {
            put(&mut recipe.final_lambda, optional(text, |text| number(text, 0.0, 1.0)))
        },
        show: |recipe| shown(recipe.final_lambda),
    },
    number!("foresight", foresight, 0 to 0.99,
        "How much the searches of the moves that followed count in the score of a position, each \
         by so much less than the one before it; 0: its own search alone"),
    number!("scale", win_rate_scale, 50 to 5000,
        "The score at which a side wins e times as often as it loses, in the engine's units (a \
         pawn is 90); see what is said of the games at the start"),
    RecipeSetting {
        name: "output-scale",
        wanted: "none or a number from 50 to 5000",
        help: "The same for the scores of the net that is made, where these are to be larger or \
               smaller than those of the games, such as the search was tuned with; none: scale",
        set: |recipe, text| {
            put(&mut recipe.output_scale, optional(text, |text| number(text, 50.0, 5000.0)))
        },
        show: |recipe| shown(recipe.output_scale),
    },
    RecipeSetting {
        name: "loss",
        wanted: "entropy, or power with a number from 1.5 to 4 such as power2.5",
        help: "What a wrong winning probability costs: entropy, or a power of its error (power2.5)",
        set: |recipe, text| put(&mut recipe.loss, loss(text)),
        show: show_loss,
    },
    number!("moves", moves, 0 to 10,
        "How much it counts, beside the goal, that the position behind the search's best move, if \
         that is quiet, is worth more than those behind other quiet moves; 0: not at all"),
    number!("rivals", rivals, 1 to 100,
        "Other moves that the best one is compared with, drawn anew each time"),
    number!("sharpness", sharpness, 0.1 to 100,
        "A move is chosen e times as often as one that is worth so much less that this, times the \
         difference in units of scale, is 1"),
    number!("average", average, 0 to 0.99999,
        "How much of the running mean of the weights stays in a step"),
    number!("rounding", rounding, 0 to 1,
        "Share of all steps, at the end, in which the net is rounded as in the file part by part, \
         so that the others learn to make up for it"),
    number!("fv-scale", fv_scale, 1 to 128,
        "What the net's output is divided by to make a score; is written into the file"),
    number!("max-score", filter.max_score, 1 to 32_000,
        "Leave out positions with a larger score; 32000 leaves none out, not even mates"),
    number!("first-ply", filter.first_ply, 0 to 1000,
        "Leave out so many moves of each game, besides those that were not searched"),
    number!("per-game", filter.per_game, 0 to 1000,
        "Take no more positions of a game, drawn at random; 0: all"),
    flag!("checks", filter.checks, "Take positions in check"),
    flag!(
        "noisy",
        filter.noisy,
        "Take positions in which the move that was played captures or promotes"
    ),
    flag!("repeats", filter.repeats, "Take a position again that was there in another game"),
    number!("held-out", held_out, 0 to 500,
        "Games of a thousand that are not learned from but judged by"),
    number!("held-out-positions", held_out_positions, 1 to 10_000_000,
        "Most positions of these games"),
    number!("reports", reports, 1 to 10_000, "How often in all the held-out positions are judged"),
    number!("patience", patience, 0 to 10_000,
        "After so many reports in a row without a better one only round, and end; 0: never"),
    RecipeSetting {
        name: "seed",
        wanted: "a whole number",
        help: "Decides everything that is drawn",
        set: |recipe, text| put(&mut recipe.seed, text.parse().ok()),
        show: |recipe| recipe.seed.to_string(),
    },
];
