//! Separate random streams for the purposes of a training.
//!
//! All random numbers follow from the seed of the recipe. Each purpose has a high bit of its own in
//! the part number of [`Random::of_part`](crate::types::Random::of_part), whose low bits count
//! games or epochs, so that no stream repeats another.

/// Initial weights.
pub(super) const INITIAL: u64 = 1 << 63;
/// Whether a game is held out; per game.
pub(super) const HELD_OUT: u64 = 1 << 62;
/// Which held-out positions are used, if there are too many.
pub(super) const HELD_OUT_SAMPLE: u64 = 1 << 58;
/// Which positions of a game are used; per game.
pub(super) const PER_GAME: u64 = 1 << 61;
/// The order of the positions; per epoch.
pub(super) const ORDER: u64 = 1 << 60;
/// The negatives of the ranking loss. Part of the seed, because steps and positions use all bits of
/// the part number.
pub(super) const RANKING: u64 = 1 << 59;
