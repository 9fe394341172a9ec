//! Plays Puyo Puyo by the Universal Puyo Interface on standard input and output. See `docs/puyo.md`.

#![warn(missing_debug_implementations, rust_2018_idioms)]

mod engine;

use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, value_parser};
use kawasemi::sys::write_stderr;

use engine::measure::{Budget, measure};
use engine::search::MAX_NODES;
use engine::session;

/// Plays Puyo Puyo by the Universal Puyo Interface on standard input and output.
#[derive(Debug, Parser)]
#[command(name = "puyo", version)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Subcommands>,
    /// Milliseconds for a `go` without a time
    #[arg(long, value_name = "MS", default_value_t = 300)]
    time: u64,
    /// Writes the session to a file, in the Thinking Log Format
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Subcommands {
    /// Plays without an opponent and reports the longest chains
    Measure(Measure),
}

#[derive(Debug, Args)]
struct Measure {
    /// Number of games, each with its own random list of pairs of four colours
    #[arg(long, default_value_t = 100, value_parser = value_parser!(u64).range(1..))]
    lists: u64,
    /// The number of the first list
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Number of pairs in a game
    #[arg(long, default_value_t = 40, value_parser = value_parser!(u32).range(1..))]
    pairs: u32,
    /// Milliseconds for a pair
    #[arg(long, value_name = "MS", default_value_t = 300)]
    time: u64,
    /// Placements tried for a pair, instead of a time
    #[arg(long, conflicts_with = "time", value_parser = value_parser!(u32).range(1..=MAX_NODES as i64))]
    nodes: Option<u32>,
    /// Seed of the random lists
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    match run(&CommandLine::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has closed it.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            write_stderr(format_args!("puyo: {error}\n"));
            ExitCode::FAILURE
        }
    }
}

fn run(line: &CommandLine) -> io::Result<()> {
    match &line.command {
        Some(Subcommands::Measure(arguments)) => run_measure(arguments),
        None => {
            let time = Duration::from_millis(line.time);
            let settings = session::Settings { time, log: line.log.as_deref() };
            session::run(settings, io::stdin(), io::stdout())
        }
    }
}

fn run_measure(arguments: &Measure) -> io::Result<()> {
    let budget = match arguments.nodes {
        Some(nodes) => Budget::Nodes(nodes as usize),
        None => Budget::Time(Duration::from_millis(arguments.time)),
    };
    let lists = arguments.first..arguments.first.saturating_add(arguments.lists);
    let pairs = arguments.pairs as usize;
    measure(arguments.seed, lists, pairs, budget, |line| writeln!(io::stdout(), "{line}"))
}
