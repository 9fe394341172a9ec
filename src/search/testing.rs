//! Helpers for the tests of several modules.

use std::sync::Arc;

use super::request::{Limits, Request, SearchOptions};
use super::root_move::root_moves;
use super::search_context::SearchContext;
use super::shared_history::SharedHistories;
use crate::nnue::Network;
use crate::position::Position;
use crate::sys::Instant;
use crate::tt::TranspositionTable;

pub(super) const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

pub(super) fn request(sfen: &str, limits: Limits, options: SearchOptions) -> Request {
    let position = Position::from_sfen(sfen).unwrap();
    Request { position, limits, options, received: Instant::now() }
}

/// The context of a search with one worker.
pub(super) fn context(request: Request) -> SearchContext {
    let root_moves = root_moves(&request);
    let table = Arc::new(TranspositionTable::new(1).unwrap());
    let histories = SharedHistories::new(1, || None).unwrap();
    histories.clear();
    SearchContext::new(0, request, root_moves, table, Network::built_in(), histories, 1)
}
