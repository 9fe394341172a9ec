//! The searcher: what it is asked, how it thinks, what it answers.
//!
//! Silent: it emits values ([`request::Event`]) and never text. Everything the threads of a search
//! share is in `shared`, all else belongs to a `worker`.

mod answer;
pub mod bench;
mod common;
mod correction;
mod ending;
mod entries;
mod history;
mod learn;
mod line;
mod main_duties;
mod moves;
mod node;
pub mod params;
mod picker;
mod pool;
mod proofs;
mod prune;
mod pv;
mod qsearch;
mod quiets;
pub mod request;
mod root;
mod root_move;
mod shared;
mod solo;
mod stack;
mod strength;
#[cfg(test)]
mod tests;
mod time;
mod vote;
mod worker;

pub use pool::{Pool, STACK_BYTES};
pub use solo::{Choice, Found, Solo};
