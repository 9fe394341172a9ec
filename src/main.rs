//! The program: reads the command line, and hands over to the library.

mod commands;

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use clap::{CommandFactory, Parser, Subcommand};
use commands::analyze::Analysis;
use commands::arguments;
use commands::book::BookTask;
use commands::cluster::Cluster;
use commands::convert::Conversion;
use commands::csa::Online;
use commands::mate::Problems;
use commands::options::Listing;
use commands::remark::{remark, remark_on_logs};
use crossbeam::channel::unbounded;
use kawasemi::engine::{self, PoolBackend, Settings};
use kawasemi::nnue::file;
use kawasemi::position::Position;
use kawasemi::search::bench;
use kawasemi::sys::{end_interrupted, heed_nohup};
use kawasemi::types::MAX_PLY;
use kawasemi::usi::language::Language;
use kawasemi::usi::{console, options, xml};

/// A shogi engine. Without a command it speaks USI on standard input and output.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "`kawasemi options` explains the USI options, the README all else."
)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Task>,

    /// Set a USI option before the conversation begins. May be repeated.
    #[arg(long = "usi-option", value_name = "NAME=VALUE")]
    usi_options: Vec<OsString>,

    /// The same, shorter.
    #[arg(last = true, value_name = "NAME=VALUE")]
    more_options: Vec<OsString>,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Count the legal move sequences of a position.
    Perft {
        /// Their length.
        #[arg(value_parser = clap::value_parser!(u32).range(0..=MAX_PLY as i64))]
        depth: u32,
        /// The position, instead of the start position: an SFEN, or as behind `position` in USI.
        #[arg(long)]
        sfen: Option<String>,
        /// Show the count behind each move.
        #[arg(long)]
        divide: bool,
    },
    /// Search fixed positions: the sum of the nodes is the signature of this version.
    Bench {
        /// Depth of each search, in plies.
        #[arg(long, default_value_t = 12, value_parser = arguments::depth())]
        depth: i32,
        /// Size of the transposition table, in mebibytes; 16 if nothing is said.
        #[arg(long, value_parser = arguments::hash())]
        hash: Option<usize>,
        /// Threads, 1 if nothing is said. With more than one, the sum of the nodes varies.
        #[arg(long, value_parser = arguments::threads())]
        threads: Option<usize>,
        /// A network file to evaluate with, instead of the built-in one.
        #[arg(long, value_name = "FILE")]
        eval: Option<PathBuf>,
        /// The instructions to evaluate with, as the option EvalKernel names them.
        #[arg(long, value_name = "NAME")]
        kernel: Option<String>,
    },
    #[command(alias = "analyse")]
    Analyze(Analysis),
    Mate(Problems),
    Csa(Box<Online>),
    Options(Listing),
    #[command(alias = "multi")]
    Cluster(Cluster),
    /// Print engine_define.xml, by which MyShogi knows an engine.
    Define {
        /// Language of the explanations: en or ja.
        #[arg(long, value_name = "LANGUAGE", default_value = "en")]
        lang: Language,
    },
    Convert(Conversion),
    /// Look at opening books, rewrite them, or make one.
    Book {
        #[command(subcommand)]
        task: BookTask,
    },
    /// Look at a file with an evaluation, or rewrite it.
    Eval {
        #[command(subcommand)]
        task: EvalTask,
    },
}

#[derive(Debug, Subcommand)]
enum EvalTask {
    /// Say what a file is.
    Info {
        /// The network; nn.bin and the like.
        file: PathBuf,
    },
    /// Write the same net so that it is used where it lies in the file, and processes share it.
    /// Other engines read it as before.
    Convert {
        /// The network.
        #[arg(value_name = "IN")]
        from: PathBuf,
        /// The file to write.
        #[arg(value_name = "OUT")]
        to: PathBuf,
    },
}

fn main() -> ExitCode {
    match run(command_line()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(error.as_ref()) => ExitCode::SUCCESS,
        Err(error) => {
            remark(error);
            ExitCode::FAILURE
        }
    }
}

/// The command line; whoever mistypes a command is told of commands, not of arguments.
fn command_line() -> CommandLine {
    CommandLine::try_parse().unwrap_or_else(|error| {
        let mut known = CommandLine::command();
        let first = env::args_os().nth(1).unwrap_or_default();
        let first = first.display().to_string();
        let is_a_word = !first.starts_with('-') && known.find_subcommand(&first).is_none();
        if error.kind() == clap::error::ErrorKind::UnknownArgument && is_a_word {
            let text = format!("there is no command '{first}'");
            known.error(clap::error::ErrorKind::InvalidSubcommand, text).exit();
        }
        error.exit()
    })
}

/// Lets an interrupt end the program at once, as always, but without half a file left behind.
fn tidy_when_interrupted() -> Result<(), ctrlc::Error> {
    heed_nohup(|| ctrlc::set_handler(end_interrupted))
}

/// Whether it is only that the reader of our output has seen enough.
fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

/// What the options say for a command: those given, and else what is usual for it.
fn settings(command: Option<&Task>, given: &[OsString]) -> Result<Settings, Box<dyn Error>> {
    let mut settings = Settings::default();
    // A signature must be the same everywhere, and so must what problems take.
    let usual = match command {
        Some(Task::Bench { .. }) => Some((1, 16)),
        Some(Task::Mate(_)) => Some((1, 1024)),
        _ => None,
    };
    if let Some(usual) = usual {
        (settings.threads, settings.hash_mb) = usual;
    }
    for text in given {
        options::assign(&mut settings, text.as_encoded_bytes())?;
    }
    Ok(settings)
}

fn run(line: CommandLine) -> Result<(), Box<dyn Error>> {
    let given = [line.usi_options, line.more_options].concat();
    let mut settings = settings(line.command.as_ref(), &given)?;
    // Those that may keep logs, or see for themselves that they do not, or only tell what is set.
    let may_log =
        matches!(line.command, None | Some(Task::Csa(_) | Task::Cluster(_) | Task::Options(_)));
    if !may_log {
        remark_on_logs(&settings);
    }
    match line.command {
        Some(Task::Perft { depth, sfen, divide }) => perft(depth, sfen.as_deref(), divide),
        Some(Task::Analyze(analysis)) => analysis.run(settings),
        Some(Task::Mate(problems)) => problems.run(&settings),
        Some(Task::Csa(online)) => online.run(settings, &given),
        Some(Task::Cluster(cluster)) => cluster.run(settings, &given),
        Some(Task::Options(listing)) => listing.run(&settings),
        Some(Task::Define { lang }) => Ok(write!(io::stdout(), "{}", xml::engine_define(lang))?),
        Some(Task::Convert(conversion)) => {
            tidy_when_interrupted()?;
            conversion.run()
        }
        Some(Task::Book { task }) => {
            tidy_when_interrupted()?;
            task.run(settings)
        }
        Some(Task::Eval { task: EvalTask::Info { file } }) => {
            Ok(write!(io::stdout(), "{}", file::info(&file)?)?)
        }
        Some(Task::Eval { task: EvalTask::Convert { from, to } }) => {
            tidy_when_interrupted()?;
            file::convert(&from, &to)?;
            Ok(write!(io::stdout(), "{}", file::info(&to)?)?)
        }
        Some(Task::Bench { depth, hash, threads, eval, kernel }) => {
            settings.eval_file = eval.or(settings.eval_file);
            settings.hash_mb = hash.unwrap_or(settings.hash_mb);
            settings.threads = threads.unwrap_or(settings.threads);
            if let Some(kernel) = kernel {
                let kernel = [b"EvalKernel=", kernel.as_bytes()].concat();
                options::assign(&mut settings, &kernel)?;
            }
            bench(settings, depth)
        }
        None => {
            let (sender, events) = unbounded();
            Ok(console::speak(PoolBackend::new(sender)?, events, settings)?)
        }
    }
}

fn bench(mut settings: Settings, depth: i32) -> Result<(), Box<dyn Error>> {
    // The signature must not hang on what happens to lie in a folder.
    settings.eval_dir = None;
    let engine::LoadedNetwork { network, messages, .. } = engine::load_network(&settings)?;
    let (hash, threads) = (settings.hash_mb, settings.threads);
    let (build, kernels) = (engine::build(), network.kernels.isa().name());
    let mut out = io::stdout().lock();
    // Without these, figures from two machines cannot be compared.
    let means = format!("Threads {threads}, USI_Hash {hash}, depth {depth}");
    writeln!(out, "{build}; kernels: {kernels}; {means}")?;
    for message in messages {
        writeln!(out, "{message}")?;
    }
    let measure = bench::run(depth, hash, threads, &settings.search_options(), network)?;
    for (sfen, nodes) in bench::POSITIONS.iter().zip(&measure.nodes) {
        writeln!(out, "{nodes:>10}  {sfen}")?;
    }
    writeln!(out, "time {} ms", measure.elapsed.as_millis())?;
    writeln!(out, "nps {}", measure.nodes_per_second())?;
    writeln!(out, "Bench: {}", measure.total())?;
    Ok(())
}

fn perft(depth: u32, sfen: Option<&str>, divide: bool) -> Result<(), Box<dyn Error>> {
    let position = match sfen {
        Some(text) => arguments::position(text)?,
        None => Position::startpos(),
    };
    let mut out = io::stdout().lock();
    if depth == 0 {
        return Ok(writeln!(out, "1 leaves in 0 ms")?);
    }
    let counted = engine::perft(position, depth, &AtomicBool::new(false));
    if divide {
        for (mv, leaves) in &counted.moves {
            writeln!(out, "{mv}: {leaves}")?;
        }
    }
    writeln!(out, "{} leaves in {} ms", counted.total(), counted.elapsed.as_millis())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Threads and memory.
    fn taken(arguments: &[&str]) -> (usize, usize) {
        let line = CommandLine::parse_from([&["kawasemi"][..], arguments].concat());
        let settings = settings(line.command.as_ref(), &line.usi_options).unwrap();
        (settings.threads, settings.hash_mb)
    }

    #[test]
    fn what_is_usual_for_a_command_gives_way_to_the_options() {
        assert_eq!(taken(&["bench"]), (1, 16));
        assert_eq!(taken(&["--usi-option", "Threads=2", "bench"]), (2, 16));
        assert_eq!(taken(&["mate", "a.txt"]), (1, 1024));
        assert_eq!(taken(&["--usi-option", "USI_Hash=5", "mate", "a.txt"]), (1, 5));
        let usual = Settings::default();
        assert_eq!(taken(&["analyze", "a.kif"]), (usual.threads, usual.hash_mb));
    }
}
