//! `selfplay predict`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;

use kawasemi::sys::{on_interrupt, stop_or_exit};
use kawasemi::tools::teacher::{PredictConfig, WrongValues};
use kawasemi::tools::terminal::{Failure, ProgressDisplay, print, print_error};

use super::label::TeacherArguments;
use super::selection::SelectionArguments;

/// Runs a teacher on positions of games, and appends its predictions to a file, two bytes for each
///
/// `selfplay label --predictions` makes labels of them, with the same games and selection of positions. Use it
/// where the teacher runs on another machine. The same command continues an existing file; Ctrl-C ends it after
/// the positions in progress, a second Ctrl-C at once.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    selection: SelectionArguments,
    /// The file of predictions
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    teacher: TeacherArguments,
    /// The command of the teacher
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let selection = arguments.selection.source()?;
    let (teacher, threads) = arguments.teacher.start(&arguments.command)?;
    let config = PredictConfig {
        out: arguments.out.clone(),
        threads,
        selection,
        teacher,
        wrong_values: WrongValues::default(),
    };
    let stop = Arc::new(AtomicBool::new(false));
    let pressed = stop.clone();
    on_interrupt(move || stop_or_exit(&pressed)).map_err(|error| error.to_string())?;
    let mut screen = ProgressDisplay::new();
    let end = config.run(&stop, &mut |progress| screen.show(&|| progress.to_string()));
    screen.clear();
    if let Some(report) = config.wrong_values.report() {
        print_error(format_args!("selfplay: {report}"));
    }
    let end = end?;
    print(format_args!("{end}\n"))?;
    if end.units < end.all_units { Err(Failure::Interrupted) } else { Ok(()) }
}
