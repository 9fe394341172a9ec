//! A network as the search uses it: its weights, its kernels, and the divisor (`FV_SCALE`) that turns
//! its output into a score.

use std::num::NonZeroU32;
use std::sync::Arc;

use super::built_in::built_in;
use super::kernels::Kernels;
use super::weights::NetworkWeights;
use crate::types::Score;

/// Weights with their kernels and their divisor. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Network {
    pub weights: Arc<NetworkWeights>,
    pub kernels: Kernels,
    /// The divisor that turns the output into a score; the option `FV_SCALE`.
    pub fv_scale: NonZeroU32,
}

impl Network {
    /// The divisor if neither the user nor the files name one, as in YaneuraOu.
    pub const DEFAULT_FV_SCALE: NonZeroU32 = NonZeroU32::new(16).unwrap();

    /// These weights with the fastest kernels and the divisor of their file.
    pub fn new(weights: Arc<NetworkWeights>) -> Network {
        let fv_scale =
            weights.fv_scale.and_then(NonZeroU32::new).unwrap_or(Network::DEFAULT_FV_SCALE);
        Network { weights, kernels: Kernels::best(), fv_scale }
    }

    /// The network embedded in the program.
    pub fn built_in() -> Network {
        Network::new(built_in())
    }

    /// The score of an output: the quotient, rounded towards zero and clamped to the range of scores that are not
    /// mates.
    #[inline(always)]
    pub fn score(&self, output: i32) -> Score {
        // The quotient is within the range of the dividend.
        Score::from_eval((i64::from(output) / i64::from(self.fv_scale.get())) as i32)
    }
}

impl PartialEq for Network {
    /// Whether both give every position the same score by the same instructions.
    fn eq(&self, other: &Network) -> bool {
        Arc::ptr_eq(&self.weights, &other.weights)
            && self.fv_scale == other.fv_scale
            && self.kernels.isa() == other.kernels.isa()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_is_divided_towards_zero_and_clamped_below_mate_scores() {
        let score = |output, fv_scale| {
            let fv_scale = NonZeroU32::new(fv_scale).unwrap();
            Network { fv_scale, ..Network::built_in() }.score(output).0
        };
        assert_eq!(score(-50_953, 16), -3_184);
        assert_eq!(score(47, 16), 2);
        assert_eq!(score(-47, 16), -2);
        assert_eq!(score(i32::MIN, 1), -Score::MAX_EVAL.0);
        assert_eq!(score(i32::MAX, 1), Score::MAX_EVAL.0);
        assert_eq!(score(i32::MIN, u32::MAX), 0);
    }
}
