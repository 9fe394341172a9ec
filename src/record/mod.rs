//! Records of games: one model, and a file for each notation that it is read from and written to.
//!
//! A [`GameRecord`] is a tree of legal moves with all that is said about them. [`read_bytes`] finds out
//! what a file is and reads it, [`write_bytes`] writes games and tells what was lost. A reader
//! tolerates the dirt of real files, but a move that the rules forbid is an error with its line.
//! No reader or writer recurses deeper than a bound, and none takes more memory than some multiple
//! of its input. Files and their names are not known here.

mod csa;
mod encoding;
mod error;
mod evaluation;
mod format;
mod game_builder;
mod game_cursor;
mod game_record;
mod game_walk;
mod handicap;
mod header;
mod japanese;
mod jkf;
mod kif;
mod move_text;
pub mod scored_position;
mod special_move;
mod text;
mod time;
mod usi;

pub use csa::{move_text as csa_move, read_move as read_csa_move};
pub use encoding::{Encoding, UnknownEncoding, decode, encode};
pub use error::{
    ConversionLoss, ConversionLosses, Excerpt, MoveError, ReadWarning, RecordError,
    RecordErrorKind, WarningKind,
};
pub use evaluation::{Evaluation, EvaluationValue};
pub use format::{
    ErrorPolicy, ParsedGames, RecordFormat, UnknownFormat, detect, read, read_bytes, write,
    write_bytes,
};
pub use game_cursor::{GameCursor, MAX_MOVES, RefusedMove};
pub use game_record::{GameNode, GameRecord, GameStep, NodeId};
pub use header::{HeaderKey, Headers, TimeLimit};
pub use move_text::{japanese_move, western_move};
pub use special_move::SpecialMove;
pub use time::{format_duration, parse_seconds as read_csa_seconds};
