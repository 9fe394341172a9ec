//! Nets against the slow ones, over random games with moves done and undone.

mod nets;
mod play;
