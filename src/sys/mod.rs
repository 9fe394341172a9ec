//! Services of the operating system and the processor beyond the standard library: huge pages, available
//! memory and address space, refused threads, memory-mapped files, regular files, fsync, atomic file
//! replacement, temporary files, paths, arguments with file patterns, prefetching, POPCNT, processors, standard error,
//! ANSI escapes, lines of pipes and sockets, the clock, random seeds, the resolution of timers, threads that write
//! or handle messages, time slices, child processes and their groups, and signals.
//!
//! Holds all `unsafe` code of the crate that calls the system, and exports safe types only. Knows neither the game
//! nor the data of its callers.

#![allow(unsafe_code, reason = "system calls and processor instructions have no safe form")]

mod address_space;
mod ansi;
#[cfg(not(target_family = "wasm"))]
mod arguments;
mod atomic_file;
mod available_memory;
#[cfg(not(target_family = "wasm"))]
mod background_writer;
mod clock;
mod fsync;
mod huge_pages;
#[cfg(target_family = "wasm")]
mod inline_writer;
mod lines;
mod mapped_file;
mod message_thread;
#[cfg(not(target_family = "wasm"))]
mod parent_death;
mod path;
mod popcnt;
mod prefetch;
#[cfg(not(target_family = "wasm"))]
mod process_group;
mod processors;
mod refused_thread;
mod regular_file;
#[cfg(not(target_family = "wasm"))]
mod signals;
mod standard_error;
mod temp_file;
mod time_slices;
mod timer_resolution;

pub use address_space::limit_heap_arenas;
pub use ansi::enable_ansi_escapes;
#[cfg(not(target_family = "wasm"))]
pub use arguments::expanded_arguments;
pub use atomic_file::{AtomicFile, is_stream, write_atomically};
pub use available_memory::{RESERVE_DIVISOR, available_memory, usable_memory};
#[cfg(not(target_family = "wasm"))]
pub use background_writer::{BackgroundWriter, WriteStamp};
pub use clock::{Instant, random_seed};
pub use fsync::sync_file;
pub use huge_pages::{AllocationError, HugePages};
#[cfg(target_family = "wasm")]
pub use inline_writer::{BackgroundWriter, WriteStamp};
pub use lines::each_line;
pub use mapped_file::{MappedFile, MappedView};
pub use message_thread::MessageThread;
#[cfg(not(target_family = "wasm"))]
pub use parent_death::spawn_child;
pub use path::{in_file, is_open_at, is_same_file, path_from_bytes};
pub use popcnt::Popcnt;
pub use prefetch::prefetch;
#[cfg(not(target_family = "wasm"))]
pub use process_group::{kill_process_group, start_process_group};
pub use processors::{in_processor_group, processors};
pub use refused_thread::refused_thread;
pub use regular_file::{open_input, open_log, open_regular, open_stdin};
#[cfg(not(target_family = "wasm"))]
pub use signals::{on_interrupt, survive_file_size_limit};
pub use standard_error::{StatusLine, write_stderr};
pub use temp_file::{TempFile, exit_interrupted, interrupted_exit_code, stop_or_exit};
pub use time_slices::{pause_if_due, sleep};
pub use timer_resolution::raise_timer_resolution;
