//! The settings, one row each.

use std::str::FromStr;

use super::{NetSize, Recipe};
use crate::tools::train::goal::Loss;
use crate::tools::train::schedule::Fall;

/// A setting.
pub struct Setting {
    /// As flags, files and checkpoints call it.
    pub name: &'static str,
    /// What its value may be, for messages.
    pub(super) wanted: &'static str,
    pub help: &'static str,
    /// `None` if it cannot have this value.
    pub(super) set: fn(&mut Recipe, &str) -> Option<()>,
    pub(super) show: fn(&Recipe) -> String,
}

impl Setting {
    /// What the value is if it is not set.
    pub fn default(&self) -> String {
        (self.show)(&Recipe::default())
    }
}

impl std::fmt::Debug for Setting {
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
const YES_OR_NO: &str = "true or false";
const SHARE: &str = "a number from 0 to 1";
const LEARNING_RATE: &str = "a number from 0 to 1";

fn shown<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| NOTHING.into(), |value| value.to_string())
}

fn loss(text: &str) -> Option<Loss> {
    match text.strip_prefix("power") {
        Some(power) => number(power, 1.5, 4.0).map(Loss::Power),
        None => (text == "entropy").then_some(Loss::Entropy),
    }
}

fn show_loss(recipe: &Recipe) -> String {
    match recipe.loss {
        Loss::Entropy => "entropy".into(),
        Loss::Power(power) => format!("power{power}"),
    }
}

/// All settings, those first that are set most often.
pub static SETTINGS: &[Setting] = &[
    Setting {
        name: "net",
        wanted: "features and sizes such as \"K-P 256x2-32-32\" or HalfKA_hm2:256x2-32-32",
        help: "Features and sizes of the net: K-P, HalfKP, HalfKP_vm, K+A2, HalfKA1, HalfKA2, \
               HalfKA_hm1 or HalfKA_hm2, a blank or colon, and width x2- outputs - outputs",
        set: |recipe, text| put(&mut recipe.net, NetSize::parse(text)),
        show: |recipe| recipe.net.to_string(),
    },
    Setting {
        name: "buckets",
        wanted: "none, one, or a mode of LS_BUCKET_MODE without progress",
        help: "How a stack of layers is chosen, such as k3k3, which makes it an SFNN net; one: an \
               SFNN net with one stack; none: a classic net",
        set: |recipe, text| {
            put(&mut recipe.buckets, optional(text, |text| Some(text.to_ascii_lowercase())))
        },
        show: |recipe| shown(recipe.buckets.as_ref()),
    },
    Setting {
        name: "factorizer",
        wanted: YES_OR_NO,
        help: "Train a part of each row that the squares of the king share; it is folded in when \
               the net is written",
        set: |recipe, text| put(&mut recipe.factorizer, text.parse().ok()),
        show: |recipe| recipe.factorizer.to_string(),
    },
    Setting {
        name: "mirror",
        wanted: YES_OR_NO,
        help: "Learn from each position and from its mirror image by turns",
        set: |recipe, text| put(&mut recipe.mirror, text.parse().ok()),
        show: |recipe| recipe.mirror.to_string(),
    },
    Setting {
        name: "init",
        wanted: "none or a file of a net of the same shape",
        help: "A net to begin with",
        set: |recipe, text| put(&mut recipe.init, optional(text, |text| Some(text.into()))),
        show: |recipe| shown(recipe.init.as_ref().map(|path| path.display())),
    },
    Setting {
        name: "epochs",
        wanted: "a number from 1 to 1000",
        help: "How often every position is learned from",
        set: |recipe, text| put(&mut recipe.epochs, number(text, 1, 1000)),
        show: |recipe| recipe.epochs.to_string(),
    },
    Setting {
        name: "batch",
        wanted: "a number from 16 to 1048576",
        help: "Positions of a step",
        set: |recipe, text| put(&mut recipe.batch, number(text, 16, 1 << 20)),
        show: |recipe| recipe.batch.to_string(),
    },
    Setting {
        name: "lr",
        wanted: LEARNING_RATE,
        help: "The learning rate at its highest",
        set: |recipe, text| put(&mut recipe.learning_rate[0], number(text, 0.0, 1.0)),
        show: |recipe| recipe.learning_rate[0].to_string(),
    },
    Setting {
        name: "final-lr",
        wanted: LEARNING_RATE,
        help: "The learning rate in the end",
        set: |recipe, text| put(&mut recipe.learning_rate[1], number(text, 0.0, 1.0)),
        show: |recipe| recipe.learning_rate[1].to_string(),
    },
    Setting {
        name: "fall",
        wanted: Fall::WANTED,
        help: "How the learning rate gets there: cosine, linear, constant, or stepN: in N equal \
               steps, each by the same factor",
        set: |recipe, text| put(&mut recipe.fall, Fall::parse(text)),
        show: |recipe| recipe.fall.to_string(),
    },
    Setting {
        name: "warm-up",
        wanted: SHARE,
        help: "Share of all steps in which the learning rate rises to its highest",
        set: |recipe, text| put(&mut recipe.warm_up, number(text, 0.0, 1.0)),
        show: |recipe| recipe.warm_up.to_string(),
    },
    Setting {
        name: "weight-decay",
        wanted: "a number from 0 to 100",
        help: "How much of itself a weight loses in a step, as a multiple of the learning rate",
        set: |recipe, text| put(&mut recipe.weight_decay, number(text, 0.0, 100.0)),
        show: |recipe| recipe.weight_decay.to_string(),
    },
    Setting {
        name: "lambda",
        wanted: SHARE,
        help: "Share of the search's score in what is learned; the game's result has the rest",
        set: |recipe, text| put(&mut recipe.lambda, number(text, 0.0, 1.0)),
        show: |recipe| recipe.lambda.to_string(),
    },
    Setting {
        name: "final-lambda",
        wanted: "none or a number from 0 to 1",
        help: "The same in the end, if it is to change",
        set: |recipe, text| {
            put(&mut recipe.final_lambda, optional(text, |text| number(text, 0.0, 1.0)))
        },
        show: |recipe| shown(recipe.final_lambda),
    },
    Setting {
        name: "foresight",
        wanted: "a number from 0 to 0.99",
        help: "How much the searches of the moves that followed count in the score of a position, \
               each by so much less than the one before it; 0: its own search alone",
        set: |recipe, text| put(&mut recipe.foresight, number(text, 0.0, 0.99)),
        show: |recipe| recipe.foresight.to_string(),
    },
    Setting {
        name: "scale",
        wanted: "a number from 50 to 5000",
        help: "The score at which a side wins e times as often as it loses, in the engine's units \
               (a pawn is 90); see what is said of the games at the start",
        set: |recipe, text| put(&mut recipe.win_rate_scale, number(text, 50.0, 5000.0)),
        show: |recipe| recipe.win_rate_scale.to_string(),
    },
    Setting {
        name: "output-scale",
        wanted: "none or a number from 50 to 5000",
        help: "The same for the scores of the net that is made, where these are to be larger or \
               smaller than those of the games, such as the search was tuned with; none: scale",
        set: |recipe, text| {
            put(&mut recipe.output_scale, optional(text, |text| number(text, 50.0, 5000.0)))
        },
        show: |recipe| shown(recipe.output_scale),
    },
    Setting {
        name: "loss",
        wanted: "entropy, or power with a number from 1.5 to 4 such as power2.5",
        help: "What a wrong winning probability costs: entropy, or a power of its error (power2.5)",
        set: |recipe, text| put(&mut recipe.loss, loss(text)),
        show: show_loss,
    },
    Setting {
        name: "moves",
        wanted: "a number from 0 to 10",
        help: "How much it counts, beside the goal, that the position behind the search's best move, \
               if that is quiet, is worth more than those behind other quiet moves; 0: not at all",
        set: |recipe, text| put(&mut recipe.moves, number(text, 0.0, 10.0)),
        show: |recipe| recipe.moves.to_string(),
    },
    Setting {
        name: "rivals",
        wanted: "a number from 1 to 100",
        help: "Other moves that the best one is compared with, drawn anew each time",
        set: |recipe, text| put(&mut recipe.rivals, number(text, 1, 100)),
        show: |recipe| recipe.rivals.to_string(),
    },
    Setting {
        name: "sharpness",
        wanted: "a number from 0.1 to 100",
        help: "A move is chosen e times as often as one that is worth so much less that this, times \
               the difference in units of scale, is 1",
        set: |recipe, text| put(&mut recipe.sharpness, number(text, 0.1, 100.0)),
        show: |recipe| recipe.sharpness.to_string(),
    },
    Setting {
        name: "average",
        wanted: "a number from 0 to 0.99999",
        help: "How much of the running mean of the weights stays in a step",
        set: |recipe, text| put(&mut recipe.average, number(text, 0.0, 0.99999)),
        show: |recipe| recipe.average.to_string(),
    },
    Setting {
        name: "rounding",
        wanted: SHARE,
        help: "Share of all steps, at the end, in which the net is rounded as in the file part by \
               part, so that the others learn to make up for it",
        set: |recipe, text| put(&mut recipe.rounding, number(text, 0.0, 1.0)),
        show: |recipe| recipe.rounding.to_string(),
    },
    Setting {
        name: "fv-scale",
        wanted: "a number from 1 to 128",
        help: "What the net's output is divided by to make a score; is written into the file",
        set: |recipe, text| put(&mut recipe.fv_scale, number(text, 1, 128)),
        show: |recipe| recipe.fv_scale.to_string(),
    },
    Setting {
        name: "max-score",
        wanted: "a number from 1 to 32000",
        help: "Leave out positions with a larger score; 32000 leaves none out, not even mates",
        set: |recipe, text| put(&mut recipe.filter.max_score, number(text, 1, 32_000)),
        show: |recipe| recipe.filter.max_score.to_string(),
    },
    Setting {
        name: "first-ply",
        wanted: "a number from 0 to 1000",
        help: "Leave out so many moves of each game, besides those that were not searched",
        set: |recipe, text| put(&mut recipe.filter.first_ply, number(text, 0, 1000)),
        show: |recipe| recipe.filter.first_ply.to_string(),
    },
    Setting {
        name: "per-game",
        wanted: "a number from 0 to 1000",
        help: "Take no more positions of a game, drawn at random; 0: all",
        set: |recipe, text| put(&mut recipe.filter.per_game, number(text, 0, 1000)),
        show: |recipe| recipe.filter.per_game.to_string(),
    },
    Setting {
        name: "checks",
        wanted: YES_OR_NO,
        help: "Take positions in check",
        set: |recipe, text| put(&mut recipe.filter.checks, text.parse().ok()),
        show: |recipe| recipe.filter.checks.to_string(),
    },
    Setting {
        name: "noisy",
        wanted: YES_OR_NO,
        help: "Take positions in which the move that was played captures or promotes",
        set: |recipe, text| put(&mut recipe.filter.noisy, text.parse().ok()),
        show: |recipe| recipe.filter.noisy.to_string(),
    },
    Setting {
        name: "repeats",
        wanted: YES_OR_NO,
        help: "Take a position again that was there in another game",
        set: |recipe, text| put(&mut recipe.filter.repeats, text.parse().ok()),
        show: |recipe| recipe.filter.repeats.to_string(),
    },
    Setting {
        name: "held-out",
        wanted: "a number from 0 to 500",
        help: "Games of a thousand that are not learned from but judged by",
        set: |recipe, text| put(&mut recipe.held_out, number(text, 0, 500)),
        show: |recipe| recipe.held_out.to_string(),
    },
    Setting {
        name: "held-out-positions",
        wanted: "a number from 1 to 10000000",
        help: "Most positions of these games",
        set: |recipe, text| put(&mut recipe.held_out_positions, number(text, 1, 10_000_000)),
        show: |recipe| recipe.held_out_positions.to_string(),
    },
    Setting {
        name: "reports",
        wanted: "a number from 1 to 10000",
        help: "How often in all the held-out positions are judged",
        set: |recipe, text| put(&mut recipe.reports, number(text, 1, 10_000)),
        show: |recipe| recipe.reports.to_string(),
    },
    Setting {
        name: "patience",
        wanted: "a number from 0 to 10000",
        help: "After so many reports in a row without a better one only round, and end; 0: never",
        set: |recipe, text| put(&mut recipe.patience, number(text, 0, 10_000)),
        show: |recipe| recipe.patience.to_string(),
    },
    Setting {
        name: "seed",
        wanted: "a whole number",
        help: "Decides everything that is drawn",
        set: |recipe, text| put(&mut recipe.seed, text.parse().ok()),
        show: |recipe| recipe.seed.to_string(),
    },
];
