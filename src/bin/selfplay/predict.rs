//! `selfplay ask`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use clap::Args;

use kawasemi::sys::on_interrupt;
use kawasemi::tools::teacher::AskConfig;
use kawasemi::tools::terminal::{ProgressDisplay, print};

use super::label::TeacherArguments;
use super::questions::QuestionArguments;

/// Asks a teacher about positions of games, and appends its answers to a file, two bytes for each
///
/// `selfplay label --answers` makes labels of them, with the same games and choice of positions. Use it where
/// the teacher runs on another machine. The same command continues an existing file; Ctrl-C ends it after
/// the questions in work.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    questions: QuestionArguments,
    /// The file of answers
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    teacher: TeacherArguments,
    /// The command of the teacher
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let questions = arguments.questions.source()?;
    let (teacher, threads) = arguments.teacher.start(&arguments.command)?;
    let config = AskConfig { out: arguments.out.clone(), threads, questions, teacher };
    let stop = Arc::new(AtomicBool::new(false));
    let pressed = stop.clone();
    on_interrupt(move || pressed.store(true, Relaxed)).map_err(|error| error.to_string())?;
    let mut screen = ProgressDisplay::new();
    let end = config.run(&stop, &mut |progress| screen.show(&|| progress.to_string()))?;
    screen.clear();
    print(format_args!("{end}\n"))
}
