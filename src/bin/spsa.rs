//! The command line of the tuner: progress on standard error, the tuned values on standard output.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

use kawasemi::position::EnteringKingRule;
use kawasemi::sys::{exit_interrupted, in_file, on_interrupt};
use kawasemi::tools::files::with_suffix;
use kawasemi::tools::gauntlet::engine_spec::{SpecDefaults, read_spec};
use kawasemi::tools::gauntlet::match_config::{MatchConfig, MatchFiles};
use kawasemi::tools::gauntlet::schedule::TournamentFormat;
use kawasemi::tools::gauntlet::time_control::TimeControl;
use kawasemi::tools::numbers::thread_count;
use kawasemi::tools::opening::load_openings;
use kawasemi::tools::referee::{GameRules, ResignRule};
use kawasemi::tools::spsa::gains::Gains;
use kawasemi::tools::spsa::parameter::Parameter;
use kawasemi::tools::spsa::parameter_pattern::select;
use kawasemi::tools::spsa::parameter_rows::rows;
use kawasemi::tools::spsa::saved_state;
use kawasemi::tools::spsa::tune_config::{TuneConfig, TuneFiles, sides};
use kawasemi::tools::spsa::tuning_target::TuningTarget;
use kawasemi::tools::spsa::{TuneObserver, TuneProgress, tune};
use kawasemi::tools::terminal::{ProgressDisplay, exit, exit_by_arguments, print};
use kawasemi::usi_client::EngineTimeouts;

/// Tunes parameters of the search or of a network by self-play (SPSA)
///
/// For the search the engine must be built with the feature `tuning`, from the same source as this
/// tool; for a network any engine works. It is described by words key=value, as for gauntlet.
/// Example:
///
/// spsa -e 'cmd=target/release/kawasemi option.Threads=1 option.USI_Hash=16' --nodes 20000
/// --openings openings.txt --params 'LMR_*' --pairs 5000 --concurrency 2 --state lmr.spsa
#[derive(Debug, Parser)]
#[command(name = "spsa", version)]
struct Arguments {
    /// The engine
    #[arg(short, long, value_name = "DESCRIPTION", required_unless_present = "report")]
    engine: Option<String>,
    /// Nodes for every move, if the description has no limit
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,
    /// Openings, one per line: `startpos moves ...`, `sfen ... moves ...` or an SFEN
    #[arg(long, value_name = "FILE", required_unless_present = "report")]
    openings: Option<PathBuf>,
    /// Parameters to tune: names, where * stands for any letters [default: all of the search, none of a
    /// network]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    params: Vec<String>,
    /// Tune parameters of this network instead of the search
    #[arg(long, value_name = "FILE")]
    eval: Option<PathBuf>,
    /// Total number of pairs of games
    #[arg(long, default_value_t = 5000)]
    pairs: usize,
    /// Pairs between two updates of the values
    #[arg(long, default_value_t = 8)]
    batch: usize,
    /// Games in parallel
    #[arg(short, long, default_value_t = 1, value_parser = thread_count(1))]
    concurrency: usize,
    /// Perturbation at the end, in steps of the parameters
    #[arg(long, value_name = "X", default_value_t = Gains::new(0).c_end)]
    c_end: f64,
    /// Learning rate at the end (r_end = a_end / c_end^2)
    #[arg(long, value_name = "X", default_value_t = Gains::new(0).r_end)]
    r_end: f64,
    /// Exponent of the decay of the rate: Spall's alpha
    #[arg(long, value_name = "X", default_value_t = Gains::new(0).alpha)]
    alpha: f64,
    /// Exponent of the decay of the perturbation: Spall's gamma
    #[arg(long, value_name = "X", default_value_t = Gains::new(0).gamma)]
    gamma: f64,
    /// Spall's constant A, as a share of the pairs
    #[arg(long, value_name = "X", default_value_t = Gains::new(0).a_ratio)]
    a_ratio: f64,
    /// Seed for the order of the openings and the perturbations
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Draw after this many moves, including the opening
    #[arg(long, value_name = "N", default_value_t = 320)]
    max_moves: u32,
    /// Adjudicate a win when both engines see the same side ahead by this many centipawns
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(u32).range(1..))]
    resign_score: Option<u32>,
    /// Consecutive moves of each engine for which --resign-score must hold
    #[arg(long, value_name = "N", default_value_t = 4, requires = "resign_score")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    resign_moves: u32,
    /// The state file, from which a run is continued; FILE.tsv has the history of the values,
    /// FILE.stop ends the run, FILE.networks has the networks of the games in progress
    #[arg(long, value_name = "FILE", required_unless_present = "report")]
    state: Option<PathBuf>,
    /// Play nothing: show the values of a state
    #[arg(long, value_name = "FILE", conflicts_with_all = ["engine", "state"])]
    report: Option<PathBuf>,
    /// After all pairs or with --report: write the values into this copy of src/search/params.rs or,
    /// with --eval, to a new network
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// Show and write only values that moved by this many steps or more
    #[arg(long, value_name = "STEPS", default_value_t = 0.0)]
    moved: f64,
}

fn main() -> ExitCode {
    let arguments =
        Arguments::try_parse().unwrap_or_else(|error| exit_by_arguments("spsa", &error));
    exit("spsa", run(&arguments))
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let target = arguments.target()?;
    let mut complete = true;
    let mut values = match &arguments.report {
        Some(path) => saved_state::read(path).map_err(|error| in_file(path, error))?.values,
        None => {
            let config = arguments.config(target.clone())?;
            // What the finished batches have given is in the state file.
            on_interrupt(exit_interrupted).map_err(|error| error.to_string())?;
            let mut screen = Screen::default();
            let end = tune(&config, &mut screen).map_err(|error| error.to_string())?;
            screen.0.clear();
            complete = end.is_over();
            end.values().map(|(parameter, value)| (parameter.clone(), value)).collect()
        }
    };
    let has_moved =
        |(parameter, value): &(Parameter, f64)| parameter.steps_to(*value).abs() >= arguments.moved;
    let moved: Vec<_> = values.iter().filter(|value| has_moved(value)).cloned().collect();
    print(rows(&moved))?;
    if !complete {
        return print("Stopped by the stop file.\n");
    }
    let Some(path) = &arguments.write else { return Ok(()) };
    // Writes all values, which checks that all rows belong to the tuning.
    for (parameter, value) in values.iter_mut().filter(|value| !has_moved(value)) {
        *value = parameter.start.into();
    }
    target.write(path, &values)
}

impl Arguments {
    fn target(&self) -> Result<TuningTarget, String> {
        let Some(path) = &self.eval else { return Ok(TuningTarget::Search) };
        TuningTarget::network(path).map_err(|error| error.to_string())
    }

    fn config(&self, target: TuningTarget) -> Result<TuneConfig, String> {
        if self.eval.is_some() && self.params.is_empty() {
            return Err("--params must say which parameters of the network to tune".into());
        }
        let parameters = select(&target.parameters(), &self.params)?;
        let state = self.state.clone().unwrap_or_default();
        Ok(TuneConfig {
            games: self.games()?,
            target,
            parameters,
            gains: Gains {
                pairs: self.pairs,
                c_end: self.c_end,
                r_end: self.r_end,
                alpha: self.alpha,
                gamma: self.gamma,
                a_ratio: self.a_ratio,
            },
            batch: self.batch,
            seed: self.seed,
            files: TuneFiles {
                history: with_suffix(&state, ".tsv"),
                stop: with_suffix(&state, ".stop"),
                networks: with_suffix(&state, ".networks"),
                state,
            },
        })
    }

    fn games(&self) -> Result<MatchConfig, String> {
        let control = TimeControl { nodes: Some(self.nodes), ..TimeControl::default() };
        let defaults = SpecDefaults { control, ..SpecDefaults::default() };
        let engine = read_spec(self.engine.as_deref().unwrap_or_default(), &defaults)
            .map_err(|error| format!("engine: {error}"))?;
        let moves = self.resign_moves;
        Ok(MatchConfig {
            engines: sides(&engine),
            openings: load_openings(self.openings.as_deref().unwrap_or(Path::new("")))?,
            format: TournamentFormat::Gauntlet,
            pairs: self.pairs,
            seed: Some(self.seed),
            concurrency: self.concurrency,
            rules: GameRules {
                max_moves: self.max_moves,
                entering_king: EnteringKingRule::Csa27,
                resign: self.resign_score.map(|centipawns| ResignRule { centipawns, moves }),
            },
            timeouts: EngineTimeouts::default(),
            move_timeout: Duration::from_secs(600),
            sprt: None,
            earlier_pairs: Default::default(),
            files: MatchFiles::default(),
        })
    }
}

/// Shows the progress of the tuning.
#[derive(Default)]
struct Screen(ProgressDisplay);

impl TuneObserver for Screen {
    fn progress(&mut self, progress: &TuneProgress) {
        self.0.show(&|| progress.to_string());
    }

    fn warn(&mut self, text: &str) {
        self.0.print_line(text);
    }
}
