//! Records of games: what each notation holds comes back, dirt is tolerated, faults are named, and
//! no text whatever does harm.

mod errors;
mod generate;
mod hostile;
mod illegal_moves;
mod notations;
mod round_trip;
mod tolerance;

use proptest::prelude::ProptestConfig;

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}
