//! Building an opening book by searches.
//!
//! A book is a graph of positions and the moves searched in them. In each step the position at the end of
//! the cheapest line is searched for its best moves, and the values of all positions are updated. The cost
//! of a line is the sum over its moves, of both sides, of the loss against the best move of the position,
//! plus a small constant per move. This is drop-out expansion (T. R. Lincke, "Strategies for the Automatic
//! Construction of Opening Books", Computers and Games 2000). The values are minimax values of the leaves,
//! with repetitions as draws, as in the books of YaneuraOu's method peta-shock (2023).
//!
//! [`BookBuilder`] searches; its `graph` holds the positions and selects those to search next.
//!
//! The book is the only state, so the work can be continued with its file. The result depends on the
//! book and the settings alone, not on threads or interruptions, if each batch is complete.

mod builder;
mod graph;

pub use builder::{BookBuilder, BuildError, BuildSettings};

#[cfg(test)]
mod tests;
