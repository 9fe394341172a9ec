//! Records of games: what each notation holds comes back, dirt is tolerated, faults are named, and
//! no text whatever does harm.

mod dirt;
mod faults;
mod fouls;
mod generate;
mod hostile;
mod notations;
mod round_trip;

use proptest::prelude::ProptestConfig;

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}
