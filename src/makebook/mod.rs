//! Growing an opening book by our own searches.
//!
//! A book is a graph: positions, and the moves that were searched in them. Again and again the
//! position at the end of the most promising line is searched for its best moves, and the values of
//! all positions before it follow. Promising is a line that neither side has to lose much for: each
//! move costs what it is worse than the best move there, and a little for going deeper. This is
//! drop-out expansion (T. R. Lincke, "Strategies for the Automatic Construction of Opening Books",
//! Computers and Games 2000). That a book's values are minimax values of its leaves, with repetition
//! as a draw, is also what the books by YaneuraOu's method peta-shock do (2023).
//!
//! The book is all that is kept, so who has one can go on with it. What comes out depends on the
//! book and the settings alone, not on threads or interruptions, as long as each batch is whole.

mod builder;
mod graph;

pub use builder::{BookBuilder, BuildError, BuildSettings};

#[cfg(test)]
mod tests;
