//! The start of a game: the initial position or an opening of a list, then some random moves.
//!
//! The balance of a start is checked elsewhere, by a search.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::tools::opening::Opening;
use crate::types::Random;

/// The number of random moves and their range: `4-8/14` means four to eight of the first fourteen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RandomPlies {
    pub min: u32,
    pub max: u32,
    /// The random moves are among this many first plies.
    pub within: u32,
}

impl fmt::Display for RandomPlies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}/{}", self.min, self.max, self.within)
    }
}

impl FromStr for RandomPlies {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<RandomPlies, &'static str> {
        const EXPECTED: &str = "expected a form like `4-8/14`, `4-8` or `6`";
        let number = |text: &str| text.parse::<u16>().map(u32::from).map_err(|_| EXPECTED);
        let (moves, within) = match text.split_once('/') {
            Some((moves, within)) => (moves, Some(number(within)?)),
            None => (text, None),
        };
        let (min, max) = moves.split_once('-').unwrap_or((moves, moves));
        let (min, max) = (number(min)?, number(max)?);
        let within = within.unwrap_or(max);
        if min > max || max > within {
            return Err(EXPECTED);
        }
        Ok(RandomPlies { min, max, within })
    }
}

impl RandomPlies {
    /// For each ply, up to the last random one, whether it is random.
    pub fn sample(&self, random: &mut Random) -> Vec<bool> {
        let count = random.between(self.min.into(), self.max.into()) as usize;
        let mut plies = vec![false; self.within as usize];
        plies[..count].fill(true);
        random.shuffle(&mut plies);
        let used = plies.iter().rposition(|&is_random| is_random).map_or(0, |last| last + 1);
        plies.truncate(used);
        plies
    }
}

/// The start positions of games.
#[derive(Clone, Debug, Default)]
pub struct StartPositions {
    /// If empty, all games start from the initial position.
    pub openings: Arc<[Opening]>,
    /// Games that start from an opening, in percent.
    pub openings_percent: u32,
    /// Random moves in games from the initial position.
    pub random_from_startpos: RandomPlies,
    /// Random moves after an opening.
    pub random_after_opening: RandomPlies,
}

impl StartPositions {
    /// Samples a start, and which of the plies after it are random.
    pub fn sample(&self, random: &mut Random) -> (Opening, Vec<bool>) {
        let from_list = !self.openings.is_empty() && random.percent(self.openings_percent);
        if from_list {
            let opening = self.openings[random.below(self.openings.len())].clone();
            (opening, self.random_after_opening.sample(random))
        } else {
            (Opening::startpos(1), self.random_from_startpos.sample(random))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::opening::read_openings;

    #[test]
    fn random_plies_are_read_in_every_form_and_nonsense_refused() {
        let plies = |min, max, within| Ok(RandomPlies { min, max, within });
        assert_eq!("4-8/14".parse(), plies(4, 8, 14));
        assert_eq!("4-8".parse(), plies(4, 8, 8));
        assert_eq!("6".parse(), plies(6, 6, 6));
        assert_eq!("0/20".parse(), plies(0, 0, 20));
        assert_eq!(plies(4, 8, 14).map(|plies| plies.to_string()), Ok("4-8/14".into()));
        for text in ["", "8-4", "4-8/7", "-", "4-8/", "x", "4-8/14/2", "99999", "-1"] {
            assert!(text.parse::<RandomPlies>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_requested_number_of_random_plies_is_chosen_among_all_plies() {
        let random_plies = RandomPlies { min: 2, max: 4, within: 6 };
        let mut random = Random::new(7);
        let (mut counts, mut places) = ([0; 7], [0; 6]);
        for _ in 0..1000 {
            let plies = random_plies.sample(&mut random);
            counts[plies.iter().filter(|&&is_random| is_random).count()] += 1;
            assert!(plies.last() == Some(&true));
            plies
                .iter()
                .enumerate()
                .for_each(|(at, &is_random)| places[at] += u32::from(is_random));
        }
        assert!(counts[..2] == [0; 2] && counts[5..] == [0; 2], "{counts:?}");
        assert!(counts[2..5].iter().all(|&count| count > 250), "{counts:?}");
        assert!(places.iter().all(|&count| count > 400), "{places:?}");
        assert!(RandomPlies::default().sample(&mut random).is_empty());
    }

    #[test]
    fn games_start_from_the_list_as_often_as_asked_for() {
        let openings = read_openings("startpos moves 7g7f\nstartpos moves 2g2f").unwrap();
        let random_after_opening = RandomPlies { min: 1, max: 1, within: 1 };
        let mut starts = StartPositions {
            openings: openings.into(),
            openings_percent: 60,
            ..StartPositions::default()
        };
        starts.random_after_opening = random_after_opening;
        let mut random = Random::new(3);
        let mut counts = [0; 3];
        for _ in 0..1000 {
            let (opening, plies) = starts.sample(&mut random);
            let moves = opening.moves();
            assert_eq!(plies.len(), moves.len(), "random moves are for games from the list only");
            counts[moves.first().map_or(0, |mv| if mv.to_string() == "7g7f" { 1 } else { 2 })] += 1;
        }
        assert!(counts.iter().all(|&count| (240..460).contains(&count)), "{counts:?}");
        assert!((350..450).contains(&counts[0]), "{counts:?}");
    }
}
