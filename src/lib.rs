//! Kawasemi, a shogi engine.
//!
//! The layers, lowest first: [`types`] and [`sys`]; [`position`]; [`record`], [`tt`] and [`book`];
//! [`mate`]; [`search`]; [`makebook`], [`analysis`] and [`engine`]; [`usi`], and [`csa`] and
//! [`multi`], which need [`usi_engine`]; and behind the feature `tools` what works on whole games. A module imports only from
//! below, by the table in `docs/design.md`.

#![deny(unsafe_code)]
#![deny(unsafe_op_in_unsafe_fn)]
#![warn(missing_debug_implementations, rust_2018_idioms, unreachable_pub)]
#![warn(clippy::undocumented_unsafe_blocks, clippy::todo, clippy::unimplemented, clippy::dbg_macro)]

pub mod analysis;
pub mod book;
pub mod csa;
pub mod engine;
pub mod makebook;
pub mod mate;
pub mod multi;
pub mod nnue;
pub mod position;
pub mod record;
pub mod search;
pub mod sys;
#[cfg(feature = "tools")]
pub mod tools;
pub mod tt;
pub mod types;
pub mod usi;
pub mod usi_engine;
