//! Checks mate problems, and compares the results with the given lengths and solutions.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

use kawasemi::engine::Settings;
use kawasemi::tsume::{CheckProgress, ProblemChecker};
use kawasemi::types::message::{Message, message};

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
const STACK_BYTES: usize = 256 << 20;

struct CheckResults<'a> {
    checked: Vec<CheckedProblem<'a>>,
    /// Whether the results could be printed.
    printed: io::Result<()>,
    /// The user ended the check before everything was decided.
    is_stopped: bool,
}

pub fn run(arguments: &MateArgs, settings: &Settings) -> Result<(), Failure> {
    let output = arguments.output()?;
    let problems = problems::read_all(&arguments.files)?;
    let stop = on_interrupt()?;
    let CheckResults { checked, printed, is_stopped } = thread::scope(|scope| {
        let check = || check_all(arguments, settings, &problems, &stop);
        let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, check)?;
        let failed = |_| Failure::from(message!("the check failed", "検討に失敗しました"));
        thread.join().map_err(failed)?
    })?;
    // A failure to print must not lose the file.
    if let Some(output) = output {
        let written = checked.iter().map(|checked| WrittenProblem {
            position: &checked.position,
            report: &checked.report,
            info: &checked.problem.info,
        });
        output.save(&written.collect::<Vec<_>>(), arguments.lang)?;
    }
    printed?;
    problems::reject_wrong(checked.iter().filter(|checked| checked.is_wrong()).count())?;
    if is_stopped { Err(Failure::Interrupted) } else { Ok(()) }
}

fn check_all<'a>(
    arguments: &MateArgs,
    settings: &Settings,
    problems: &'a [MateProblem],
    stop: &AtomicBool,
) -> Result<CheckResults<'a>, Failure> {
    let mut out = io::stdout().lock();
    let mut printed = Ok(());
    let language = arguments.lang.unwrap_or_else(language::system_language);
    let mut checker = ProblemChecker::new(arguments.solver(settings).memory_mib)?;
    let mut progress = ProgressBar::new(problems.len()).in_language(language);
    let mut all = Vec::new();
    let is_stopped = || stop.load(Relaxed);
    for problem in problems {
        if is_stopped() || printed.is_err() && arguments.output.is_none() {
            break;
        }
        let (position, start) = (problem.position()?, Instant::now());
        let limits = arguments.limits(DEFAULT_MS, &is_stopped);
        let mut show = |now: CheckProgress| progress.show(remark(now).of(language));
        let report = checker.check(&position, problem.given.solution(), &limits, &mut show);
        progress.advance(true);
        progress.clear();
        let elapsed = start.elapsed();
        let is_stopped = is_stopped() && !report.is_decided();
        let checked = CheckedProblem { problem, position, report, elapsed, is_stopped };
        if !arguments.json && printed.is_ok() {
            printed = print(&mut out, &check_text::text(&checked, language));
        }
        all.push(checked);
    }
    let is_incomplete =
        all.len() < problems.len() || all.last().is_some_and(|checked| checked.is_stopped);
    let is_stopped = is_stopped() && is_incomplete;
    if is_stopped {
        notify(&message!(
            "stopped; the problems so far follow",
            "中断しました。ここまでの問題を示します"
        ));
    }
    let end = match arguments.json {
        true => format!("{}\n", check_json::json(&all)),
        false if all.len() > 1 => check_text::summary(&all, language),
        false => String::new(),
    };
    let printed = printed.and_then(|()| print(&mut out, &end));
    Ok(CheckResults { checked: all, printed, is_stopped })
}

fn print(out: &mut impl Write, text: &str) -> io::Result<()> {
    write!(out, "{text}").and_then(|()| out.flush())
}

fn remark(progress: CheckProgress) -> Message {
    match progress {
        CheckProgress::Solving => message!("solving", "詰みを探索中"),
        CheckProgress::Measuring(plies) => {
            message!("mate within {plies}, measuring", "{plies}手以内の詰み、手数を計算中")
        }
        CheckProgress::SecondSolutions { number, of } => message!(
            "second solutions at move {number} of {of}",
            "{of}手中{number}手目の余詰を検討中"
        ),
    }
}
