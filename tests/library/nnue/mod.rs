//! Nets against slow reference nets, in random games with moves made and undone.

mod networks;
mod play;
