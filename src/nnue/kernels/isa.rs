//! The instruction sets, and which of them this processor supports.

use std::fmt;

#[cfg(all(target_arch = "aarch64", not(miri)))]
use super::neon;
use super::scalar;
#[cfg(target_arch = "wasm32")]
use super::simd128;
use super::table::KernelTable;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::{avx2, avx512, sse41};

/// An instruction set with kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Isa {
    Scalar,
    Sse41,
    Avx2,
    AvxVnni,
    Avx512,
    Avx512Vnni,
    Neon,
    /// The 128-bit vectors of WebAssembly.
    Simd128,
}

impl Isa {
    /// All instruction sets, from the slowest to the fastest.
    pub const ALL: [Isa; 8] = [
        Isa::Scalar,
        Isa::Sse41,
        Isa::Avx2,
        Isa::AvxVnni,
        Isa::Avx512,
        Isa::Avx512Vnni,
        Isa::Neon,
        Isa::Simd128,
    ];

    /// The name as a value of the option `EvalKernel`.
    pub const fn name(self) -> &'static str {
        match self {
            Isa::Scalar => "scalar",
            Isa::Sse41 => "sse41",
            Isa::Avx2 => "avx2",
            Isa::AvxVnni => "avxvnni",
            Isa::Avx512 => "avx512",
            Isa::Avx512Vnni => "avx512vnni",
            Isa::Neon => "neon",
            Isa::Simd128 => "simd128",
        }
    }

    /// Whether this build has kernels for it and this processor supports it.
    pub fn is_available(self) -> bool {
        self.table().is_some()
    }

    /// The fastest available one.
    pub fn best() -> Isa {
        let available = |isa: &Isa| isa.is_available();
        Isa::ALL.into_iter().rev().find(available).unwrap_or(Isa::Scalar)
    }

    pub(super) fn table(self) -> Option<KernelTable> {
        match self {
            Isa::Scalar => Some(scalar::TABLE),
            _ => self.vector_table(),
        }
    }

    #[cfg(all(target_arch = "x86_64", not(miri)))]
    fn vector_table(self) -> Option<KernelTable> {
        let sse41 = is_x86_feature_detected!("sse4.1") && is_x86_feature_detected!("ssse3");
        let avx2 = sse41
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2");
        let avx512 = avx2
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq");
        match self {
            Isa::Sse41 => sse41.then_some(sse41::plain::TABLE),
            Isa::Avx2 => avx2.then_some(avx2::plain::TABLE),
            Isa::AvxVnni => {
                (avx2 && is_x86_feature_detected!("avxvnni")).then_some(avx2::vnni::TABLE)
            }
            Isa::Avx512 => avx512.then_some(avx512::plain::TABLE),
            Isa::Avx512Vnni => {
                (avx512 && is_x86_feature_detected!("avx512vnni")).then_some(avx512::vnni::TABLE)
            }
            Isa::Scalar | Isa::Neon | Isa::Simd128 => None,
        }
    }

    #[cfg(all(target_arch = "aarch64", not(miri)))]
    fn vector_table(self) -> Option<KernelTable> {
        let neon = std::arch::is_aarch64_feature_detected!("neon");
        (self == Isa::Neon && neon).then_some(neon::plain::TABLE)
    }

    /// A browser that lacks the instructions refuses the whole module.
    #[cfg(target_arch = "wasm32")]
    fn vector_table(self) -> Option<KernelTable> {
        (self == Isa::Simd128).then_some(simd128::plain::TABLE)
    }

    #[cfg(not(all(
        any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "wasm32"),
        not(miri)
    )))]
    fn vector_table(self) -> Option<KernelTable> {
        None
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
