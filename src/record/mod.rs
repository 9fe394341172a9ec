//! Records of games: one model, and a file for each notation that it is read from and written to.
//!
//! A [`Game`] is a tree of legal moves with all that is said about them. [`read_bytes`] finds out
//! what a file is and reads it, [`write_bytes`] writes games and tells what was lost. A reader
//! tolerates the dirt of real files, but a move that the rules forbid is an error with its line.
//! No reader or writer recurses deeper than a bound, and none takes more memory than some multiple
//! of its input. Files and their names are not known here.

mod csa;
mod cursor;
mod draft;
mod encoding;
mod error;
mod evaluation;
mod format;
mod game;
mod handicap;
mod header;
mod japanese;
mod jkf;
mod kif;
pub mod scored;
mod special;
mod spoken;
mod text;
mod time;
mod usi;
mod walk;

pub use csa::{move_text as csa_move, read_move as read_csa_move};
pub use cursor::{Cursor, MAX_MOVES, RefusedMove};
pub use encoding::{Encoding, UnknownEncoding, decode, encode};
pub use error::{Fault, Loss, Losses, MoveFault, Note, Passed, Quote, RecordError};
pub use evaluation::{Evaluation, Value};
pub use format::{
    Format, Policy, Reading, UnknownFormat, detect, read, read_bytes, write, write_bytes,
};
pub use game::{Game, Node, NodeId, Step};
pub use header::{Headers, Key, TimeLimit};
pub use special::Special;
pub use spoken::{japanese_move, western_move};
pub use time::{clock_face, seconds as read_csa_seconds};
pub use usi::ending as usi_ending;
