//! Estimates the number of different keys in little memory.

use std::collections::HashMap;

use crate::types::GOLDEN_RATIO;

/// Keeps the keys whose hash ends in `zeros` zeros, a number that grows with the number of keys
/// (adaptive sampling by Wegman, Flajolet 1990). Exact as long as all keys fit.
#[derive(Clone, Debug, Default)]
pub(super) struct DistinctCounter {
    zeros: u32,
    counts: HashMap<u64, u32>,
}

impl DistinctCounter {
    const MAX_KEYS: usize = 1 << 20;

    pub(super) fn add(&mut self, key: u64) {
        // The lowest bit of a position key is the side to move, so the bits are mixed.
        let hash = key.wrapping_mul(GOLDEN_RATIO).swap_bytes();
        if hash.trailing_zeros() < self.zeros {
            return;
        }
        let count = self.counts.entry(hash).or_default();
        *count = count.saturating_add(1);
        while self.counts.len() > DistinctCounter::MAX_KEYS {
            self.zeros += 1;
            let zeros = self.zeros;
            self.counts.retain(|hash, _| hash.trailing_zeros() >= zeros);
        }
    }

    /// The share of keys that are repetitions, 0 to 1.
    pub(super) fn repeated(&self) -> f64 {
        let all: u64 = self.counts.values().map(|&count| u64::from(count)).sum();
        if all == 0 { 0.0 } else { 1.0 - self.counts.len() as f64 / all as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Random;

    #[test]
    fn the_share_of_repeated_keys_is_exact_for_few_and_estimated_for_many() {
        let mut few = DistinctCounter::default();
        assert_eq!(few.repeated(), 0.0);
        [5, 7, 5, 5].into_iter().for_each(|key| few.add(key));
        assert_eq!(few.repeated(), 0.5);

        let mut random = Random::new(1);
        let mut many = DistinctCounter { zeros: 6, ..DistinctCounter::default() };
        for _ in 0..100_000 {
            let key = random.next();
            many.add(key);
            if random.percent(25) {
                many.add(key);
            }
        }
        assert!((many.repeated() - 0.2).abs() < 0.03, "{}", many.repeated());
    }
}
