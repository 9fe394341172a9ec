//! Notations and files of games.
//!
//! Moves and positions in the form that files keep them; who played, and why, is not known here.

pub mod csa;
pub mod packed;
pub mod scored;
