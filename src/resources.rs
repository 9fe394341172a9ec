//! How much of the machine a command may be given: the ranges of the options `Threads` and
//! `USI_Hash`, for arguments that mean the same.

use clap::builder::RangedI64ValueParser;

pub fn threads() -> RangedI64ValueParser<u16> {
    clap::value_parser!(u16).range(1..=1024)
}

/// In mebibytes.
pub fn hash() -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=1 << 25)
}
