//! The shapes a net can have, and the numbers that name them in a file.
//!
//! Owns dimensions and hashes; knows nothing of bytes, pieces or arithmetic. Names, dimensions and
//! hashes are those of YaneuraOu's NNUE, so that a file is what its header says everywhere.

use std::fmt;

/// Which inputs a position switches on, for each of its two views.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FeatureSet {
    /// Own king and any other piece, in pairs.
    HalfKp,
    /// The same, mirrored so that the own king stands on files 1 to 5.
    HalfKpVm,
    /// Every piece but kings by itself, then the kings by themselves.
    KP,
    /// Every piece by itself, both kings in one plane, then the kings by themselves.
    KA2,
    /// Own king and any piece, either king in a plane of its own.
    HalfKa1,
    /// Own king and any piece, both kings in one plane.
    HalfKa2,
    /// `HalfKa1`, mirrored.
    HalfKaHm1,
    /// `HalfKa2`, mirrored.
    HalfKaHm2,
}

/// Inputs of pieces without kings: the hands and nine kinds of each side on 81 squares.
pub(super) const FE_END: usize = 1548;
/// Inputs of pieces with both kings in one plane.
pub(super) const E_KING: usize = FE_END + 81;
/// Inputs of pieces with a plane for either king.
pub(super) const FE_END2: usize = E_KING + 81;

impl FeatureSet {
    pub const ALL: [FeatureSet; 8] = [
        FeatureSet::HalfKp,
        FeatureSet::HalfKpVm,
        FeatureSet::KP,
        FeatureSet::KA2,
        FeatureSet::HalfKa1,
        FeatureSet::HalfKa2,
        FeatureSet::HalfKaHm1,
        FeatureSet::HalfKaHm2,
    ];

    /// How many inputs there are.
    pub const fn dimensions(self) -> usize {
        self.blocks() * self.block_len()
    }

    /// How many squares of the own king are told apart. Each has a block of inputs of its own, and
    /// all blocks are numbered alike.
    pub const fn blocks(self) -> usize {
        match self {
            FeatureSet::KP | FeatureSet::KA2 => 1,
            FeatureSet::HalfKp | FeatureSet::HalfKa1 | FeatureSet::HalfKa2 => 81,
            FeatureSet::HalfKpVm | FeatureSet::HalfKaHm1 | FeatureSet::HalfKaHm2 => 45,
        }
    }

    /// How many inputs a block has.
    pub const fn block_len(self) -> usize {
        match self {
            FeatureSet::HalfKp | FeatureSet::HalfKpVm => FE_END,
            FeatureSet::KP | FeatureSet::HalfKa1 | FeatureSet::HalfKaHm1 => FE_END2,
            FeatureSet::KA2 => E_KING + 2 * 81,
            FeatureSet::HalfKa2 | FeatureSet::HalfKaHm2 => E_KING,
        }
    }

    /// The number that stands for it in the hash of a file.
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
        }
    }

    /// How descriptions call it.
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
        }
    }
}

const K_HASH: u32 = 0xD3CE_E169;
const P_HASH: u32 = 0x764C_FB4B;
const A2_HASH: u32 = 0xA20D_CB9B;

const fn joined(head: u32, tail: u32) -> u32 {
    head ^ (tail << 1) ^ (tail >> 31)
}

/// What lies behind the feature transformer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Topology {
    /// One stack of layers: both views clipped, side to move first, then `h1`, `h2` and the output.
    Classic,
    /// Stockfish's form of 2022 without its piece-square part: each view multiplied with itself in
    /// halves, `stacks` stacks of layers of which one is used, the first layer squared and clipped
    /// side by side.
    Sfnn {
        /// How many stacks the file holds.
        stacks: usize,
        /// Whether the first layer has one output more, which is added to the final output.
        shortcut: bool,
    },
}

/// The shape of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Architecture {
    pub features: FeatureSet,
    /// Outputs of the feature transformer for one view.
    pub width: usize,
    /// Outputs of the first layer, the shortcut not counted.
    pub h1: usize,
    /// Outputs of the second layer.
    pub h2: usize,
    pub topology: Topology,
}

impl Architecture {
    /// Inputs of the first layer.
    pub const fn l1_inputs(&self) -> usize {
        match self.topology {
            Topology::Classic => 2 * self.width,
            Topology::Sfnn { .. } => self.width,
        }
    }

    /// Outputs of the first layer, the shortcut counted.
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
    }
}
