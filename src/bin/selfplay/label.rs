//! `selfplay label`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use kawasemi::sys::processors;
use kawasemi::tools::numbers::thread_count;
use kawasemi::tools::teacher::{
    LabelConfig, PackedPredictions, PredictionSource, TeacherPool, WrongValues,
};
use kawasemi::tools::terminal::{Failure, print_error};

use super::common;
use super::dataset::parse_scale;
use super::selection::SelectionArguments;

/// Labels positions of games with the values of a teacher, and appends them to a file
///
/// The teacher is a command after `--`, such as `tools/teacher/serve.py`, or a file of its predictions. Each
/// labelled position becomes a game of one move, with the teacher's value as its score and the result of
/// the original game. Only quiet positions with a score are labelled. The same command continues an
/// existing file.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    selection: SelectionArguments,
    /// The file of labelled positions
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Stop at this many positions in the file
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
    /// The score for a logit of 1: a score is this many times the logit of the win rate
    #[arg(long, value_name = "SCORE", default_value_t = 650.0, value_parser = parse_scale)]
    scale: f64,
    /// Keep the moves of the games, for the ranking loss of the trainer, instead of the teacher's
    #[arg(long)]
    played_moves: bool,
    /// Predictions of `selfplay predict`, instead of a command
    #[arg(long, value_name = "FILE", conflicts_with = "command")]
    predictions: Option<PathBuf>,
    #[command(flatten)]
    teacher: TeacherArguments,
    /// The command of the teacher
    #[arg(last = true, required_unless_present = "predictions", value_name = "COMMAND")]
    command: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct TeacherArguments {
    /// Processes of the teacher [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = thread_count(1))]
    teachers: Option<usize>,
    /// Threads that prepare its inputs [default: two for each process]
    #[arg(long, value_name = "N", value_parser = thread_count(1))]
    threads: Option<usize>,
}

impl TeacherArguments {
    /// Starts the teacher with this number of threads.
    pub(crate) fn start(&self, command: &[OsString]) -> Result<(TeacherPool, usize), String> {
        let teachers = self.teachers.or_else(processors).unwrap_or(1);
        let pool = TeacherPool::start(command, teachers)?;
        Ok((pool, self.threads.unwrap_or(2 * teachers)))
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    common::check_extension(&arguments.out)?;
    let selection = arguments.selection.source()?;
    let (predictions, threads) = match &arguments.predictions {
        Some(path) => {
            let threads = arguments.teacher.threads.or_else(processors).unwrap_or(1);
            (PredictionSource::Packed(PackedPredictions::read(path)?), threads)
        }
        None => {
            let (pool, threads) = arguments.teacher.start(&arguments.command)?;
            (PredictionSource::Teacher(pool), threads)
        }
    };
    let job = LabelConfig {
        out: arguments.out.clone(),
        positions: arguments.positions,
        threads,
        selection,
        scale: arguments.scale as f32,
        played_moves: arguments.played_moves,
        predictions,
        wrong_values: WrongValues::default(),
    };
    let result = common::run_job(&job);
    if let Some(report) = job.wrong_values.report() {
        print_error(format_args!("selfplay: {report}"));
    }
    result
}
