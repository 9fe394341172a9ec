//! Kawasemi, a shogi engine.
//!
//! The layers, lowest first; a module imports only from layers below (`tests/architecture.rs` holds
//! the table): [`types`] and `sys`, `position`, `tt`, `search`, `engine`, `usi`, and behind the
//! feature `tools` what works on whole games.

#![deny(unsafe_code)]
#![deny(unsafe_op_in_unsafe_fn)]
#![warn(missing_debug_implementations, rust_2018_idioms, unreachable_pub)]
#![warn(clippy::undocumented_unsafe_blocks, clippy::todo, clippy::unimplemented, clippy::dbg_macro)]

pub mod mate;
pub mod position;
pub mod types;
