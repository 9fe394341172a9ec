//! The command line of the tool for training data: progress on standard error, reports on standard
//! output.

mod common;
mod dataset;
mod generate;
mod inputs;
mod label;
mod network;
mod predict;
mod rescore;
mod selection;
mod warnings;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use kawasemi::sys::{exit_interrupted, expanded_arguments, on_interrupt};
use kawasemi::tools::terminal::{Failure, exit, exit_by_arguments};

/// Makes training data from games of the engine against itself. docs/selfplay.md is the
/// manual.
#[derive(Debug, Parser)]
#[command(name = "selfplay", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Generate(Box<generate::Arguments>),
    Rescore(Box<rescore::Arguments>),
    Predict(Box<predict::Arguments>),
    Label(Box<label::Arguments>),
    Inputs(Box<inputs::Arguments>),
    #[command(flatten)]
    Dataset(dataset::Command),
}

fn main() -> ExitCode {
    let arguments = Arguments::try_parse_from(expanded_arguments())
        .unwrap_or_else(|error| exit_by_arguments("selfplay", &error));
    exit("selfplay", run(arguments.command))
}

fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Rescore(arguments) => rescore::run(&arguments),
        Command::Predict(arguments) => predict::run(&arguments),
        Command::Label(arguments) => label::run(&arguments),
        Command::Inputs(arguments) => run_whole(|| inputs::run(&arguments)),
        Command::Dataset(command) => run_whole(|| dataset::run(&command)),
    }
}

/// Runs a command that writes all or nothing: an interrupt ends it at once and removes its temporary files.
fn run_whole(command: impl FnOnce() -> Result<(), String>) -> Result<(), Failure> {
    on_interrupt(exit_interrupted).map_err(|error| error.to_string())?;
    Ok(command()?)
}
