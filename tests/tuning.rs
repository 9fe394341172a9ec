//! Builds for tuning: the parameters of the search as options.

use std::time::Instant;

use crossbeam::channel::unbounded;
use kawasemi::engine::Settings;
use kawasemi::position::Position;
use kawasemi::search::ThreadPool;
use kawasemi::search::params::PARAMS;
use kawasemi::search::request::{Limits, Report, Request};
use kawasemi::usi::options;

/// All in one test, because the parameters belong to the process.
#[test]
fn every_tunable_parameter_is_an_option_that_affects_the_search() {
    let mut settings = Settings::default();
    let lines: Vec<String> = options::declarations(&settings).collect();
    let mut set = |name: &str, value: i32| {
        let name = format!("Tune_{name}");
        options::set(&mut settings, name.as_bytes(), Some(value.to_string().as_bytes())).map(|_| ())
    };
    for row in PARAMS {
        let line = format!(
            "option name Tune_{} type spin default {} min {} max {}",
            row.name, row.default, row.min, row.max
        );
        assert!(lines.contains(&line), "{line}");
        assert!(set(row.name, row.max + 1).is_err() && set(row.name, row.min - 1).is_err());
    }
    // One searcher for all, because the engines of a tuner play one game after the other.
    let (sender, events) = unbounded();
    let mut pool = ThreadPool::new(sender).unwrap();
    let mut nodes = || {
        pool.clear();
        let limits = Limits { depth: Some(8), ..Limits::default() };
        let options = Settings::default().search_options();
        let position = Position::startpos();
        pool.go(0, Request { position, limits, options, received: Instant::now() });
        let done = events.iter().find_map(|event| match event.report {
            Report::Done(outcome) => Some(outcome.nodes),
            _ => None,
        });
        done.unwrap()
    };
    let usual = nodes();
    for name in ["LMR_TABLE", "QS_FUTILITY"] {
        let row = PARAMS.iter().find(|row| row.name == name).unwrap();
        set(name, row.min).unwrap();
        assert_ne!(nodes(), usual, "{name} is not obeyed");
        set(name, row.default).unwrap();
    }
    assert_eq!(nodes(), usual, "set back, they are as before");
    assert_eq!(settings, Settings::default(), "they are no settings");
}
