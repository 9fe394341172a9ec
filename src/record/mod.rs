//! Game records: one model, and readers and writers for each notation.
//!
//! A [`GameRecord`] is a tree of legal moves with comments, times and evaluations. [`read_bytes`]
//! detects the notation of a file and reads it; [`write_bytes`] writes games and counts what the
//! notation cannot hold. [`GameStream`] and [`GameWriter`] do the same game by game.
//!
//! Readers tolerate the usual defects of real files, but an illegal move is an error with its line.
//! Recursion depth is bounded, and memory is proportional to the input. File names are not handled
//! here.

mod csa;
mod csa_move;
mod decoding;
mod encoding;
mod ending;
mod error;
mod evaluation;
mod format;
mod game_builder;
mod game_cursor;
mod game_record;
mod game_walk;
mod handicap;
mod header;
mod japanese_move;
mod japanese_text;
mod jkf;
mod kif;
mod line_detection;
mod reading;
pub mod scored_position;
mod spelled_move;
mod text;
mod text_lines;
mod time;
mod usi;
mod western_move;
mod writing;

pub use csa_move::{csa_move, read_csa_move};
pub use decoding::decode;
pub use encoding::{Encoding, UnknownEncoding, encode};
pub use ending::Ending;
pub use error::{
    ConversionLoss, ConversionLosses, GameStreamError, JsonFault, MAX_MOVES, MoveError,
    ReadWarning, RecordError, RecordErrorKind, RefusedMove, WarningKind,
};
pub use evaluation::{Evaluation, EvaluationValue, FLOODGATE_MATE};
pub use format::{RecordFormat, UnknownFormat};
pub use game_builder::{ErrorPolicy, ParsedGames};
pub use game_cursor::GameCursor;
pub use game_record::{GameNode, GameRecord, GameStep, NodeId, NodeMut};
pub use handicap::{HANDICAPS, Handicap, is_handicap, side_names};
pub use header::{HeaderKey, Headers, TimeLimit};
pub use japanese_move::{japanese_move, ki2_move};
pub use japanese_text::japanese_square;
pub use kif::kanji_diagram;
pub use reading::{GameStream, StreamedItem, detect, read, read_bytes};
pub use spelled_move::SpelledMove;
pub use time::{format_duration, read_csa_seconds};
pub use western_move::western_move;
pub use writing::{GameWriter, write, write_bytes};
