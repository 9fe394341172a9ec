//! Checks mate problems, and compares the results with the given lengths and solutions.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use kawasemi::engine::Settings;
use kawasemi::tsume::{CheckProgress, ProblemChecker};
use kawasemi::types::message::message;

use super::checked_problem::CheckedProblem;
use super::problems::{self, MateProblem};
use super::written_problem::WrittenProblem;
use super::{MateArgs, check_json, check_text};
use crate::commands::failure::Failure;
use crate::commands::interrupt::on_interrupt;
use crate::commands::language;
use crate::commands::notice::notify;
use crate::commands::progress_bar::ProgressBar;

const DEFAULT_MS: u64 = 60_000;
/// Long mates need a deep stack.
const STACK: usize = 256 << 20;

pub fn run(arguments: &MateArgs, settings: &Settings) -> Result<(), Failure> {
    let output = arguments.output()?;
    let problems = problems::read_all(&arguments.files)?;
    let stop = on_interrupt()?;
    let checked = std::thread::scope(|scope| {
        let check = || check_all(arguments, settings, &problems, &stop);
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, check)?;
        thread.join().map_err(|_| io::Error::other("the check failed"))
    })??;
    if let Some(output) = output {
        let written = checked.iter().map(|checked| WrittenProblem {
            position: &checked.position,
            report: &checked.report,
            title: checked.problem.title.clone(),
        });
        output.save(&written.collect::<Vec<_>>(), arguments.lang)?;
    }
    match checked.iter().filter(|checked| checked.is_wrong()).count() {
        0 => Ok(()),
        wrong => Err(message!(
            "wrong lengths or solutions in the files: {wrong}",
            "ファイルの手数か解が誤っている問題：{wrong}"
        )
        .into()),
    }
}

fn check_all<'a>(
    arguments: &MateArgs,
    settings: &Settings,
    problems: &'a [MateProblem],
    stop: &AtomicBool,
) -> Result<Vec<CheckedProblem<'a>>, Failure> {
    let mut out = io::stdout().lock();
    let language = arguments.lang.unwrap_or_else(language::system_language);
    let mut checker = ProblemChecker::new(arguments.solver(settings).memory_mib)?;
    let mut progress = ProgressBar::new(problems.len());
    let mut all = Vec::new();
    let is_stopped = || stop.load(Relaxed);
    for problem in problems {
        if is_stopped() {
            notify(&message!(
                "stopped; the problems so far follow",
                "中断しました。ここまでの問題を示します"
            ));
            break;
        }
        let (position, start) = (problem.position()?, Instant::now());
        let limits = arguments.limits(DEFAULT_MS, &is_stopped);
        let mut show = |now: CheckProgress| progress.show(&remark(now));
        let report = checker.check(&position, problem.given.solution(), &limits, &mut show);
        progress.advance(true);
        progress.clear();
        let checked = CheckedProblem { problem, position, report, elapsed: start.elapsed() };
        if !arguments.json {
            write!(out, "{}", check_text::text(&checked, language))?;
            out.flush()?;
        }
        all.push(checked);
    }
    if arguments.json {
        writeln!(out, "{}", check_json::json(&all))?;
    } else if all.len() > 1 {
        write!(out, "{}", check_text::summary(&all, language))?;
    }
    Ok(all)
}

fn remark(progress: CheckProgress) -> String {
    match progress {
        CheckProgress::Solving => "solving".to_owned(),
        CheckProgress::Measuring(plies) => format!("mate within {plies}, measuring"),
        CheckProgress::SecondSolutions { number, of } => {
            format!("second solutions at move {number} of {of}")
        }
    }
}
