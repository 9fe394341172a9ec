//! Game records: each notation keeps what it can hold, common defects are tolerated, errors name their
//! line, and no text causes harm.

mod errors;
mod generate;
mod hostile;
mod illegal_moves;
mod notations;
mod nothing_lost;
mod other_programs;
mod round_trip;
mod tolerance;

use kawasemi::record::GameRecord;
use proptest::prelude::ProptestConfig;

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// The moves of the main line in USI notation.
fn moves(game: &GameRecord) -> String {
    game.main_moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
}
