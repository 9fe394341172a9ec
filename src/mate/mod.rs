//! The mate solver (tsume-shogi): whether the side to move can mate by checks alone, and how. It is
//! a depth-first proof-number search (df-pn) over OR nodes, with the attacker to move, and AND
//! nodes, with the defender to move. It depends on neither the evaluation, the search nor the
//! protocol.
//!
//! Top down: `solver` searches for a mate, then for shorter ones, and traces their lines (`tracer`).
//! `resumable_solver` does the same a number of nodes at a time, and `prover` decides many positions of one
//! problem. `threads` runs one search on several threads. `dfpn` is the search of one thread: `expand` generates
//! the children of a node, `node_numbers` and `solved_value` combine their values. `tables` holds the proof table
//! and the repetition table.

mod child;
mod delay;
mod dfpn;
mod double_counting;
mod estimate;
mod expand;
mod frame;
mod limits;
mod node_key;
mod node_numbers;
mod node_value;
mod path;
mod proof_hand;
mod proof_table;
mod prover;
mod repetition_table;
mod resumable_solver;
mod solution;
mod solved_value;
mod solver;
mod tables;
mod threads;
mod tracer;

pub use limits::SolverLimits;
pub use node_value::INFINITE;
pub use prover::{MateProver, ProofResult};
pub use resumable_solver::ResumableSolver;
pub use solution::{
    Aim, DEFAULT_MEMORY_MIB, MAX_PLIES, MateResult, Solution, SolverProgress, SolverSettings,
};
pub use solver::{Solver, decides_game};
pub use tracer::is_mate;
