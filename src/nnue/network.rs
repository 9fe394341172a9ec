//! A net as the search uses it: its numbers, the kernels that compute it, and the divisor that makes
//! scores of its output.

use std::num::NonZeroU32;
use std::sync::Arc;

use super::built_in::built_in;
use super::kernels::Kernels;
use super::net::Net;
use crate::types::Score;

/// See the module's comment. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Network {
    pub net: Arc<Net>,
    pub kernels: Kernels,
    /// What the net's output is divided by to make a score; the option `FV_SCALE`.
    pub scale: NonZeroU32,
}

impl Network {
    /// The divisor where neither the user nor the files name one, as in YaneuraOu and its relatives.
    pub const DEFAULT_SCALE: NonZeroU32 = NonZeroU32::new(16).unwrap();
    /// The largest divisor that can be set.
    pub const MAX_SCALE: u32 = 128;

    /// This net with the fastest kernels and the divisor that its file names.
    pub fn new(net: Arc<Net>) -> Network {
        let scale = net.scale.and_then(NonZeroU32::new).unwrap_or(Network::DEFAULT_SCALE);
        Network { net, kernels: Kernels::best(), scale }
    }

    /// The network in the program itself.
    pub fn built_in() -> Network {
        Network::new(built_in())
    }

    /// The score that an output of the net means: divided towards zero, and within the range of
    /// scores that are no mates.
    #[inline(always)]
    pub fn score(&self, output: i32) -> Score {
        // The quotient is within the range of the dividend.
        Score::from_eval((i64::from(output) / i64::from(self.scale.get())) as i32)
    }
}

impl PartialEq for Network {
    /// Whether both give every position the same score by the same instructions.
    fn eq(&self, other: &Network) -> bool {
        Arc::ptr_eq(&self.net, &other.net)
            && self.scale == other.scale
            && self.kernels.isa() == other.kernels.isa()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_is_divided_towards_zero_and_kept_apart_from_mates() {
        let score = |output, scale| {
            let scale = NonZeroU32::new(scale).unwrap();
            Network { scale, ..Network::built_in() }.score(output).0
        };
        assert_eq!(score(-50_953, 16), -3_184);
        assert_eq!(score(47, 16), 2);
        assert_eq!(score(-47, 16), -2);
        assert_eq!(score(i32::MIN, 1), -Score::MAX_EVAL.0);
        assert_eq!(score(i32::MAX, 1), Score::MAX_EVAL.0);
        assert_eq!(score(i32::MIN, u32::MAX), 0);
    }
}
