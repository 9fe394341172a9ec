//! Files of whole games with a score for every searched move: what training data is kept as.
//!
//! A [`ScoredGame`] is a start, moves with scores, and how it ended; [`Replay`] walks through its
//! positions. A file is a head, which says how the games were made, and blocks of games with
//! checksums. [`GameReader`] streams the games of a file and steps over damage;
//! [`GameWriter`] appends, after cutting off what a broken write left. The format is described byte
//! by byte in `docs/selfplay.md`.

mod block;
mod header;
mod reader;
mod replay;
mod scored_game;
#[cfg(test)]
pub(in crate::tools) mod tests;
mod writer;

pub use header::{GameFileHeader, HeaderError};
pub use reader::{GameReadError, GameReader};
pub use replay::{GameSample, IllegalGame, Replay, is_quiet};
pub use scored_game::{GameFormatError, GameMove, ScoredGame};
pub use writer::{ExistingGames, GameWriteError, GameWriter};
