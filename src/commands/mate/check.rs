//! Checks mate problems, and compares the results with the given lengths and solutions.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread::{self, ScopedJoinHandle};
use std::time::Instant;

use crossbeam::channel::{self, Receiver, Sender};
use kawasemi::engine::Settings;
use kawasemi::sys::{in_processor_group, refused_thread};
use kawasemi::tsume::{CheckProgress, ProblemChecker};
use kawasemi::types::language::Language;
use kawasemi::types::message::{Message, message};

use super::checked_problem::CheckedProblem;
use super::output::ProblemOutput;
use super::problems::{self, MateProblem};
use super::written_problem::WrittenProblem;
use super::{MateArgs, check_json, check_text};
use crate::commands::failure::{Failure, check_printed};
use crate::commands::interrupt::on_interrupt;
use crate::commands::language;
use crate::commands::notice::notify;
use crate::commands::progress_bar::ProgressBar;

const DEFAULT_TIME_MS: u64 = 60_000;
/// Long mates need a deep stack.
const STACK_BYTES: usize = 256 << 20;

struct CheckResults<'a> {
    checked: Vec<CheckedProblem<'a>>,
    /// Whether the results could be printed.
    printed: io::Result<()>,
    /// Whether every thread has started and ended as it should.
    ended: Result<(), Failure>,
    /// The user ended the check before everything was decided.
    is_stopped: bool,
}

/// The problems, which the threads share.
struct ProblemQueue<'a> {
    arguments: &'a MateArgs,
    problems: &'a [MateProblem],
    /// The index of the next problem.
    next: AtomicUsize,
    /// Whether the results of further problems cannot be used.
    is_abandoned: AtomicBool,
    interrupted: &'a AtomicBool,
}

/// What a thread that checks problems sends.
enum CheckEvent<'a> {
    Progress(CheckProgress),
    /// The index of the problem, and its check.
    Checked(usize, Box<CheckedProblem<'a>>),
}

pub fn run(arguments: &MateArgs, settings: &Settings) -> Result<(), Failure> {
    let output = arguments.output()?;
    let problems = arguments.problems()?;
    let interrupted = on_interrupt()?;
    check(arguments, settings, output, &problems, &interrupted)
}

fn check(
    arguments: &MateArgs,
    settings: &Settings,
    output: Option<ProblemOutput<'_>>,
    problems: &[MateProblem],
    interrupted: &AtomicBool,
) -> Result<(), Failure> {
    let queue = ProblemQueue {
        arguments,
        problems,
        next: AtomicUsize::new(0),
        is_abandoned: AtomicBool::new(false),
        interrupted,
    };
    let CheckResults { checked, printed, ended, is_stopped } = queue.check_all(settings)?;
    // A failure to print or of a thread must not lose the file.
    if let Some(output) = output {
        let written = checked.iter().map(|checked| WrittenProblem {
            position: &checked.position,
            report: &checked.report,
            recorded: checked.problem.given.recorded(),
            info: &checked.problem.info,
        });
        output.save(&written.collect::<Vec<_>>(), arguments.lang)?;
    }
    check_printed(printed)?;
    ended?;
    let lacks_pieces = |checked: &&CheckedProblem<'_>| problems::lacks_pieces(&checked.position);
    problems::tell_missing_pieces(checked.iter().filter(lacks_pieces).count());
    problems::reject_wrong(checked.iter().filter(|checked| checked.is_wrong()).count())?;
    if is_stopped { Err(Failure::Interrupted) } else { Ok(()) }
}

impl<'a> ProblemQueue<'a> {
    /// Checks the problems, several at the same time, and prints the results in the order of the problems.
    fn check_all(&self, settings: &Settings) -> Result<CheckResults<'a>, Failure> {
        let solver = self.arguments.solver(settings);
        let threads = solver.threads.min(self.problems.len()).max(1);
        let checkers = (0..threads)
            .map(|_| ProblemChecker::new(solver.memory_mib / threads))
            .collect::<Result<Vec<_>, _>>()?;
        thread::scope(|scope| {
            let (sender, events) = channel::unbounded();
            let spawn = |(index, checker)| {
                let sender = sender.clone();
                let check = in_processor_group(index, move || self.check_next(checker, &sender));
                let builder = thread::Builder::new().stack_size(STACK_BYTES);
                builder.spawn_scoped(scope, check).map_err(refused_thread)
            };
            let started: io::Result<Vec<_>> = checkers.into_iter().enumerate().map(spawn).collect();
            drop(sender);
            if started.is_err() {
                self.is_abandoned.store(true, Relaxed);
            }
            let (checked, printed) = self.print_results(&events, threads == 1);
            let failed = |_| Err(message!("the check failed", "検討に失敗しました").into());
            let join = |thread: ScopedJoinHandle<'_, _>| thread.join().unwrap_or_else(failed);
            let ended = started.map_err(Failure::from).and_then(|threads| {
                // All are joined, also after a failure: their results are kept.
                threads.into_iter().map(join).fold(Ok(()), Result::and)
            });
            let is_stopped = self.is_stopped(&checked);
            if is_stopped {
                notify(&message!(
                    "stopped; the problems so far follow",
                    "中断しました。ここまでの結果を表示します"
                ));
            }
            let printed = printed.and_then(|()| self.print_end(&checked));
            Ok(CheckResults { checked, printed, ended, is_stopped })
        })
    }

    /// Checks problems on one thread until all are checked.
    fn check_next(
        &self,
        mut checker: ProblemChecker,
        events: &Sender<CheckEvent<'a>>,
    ) -> Result<(), Failure> {
        let is_interrupted = || self.interrupted.load(Relaxed);
        let is_over = || is_interrupted() || self.is_abandoned.load(Relaxed);
        while !is_over() {
            let index = self.next.fetch_add(1, Relaxed);
            let Some(problem) = self.problems.get(index) else { break };
            let (position, start) = (problem.position()?, Instant::now());
            let limits = self.arguments.limits(DEFAULT_TIME_MS, &is_over);
            let mut on_progress = |now| _ = events.send(CheckEvent::Progress(now));
            let recorded = problem.given.recorded();
            let report = checker.check(&position, recorded, &limits, &mut on_progress);
            let elapsed = start.elapsed();
            let is_stopped = is_interrupted() && !report.is_decided();
            let checked = CheckedProblem { problem, position, report, elapsed, is_stopped };
            _ = events.send(CheckEvent::Checked(index, Box::new(checked)));
        }
        Ok(())
    }

    /// Prints the results until all threads have ended. The progress within a problem is only shown for a
    /// single thread.
    fn print_results(
        &self,
        events: &Receiver<CheckEvent<'a>>,
        is_single: bool,
    ) -> (Vec<CheckedProblem<'a>>, io::Result<()>) {
        let language = self.language();
        let mut printed = Ok(());
        let mut progress = ProgressBar::new(self.problems.len()).in_language(language);
        let mut all: Vec<CheckedProblem<'a>> = Vec::new();
        // Checked problems that wait for an earlier one.
        let mut waiting = BTreeMap::new();
        for event in events {
            match event {
                CheckEvent::Progress(now) if is_single => progress.show(remark(now).of(language)),
                CheckEvent::Progress(_) => progress.show(""),
                CheckEvent::Checked(index, checked) => {
                    waiting.insert(index, checked);
                    progress.advance(true);
                    progress.clear();
                }
            }
            while let Some(checked) = waiting.remove(&all.len()) {
                self.print_text(&checked, &mut printed);
                all.push(*checked);
            }
            if printed.is_err() && self.arguments.output.is_none() {
                self.is_abandoned.store(true, Relaxed);
            }
        }
        // An earlier problem is missing because its thread has failed.
        for checked in waiting.into_values() {
            self.print_text(&checked, &mut printed);
            all.push(*checked);
        }
        (all, printed)
    }

    /// Prints the result of a problem as text, unless that of another could not be printed.
    fn print_text(&self, checked: &CheckedProblem<'_>, printed: &mut io::Result<()>) {
        if !self.arguments.json && printed.is_ok() {
            *printed = print(&mut io::stdout().lock(), &check_text::text(checked, self.language()));
        }
    }

    /// Whether the user ended the check before everything was decided.
    fn is_stopped(&self, checked: &[CheckedProblem<'_>]) -> bool {
        let is_incomplete =
            checked.len() < self.problems.len() || checked.iter().any(|checked| checked.is_stopped);
        self.interrupted.load(Relaxed) && is_incomplete
    }

    /// Prints what follows the results of all problems.
    fn print_end(&self, checked: &[CheckedProblem<'_>]) -> io::Result<()> {
        let end = match self.arguments.json {
            true => format!("{}\n", check_json::json(checked)),
            false if checked.len() > 1 => check_text::summary(checked, self.language()),
            false => String::new(),
        };
        print(&mut io::stdout().lock(), &end)
    }

    fn language(&self) -> Language {
        self.arguments.lang.unwrap_or_else(language::system_language)
    }
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
            "攻め方の{of}手のうち{number}手目の余詰を検討中"
        ),
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::fs;
    use std::path::Path;

    use clap::Parser;

    use super::super::problems::GivenSolution;
    use super::super::tests::Line;
    use super::*;

    /// Regression: if one of the threads panicked, the results of all were lost.
    #[test]
    fn a_check_that_fails_writes_the_problems_that_are_checked() {
        let folder = tempfile::tempdir().unwrap();
        let (list, out) = (folder.path().join("list"), folder.path().join("checked.kifu"));
        fs::write(&list, "4k4/9/4P4/9/9/9/9/9/9 b G 1\n".repeat(3)).unwrap();
        let flags = ["mate", "--check", "--json", "--hash", "4", "--threads", "2", "-o"];
        let files = [out.as_path(), list.as_path()].map(Path::as_os_str);
        let words = flags.iter().map(OsStr::new).chain(files);
        let Line { problems: arguments } = Line::parse_from(words);
        let mut problems = problems::read_all(&[list]).unwrap();
        // A move from an empty square panics.
        problems[1].given = GivenSolution::Recorded(vec!["5e5d".parse().unwrap()]);
        let (output, interrupted) = (arguments.output().unwrap(), AtomicBool::new(false));
        let checked = check(&arguments, &Settings::default(), output, &problems, &interrupted);
        assert!(matches!(checked, Err(Failure::Error(_))), "{checked:?}");
        let records = fs::read_to_string(&out).unwrap();
        assert_eq!(records.matches("手数----").count(), 2, "{records}");
    }
}
