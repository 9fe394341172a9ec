//! Nets against the slow ones, over random games with moves done and undone.

#[path = "../common/mod.rs"]
mod common;
mod nets;
mod play;
