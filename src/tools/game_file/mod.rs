//! Game files: whole games with a score for every searched move, the format of training data.
//!
//! A [`ScoredGame`] is a start position, moves with scores, and the end of the game; [`Replay`]
//! iterates over its positions. A file is a header, which says how the games were made, and blocks of
//! games with checksums. [`GameFileReader`] streams the games and skips damage; [`GameFileWriter`] appends
//! games, after removing an incomplete block at the end. The format is described byte
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
pub use reader::{GameFileReader, GameReadError};
pub use replay::{GameSample, IllegalGame, Replay, is_quiet};
pub use scored_game::{GameFormatError, GameMove, ScoredGame};
pub use writer::{ExistingGames, GameFileWriter, GameWriteError};
