//! Whole tunings: by formulas with known best values, and by scripted players.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::{TempDir, tempdir};

use super::gains::Gains;
use super::optimizer::Trial;
use super::optimizer::{SpsaOptimizer, TrialError, TrialRunner};
use super::parameter::Parameter;
use super::saved_state::{self, StateError};
use super::tune::{tune_with_players, tune_with_runner};
use super::tune_config::{TuneConfig, TuneConfigError, TuneFiles, sides};
use super::tuning_target::TuningTarget;
use super::*;
use crate::nnue::file::{description, write};
use crate::nnue::{Architecture, FeatureSet, RandomNetwork, Topology};
use crate::position::EnteringKingRule;
use crate::tools::files::{FileLock, with_suffix};
use crate::tools::gauntlet::engine_spec::{SpecDefaults, read_spec};
use crate::tools::gauntlet::match_config::{MatchConfig, MatchFiles};
use crate::tools::gauntlet::match_player::{MatchPlayer, SearchAnswer, SearchCommand};
use crate::tools::gauntlet::runner::StartFailure;
use crate::tools::gauntlet::runner::{EngineFailure, MatchPlayerFactory};
use crate::tools::gauntlet::schedule::TournamentFormat;
use crate::tools::opening::Opening;
use crate::tools::referee::GameRules;
use crate::tools::spsa::parameter_pattern::select;
use crate::types::Random;
use crate::usi_client::{EngineFault, EngineTimeouts, GameOver};

fn files(folder: &TempDir, name: &str) -> TuneFiles {
    let path = |ending| folder.path().join(format!("{name}{ending}"));
    TuneFiles {
        state: path(""),
        history: path(".tsv"),
        stop: path(".stop"),
        networks: path(".networks"),
    }
}

#[derive(Default)]
struct Notes {
    pairs: Vec<usize>,
    warnings: Vec<String>,
}

impl TuneObserver for Notes {
    fn progress(&mut self, progress: &TuneProgress) {
        self.pairs.push(progress.pairs);
    }

    fn warn(&mut self, text: &str) {
        self.warnings.push(text.into());
    }
}

/// A small network in a file.
pub(super) fn small_network(path: &Path) {
    let (features, topology) = (FeatureSet::KP, Topology::Classic);
    let architecture = Architecture { features, width: 64, h1: 8, h2: 16, topology };
    let parameters = RandomNetwork::new(architecture, 7).parameters();
    let mut bytes = Vec::new();
    write(&mut bytes, &parameters, &description(&architecture, None, Some(12))).unwrap();
    fs::write(path, bytes).unwrap();
}

/// Some parameters of the search.
fn some_numbers() -> Vec<Parameter> {
    select(&TuningTarget::Search.parameters(), &["FUTILITY_*".into()]).unwrap()
}

fn config(parameters: Vec<Parameter>, pairs: usize, files: TuneFiles) -> TuneConfig {
    let engine = read_spec("cmd=x nodes=1", &SpecDefaults::default()).unwrap();
    let games = MatchConfig {
        engines: sides(&engine),
        openings: vec![Opening::startpos(1)],
        format: TournamentFormat::Gauntlet,
        pairs,
        seed: Some(1),
        concurrency: 2,
        rules: GameRules { max_moves: 10, entering_king: EnteringKingRule::Csa27, resign: None },
        timeouts: EngineTimeouts::default(),
        move_timeout: Duration::from_secs(60),
        sprt: None,
        earlier_pairs: Default::default(),
        files: MatchFiles::default(),
    };
    let (target, gains) = (TuningTarget::Search, Gains::new(pairs));
    TuneConfig { target, parameters, games, gains, batch: 7, seed: 3, files }
}

/// The strength falls with the squared distance from the best values, in steps; chance decides whether
/// that shows in a game.
struct QuadraticTrials {
    parameters: Vec<Parameter>,
    best: Vec<f64>,
    /// Number of pairs after which no more are played.
    end: usize,
}

impl QuadraticTrials {
    /// In Elo.
    fn height(&self, values: &[i32]) -> f64 {
        let distance = |((parameter, best), &value): ((&Parameter, &f64), &i32)| {
            (f64::from(value) - best) / f64::from(parameter.step)
        };
        let distances = self.parameters.iter().zip(&self.best).zip(values).map(distance);
        -distances.map(|steps| 10.0 * steps * steps).sum::<f64>()
    }
}

impl TrialRunner for QuadraticTrials {
    fn play(
        &mut self,
        trials: &[Trial],
        _observer: &mut dyn TuneObserver,
    ) -> Result<Vec<i32>, TrialError> {
        if trials.last().is_some_and(|trial| trial.pair > self.end) {
            return Err(TrialError::Engine(EngineFailure { engine: 0, reason: "the end".into() }));
        }
        let play = |trial: &Trial| {
            for (parameter, values) in
                self.parameters.iter().zip(trial.plus.iter().zip(&trial.minus))
            {
                for value in [values.0, values.1] {
                    assert!(
                        (parameter.min..=parameter.max).contains(value),
                        "{value}: {parameter}"
                    );
                }
            }
            let elo = self.height(&trial.plus) - self.height(&trial.minus);
            let expected = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
            let mut random = Random::new(trial.pair as u64);
            (0..2).map(|_| if random.unit() < expected { 1 } else { -1 }).sum()
        };
        Ok(trials.iter().map(play).collect())
    }
}

fn hill(parameters: &[Parameter], aside: f64, end: usize) -> QuadraticTrials {
    let best = |(i, parameter): (usize, &Parameter)| {
        let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
        f64::from(parameter.start) + sign * aside * f64::from(parameter.step)
    };
    QuadraticTrials {
        parameters: parameters.to_vec(),
        best: parameters.iter().enumerate().map(best).collect(),
        end,
    }
}

/// The largest distance of a value from the best, in steps.
fn error(end: &SpsaOptimizer, hill: &QuadraticTrials) -> f64 {
    let distance = |((parameter, value), best): ((&Parameter, f64), &f64)| {
        (value - best).abs() / f64::from(parameter.step)
    };
    end.values().zip(&hill.best).map(distance).fold(0.0, f64::max)
}

#[test]
fn the_maximum_of_a_noisy_function_is_found() {
    let folder = tempdir().unwrap();
    let parameters = some_numbers();
    let mut hill = hill(&parameters, 3.0, usize::MAX);
    let mut config = config(parameters, 20_000, files(&folder, "a"));
    config.gains.r_end = 0.01;
    config.batch = 100;
    let start = SpsaOptimizer::new(config.parameters.clone(), config.gains, 0);
    assert!(error(&start, &hill) > 2.9);
    let end = tune_with_runner(&config, &mut hill, &mut Notes::default()).unwrap();
    assert!(end.is_over());
    assert!(error(&end, &hill) < 1.0, "{}", error(&end, &hill));
}

#[test]
fn values_stay_within_their_ranges_when_the_best_are_beyond() {
    let folder = tempdir().unwrap();
    let parameters = some_numbers();
    // The runner itself checks the values.
    let mut hill = hill(&parameters, 60.0, usize::MAX);
    let mut config = config(parameters, 3_000, files(&folder, "a"));
    config.gains.r_end = 0.05;
    config.gains.c_end = 3.0;
    let end = tune_with_runner(&config, &mut hill, &mut Notes::default()).unwrap();
    let mut at_bounds = 0;
    for (parameter, value) in end.values() {
        let (min, max) = (f64::from(parameter.min), f64::from(parameter.max));
        assert!((min..=max).contains(&value));
        at_bounds += usize::from(value == min || value == max);
    }
    assert!(at_bounds > 0, "the bounds were not tried");
}

#[test]
fn a_resumed_tuning_ends_like_an_uninterrupted_one() {
    let folder = tempdir().unwrap();
    let parameters = some_numbers();
    let tune = |files, end| {
        let config = config(parameters.clone(), 100, files);
        tune_with_runner(&config, &mut hill(&parameters, 3.0, end), &mut Notes::default())
    };
    let straight = files(&folder, "straight");
    tune(straight.clone(), usize::MAX).unwrap();
    let resumed = files(&folder, "resumed");
    for end in [20, 20, 50, 93] {
        assert!(matches!(tune(resumed.clone(), end), Err(TuneError::Trial(TrialError::Engine(_)))));
        assert_eq!(saved_state::read(&resumed.state).unwrap().pairs, end / 7 * 7);
    }
    // As after a kill between the two files, and in the middle of a line.
    let mut history = fs::read_to_string(&resumed.history).unwrap();
    history += "98\t0\t1.000\n105\t";
    fs::write(&resumed.history, history).unwrap();
    tune(resumed.clone(), usize::MAX).unwrap();
    let read = |path: &PathBuf| fs::read_to_string(path).unwrap();
    assert_eq!(read(&resumed.state), read(&straight.state));
    assert_eq!(read(&resumed.history), read(&straight.history));
    assert_eq!(read(&straight.history).lines().count(), 1 + 1 + 100usize.div_ceil(7));
}

#[test]
fn the_stop_file_ends_a_tuning_and_is_removed() {
    let folder = tempdir().unwrap();
    let parameters = some_numbers();
    let config = config(parameters.clone(), 100, files(&folder, "a"));
    fs::write(&config.files.stop, "").unwrap();
    let mut notes = Notes::default();
    let end = tune_with_runner(&config, &mut hill(&parameters, 3.0, 0), &mut notes).unwrap();
    assert!(!end.is_over() && !config.files.stop.exists());
    assert_eq!(notes.pairs, [0]);
}

#[test]
fn the_state_of_another_tuning_or_a_damaged_one_is_refused() {
    let folder = tempdir().unwrap();
    let parameters = some_numbers();
    let tune = |change: &dyn Fn(&mut TuneConfig)| {
        let mut config = config(parameters.clone(), 100, files(&folder, "a"));
        change(&mut config);
        tune_with_runner(&config, &mut hill(&parameters, 3.0, 20), &mut Notes::default())
            .unwrap_err()
    };
    let refused = |error: TuneError| match error {
        TuneError::State(_, error) => error,
        error => panic!("{error}"),
    };
    assert!(matches!(tune(&|_| ()), TuneError::Trial(TrialError::Engine(_))));
    assert!(matches!(
        tune(&|config| config.games.concurrency = 5),
        TuneError::Trial(TrialError::Engine(_))
    ));
    let changes: [&dyn Fn(&mut TuneConfig); 6] = [
        &|config| config.seed = 4,
        &|config| config.batch = 8,
        &|config| config.gains.pairs = 101,
        &|config| config.gains.r_end = 0.003,
        &|config| config.games.rules.max_moves = 11,
        &|config| config.parameters.truncate(2),
    ];
    for change in changes {
        assert!(matches!(refused(tune(change)), StateError::OtherTuning(_)));
    }
    let state = files(&folder, "a").state;
    let good = fs::read_to_string(&state).unwrap();
    let lines: Vec<&str> = good.lines().collect();
    let bad = |at: usize, line: &str| {
        let mut lines = lines.clone();
        lines[at] = line;
        fs::write(&state, lines.join("\n")).unwrap();
        match refused(tune(&|_| ())) {
            StateError::BadLine(number) => number,
            error => panic!("{error}"),
        }
    };
    let header = lines.iter().filter(|line| line.starts_with('#')).count();
    assert_eq!(bad(header, "pairs -14"), header + 1);
    assert_eq!(bad(header + 1, "14"), header + 2);
    assert_eq!(bad(header + 2, "NOTHING 1.0"), header + 3);
    assert_eq!(bad(header + 2, &format!("{} nan", parameters[0].name)), header + 3);
    assert_eq!(
        bad(header + 2, &format!("{} {}", parameters[0].name, parameters[0].max + 1)),
        header + 3
    );
    assert_eq!(bad(header + 2, lines[header + 3]), header + 3, "a number is missing");
    let last = lines.len() - 1;
    let twice = format!("{}\n{}", lines[last], lines[last]);
    assert_eq!(bad(last, &twice), last + 2, "a number comes twice");
}

#[test]
fn fractional_values_are_rounded_at_random_without_bias() {
    let parameters = [Parameter { name: "X".into(), start: 10, min: 0, max: 20, step: 1 }];
    struct Sums(i64, i64, i64);
    impl TrialRunner for Sums {
        fn play(
            &mut self,
            trials: &[Trial],
            _observer: &mut dyn TuneObserver,
        ) -> Result<Vec<i32>, TrialError> {
            for trial in trials {
                self.0 += 1;
                self.1 += i64::from(trial.plus[0].max(trial.minus[0]));
                self.2 += i64::from(trial.plus[0].min(trial.minus[0]));
            }
            Ok(vec![0; trials.len()])
        }
    }
    let gains = Gains { c_end: 0.3, gamma: 0.0, ..Gains::new(20_000) };
    let mut optimizer = SpsaOptimizer::new(parameters.to_vec(), gains, 1);
    let mut sums = Sums(0, 0, 0);
    optimizer.step(20_000, &mut sums, &mut Notes::default()).unwrap();
    let mean = |sum: i64| sum as f64 / sums.0 as f64;
    assert!((mean(sums.1) - 10.3).abs() < 0.02, "{}", mean(sums.1));
    assert!((mean(sums.2) - 9.7).abs() < 0.02, "{}", mean(sums.2));
    assert_eq!(optimizer.values().map(|(_, value)| value).collect::<Vec<_>>(), [10.0]);
}

/// Resigns at once unless its option is set above the parameter's value; otherwise after a move.
struct FormulaPlayer {
    parameter: Parameter,
    options: HashMap<String, i32>,
}

impl MatchPlayer for FormulaPlayer {
    fn set_options(&mut self, options: &[(String, String)]) -> Result<(), EngineFault> {
        let read = |(name, value): &(String, String)| (name.clone(), value.parse().unwrap());
        self.options.extend(options.iter().map(read));
        Ok(())
    }

    fn new_game(&mut self) -> Result<(), EngineFault> {
        Ok(())
    }

    fn search(&mut self, ask: &SearchCommand<'_>) -> Result<SearchAnswer, EngineFault> {
        assert_eq!(ask.go.to_string(), "go nodes 1");
        let value = self.options[&format!("Tune_{}", self.parameter.name)];
        let fights = value > self.parameter.start;
        let line = match ask.position {
            "position startpos" if fights => "bestmove 7g7f",
            "position startpos moves 7g7f" if fights => "bestmove 3c3d",
            _ => "bestmove resign",
        };
        Ok(SearchAnswer { line: line.into(), ..SearchAnswer::default() })
    }

    fn start_ponder(&mut self, _ask: &SearchCommand<'_>) -> Result<(), EngineFault> {
        unreachable!()
    }

    fn ponder_hit(&mut self, _patience: Duration) -> Result<SearchAnswer, EngineFault> {
        unreachable!()
    }

    fn stop_ponder(&mut self) -> Result<Duration, EngineFault> {
        unreachable!()
    }

    fn game_over(&mut self, _outcome: GameOver) -> Result<(), EngineFault> {
        Ok(())
    }
}

struct FormulaPlayers(Parameter);

impl MatchPlayerFactory for FormulaPlayers {
    fn start(&self, _engine: usize) -> Result<Box<dyn MatchPlayer>, StartFailure> {
        Ok(Box::new(FormulaPlayer { parameter: self.0.clone(), options: HashMap::new() }))
    }
}

#[test]
fn games_are_played_with_the_values_of_their_sides_and_counted_for_them() {
    let folder = tempdir().unwrap();
    let parameters = some_numbers();
    let mut config = config(parameters.clone(), 60, files(&folder, "a"));
    config.gains.c_end = 2.0;
    config.gains.r_end = 0.2;
    let mut notes = Notes::default();
    let end =
        tune_with_players(&config, &FormulaPlayers(parameters[0].clone()), &mut notes).unwrap();
    assert!(notes.warnings.is_empty(), "{:?}", notes.warnings);
    assert_eq!(notes.pairs, [0, 7, 14, 21, 28, 35, 42, 49, 56, 60]);
    let (first, value) = end.values().next().unwrap();
    assert!(value > f64::from(first.start + first.step), "{value}");
}

#[test]
fn an_engine_that_cannot_start_ends_the_tuning() {
    struct NoEngines;
    impl MatchPlayerFactory for NoEngines {
        fn start(&self, _engine: usize) -> Result<Box<dyn MatchPlayer>, StartFailure> {
            Err(StartFailure { reason: "nobody".into(), retry: false })
        }
    }
    let folder = tempdir().unwrap();
    let config = config(some_numbers(), 60, files(&folder, "a"));
    let error = tune_with_players(&config, &NoEngines, &mut Notes::default()).unwrap_err();
    assert!(
        matches!(error, TuneError::Trial(TrialError::Engine(EngineFailure { ref reason, .. })) if reason == "nobody")
    );
}

/// Regression: the tool panicked.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[test]
fn a_refused_thread_ends_the_tuning_with_an_error() {
    use std::thread;

    use super::game_trials::GameTrials;

    let folder = tempdir().unwrap();
    let config = config(some_numbers(), 60, files(&folder, "a"));
    let factory = FormulaPlayers(some_numbers().remove(0));
    // More than a process can address.
    let builder = || thread::Builder::new().stack_size(1 << 60);
    let error = thread::scope(|scope| {
        let trials = GameTrials::open(scope, builder, &config, &factory);
        trials.map(drop).unwrap_err()
    });
    assert!(error.to_string().contains("too many threads"), "{error}");
}

#[test]
fn networks_that_cannot_be_written_end_the_tuning_and_those_that_were_are_removed() {
    let folder = tempdir().unwrap();
    let mut config = config(some_numbers(), 60, files(&folder, "a"));
    let path = folder.path().join("nn.bin");
    small_network(&path);
    config.target = TuningTarget::network(&path).unwrap();
    config.parameters = select(&config.target.parameters(), &["OUT_BIAS".into()]).unwrap();
    let networks = config.files.networks.clone();
    fs::create_dir(&networks).unwrap();
    fs::write(networks.join("2-plus"), "in the way").unwrap();
    let factory = FormulaPlayers(some_numbers().remove(0));
    let error = tune_with_players(&config, &factory, &mut Notes::default()).unwrap_err();
    assert!(
        matches!(&error, TuneError::Trial(TrialError::File(path, _)) if *path == networks),
        "{error}"
    );
    assert!(!networks.exists(), "with the networks of the first pair");
}

/// Regression: the second tuning was refused, but removed the files with which the first was playing.
#[test]
fn a_tuning_that_is_started_twice_keeps_its_networks() {
    let folder = tempdir().unwrap();
    let config = config(some_numbers(), 60, files(&folder, "a"));
    let TuneFiles { state, networks, .. } = &config.files;
    let first = FileLock::take(with_suffix(state, ".lock")).unwrap();
    fs::create_dir(networks).unwrap();
    let factory = FormulaPlayers(some_numbers().remove(0));
    let error = tune_with_players(&config, &factory, &mut Notes::default()).unwrap_err();
    assert!(matches!(&error, TuneError::File(path, _) if path == state), "{error}");
    assert!(networks.exists());
    drop(first);
    tune_with_players(&config, &factory, &mut Notes::default()).unwrap();
    assert!(!networks.exists(), "what another run has left");
}

/// Regression: the header of the state contained the path of the network, but not the files that
/// engines read next to it.
#[test]
fn a_tuning_of_a_network_continues_where_its_folder_was_moved_but_not_with_other_files() {
    let folder = tempdir().unwrap();
    let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
    fs::create_dir(&old).unwrap();
    small_network(&old.join("nn.bin"));
    let mut config = config(some_numbers(), 60, files(&folder, "a"));
    let mut header = |place: &Path| {
        config.target = TuningTarget::network(&place.join("nn.bin")).unwrap();
        config.header()
    };
    let before = header(&old);
    fs::rename(&old, &new).unwrap();
    assert_eq!(header(&new), before);
    fs::write(new.join("eval_options.txt"), "FV_SCALE 28").unwrap();
    assert_ne!(header(&new), before);
}

#[test]
fn a_tuning_that_cannot_be_done_is_refused() {
    let folder = tempdir().unwrap();
    let error = |change: &dyn Fn(&mut TuneConfig)| {
        let mut config = config(some_numbers(), 60, files(&folder, "a"));
        change(&mut config);
        config.check().unwrap_err()
    };
    assert_eq!(error(&|config| config.parameters.clear()), TuneConfigError::NothingToTune);
    assert_eq!(error(&|config| config.batch = 0), TuneConfigError::NoBatch);
    assert_eq!(error(&|config| config.gains.c_end = 0.0), TuneConfigError::InvalidGains);
    assert!(matches!(error(&|config| config.games.pairs = 0), TuneConfigError::Games(_)));
}

#[test]
fn the_progress_is_shown_on_one_line() {
    let mut progress = TuneProgress {
        pairs: 10,
        all_pairs: 500,
        net_wins: -3,
        games_per_second: 0.5,
        left: Some(Duration::from_secs(3725)),
    };
    assert_eq!(progress.to_string(), "pair 10/500  points -3  0.50 games/s  1:02:05 left");
    progress.left = None;
    assert_eq!(progress.to_string(), "pair 10/500  points -3  0.50 games/s");
}
