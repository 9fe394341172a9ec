//! Selects the layer stack ("bucket") of a position.
//!
//! A mode such as `hand64_k3k3_progress8` combines buckets of hands, kings and progress. Names and
//! numbering are those of YaneuraOu, and for `progress8kpabs` and `progress8ek` those of tanuki-
//! and NAGISA.

mod hand;
mod king;
mod progress_model;

use std::fmt;

use super::placed_piece::oriented_king;
use crate::position::Position;
use crate::types::message::{Message, message};
use crate::types::{Color, Square, printable};
use hand::HandPartition;
use king::KingPartition;
pub use progress_model::ProgressModel;
use progress_model::ProgressStages;

/// How a layer stack is selected.
#[derive(Debug)]
pub enum Buckets {
    /// There is only one stack.
    One,
    /// By hands, kings and progress.
    Product(BucketProduct),
    /// By eight stages of progress, and a ninth stack if both kings have entered: each is on the
    /// middle rank or beyond.
    EnteringKings(ProgressStages),
}

/// `(hand_pair * kings^2 + king_pair) * stages + stage`, where a pair is `own * count + other` and `kings` is the count
/// of one king. The side to move is the own one.
#[derive(Debug)]
pub struct BucketProduct {
    /// The name of the mode as given, in lower case.
    name: String,
    hands: HandPartition,
    kings: KingPartition,
    stages: Option<ProgressStages>,
}

/// Stages of `progress8kpabs` and `progress8ek`.
const PROGRESS_8_STAGES: usize = 8;

impl Buckets {
    /// The modes of [`Buckets::parse`], for messages.
    const MODES: &'static str = "k3k3 (or kingrank9), k9k9, k9k9z, k13k13z, k21k21, k29k29, \
        hand4, hand16, hand64, hand64z, hand256, hand1024, progress2, progress3, progress4, \
        progress8, progress16, progress32, one of each kind joined by _ (hand64_k3k3_progress8), \
        progress8kpabs, progress8ek";
    /// Eight stages of progress with coefficients from a file of its own.
    pub(super) const KP_ABSOLUTE: &'static str = "progress8kpabs";
    /// The same and a ninth stack; the mode of [`Buckets::EnteringKings`].
    const ENTERING_KINGS: &'static str = "progress8ek";

    /// Whether a mode depends on the progress of the game.
    pub fn mode_uses_progress(mode: &str) -> bool {
        mode.to_ascii_lowercase().contains("progress")
    }

    /// Whether a mode needs progress coefficients from a file of their own: no network has them.
    pub fn mode_needs_coefficients(mode: &str) -> bool {
        let is = |known: &str| mode.trim().eq_ignore_ascii_case(known);
        is(Buckets::KP_ABSOLUTE) || is(Buckets::ENTERING_KINGS)
    }

    /// Parses a mode, ignoring letter case and surrounding white space. Modes without progress ignore
    /// `model`.
    ///
    /// # Errors
    /// If there is no such mode, or if it needs a progress model and there is none.
    pub fn parse(mode: &str, model: Option<ProgressModel>) -> Result<Buckets, BucketsError> {
        let name = mode.trim().to_ascii_lowercase();
        let mut parts = ModeParts::default();
        let are_known = hyphenate_by(&name).split('_').all(|token| parts.take(token));
        // Inside parts a hyphen replaces `_`; names must not contain one.
        if !are_known || name.contains('-') {
            return Err(BucketsError::Unknown(mode.to_string()));
        }
        let Some(count) = parts.stages else {
            return Ok(Buckets::product(name, parts, None));
        };
        let model = model.ok_or_else(|| BucketsError::NoProgress(mode.to_string()))?;
        let stages = ProgressStages::new(model, count);
        if !parts.is_exclusive {
            return Ok(Buckets::product(name, parts, Some(stages)));
        }
        if parts.hands.is_some() || parts.kings.is_some() {
            return Err(BucketsError::Unknown(mode.to_string()));
        }
        Ok(if parts.by_entering_kings {
            Buckets::EnteringKings(stages)
        } else {
            Buckets::product(name, parts, Some(stages))
        })
    }

    /// Splits the name of a network such as `SFNN_HALFKAHM2_1024_15_64_K3K3_PROGRESS8` into the
    /// mode, `None` if it names none, and its other parts; all in lower case.
    pub(super) fn split_mode(name: &str) -> (Option<String>, Vec<String>) {
        let name = hyphenate_by(&name.to_ascii_lowercase());
        let (mode, others): (Vec<String>, Vec<String>) =
            name.split('_').map(str::to_owned).partition(|part| ModeParts::default().take(part));
        ((!mode.is_empty()).then(|| mode.join("_").replace("-by-", "_by_")), others)
    }

    /// The modes that select among this number of stacks, by progress or not.
    pub(super) fn modes_for(stacks: usize, by_progress: bool) -> Vec<String> {
        let stages: &[usize] = if by_progress { &STAGES } else { &[1] };
        let mut modes = Vec::new();
        for (hand, hands) in HANDS {
            for (king, kings) in KINGS {
                let products = hands.count().pow(2) * kings.count().pow(2);
                for stages in stages.iter().filter(|&stages| products * stages == stacks) {
                    let progress =
                        if by_progress { format!("progress{stages}") } else { String::new() };
                    let parts = [hand, king, &progress];
                    modes.push(
                        parts
                            .into_iter()
                            .filter(|part| !part.is_empty())
                            .collect::<Vec<_>>()
                            .join("_"),
                    );
                }
            }
        }
        modes
    }

    fn product(name: String, parts: ModeParts, stages: Option<ProgressStages>) -> Buckets {
        let hands = parts.hands.unwrap_or(HandPartition::One);
        let kings = parts.kings.unwrap_or(KingPartition::One);
        Buckets::Product(BucketProduct { name, hands, kings, stages })
    }

    /// The name of the mode as given, in lower case.
    pub fn name(&self) -> &str {
        match self {
            Buckets::One => "one",
            Buckets::Product(product) => &product.name,
            Buckets::EnteringKings(_) => Buckets::ENTERING_KINGS,
        }
    }

    /// Number of stacks that are selected among. A network for `progress8kpabs` may have one more,
    /// which is never used.
    pub fn count(&self) -> usize {
        match self {
            Buckets::One => 1,
            Buckets::Product(product) => product.count(),
            Buckets::EnteringKings(stages) => stages.count() + 1,
        }
    }

    /// Whether a position and its mirror image always have the same stack.
    pub fn is_mirror_symmetric(&self) -> bool {
        let has_symmetric_kings = match self {
            Buckets::Product(product) => product.kings.is_mirror_symmetric(),
            Buckets::One | Buckets::EnteringKings(_) => true,
        };
        // Trained progress models are not symmetric.
        has_symmetric_kings && self.progress_model().is_none()
    }

    /// The stack of a position, less than [`Buckets::count`].
    pub fn index(&self, position: &Position) -> usize {
        let progress_q16 = self.progress_model().map_or(0, |model| model.progress_q16(position));
        self.index_at(position, progress_q16)
    }

    /// [`Buckets::index`] with a known progress sum, which modes without progress ignore.
    #[inline(always)]
    pub(super) fn index_at(&self, position: &Position, progress_q16: i64) -> usize {
        match self {
            Buckets::One => 0,
            Buckets::Product(product) => product.index(position, progress_q16),
            Buckets::EnteringKings(stages) if have_both_entered(position) => stages.count(),
            Buckets::EnteringKings(stages) => stages.of(progress_q16),
        }
    }

    /// The progress model, for modes that use it.
    #[inline(always)]
    pub fn progress_model(&self) -> Option<&ProgressModel> {
        let stages = match self {
            Buckets::One => None,
            Buckets::Product(product) => product.stages.as_ref(),
            Buckets::EnteringKings(stages) => Some(stages),
        };
        stages.map(ProgressStages::model)
    }
}

impl BucketProduct {
    fn count(&self) -> usize {
        let square = |classes: usize| classes * classes;
        let stages = self.stages.as_ref().map_or(1, ProgressStages::count);
        square(self.hands.count()) * square(self.kings.count()) * stages
    }

    fn index(&self, position: &Position, progress_q16: i64) -> usize {
        let (us, them) = (position.side_to_move(), !position.side_to_move());
        let hand = |color| self.hands.of(position.hand(color));
        let king = |color| self.kings.of(oriented_king(position, color));
        let hand_pair = hand(us) * self.hands.count() + hand(them);
        let king_pair = king(us) * self.kings.count() + king(them);
        let both = hand_pair * self.kings.count() * self.kings.count() + king_pair;
        match &self.stages {
            Some(stages) => both * stages.count() + stages.of(progress_q16),
            None => both,
        }
    }
}

/// Whether both kings have entered: each is on the middle rank or beyond.
fn have_both_entered(position: &Position) -> bool {
    Color::ALL.into_iter().all(|color| oriented_king(position, color).rank() <= MIDDLE_RANK)
}

const MIDDLE_RANK: u8 = Square::new(4, 4).rank();

/// The parts of a mode.
#[derive(Debug, Default)]
struct ModeParts {
    hands: Option<HandPartition>,
    kings: Option<KingPartition>,
    stages: Option<usize>,
    /// `progress8kpabs` or `progress8ek`, which cannot be combined with other parts.
    is_exclusive: bool,
    /// `progress8ek`.
    by_entering_kings: bool,
}

impl ModeParts {
    /// Adds a part; false if it is unknown or the second of its kind.
    fn take(&mut self, token: &str) -> bool {
        if let Some(hands) = hand_part(token) {
            self.hands.replace(hands).is_none()
        } else if let Some(kings) = king_part(token) {
            self.kings.replace(kings).is_none()
        } else if let Some(stages) = token.strip_prefix("progress") {
            self.is_exclusive = matches!(token, Buckets::KP_ABSOLUTE | Buckets::ENTERING_KINGS);
            self.by_entering_kings = token == Buckets::ENTERING_KINGS;
            let count = if self.is_exclusive {
                Some(PROGRESS_8_STAGES)
            } else {
                STAGES.into_iter().find(|count| count.to_string() == stages)
            };
            count.is_some_and(|count| self.stages.replace(count).is_none())
        } else {
            false
        }
    }
}

/// Replaces the `_` inside parts, so that the name can be split at `_`.
fn hyphenate_by(name: &str) -> String {
    name.replace("_by_", "-by-")
}

/// The parts by hands; without a name, one bucket.
const HANDS: [(&str, HandPartition); 7] = [
    ("", HandPartition::One),
    ("hand4", HandPartition::HAND_4),
    ("hand16", HandPartition::HAND_16),
    ("hand64", HandPartition::HAND_64),
    ("hand64z", HandPartition::Points),
    ("hand256", HandPartition::HAND_256),
    ("hand1024", HandPartition::HAND_1024),
];

/// The parts by kings; without a name, one bucket.
const KINGS: [(&str, KingPartition); 7] = [
    ("", KingPartition::One),
    ("k3k3", KingPartition::ThreeRanks),
    ("k9k9", KingPartition::NineRanks),
    ("k9k9z", KingPartition::NineZones),
    ("k13k13z", KingPartition::ThirteenZones),
    ("k21k21", KingPartition::TwentyOne),
    ("k29k29", KingPartition::TwentyNine),
];

/// Numbers of stages of the parts `progress2` to `progress32`.
const STAGES: [usize; 6] = [2, 3, 4, 8, 16, 32];

fn hand_part(token: &str) -> Option<HandPartition> {
    HANDS.into_iter().find(|(name, _)| !name.is_empty() && *name == token).map(|(_, hands)| hands)
}

fn king_part(token: &str) -> Option<KingPartition> {
    let name = match token {
        "king3-by-king3" | "kingrank9" => "k3k3",
        "king9-by-king9" => "k9k9",
        "king9z-by-king9z" | "king9zone-by-king9zone" => "k9k9z",
        "king13z-by-king13z" | "king13zone-by-king13zone" => "k13k13z",
        "king21-by-king21" => "k21k21",
        "king29-by-king29" => "k29k29",
        name => name,
    };
    KINGS.into_iter().find(|(known, _)| !known.is_empty() && *known == name).map(|(_, kings)| kings)
}

/// Why a mode is not usable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BucketsError {
    /// No mode has this name.
    Unknown(String),
    /// The mode needs a progress model, and none was given.
    NoProgress(String),
}

impl BucketsError {
    /// The error in every language, in one line.
    pub fn message(&self) -> Message {
        match self {
            BucketsError::Unknown(mode) => {
                let (mode, known) = (printable(mode), Buckets::MODES);
                message!(
                    "unknown bucket mode \"{mode}\"; known are {known}",
                    "LS_BUCKET_MODEの「{mode}」は不明です。使えるのは{known}です"
                )
            }
            BucketsError::NoProgress(mode) => {
                let mode = printable(mode);
                message!(
                    "bucket mode {mode} needs progress coefficients: progress2 to progress32 take them \
                     from the network itself if it has any, and all modes from a file (progress.bin \
                     beside the network, or LS_PROGRESS_COEFF)",
                    "LS_BUCKET_MODEの{mode}には進行度の係数が必要です。評価関数の隣のprogress.binか\
                     LS_PROGRESS_COEFFのファイルを読みます（progress2からprogress32は評価関数の中の係数も使えます）"
                )
            }
        }
    }
}

impl fmt::Display for BucketsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for BucketsError {}

#[cfg(test)]
mod tests;
