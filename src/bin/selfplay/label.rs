//! `selfplay label`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::thread;

use clap::Args;

use kawasemi::tools::teacher::{LabelConfig, TeacherPool};

use super::common;

/// Labels positions of games with the values of a teacher, and appends them to a file
///
/// The teacher is a command after `--`, such as `tools/teacher/serve.py`. Each labelled position becomes
/// a game of one move, with the teacher's value as its score and the result of the original game. Only
/// quiet positions with a score are labelled. The same command continues an existing file.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Game files whose positions are labelled
    #[arg(required = true, value_name = "GAMES")]
    games: Vec<PathBuf>,
    /// The file of labelled positions
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Stop at this many positions in the file
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
    /// Seed of the choice of positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Percent of the quiet positions that are labelled
    #[arg(long, value_name = "PERCENT", default_value_t = 100)]
    share: u32,
    /// Scores are this many times the logarithm of the odds
    #[arg(long, value_name = "UNITS", default_value_t = 650.0)]
    scale: f32,
    /// Processes of the teacher [default: one for each processor]
    #[arg(long, value_name = "N")]
    teachers: Option<usize>,
    /// Threads that prepare its inputs [default: two for each process]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// The command of the teacher
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    common::check_name(&arguments.out)?;
    let (games, source) = common::games(&arguments.games)?;
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let teachers = arguments.teachers.unwrap_or(processors);
    common::play(&LabelConfig {
        out: arguments.out.clone(),
        positions: arguments.positions,
        threads: arguments.threads.unwrap_or(2 * teachers),
        seed: arguments.seed,
        games,
        source,
        share: arguments.share,
        scale: arguments.scale,
        teacher: TeacherPool::start(&arguments.command, teachers)?,
    })
}
