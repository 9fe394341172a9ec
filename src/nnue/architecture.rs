//! The architectures that are supported, with their dimensions and the hashes that identify them in
//! a file. Names, dimensions and hashes are those of YaneuraOu, except those of
//! [`FeatureSet::ZoneKaHm1`], which only this engine has. `docs/eval.md` has the steps to add a feature set.

use std::fmt;

/// Which features a position activates for each perspective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FeatureSet {
    /// Pairs of the own king and any piece but kings.
    HalfKp,
    /// `HalfKP`, mirrored so that the own king is on files 1 to 5.
    HalfKpVm,
    /// Single pieces, and the kings in planes after them.
    KP,
    /// Single pieces, both kings in one plane, and each king once more in a separate plane.
    KA2,
    /// Pairs of the own king and any piece; each king has its own plane.
    HalfKa1,
    /// Pairs of the own king and any piece; both kings share one plane.
    HalfKa2,
    /// `HalfKa1`, mirrored.
    HalfKaHm1,
    /// `HalfKa2`, mirrored.
    HalfKaHm2,
    /// `HalfKaHm1` with four zones instead of 45 squares of the own king. Only this engine has it.
    ZoneKaHm1,
}

/// The end of the BonaPiece numbers without kings (YaneuraOu: `fe_end`): the hands, then nine kinds of each side on
/// 81 squares.
pub(super) const FE_END: usize = 1548;
/// The start of the plane of the enemy king, after that of the own king (`e_king`); the end if both share a plane.
pub(super) const E_KING: usize = FE_END + 81;
/// The end with a plane for each king (`fe_end2`).
pub(super) const FE_END2: usize = E_KING + 81;

/// Features of `HalfKPE9`, which has the hash of `HalfKP` and is not supported.
pub(super) const HALF_KPE9: usize = 9 * FeatureSet::HalfKp.dimensions();

impl FeatureSet {
    pub const ALL: [FeatureSet; 9] = [
        FeatureSet::HalfKp,
        FeatureSet::HalfKpVm,
        FeatureSet::KP,
        FeatureSet::KA2,
        FeatureSet::HalfKa1,
        FeatureSet::HalfKa2,
        FeatureSet::HalfKaHm1,
        FeatureSet::HalfKaHm2,
        FeatureSet::ZoneKaHm1,
    ];

    /// Number of features.
    pub const fn dimensions(self) -> usize {
        self.king_buckets() * self.king_bucket_len()
    }

    /// Number of squares or zones of the own king that are distinguished. Each has a bucket of
    /// features, and all buckets are numbered alike.
    pub const fn king_buckets(self) -> usize {
        match self {
            FeatureSet::KP | FeatureSet::KA2 => 1,
            FeatureSet::HalfKp | FeatureSet::HalfKa1 | FeatureSet::HalfKa2 => 81,
            FeatureSet::HalfKpVm | FeatureSet::HalfKaHm1 | FeatureSet::HalfKaHm2 => 45,
            FeatureSet::ZoneKaHm1 => 4,
        }
    }

    /// Number of features per king bucket.
    pub const fn king_bucket_len(self) -> usize {
        match self {
            FeatureSet::HalfKp | FeatureSet::HalfKpVm => FE_END,
            FeatureSet::KP
            | FeatureSet::HalfKa1
            | FeatureSet::HalfKaHm1
            | FeatureSet::ZoneKaHm1 => FE_END2,
            FeatureSet::KA2 => E_KING + 2 * 81,
            FeatureSet::HalfKa2 | FeatureSet::HalfKaHm2 => E_KING,
        }
    }

    /// Its part of the hash in a file.
    pub const fn hash(self) -> u32 {
        match self {
            FeatureSet::HalfKp => 0x5D69_D5B8,
            FeatureSet::HalfKpVm => 0x0B6B_1D9A,
            FeatureSet::KP => joined(K_HASH, P_HASH),
            FeatureSet::KA2 => joined(K_HASH, A2_HASH),
            FeatureSet::HalfKa1 => 0x5F13_4CB8,
            FeatureSet::HalfKa2 => 0x5F23_4CB8,
            FeatureSet::HalfKaHm1 => 0x7F13_4CB8,
            FeatureSet::HalfKaHm2 => 0x7F23_4CB8,
            FeatureSet::ZoneKaHm1 => 0x2A04_4CB8,
        }
    }

    /// Its name in the description of a file. `Friend` means the own king.
    pub const fn name(self) -> &'static str {
        match self {
            FeatureSet::HalfKp => "HalfKP(Friend)",
            FeatureSet::HalfKpVm => "HalfKP_vm(Friend)",
            FeatureSet::KP => "K+P",
            FeatureSet::KA2 => "K+A2",
            FeatureSet::HalfKa1 => "HalfKA1(Friend)",
            FeatureSet::HalfKa2 => "HalfKA2(Friend)",
            FeatureSet::HalfKaHm1 => "HalfKA_hm1(Friend)",
            FeatureSet::HalfKaHm2 => "HalfKA_hm2(Friend)",
            FeatureSet::ZoneKaHm1 => "ZoneKA_hm1(Friend)",
        }
    }
}

const K_HASH: u32 = 0xD3CE_E169;
const P_HASH: u32 = 0x764C_FB4B;
const A2_HASH: u32 = 0xA20D_CB9B;

const fn joined(head: u32, tail: u32) -> u32 {
    head ^ (tail << 1) ^ (tail >> 31)
}

/// The layers after the feature transformer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Topology {
    /// One layer stack: both accumulators clipped, the side to move first, then `h1`, `h2` and the
    /// output.
    Classic,
    /// Stockfish's architecture of 2022 without PSQT: the halves of each accumulator are multiplied
    /// pairwise, one of `stacks` layer stacks is selected, and the first layer feeds both a squared
    /// and a plain clipped ReLU.
    Sfnn {
        /// Number of layer stacks in the file.
        stacks: usize,
        /// Whether the first layer has one more output that is added to the final output.
        shortcut: bool,
    },
}

/// The architecture of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Architecture {
    pub features: FeatureSet,
    /// Outputs of the feature transformer per perspective.
    pub width: usize,
    /// Outputs of the first layer without the shortcut.
    pub h1: usize,
    /// Outputs of the second layer.
    pub h2: usize,
    pub topology: Topology,
}

impl Architecture {
    /// Weights of the rows of a king bucket.
    pub fn king_bucket_weights(&self) -> usize {
        self.features.king_bucket_len() * self.width
    }

    /// Inputs of the first layer.
    pub const fn l1_inputs(&self) -> usize {
        match self.topology {
            Topology::Classic => 2 * self.width,
            Topology::Sfnn { .. } => self.width,
        }
    }

    /// Outputs of the first layer including the shortcut.
    pub const fn l1_outputs(&self) -> usize {
        match self.topology {
            Topology::Sfnn { shortcut: true, .. } => self.h1 + 1,
            _ => self.h1,
        }
    }

    /// Inputs of the second layer.
    pub const fn l2_inputs(&self) -> usize {
        match self.topology {
            Topology::Classic => self.h1,
            Topology::Sfnn { .. } => 2 * self.h1,
        }
    }

    pub const fn stacks(&self) -> usize {
        match self.topology {
            Topology::Classic => 1,
            Topology::Sfnn { stacks, .. } => stacks,
        }
    }
}

impl fmt::Display for Architecture {
    /// `HalfKP 256x2-32-32`, `HalfKA_hm2 1536x2-15-32 in 9 stacks`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.features.name();
        let name = name.split('(').next().unwrap_or(name);
        write!(f, "{name} {}x2-{}-{}", self.width, self.h1, self.h2)?;
        match self.topology {
            Topology::Classic => Ok(()),
            Topology::Sfnn { stacks: 1, .. } => f.write_str(" in 1 stack"),
            Topology::Sfnn { stacks, .. } => write!(f, " in {stacks} stacks"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_and_hashes_are_the_published_ones() {
        let of = |set: FeatureSet| (set.dimensions(), set.hash());
        assert_eq!(of(FeatureSet::HalfKp), (125_388, 0x5D69_D5B8));
        assert_eq!(of(FeatureSet::HalfKpVm), (69_660, 0x0B6B_1D9A));
        assert_eq!(of(FeatureSet::KP), (1_710, 0x3F57_15FF ^ 512));
        assert_eq!(FeatureSet::HalfKa1.dimensions(), 138_510);
        assert_eq!(FeatureSet::HalfKa2.dimensions(), 131_949);
        assert_eq!(FeatureSet::HalfKaHm1.dimensions(), 76_950);
        assert_eq!(FeatureSet::HalfKaHm2.dimensions(), 73_305);
        assert_eq!(FeatureSet::ZoneKaHm1.dimensions(), 6_840);
    }
}
