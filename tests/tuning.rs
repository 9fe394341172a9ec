//! Builds for tuning: the numbers of the search as options.

#![cfg(feature = "tuning")]

use kawasemi::engine::Settings;
use kawasemi::search::params::TABLE;
use kawasemi::search::{Network, bench};
use kawasemi::usi::options;

/// The nodes of a short bench.
fn nodes() -> Vec<u64> {
    bench::run(4, 1, 1, &Settings::default().search_options(), Network::built_in()).unwrap().nodes
}

/// All in one: the numbers belong to the process.
#[test]
fn every_number_is_an_option_that_the_search_obeys() {
    let mut settings = Settings::default();
    let lines: Vec<String> = options::declarations(&settings).collect();
    let mut set = |name: &str, value: i32| {
        let name = format!("Tune_{name}");
        options::set(&mut settings, name.as_bytes(), Some(value.to_string().as_bytes())).map(|_| ())
    };
    for row in TABLE {
        let line = format!(
            "option name Tune_{} type spin default {} min {} max {}",
            row.name, row.default, row.min, row.max
        );
        assert!(lines.contains(&line), "{line}");
        assert!(set(row.name, row.max + 1).is_err() && set(row.name, row.min - 1).is_err());
    }
    let usual = nodes();
    for name in ["LMR_TABLE", "QS_FUTILITY"] {
        let row = TABLE.iter().find(|row| row.name == name).unwrap();
        set(name, row.min).unwrap();
        assert_ne!(nodes(), usual, "{name} is not obeyed");
        set(name, row.default).unwrap();
    }
    assert_eq!(nodes(), usual, "set back, they are as before");
    assert_eq!(settings, Settings::default(), "they are no settings");
}
