//! Solves mate problems, and compares the lengths with those given.

use std::cell::Cell;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use kawasemi::engine::Settings;
use kawasemi::mate::{MateResult, Solution, Solver};
use kawasemi::position::Position;
use kawasemi::types::language::{Language, Localized, localized};
use kawasemi::types::message::message;

use super::MateArgs;
use super::problems::{self, GivenSolution, MateProblem};
use crate::commands::columns::{pad_left, pad_right};
use crate::commands::failure::Failure;
use crate::commands::interrupt::on_interrupt;
use crate::commands::language::system_language;
use crate::commands::notice::notify;
use crate::commands::progress_bar::ProgressBar;
use crate::commands::source_game::file_name;
use crate::commands::spelling;

const DEFAULT_TIME_MS: u64 = 10_000;

/// The result of a problem.
struct ProblemResult {
    solution: Solution,
    elapsed: Duration,
    is_wrong: bool,
    /// The user ended the search, which might have found more.
    is_stopped: bool,
}

impl ProblemResult {
    fn is_mate(&self) -> bool {
        matches!(self.solution.result, MateResult::Mate(_))
    }
}

pub fn run(arguments: &MateArgs, settings: &Settings) -> Result<(), Failure> {
    let problems = arguments.problems()?;
    let interrupted = on_interrupt()?;
    match solve_all(arguments, settings, &problems, &interrupted) {
        // Ctrl-C ends the reader of a pipeline too.
        Err(Failure::ClosedPipe) if interrupted.load(Relaxed) => Err(Failure::Interrupted),
        ended => ended,
    }
}

fn solve_all(
    arguments: &MateArgs,
    settings: &Settings,
    problems: &[MateProblem],
    interrupted: &AtomicBool,
) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let language = arguments.lang.unwrap_or_else(system_language);
    writeln!(out, "{}", heading(language))?;
    let mut results: Vec<ProblemResult> = Vec::new();
    let mut solver = Solver::new(arguments.solver(settings));
    let mut progress = ProgressBar::new(problems.len()).in_language(language);
    let (mut solved, mut lacking, mut file) = (0, 0, &None);
    for problem in problems {
        if interrupted.load(Relaxed) {
            break;
        }
        progress.show(message!("{solved} solved", "{solved}問解けた").of(language));
        let position = problem.position()?;
        let result =
            solve(arguments, problem, &position, &mut solver, &|| interrupted.load(Relaxed));
        solved += usize::from(result.is_mate());
        lacking += usize::from(problems::lacks_pieces(&position));
        progress.advance(true);
        progress.clear();
        if problem.file != *file {
            file = &problem.file;
            let name = file_name(file.as_deref().unwrap_or_default());
            writeln!(out, "{}", name.of(language))?;
        }
        writeln!(out, "{}", row(problem, &result, language))?;
        if let (true, MateResult::Mate(line)) = (arguments.moves, &result.solution.result) {
            let moves = spelling::line_text(&position, line, arguments.lang);
            writeln!(out, "       {moves}")?;
        }
        out.flush()?;
        results.push(result);
    }
    let is_stopped =
        results.len() < problems.len() || results.last().is_some_and(|result| result.is_stopped);
    if is_stopped {
        notify(&message!(
            "stopped; the summary covers the problems so far",
            "中断しました。集計はここまでの問題のものです"
        ));
    }
    write!(out, "{}", summary(&results, language))?;
    problems::tell_missing_pieces(lacking);
    problems::reject_wrong(results.iter().filter(|result| result.is_wrong).count())?;
    if is_stopped { Err(Failure::Interrupted) } else { Ok(()) }
}

fn solve(
    arguments: &MateArgs,
    problem: &MateProblem,
    position: &Position,
    solver: &mut Solver,
    stop: &dyn Fn() -> bool,
) -> ProblemResult {
    let start = Instant::now();
    let was_stopped = Cell::new(false);
    let stop = || {
        was_stopped.set(was_stopped.get() || stop());
        was_stopped.get()
    };
    let limits = arguments.limits(DEFAULT_TIME_MS, &stop);
    let solution = solver.solve(position, &limits, &mut |_| {});
    let is_wrong = contradicts(&solution, &problem.given);
    let is_final = solution.is_shortest || solution.result == MateResult::NoMate;
    let is_stopped = was_stopped.get() && !is_final;
    ProblemResult { solution, elapsed: start.elapsed(), is_wrong, is_stopped }
}

/// Whether the solution shows that a length is wrong. A recorded solution may be shorter than the mate,
/// because it leaves out futile interpositions.
fn contradicts(solution: &Solution, given: &GivenSolution) -> bool {
    let Some(length) = given.plies() else { return false };
    let counts_all = matches!(given, GivenSolution::Length(_));
    match solution.within.map(usize::from) {
        Some(plies) => plies < length || counts_all && solution.is_shortest && plies > length,
        None => solution.result == MateResult::NoMate,
    }
}

const HEADING: [Localized; 5] = [
    localized("number", "番号"),
    localized("mate", "手数"),
    localized("given", "指定"),
    localized("time ms", "時間ms"),
    localized("nodes", "ノード数"),
];

fn heading(language: Language) -> String {
    let columns = HEADING.into_iter().zip([6, 6, 7, 11, 14]);
    columns.map(|(words, columns)| pad_left(words.of(language), columns)).collect()
}

fn row(problem: &MateProblem, solved: &ProblemResult, language: Language) -> String {
    let Solution { result, within, is_shortest, nodes } = &solved.solution;
    let found = match within {
        Some(plies) if *is_shortest => plies.to_string(),
        Some(plies) => format!("<={plies}"),
        None if *result == MateResult::NoMate => NONE.of(language).to_owned(),
        None => "?".to_owned(),
    };
    let given = problem.given.plies().map_or_else(|| "?".to_owned(), |length| length.to_string());
    let (number, millis) = (problem.number, solved.elapsed.as_millis());
    let remarks = [(solved.is_wrong, CONTRADICTED), (solved.is_stopped, STOPPED)];
    let remarks = remarks.into_iter().filter(|(applies, _)| *applies);
    let remarks: String = remarks.map(|(_, words)| words.of(language)).collect();
    let found = pad_left(&found, 6);
    format!("{number:>6}{found} {given:>6} {millis:>10} {nodes:>13}{remarks}")
}

const NONE: Localized = localized("none", "不詰");
const CONTRADICTED: Localized = localized("  contradicted", "  作意・手数と不一致");
const STOPPED: Localized = localized("  interrupted", "  中断");
const PROBLEMS: Localized = localized("problems", "問題数");
const COUNTS: [Localized; 5] = [
    localized("solved", "解けた"),
    localized("  shortest", "  最短と証明"),
    localized("no mate", "不詰"),
    localized("not solved", "解けなかった"),
    localized("contradicted", "作意・手数と不一致"),
];
const TIMES: [(Localized, usize); 3] = [
    (localized("median ms", "時間の中央値ms"), 50),
    (localized("99 percent ms", "99％の時間ms"), 99),
    (localized("slowest ms", "最長の時間ms"), 100),
];
/// Columns of the names in the summary.
const NAME_WIDTH: usize = 20;
const TOTAL_NODES: Localized = localized("nodes", "ノード数");

fn summary(results: &[ProblemResult], language: Language) -> String {
    let name = |words: Localized| pad_right(words.of(language), NAME_WIDTH);
    let count = |fits: &dyn Fn(&ProblemResult) -> bool| results.iter().filter(|&a| fits(a)).count();
    let mut times: Vec<f64> = results
        .iter()
        .filter(|result| result.is_mate())
        .map(|result| result.elapsed.as_secs_f64() * 1e3)
        .collect();
    times.sort_by(f64::total_cmp);
    let time: Duration = results.iter().map(|result| result.elapsed).sum();
    let nodes: u64 = results.iter().map(|result| result.solution.nodes).sum();
    let mut text = format!("\n{}{:>12}\n", name(PROBLEMS), results.len());
    let counts = [
        count(&ProblemResult::is_mate),
        count(&|result| result.solution.is_shortest),
        count(&|result| result.solution.result == MateResult::NoMate),
        count(&|result| result.solution.result == MateResult::Unknown),
        count(&|result| result.is_wrong),
    ];
    for (words, number) in COUNTS.into_iter().zip(counts) {
        text += &format!("{}{number:>12}\n", name(words));
    }
    for (words, share) in TIMES {
        if let Some(last) = times.len().checked_sub(1) {
            let time = times[last.min(times.len() * share / 100)];
            text += &format!("{}{time:>12.1}\n", name(words));
        }
    }
    text += &format!("{}{nodes:>12}\n", name(TOTAL_NODES));
    let nps = nodes as f64 / time.as_secs_f64().max(1e-3);
    text + &format!("{}{nps:>12.0}\n", pad_right("nps", NAME_WIDTH))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::tests::Line;
    use super::*;

    /// Regression: an interrupt lost the mate when the solver went on to prove it the shortest.
    #[test]
    fn an_interrupted_search_shows_the_mate_that_it_has_found() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("list");
        // A mate in eleven plies.
        std::fs::write(&list, "9/4k4/2K2R3/9/9/9/9/9/9 b 2L 1\n").unwrap();
        let problem = &problems::read_all(&[list]).unwrap()[0];
        let position = problem.position().unwrap();
        // `stop` is given the number of its call.
        let solved = |aim: &str, stop: &dyn Fn(u32) -> bool| {
            let words = ["mate", "a.txt", "--hash", "4", "--threads", "1", "--aim", aim];
            let Line { problems: arguments } = Line::parse_from(words);
            let mut solver = Solver::new(arguments.solver(&Settings::default()));
            let calls = Cell::new(0);
            let counted = || {
                calls.set(calls.get() + 1);
                stop(calls.get())
            };
            (solve(&arguments, problem, &position, &mut solver, &counted), calls.get())
        };
        let (first, calls) = solved("first", &|_| false);
        assert!(first.is_mate() && !first.is_stopped);
        let (stopped, _) = solved("shortest", &|call| call > calls);
        assert!(stopped.is_mate() && stopped.is_stopped);
        let shown = row(problem, &stopped, Language::English);
        assert!(shown.contains(" <=11 ") && shown.ends_with("  interrupted"), "{shown}");
    }
}
