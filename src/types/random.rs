//! The pseudo-random number generator of all modules: SplitMix64 (Steele, Lea and Flood, OOPSLA
//! 2014). The same seed gives the same numbers everywhere.

/// 2^64 divided by the golden ratio, which is odd and has no pattern: multiples of it are spread evenly.
pub const GOLDEN_RATIO: u64 = 0x9e37_79b9_7f4a_7c15;

/// A generator with 64 bits of state.
#[derive(Clone, Debug)]
pub struct Random(u64);

/// The mixing function of SplitMix64, a bijection: neighbouring inputs give unrelated outputs.
#[inline]
pub const fn mix64(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Random {
    pub const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A generator for one of many parts that share a seed, such as one game of a match.
    pub fn of_part(seed: u64, part: u64) -> Random {
        // Mixed, because neighbouring states would give the same numbers one step apart.
        let mixed = Random(seed).next() ^ Random(!part).next();
        Random(Random(mixed).next())
    }

    /// The next 64 bits.
    #[expect(clippy::should_implement_trait, reason = "the sequence has no end")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN_RATIO);
        mix64(self.0)
    }

    /// A multiple of 2^-32 in 0.0..1.0. Its sum with an integer below 2^20 is exact, so it never rounds up to the
    /// next integer.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 32) as f64 / (1u64 << 32) as f64
    }

    /// A number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A number in `low..=high`.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below((high - low) as usize + 1) as u64
    }

    /// True with a probability of `chance` percent.
    pub fn percent(&mut self, chance: u32) -> bool {
        self.below(100) < chance as usize
    }

    /// True with a probability of one in `times`.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of `items`, which must not be empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Puts `items` in random order (Fisher-Yates).
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
    fn each_part_and_each_seed_has_its_own_random_numbers() {
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
