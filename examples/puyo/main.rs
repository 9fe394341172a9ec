//! Plays Puyo Puyo by the Universal Puyo Interface on standard input and output. See `docs/puyo.md`.

#![warn(missing_debug_implementations, rust_2018_idioms)]

mod engine;

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use engine::measure::{Budget, measure};
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
    #[arg(long, default_value_t = 100)]
    lists: u64,
    /// The number of the first list
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Number of pairs in a game
    #[arg(long, default_value_t = 40)]
    pairs: usize,
    /// Milliseconds for a pair
    #[arg(long, value_name = "MS", default_value_t = 300)]
    time: u64,
    /// Placements tried for a pair, instead of a time
    #[arg(long, conflicts_with = "time")]
    nodes: Option<usize>,
    /// Seed of the random lists
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> io::Result<()> {
    let line = CommandLine::parse();
    match line.command {
        Some(Subcommands::Measure(arguments)) => run_measure(&arguments),
        None => {
            let time = Duration::from_millis(line.time);
            let settings = session::Settings { time, log: line.log.as_deref() };
            session::run(settings, io::stdin(), io::stdout())
        }
    }
}

fn run_measure(arguments: &Measure) -> io::Result<()> {
    let budget =
        arguments.nodes.map_or(Budget::Time(Duration::from_millis(arguments.time)), Budget::Nodes);
    let lists = arguments.first..arguments.first.saturating_add(arguments.lists);
    measure(arguments.seed, lists, arguments.pairs, budget, |line| writeln!(io::stdout(), "{line}"))
}
