//! Numbers without pattern that a seed decides: SplitMix64 (Steele, Lea and Flood 2014).

/// A sequence of them.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    /// The sequence of this number among those of a seed, so that what is drawn for one purpose
    /// does not depend on what is drawn for another.
    pub(super) fn new(seed: u64, sequence: u64) -> Random {
        Random(mixed(mixed(seed).wrapping_add(sequence)))
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// Below `bound`, which is not 0.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    /// From 0 to 1, 1 not included.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Normally distributed around 0 with deviation 1 (Box and Muller 1958).
    pub(super) fn normal(&mut self) -> f32 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        (radius * (std::f64::consts::TAU * self.unit()).cos()) as f32
    }

    /// Brings `items` into another order (Fisher and Yates).
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u64 + 1) as usize);
        }
    }
}

const fn mixed(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_numbers_have_mean_0_and_deviation_1() {
        let mut random = Random::new(1, 2);
        let numbers: Vec<f64> = (0..100_000).map(|_| f64::from(random.normal())).collect();
        let mean = numbers.iter().sum::<f64>() / 1e5;
        let variance = numbers.iter().map(|x| x * x).sum::<f64>() / 1e5;
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
    }

    #[test]
    fn a_shuffle_keeps_all_items_and_sequences_differ() {
        let order = |seed, sequence| {
            let mut order: Vec<u32> = (0..100).collect();
            Random::new(seed, sequence).shuffle(&mut order);
            order
        };
        assert_eq!(order(1, 1), order(1, 1));
        assert_ne!(order(1, 1), order(1, 2));
        assert_ne!(order(1, 1), order(2, 1));
        let mut sorted = order(1, 1);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
    }
}
