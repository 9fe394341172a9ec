//! Files of whole games with a score for every searched move: what training data is kept as.
//!
//! A [`Game`] is a start, moves with scores, and how it ended; [`Replay`] walks through its
//! positions. A file is a head, which says how the games were made, and blocks of games with
//! checksums. [`GameReader`] streams the games of a file and steps over damage;
//! [`GameWriter`] appends, after cutting off what a broken write left. The format is described byte
//! by byte in `docs/training-data.md`.

mod block;
mod game;
mod head;
mod reader;
mod replay;
#[cfg(test)]
pub(in crate::tools) mod tests;
mod writer;

pub use game::{Game, GameError, Ply};
pub use head::{Head, HeadError};
pub use reader::{GameReader, ReadError};
pub use replay::{IllegalGame, Replay, Sample, is_quiet};
pub use writer::{Contents, GameWriter, WriteError};
