//! Nets against slow reference nets, over random games with moves done and undone.

mod nets;
mod play;
