//! Random numbers that repeat: what a tool draws follows from the seed that its user names.

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The numbers for one of many things that share a seed, such as a game of this number.
    pub fn of_part(seed: u64, part: u64) -> Random {
        // Through the mixer, since neighbouring states would give the same numbers one step apart.
        let mixed = Random(seed).next() ^ Random(!part).next();
        Random(Random(mixed).next())
    }

    #[expect(clippy::should_implement_trait, reason = "there is no end to iterate to")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A number between these, both possible.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below((high - low) as usize + 1) as u64
    }

    /// True so many times in a hundred.
    pub fn percent(&mut self, chance: u32) -> bool {
        self.below(100) < chance as usize
    }

    /// Fisher and Yates.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_splitmix64() {
        let mut random = Random::new(1_234_567);
        let numbers = [random.next(), random.next(), random.next()];
        let published =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(numbers, published);
    }

    #[test]
    fn parts_and_seeds_have_numbers_of_their_own() {
        let mut seen = std::collections::HashSet::new();
        for seed in 0..10 {
            for part in 0..100 {
                let mut random = Random::of_part(seed, part);
                assert!((0..10).all(|_| seen.insert(random.next())), "{seed} {part}");
            }
        }
    }

    #[test]
    fn numbers_stay_within_their_bounds_and_reach_them() {
        let mut random = Random::new(1);
        let mut seen = [0; 4];
        (0..1000).for_each(|_| seen[(random.between(7, 10) - 7) as usize] += 1);
        assert!(seen.iter().all(|&count| count > 200), "{seen:?}");
        let hits = (0..1000).filter(|_| random.percent(25)).count();
        assert!((200..300).contains(&hits), "{hits}");
        assert!(!random.percent(0) && random.percent(100));
    }
}
