//! The command line of the trainer: progress on standard error, results on standard output.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use kawasemi::nnue;
use kawasemi::record::format_duration;
use kawasemi::sys::{
    expanded_arguments, in_file, on_interrupt, processors, stop_or_exit, write_atomically,
};
use kawasemi::tools::files::{check_not_input, read};
use kawasemi::tools::numbers::thread_count;
use kawasemi::tools::terminal::{Failure, ProgressDisplay, exit, exit_by_arguments, print};
use kawasemi::tools::train::average::{OutputBias, average};
use kawasemi::tools::train::check::check;
use kawasemi::tools::train::log::{self, LogRow};
use kawasemi::tools::train::plot::svg;
use kawasemi::tools::train::recipe::{Recipe, RecipeSetting, SETTINGS};
use kawasemi::tools::train::{
    StopReason, TrainingConfig, TrainingObserver, TrainingOutcome, TrainingStatus, WeightChoice,
    export_checkpoint, run,
};

fn main() -> ExitCode {
    let matches = command()
        .try_get_matches_from(expanded_arguments())
        .unwrap_or_else(|error| exit_by_arguments("train", &error));
    let result = match matches.subcommand() {
        Some(("run", matches)) => train(matches),
        Some(("export", matches)) => export(matches).map_err(Failure::Error),
        Some(("check", matches)) => check_network(matches).map_err(Failure::Error),
        Some(("average", matches)) => average_networks(matches).map_err(Failure::Error),
        Some(("plot", matches)) => plot(matches).map_err(Failure::Error),
        _ => unreachable!("one of the commands is required"),
    };
    exit("train", result)
}

const ABOUT: &str = "Trains networks for the engine on games of self-play";

const RUN_ABOUT: &str = "Trains a network, or resumes a training if the folder has a checkpoint.

The folder will contain checkpoint, checkpoint-unquantized (for --init), log.tsv, curves.svg, best.bin \
(the network with the smallest validation loss) and net.bin (the final network). Ctrl-C stops the training \
with a checkpoint; Ctrl-C again stops it at once. The same command resumes it; the result is the same as \
without the interruption. It depends on the games and the settings, not on the number of threads.

Settings can also be in a file, one `name = value` per line; the command line overrides it.";

fn command() -> Command {
    let threads = number("threads", "0", "Threads; 0: one per processor");
    let threads = threads.value_parser(thread_count(0));
    Command::new("train")
        .about(ABOUT)
        .version(env!("CARGO_PKG_VERSION"))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .arg(threads.global(true))
        .subcommands([
            run_command(),
            export_command(),
            check_command(),
            average_command(),
            plot_command(),
        ])
}

fn run_command() -> Command {
    Command::new("run")
        .about("Trains a network")
        .long_about(RUN_ABOUT)
        .arg(games())
        .arg(path("out", "DIR", "The folder of the training").required(true))
        .arg(
            path(
                "validation",
                "GAMES",
                "Game files for validation, instead of held-out games (--held-out)",
            )
            .num_args(1..),
        )
        .args(settings(|_| true))
        .arg(
            number("checkpoint-minutes", "10", "Minutes between checkpoints")
                .value_parser(value_parser!(u64)),
        )
        .arg(
            number(
                "max-positions",
                "150000000",
                "Maximum number of training positions in memory, 100 bytes each",
            )
            .value_parser(value_parser!(u32)),
        )
}

fn export_command() -> Command {
    Command::new("export")
        .about("Writes the network of a checkpoint")
        .arg(input("checkpoint", "CHECKPOINT", "The checkpoint in the folder of a training"))
        .arg(path("out", "FILE", "The file of the network").required(true))
        .arg(
            Arg::new("last")
                .long("last")
                .action(ArgAction::SetTrue)
                .help("The weights of the last step instead of their exponential moving average"),
        )
}

fn check_command() -> Command {
    Command::new("check")
        .about("Evaluates a network on positions of games")
        .arg(input("file", "NETWORK", "The network, of any trainer"))
        .arg(games())
        .arg(path("checkpoint", "FILE", "Measure the quantisation against this checkpoint"))
        .args(settings(|name| CHECKED.contains(&name)))
}

fn average_command() -> Command {
    Command::new("average")
        .about(
            "Writes the mean of the weights of networks that were trained further from one network",
        )
        .arg(
            input("networks", "NETWORK", "Networks of one architecture, bucket mode and FV_SCALE")
                .num_args(1..),
        )
        .arg(path("out", "FILE", "The file of the mean").required(true))
        .arg(
            number("output-bias", "0", "Added to the output bias: FV_SCALE times a score")
                .allow_hyphen_values(true)
                .value_parser(value_parser!(i32)),
        )
        .arg(
            path(
                "bias-games",
                "GAMES",
                "Sets the output bias so that even positions of these games keep the mean \
                 evaluation of the first network",
            )
            .num_args(1..)
            .conflicts_with("output-bias"),
        )
        .arg(
            number(
                "king-bucket-step",
                "1",
                "Rounds the differences between king buckets to multiples of N, for a smaller file",
            )
            .value_parser(value_parser!(i16).range(1..=16)),
        )
}

fn plot_command() -> Command {
    Command::new("plot")
        .about("Draws the learning curves of a log")
        .arg(input("log", "LOG", "The log.tsv in the folder of a training"))
        .arg(path("out", "FILE", "The SVG file [default: standard output]"))
}

fn games() -> Arg {
    let help = "Game files; `selfplay convert` makes them from positions (docs/selfplay.md)";
    input("games", "GAMES", help).num_args(1..)
}

fn input(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    let argument = Arg::new(name).value_name(value).value_parser(value_parser!(PathBuf));
    argument.required(true).help(help)
}

fn path(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value).value_parser(value_parser!(PathBuf)).help(help)
}

fn number(name: &'static str, default: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name("N").default_value(default).help(help)
}

/// The settings that matter for `check`.
const CHECKED: [&str; 14] = [
    "bucket-mode",
    "lambda",
    "scale",
    "output-scale",
    "loss",
    "fv-scale",
    "max-score",
    "first-ply",
    "per-game",
    "checks",
    "noisy",
    "repeats",
    "held-out-positions",
    "seed",
];

/// A flag for every wanted setting, and `--config` for a file of settings.
fn settings(wanted: impl Fn(&str) -> bool) -> Vec<Arg> {
    let flag = |setting: &'static RecipeSetting| {
        Arg::new(setting.name)
            .long(setting.name)
            .value_name("VALUE")
            .help(format!("{} [default: {}]", setting.help, setting.default()))
            .allow_hyphen_values(true)
            .help_heading("Settings")
    };
    let file = path("config", "FILE", "Settings, one `name = value` per line");
    SETTINGS.iter().filter(|setting| wanted(setting.name)).map(flag).chain([file]).collect()
}

fn recipe(matches: &ArgMatches) -> Result<Recipe, String> {
    let mut recipe = Recipe::default();
    if let Some(path) = matches.get_one::<PathBuf>("config") {
        recipe.set_all(&read(path)?).map_err(|error| in_file(path, error))?;
    }
    for setting in SETTINGS {
        if let Ok(Some(value)) = matches.try_get_one::<String>(setting.name) {
            recipe.set(setting.name, value).map_err(|error| error.to_string())?;
        }
    }
    Ok(recipe)
}

fn threads(matches: &ArgMatches) -> usize {
    match *value::<usize>(matches, "threads") {
        0 => processors().unwrap_or(1),
        threads => threads,
    }
}

fn files(matches: &ArgMatches, name: &str) -> Vec<PathBuf> {
    matches.get_many(name).into_iter().flatten().cloned().collect()
}

fn file<'a>(matches: &'a ArgMatches, name: &str) -> Option<&'a Path> {
    matches.get_one::<PathBuf>(name).map(PathBuf::as_path)
}

/// The value of an argument that is required or has a default.
fn value<'a, T: Clone + Send + Sync + 'static>(matches: &'a ArgMatches, name: &str) -> &'a T {
    matches.get_one(name).expect("the argument has a value")
}

fn train(matches: &ArgMatches) -> Result<(), Failure> {
    let minutes: u64 = *value(matches, "checkpoint-minutes");
    let config = TrainingConfig {
        games: files(matches, "games"),
        validation: files(matches, "validation"),
        folder: value::<PathBuf>(matches, "out").clone(),
        recipe: recipe(matches)?,
        threads: threads(matches),
        checkpoint_every: Duration::from_secs(minutes.saturating_mul(60)),
        max_positions: *value(matches, "max-positions"),
    };
    let stop = Arc::new(AtomicBool::new(false));
    let pressed = Arc::clone(&stop);
    on_interrupt(move || stop_or_exit(&pressed)).map_err(|error| error.to_string())?;
    let mut screen = Screen(ProgressDisplay::new());
    let outcome = run(&config, &stop, &mut screen).map_err(|error| error.to_string())?;
    screen.0.clear();
    print(summary(&outcome))?;
    if outcome.reason == StopReason::Stopped { Err(Failure::Interrupted) } else { Ok(()) }
}

fn summary(outcome: &TrainingOutcome) -> String {
    let mut text = match outcome.reason {
        StopReason::Done => "the training is complete\n".to_owned(),
        StopReason::Stopped => "stopped; the same command resumes it\n".to_owned(),
    };
    if let Some(row) = &outcome.last {
        text += &format!("{}\n", report_line(row));
    }
    if let Some(net) = &outcome.network {
        text += &format!(
            "network   {}\nrange     {} (accumulators)\n",
            net.path.display(),
            net.accumulators
        );
        if let Some(quantization_error) = &net.quantization_error {
            text += &format!("quantised {quantization_error}\n");
        }
    }
    text
}

fn export(matches: &ArgMatches) -> Result<(), String> {
    let (from, to): (&PathBuf, &PathBuf) = (value(matches, "checkpoint"), value(matches, "out"));
    check_not_input(from, to)?;
    let which = if matches.get_flag("last") { WeightChoice::Last } else { WeightChoice::Ema };
    let (recipe, progress, accumulators) =
        export_checkpoint(from, to, which, threads(matches)).map_err(|error| error.to_string())?;
    let (net, steps) = (recipe.shape, progress.steps);
    print(format_args!(
        "network   {net}, after {steps} steps\nrange     {accumulators} (accumulators)\n"
    ))
}

fn check_network(matches: &ArgMatches) -> Result<(), String> {
    let net: &PathBuf = value(matches, "file");
    let (games, checkpoint) = (files(matches, "games"), file(matches, "checkpoint"));
    let recipe = recipe(matches)?;
    if matches.contains_id("fv-scale") {
        check_fv_scale(net, recipe.fv_scale)?;
    }
    let findings = check(net, &games, &recipe, checkpoint, threads(matches))
        .map_err(|error| error.to_string())?;
    print(findings)
}

/// Rejects a divisor that would have no effect, because the file of the network states another.
fn check_fv_scale(net: &Path, given: u32) -> Result<(), String> {
    match nnue::file::info(net).map_err(|error| error.to_string())?.fv_scale {
        Some(Ok(stated)) if stated != given => {
            let why = format!("it states FV_SCALE {stated}, so --fv-scale {given} has no effect");
            Err(in_file(net, why))
        }
        _ => Ok(()),
    }
}

fn average_networks(matches: &ArgMatches) -> Result<(), String> {
    let (nets, games) = (files(matches, "networks"), files(matches, "bias-games"));
    let to: &PathBuf = value(matches, "out");
    nets.iter().try_for_each(|net| check_not_input(net, to))?;
    let output_bias = if games.is_empty() {
        OutputBias::Given(*value(matches, "output-bias"))
    } else {
        OutputBias::FromGames { games: &games, threads: threads(matches) }
    };
    let mean = average(&nets, output_bias, *value(matches, "king-bucket-step"), to)?;
    print(format_args!(
        "network   {}\nbias      {} added to the output\nrange     {} (accumulators)\n",
        mean.architecture, mean.output_bias, mean.accumulators
    ))
}

fn plot(matches: &ArgMatches) -> Result<(), String> {
    let log: &PathBuf = value(matches, "log");
    let drawing = svg(&log::read(log)?);
    let Some(path) = file(matches, "out") else { return print(drawing) };
    check_not_input(log, path)?;
    write_atomically(path, drawing.as_bytes()).map_err(|error| in_file(path, error))
}

/// A report in one line; of held-out positions, decided games and best moves only if there are any.
fn report_line(row: &LogRow) -> String {
    let LogRow { epoch, train_loss, loss, mean_square_error: error, .. } = row;
    let learned = format!("epoch {epoch:.2}: loss {train_loss:.5}");
    if loss.is_nan() {
        return learned;
    }
    let percent = |name: &str, share: f64| {
        if share.is_nan() { String::new() } else { format!(", {name} {:.1} %", 100.0 * share) }
    };
    let outcomes = percent("outcomes", row.outcome_accuracy);
    let moves = percent("moves", row.move_agreement);
    format!("{learned}; held out: loss {loss:.5}, error {error:.5}{outcomes}{moves}")
}

/// Shows progress on standard error.
struct Screen(ProgressDisplay);

impl TrainingObserver for Screen {
    fn message(&mut self, text: &str) {
        self.0.print_line(text);
    }

    fn progress(&mut self, status: &TrainingStatus) {
        self.0.show(&|| status_line(status));
    }

    fn report(&mut self, row: &LogRow, is_best: bool) {
        self.0.print_line(&format!(
            "{}{}",
            report_line(row),
            if is_best { ", the best" } else { "" }
        ));
    }
}

fn status_line(status: &TrainingStatus) -> String {
    let TrainingStatus { steps, all_steps, epoch, loss, positions_per_second, remaining, .. } =
        status;
    format!(
        "step {steps} of {all_steps}, epoch {epoch:.2}, loss {loss:.5}, {:.0} thousand \
         positions/s, {} left",
        positions_per_second / 1000.0,
        format_duration(*remaining)
    )
}
