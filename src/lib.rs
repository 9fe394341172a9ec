//! Kawasemi, a shogi engine: everything except its command line.
//!
//! Entry points:
//!
//! - [`position::Position`] is the board with the rules;
//! - [`record::read_bytes`] reads game records, [`record::write_bytes`] writes them;
//! - [`search::ThreadPool`] searches on many threads, [`search::SingleThreadSearcher`] on the calling
//!   thread; [`engine::Settings::search_options`] makes the options of both;
//! - [`mate::Solver`] solves mate problems, [`book::Book`] is an opening book;
//! - [`engine::Engine`] combines the search, the solver and the books, and [`usi::console`] connects it to a
//!   GUI;
//! - [`analysis::Analyzer`] analyses games.
//!
//! ```
//! use kawasemi::position::Position;
//! let mut position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
//! let mate = position.mate_in_one().unwrap();
//! assert_eq!(mate.to_string(), "G*5b");
//! position.try_play(mate).unwrap();
//! assert!(!position.has_legal_move());
//! ```
//!
//! The modules are layers: `docs/design.md` has a table of what each may import.

#![deny(unsafe_code)]
#![deny(unsafe_op_in_unsafe_fn)]
#![cfg_attr(
    target_family = "wasm",
    allow(dead_code, reason = "threads, pipes and large machines have no place in a browser")
)]
#![warn(missing_debug_implementations, rust_2018_idioms, unreachable_pub)]
#![warn(clippy::undocumented_unsafe_blocks, clippy::todo, clippy::unimplemented, clippy::dbg_macro)]

#[cfg(not(target_family = "wasm"))]
pub mod analysis;
pub mod book;
pub mod browser;
#[cfg(not(target_family = "wasm"))]
pub mod cluster;
#[cfg(not(target_family = "wasm"))]
pub mod csa;
pub mod engine;
#[cfg(not(target_family = "wasm"))]
pub mod makebook;
pub mod mate;
pub mod nnue;
pub mod position;
#[cfg(not(target_family = "wasm"))]
pub mod puzzles;
pub mod record;
pub mod search;
pub mod session;
pub mod sys;
#[cfg(feature = "tools")]
pub mod tools;
#[cfg(not(target_family = "wasm"))]
pub mod tsume;
pub mod tt;
pub mod types;
pub mod usi;
#[cfg(not(target_family = "wasm"))]
pub mod usi_client;
#[cfg(target_family = "wasm")]
pub mod wasm;
