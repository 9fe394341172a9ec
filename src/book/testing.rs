//! Helpers of the tests of books.

use std::collections::BTreeMap;
use std::fs;

use tempfile::{NamedTempFile, TempPath};

use crate::position::{Position, Setup};
use crate::types::Move;

/// A temporary file with this content.
pub(super) fn file_of(bytes: &[u8]) -> TempPath {
    let path = NamedTempFile::new().unwrap().into_temp_path();
    fs::write(&path, bytes).unwrap();
    path
}

/// The different positions of some random games, sorted as in text books.
pub(super) fn games(count: u64, plies: usize) -> Vec<Setup> {
    let mut setups = BTreeMap::new();
    for game in 0..count {
        let mut random = game.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut position = Position::startpos();
        for _ in 0..plies {
            let moves: Vec<Move> = position.legal_moves().moves().collect();
            if moves.is_empty() {
                break;
            }
            let setup = position.setup();
            setups.entry(setup.sfen_without_ply()).or_insert(setup);
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            position.do_move(moves[(random >> 33) as usize % moves.len()]);
        }
    }
    setups.into_values().collect()
}
