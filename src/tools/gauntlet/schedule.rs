//! The schedule of a match: the engines, colours and opening of each game, by its number.
//!
//! It depends on the configuration alone, so a continued match plays the remaining games.

use crate::types::Random;

/// The pairings of a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TournamentFormat {
    /// The first engine against every other.
    #[default]
    Gauntlet,
    /// Every engine against every other.
    RoundRobin,
}

/// One game of the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledGame {
    /// From 0.
    pub number: usize,
    /// Indices of engines.
    pub black: usize,
    pub white: usize,
    /// Index of the opening.
    pub opening: usize,
}

/// All games of a match. Games 2n and 2n + 1 are a pair: one opening, colours swapped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    /// The order of the openings, as indices.
    order: Vec<usize>,
    /// Pairs of games for each pairing.
    pairs: usize,
}

impl Schedule {
    /// Needs at least two engines and one opening. With a seed the openings are shuffled.
    pub fn new(
        format: TournamentFormat,
        engines: usize,
        openings: usize,
        pairs: usize,
        seed: Option<u64>,
    ) -> Schedule {
        let mut order: Vec<usize> = (0..openings).collect();
        if let Some(seed) = seed {
            Random::new(seed).shuffle(&mut order);
        }
        let first_engines = match format {
            TournamentFormat::Gauntlet => 1,
            TournamentFormat::RoundRobin => engines,
        };
        let pairings =
            (0..first_engines).flat_map(|a| (a + 1..engines).map(move |b| (a, b))).collect();
        Schedule { pairings, order, pairs }
    }

    /// First and second engine of each pairing.
    pub fn pairings(&self) -> &[(usize, usize)] {
        &self.pairings
    }

    /// The number of games, saturating.
    pub fn games(&self) -> usize {
        (2 * self.pairings.len()).saturating_mul(self.pairs)
    }

    /// The game with this number. All pairings play an opening before the next opening begins; in the
    /// first game of a pair the first engine has Black.
    pub fn game(&self, number: usize) -> ScheduledGame {
        let (pair, is_second) = (number / 2, number % 2 == 1);
        let (first, second) = self.pairings[pair % self.pairings.len()];
        let opening = self.order[pair / self.pairings.len() % self.order.len()];
        let (black, white) = if is_second { (second, first) } else { (first, second) };
        ScheduledGame { number, black, white, opening }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn all(schedule: &Schedule) -> Vec<ScheduledGame> {
        (0..schedule.games()).map(|number| schedule.game(number)).collect()
    }

    #[test]
    fn two_engines_play_every_opening_once_with_each_colour() {
        let games = all(&Schedule::new(TournamentFormat::Gauntlet, 2, 3, 3, None));
        let seen: Vec<_> =
            games.iter().map(|game| (game.black, game.white, game.opening)).collect();
        assert_eq!(seen, [(0, 1, 0), (1, 0, 0), (0, 1, 1), (1, 0, 1), (0, 1, 2), (1, 0, 2)]);
    }

    #[test]
    fn openings_repeat_if_there_are_too_few() {
        let games = all(&Schedule::new(TournamentFormat::Gauntlet, 2, 2, 5, None));
        let openings: Vec<_> = games.iter().step_by(2).map(|game| game.opening).collect();
        assert_eq!(openings, [0, 1, 0, 1, 0]);
    }

    #[test]
    fn a_gauntlet_is_the_first_against_the_others_and_a_round_robin_all_against_all() {
        let gauntlet = Schedule::new(TournamentFormat::Gauntlet, 4, 1, 1, None);
        assert_eq!(gauntlet.pairings(), [(0, 1), (0, 2), (0, 3)]);
        let robin = Schedule::new(TournamentFormat::RoundRobin, 4, 5, 2, None);
        assert_eq!(robin.pairings().len(), 6);
        let games = all(&robin);
        assert_eq!(games.len(), 24);
        let met: HashSet<_> = games.iter().map(|game| (game.black, game.white)).collect();
        assert_eq!(met.len(), 12);
        assert!(games[..12].iter().all(|game| game.opening == 0), "one opening for all pairings");
    }

    #[test]
    fn shuffling_keeps_every_opening_and_depends_on_the_seed_only() {
        let order = |seed| Schedule::new(TournamentFormat::Gauntlet, 2, 100, 1, Some(seed)).order;
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
        let mut sorted = order(1);
        assert_ne!(sorted, (0..100).collect::<Vec<_>>());
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
    }
}
