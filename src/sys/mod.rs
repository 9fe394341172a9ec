//! What the operating system and the processor give beyond the standard library: big tables of
//! zeroed memory, how much of it is left, mapped files, files brought to the disk, files replaced in one
//! step and what an interrupt leaves of them, names of files and the patterns of them, prefetching,
//! counting bits, the error output, escape sequences of terminals, groups of processes, hang-ups, and
//! the language of the user.
//!
//! Owns every operating-system `unsafe` of the crate and hands out safe types only. It knows
//! nothing of the game, nor of what its callers keep in the memory.

#![allow(unsafe_code, reason = "system calls and processor instructions have no safe form")]

mod available;
mod disk;
mod error_output;
mod escapes;
mod file_name;
mod group;
mod hangup;
mod mapped;
mod pages;
mod popcnt;
mod prefetch;
mod replacement;
mod unfinished;
mod user_language;
mod wildcards;

pub use available::{RESERVE_SHARE, available_memory, without_reserve};
pub use disk::sync_file;
pub use error_output::{StatusLine, write_error};
pub use escapes::enable_escapes;
pub use file_name::{file_name, in_file, is_same_file};
pub use group::{end_group, lead_group};
pub use hangup::{heed_nohup, once_each_time};
pub use mapped::{MappedFile, MappedView};
pub use pages::{MemoryRefused, Pages};
pub use popcnt::Popcnt;
pub use prefetch::prefetch;
pub use replacement::{Replacement, is_stream, replace};
pub use unfinished::{Unfinished, end_interrupted, stop_or_end};
pub use user_language::speaks_japanese;
pub use wildcards::expand_wildcards;
