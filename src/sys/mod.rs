//! What the operating system and the processor offer beyond the standard library: huge pages,
//! available memory, memory-mapped files, regular files, fsync, atomic file replacement, temporary
//! files, paths, prefetching, POPCNT, processors, standard error, ANSI escapes, harmless text, child
//! processes and their groups, and signals.
//!
//! Holds all `unsafe` of the crate that calls the system, and exports safe types only. Knows nothing
//! of the game, nor of what its callers store.

#![allow(unsafe_code, reason = "system calls and processor instructions have no safe form")]

mod ansi;
mod atomic_file;
mod available_memory;
mod background_writer;
mod fsync;
mod huge_pages;
mod mapped_file;
mod parent_death;
mod path;
mod popcnt;
mod prefetch;
mod printable;
mod process_group;
mod processors;
mod regular_file;
mod signals;
mod standard_error;
mod temp_file;

pub use ansi::enable_ansi_escapes;
pub use atomic_file::{AtomicFile, is_stream, write_atomically};
pub use available_memory::{RESERVE_SHARE, available_memory, usable_memory};
pub use background_writer::{BackgroundWriter, WriteStamp};
pub use fsync::sync_file;
pub use huge_pages::{AllocationError, HugePages};
pub use mapped_file::{MappedFile, MappedView};
pub use parent_death::spawn_child;
pub use path::{in_file, is_same_file, path_from_bytes};
pub use popcnt::Popcnt;
pub use prefetch::prefetch;
pub use printable::printable;
pub use process_group::{kill_process_group, start_process_group};
pub use processors::processors;
pub use regular_file::{open_log, open_regular};
pub use signals::{debounce, keep_nohup, survive_file_size_limit};
pub use standard_error::{StatusLine, write_stderr};
pub use temp_file::{TempFile, exit_interrupted, stop_or_exit};
