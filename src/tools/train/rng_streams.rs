//! What keeps the random numbers of a training apart.
//!
//! All of them follow from the one seed of its recipe, and what is drawn for one purpose must not
//! repeat what is drawn for another. So each purpose has a high bit of its own, in the number of
//! the part ([`Random::of_part`](crate::types::Random::of_part)) whose low bits count games
//! or epochs. Other values would be other trainings.

/// The numbers that a net begins with.
pub(super) const INITIAL: u64 = 1 << 63;
/// Whether a game is held out; for each game.
pub(super) const HELD_OUT: u64 = 1 << 62;
/// Which positions of a game are taken; for each game.
pub(super) const PER_GAME: u64 = 1 << 61;
/// The order of the positions; for each epoch.
pub(super) const ORDER: u64 = 1 << 60;
/// The moves of comparisons. It goes into the seed: steps and positions take up the part.
pub(super) const COMPARISONS: u64 = 1 << 59;
