//! Networks against slow reference networks, in random games with moves made and undone.

mod networks;
mod play;
