//! The program: parses the command line and runs the command.

mod commands;

use std::env;
use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use commands::analyze::AnalyzeArgs;
use commands::argument_errors;
use commands::bench::BenchArgs;
use commands::book::{BookCommand, MakeArgs};
use commands::cluster::ClusterArgs;
use commands::convert::ConvertArgs;
use commands::csa::CsaArgs;
use commands::define::DefineArgs;
use commands::eval::EvalCommand;
use commands::failure::Failure;
use commands::help_ja;
use commands::language::system_language;
use commands::mate::MateArgs;
use commands::notice::{notice, notify, warn_of_unused_logs};
use commands::options::OptionsArgs;
use commands::perft::PerftArgs;
use commands::puzzles::PuzzlesArgs;
use crossbeam::channel::unbounded;
use kawasemi::engine::{OptionProfile, PoolBackend, Settings};
use kawasemi::sys::{
    exit_interrupted, expanded_arguments, interrupted_exit_code, limit_heap_arenas, on_interrupt,
    raise_timer_resolution, survive_file_size_limit,
};
use kawasemi::types::language::Language;
use kawasemi::types::message::{Message, listed, message};
use kawasemi::usi::options::{OptionGroup, UsiOption};
use kawasemi::usi::{console, options};

const AFTER_HELP: &str = "`kawasemi options` lists the USI options.

Exit status: 0 after success, 1 after an error, 2 for wrong arguments, 130 after an interrupt \
(Ctrl-C, SIGTERM) that left the work incomplete. An interrupt ends perft, bench, and mate \
without --check and --make, by the signal.";

/// The exit status for wrong arguments, as clap has it.
const WRONG_ARGUMENTS: u8 = 2;

/// A shogi engine. Without a command it speaks USI on standard input and output.
#[derive(Debug, Parser)]
#[command(version, after_help = AFTER_HELP)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<ProgramCommand>,

    /// Set a USI option before the command, as in `kawasemi --usi-option Threads=4 analyze game.kif`. May be
    /// repeated.
    #[arg(long = "usi-option", value_name = "NAME=VALUE")]
    usi_options: Vec<OsString>,

    /// USI options to set without a command, as in `kawasemi -- Threads=4 USI_Hash=1024`.
    #[arg(last = true, value_name = "NAME=VALUE")]
    more_options: Vec<OsString>,
}

#[derive(Debug, Subcommand)]
enum ProgramCommand {
    Perft(PerftArgs),
    Bench(BenchArgs),
    #[command(alias = "analyse")]
    Analyze(AnalyzeArgs),
    Mate(MateArgs),
    Puzzles(PuzzlesArgs),
    Csa(Box<CsaArgs>),
    Options(OptionsArgs),
    Cluster(ClusterArgs),
    Define(DefineArgs),
    Convert(ConvertArgs),
    /// Inspect, convert, merge or build opening books.
    Book {
        #[command(subcommand)]
        command: BookCommand,
    },
    /// Describe or convert a network file.
    Eval {
        #[command(subcommand)]
        command: EvalCommand,
    },
}

fn main() -> ExitCode {
    limit_heap_arenas();
    raise_timer_resolution();
    survive_file_size_limit();
    match run(command_line()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::ClosedPipe) => ExitCode::SUCCESS,
        Err(Failure::Interrupted) => interrupted_exit_code(),
        Err(Failure::Arguments(error)) => {
            notice(error);
            ExitCode::from(WRONG_ARGUMENTS)
        }
        Err(Failure::Error(error)) => {
            notice(error);
            ExitCode::FAILURE
        }
    }
}

/// The command line, with file patterns expanded on Windows. A mistyped command gives a message about
/// commands, not about arguments.
fn command_line() -> CommandLine {
    let mut known = described_command();
    let matches = known.try_get_matches_from_mut(expanded_arguments());
    let parsed = matches.and_then(|matches| CommandLine::from_arg_matches(&matches));
    parsed.unwrap_or_else(|error| {
        let first = env::args_os().nth(1).unwrap_or_default();
        let first = first.display().to_string();
        let is_a_word = !first.starts_with('-') && known.find_subcommand(&first).is_none();
        if error.kind() == ErrorKind::UnknownArgument && is_a_word {
            argument_errors::exit_without_command(&mut known, &first);
        }
        argument_errors::exit(error)
    })
}

/// The command with its help in the language of the system.
fn described_command() -> Command {
    match system_language() {
        Language::English => CommandLine::command(),
        Language::Japanese => help_ja::translated(CommandLine::command()),
    }
}

/// The settings for a command: its own defaults, changed by the options given. Returns these options too.
fn settings(
    command: Option<&ProgramCommand>,
    given: &[OsString],
) -> Result<(Settings, Vec<&'static UsiOption>), Failure> {
    let mut settings = Settings::with_profile(OptionProfile::find());
    // A signature and the results of mate problems must not depend on the machine. Puzzles and books take a
    // table for each thread.
    let usual = settings.threads;
    let defaults = match command {
        Some(ProgramCommand::Bench(_)) => {
            // Nor on a folder that happens to be there.
            settings.eval_dir = None;
            Some((1, BenchArgs::DEFAULT_HASH_MIB))
        }
        Some(ProgramCommand::Mate(_)) => Some((1, 1024)),
        Some(ProgramCommand::Puzzles(_)) => Some((usual, PuzzlesArgs::DEFAULT_HASH_MIB)),
        Some(ProgramCommand::Book { command: BookCommand::Make(_) }) => {
            Some((usual, MakeArgs::DEFAULT_HASH_MIB))
        }
        _ => None,
    };
    if let Some(defaults) = defaults {
        (settings.threads, settings.hash_mib) = defaults;
    }
    let assign = |text: &OsString| {
        let assigned = options::assign(&mut settings, text.as_encoded_bytes());
        assigned.map_err(|error| Failure::arguments(&error.message()))
    };
    let given = given.iter().map(assign).collect::<Result<_, _>>()?;
    Ok((settings, given))
}

/// The options that a command uses; `None` if all that matter to a search.
fn used_options(command: Option<&ProgramCommand>) -> Option<&'static [&'static str]> {
    match command? {
        ProgramCommand::Mate(problems) => Some(problems.used_options()),
        ProgramCommand::Book { command: BookCommand::Make(_) } => None,
        ProgramCommand::Perft(_)
        | ProgramCommand::Define(_)
        | ProgramCommand::Convert(_)
        | ProgramCommand::Eval { .. }
        | ProgramCommand::Book { .. } => Some(&[]),
        ProgramCommand::Bench(_)
        | ProgramCommand::Analyze(_)
        | ProgramCommand::Puzzles(_)
        | ProgramCommand::Csa(_)
        | ProgramCommand::Options(_)
        | ProgramCommand::Cluster(_) => None,
    }
}

/// Warns of options that the command does not use. Logs have a warning of their own.
fn warn_of_unused_options(command: Option<&ProgramCommand>, given: &[&UsiOption]) {
    let Some(used) = used_options(command) else { return };
    let is_unused =
        |option: &&&UsiOption| option.group != OptionGroup::Logs && !used.contains(&option.name);
    let names: Vec<&str> = given.iter().filter(is_unused).map(|option| option.name).collect();
    if !names.is_empty() {
        notify(&message!(
            "this command does not use {}",
            "{}はこのコマンドでは使いません";
            listed(&names)
        ));
    }
}

fn run(line: CommandLine) -> Result<(), Failure> {
    let given = [line.usi_options, line.more_options].concat();
    let (settings, options) = settings(line.command.as_ref(), &given)?;
    warn_of_unused_options(line.command.as_ref(), &options);
    // These commands keep logs, warn about them themselves, or only show the settings.
    let may_log = matches!(
        line.command,
        None | Some(
            ProgramCommand::Csa(_) | ProgramCommand::Cluster(_) | ProgramCommand::Options(_)
        )
    );
    if !may_log {
        warn_of_unused_logs(&settings);
    }
    // Making a book takes long, so an interrupt saves the book.
    let is_stopped_at_once = match &line.command {
        Some(ProgramCommand::Book { command }) => !matches!(command, BookCommand::Make(_)),
        Some(ProgramCommand::Convert(_) | ProgramCommand::Eval { .. }) => true,
        _ => false,
    };
    if is_stopped_at_once {
        // Without this an interrupt would leave temporary files behind.
        on_interrupt(exit_interrupted)?;
    }
    match line.command {
        Some(ProgramCommand::Perft(perft)) => perft.run(),
        Some(ProgramCommand::Bench(bench)) => bench.run(settings),
        Some(ProgramCommand::Analyze(analysis)) => analysis.run(settings),
        Some(ProgramCommand::Mate(problems)) => problems.run(&settings),
        Some(ProgramCommand::Puzzles(puzzles)) => puzzles.run(&settings),
        Some(ProgramCommand::Csa(online)) => online.run(settings, &given),
        Some(ProgramCommand::Options(listing)) => listing.run(&settings),
        Some(ProgramCommand::Cluster(cluster)) => cluster.run(settings, &given),
        Some(ProgramCommand::Define(define)) => define.run(&settings),
        Some(ProgramCommand::Convert(conversion)) => conversion.run(),
        Some(ProgramCommand::Book { command }) => command.run(settings),
        Some(ProgramCommand::Eval { command }) => command.run(),
        None => {
            let cannot_start = |error: io::Error| {
                message!(
                    "the engine cannot start: {}",
                    "エンジンを起動できません：{}";
                    Message::from(&error)
                )
            };
            let (sender, events) = unbounded();
            let backend = PoolBackend::new(sender).map_err(cannot_start)?;
            let session = console::open(backend, events, settings, system_language());
            Ok(session.map_err(cannot_start)?.run(io::stdin())?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The threads and the memory that a command uses.
    fn taken(arguments: &[&str]) -> (usize, usize) {
        let line = CommandLine::parse_from([&["kawasemi"][..], arguments].concat());
        let (settings, _) = settings(line.command.as_ref(), &line.usi_options).unwrap();
        (settings.threads, settings.hash_mib)
    }

    /// Regression: a bench with this option measured the built-in network.
    #[test]
    fn a_bench_uses_a_folder_of_a_network_only_if_it_is_given() {
        let folder = |arguments: &[&str]| {
            let line = CommandLine::parse_from([&["kawasemi"][..], arguments].concat());
            settings(line.command.as_ref(), &line.usi_options).unwrap().0.eval_dir
        };
        assert_eq!(folder(&["bench"]), None);
        let given = folder(&["--usi-option", "EvalDir=nets", "bench"]);
        assert_eq!(given.as_deref(), Some("nets".as_ref()));
    }

    #[test]
    fn options_override_the_defaults_of_a_command() {
        assert_eq!(taken(&["bench"]), (1, 16));
        assert_eq!(taken(&["--usi-option", "Threads=2", "bench"]), (2, 16));
        assert_eq!(taken(&["mate", "a.txt"]), (1, 1024));
        assert_eq!(taken(&["--usi-option", "USI_Hash=5", "mate", "a.txt"]), (1, 5));
        let usual = Settings::default();
        assert_eq!(taken(&["analyze", "a.kif"]), (usual.threads, usual.hash_mib));
        assert_eq!(taken(&["puzzles", "a.kif"]), (usual.threads, 32));
        // Regression: both ignored it.
        assert_eq!(taken(&["--usi-option", "USI_Hash=5", "puzzles", "a.kif"]).1, 5);
        assert_eq!(taken(&["book", "make", "a.db"]), (usual.threads, 64));
        assert_eq!(taken(&["--usi-option", "USI_Hash=5", "book", "make", "a.db"]).1, 5);
    }
}
