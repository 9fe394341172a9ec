//! Game records: each notation keeps what it can hold, common defects are tolerated, errors name their
//! line, and no text causes harm.

mod errors;
mod generate;
mod hostile;
mod illegal_moves;
mod notations;
mod peers;
mod round_trip;
mod tolerance;

use proptest::prelude::ProptestConfig;

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}
