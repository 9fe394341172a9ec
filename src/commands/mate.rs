//! The command `mate` of the program: solves the mate problems of a file, and compares the lengths
//! with those given in the file.

use std::error::Error;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use kawasemi::engine::Settings;
use kawasemi::mate::{self, Aim, MateResult, Solution, Solver, SolverLimits};
use kawasemi::sys::in_file;
use kawasemi::types::Move;

use crate::commands::arguments;
use crate::commands::games;
use crate::commands::progress_bar::ProgressBar;

/// Solve a file of mate problems.
///
/// Each line is a problem: an SFEN or a USI position, then, after a tab, the length of the mate in
/// plies or a question mark; more columns are ignored, as are empty lines and lines that begin with #.
/// `kawasemi convert --to sfen` makes such a line of a diagram in KIF; behind moves it is the position after
/// them. Lengths include futile interpositions. The command fails if a given length is wrong.
#[derive(Debug, Args)]
pub struct MateArgs {
    /// The file of problems, `-` for standard input.
    file: PathBuf,
    /// Print the moves of each mate.
    #[arg(long)]
    moves: bool,
    /// The time limit for each problem, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 10_000)]
    time: u64,
    /// The node limit for each problem.
    #[arg(long)]
    nodes: Option<u64>,
    /// Threads of the solver; 1 by default.
    #[arg(long, value_parser = arguments::threads())]
    threads: Option<usize>,
    /// Memory of the solver, in mebibytes; 1024 by default.
    #[arg(long, value_name = "MIB", value_parser = arguments::hash())]
    hash: Option<usize>,
    /// When a mate is good enough, as the option MateAim; by default the shortest.
    #[arg(long, value_enum, ignore_case = true)]
    aim: Option<AimArgument>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum AimArgument {
    /// Any mate will do.
    First,
    /// Shorter mates are searched for while that is cheap.
    Short,
    /// Until no mate is shorter, or the time is up.
    Shortest,
}

/// Why the command fails.
#[derive(Debug)]
enum ProblemFileError {
    Unreadable(io::Error),
    Empty,
    NotAPosition { line: usize, error: Box<dyn Error> },
    NotALength { line: usize, text: String },
    WrongLengths(usize),
}

impl fmt::Display for ProblemFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProblemFileError::Unreadable(error) => write!(f, "{error}"),
            ProblemFileError::Empty => {
                f.write_str("the file has no problems, which are lines with an SFEN each")
            }
            ProblemFileError::NotAPosition { line, error } => {
                write!(f, "line {line}: this is no SFEN and no USI position: {error}")
            }
            ProblemFileError::NotALength { line, text } => {
                write!(f, "line {line}: expected a length in plies or ?, not {text:?}")
            }
            ProblemFileError::WrongLengths(count) => {
                write!(f, "wrong lengths in the file: {count}")
            }
        }
    }
}

impl Error for ProblemFileError {}

struct MateProblem {
    /// The line in the file, from 1.
    line: usize,
    /// As text, which takes little memory: a file may have a million.
    position: String,
    /// The given length in plies.
    length: Option<usize>,
}

/// The result of a problem.
struct ProblemResult {
    solution: Solution,
    elapsed: Duration,
    is_wrong: bool,
}

impl ProblemResult {
    fn is_mate(&self) -> bool {
        matches!(self.solution.result, MateResult::Mate(_))
    }
}

impl MateArgs {
    /// The flags override `settings`.
    pub fn run(&self, settings: &Settings) -> Result<(), Box<dyn Error>> {
        let problems = read(&self.file).map_err(|error| in_file(&self.file, error))?;
        let mut out = io::stdout().lock();
        writeln!(out, "  line  mate  given    time ms         nodes")?;
        let mut results: Vec<ProblemResult> = Vec::new();
        let mut solver = Solver::new(self.solver(settings));
        let mut progress = ProgressBar::new(problems.len());
        let mut solved = 0;
        for problem in &problems {
            progress.show(&format!("{solved} solved"));
            let result = self.solve(problem, &mut solver)?;
            solved += usize::from(result.is_mate());
            progress.advance(true);
            progress.clear();
            writeln!(out, "{}", row(problem, &result))?;
            if self.moves
                && let MateResult::Mate(line) = &result.solution.result
            {
                let moves: Vec<String> = line.iter().map(Move::to_string).collect();
                writeln!(out, "       {}", moves.join(" "))?;
            }
            out.flush()?;
            results.push(result);
        }
        write!(out, "{}", summary(&results))?;
        match results.iter().filter(|result| result.is_wrong).count() {
            0 => Ok(()),
            wrong => Err(ProblemFileError::WrongLengths(wrong).into()),
        }
    }

    fn solver(&self, settings: &Settings) -> mate::SolverSettings {
        let given = settings.mate_settings();
        mate::SolverSettings {
            threads: self.threads.unwrap_or(given.threads),
            memory_mib: self.hash.unwrap_or(given.memory_mib),
            aim: match self.aim {
                Some(AimArgument::First) => Aim::First,
                Some(AimArgument::Short) => Aim::Short,
                Some(AimArgument::Shortest) => Aim::Shortest,
                None => given.aim,
            },
        }
    }

    fn solve(
        &self,
        problem: &MateProblem,
        solver: &mut Solver,
    ) -> Result<ProblemResult, Box<dyn Error>> {
        let position = arguments::position(&problem.position)?;
        let start = Instant::now();
        let deadline = start.checked_add(Duration::from_millis(self.time));
        let limits = SolverLimits { nodes: self.nodes, depth: None, deadline, stop: &|| false };
        let solution = solver.solve(&position, &limits, &mut |_| {});
        let is_wrong = problem.length.is_some_and(|length| contradicts(&solution, length));
        Ok(ProblemResult { solution, elapsed: start.elapsed(), is_wrong })
    }
}

fn read(file: &Path) -> Result<Vec<MateProblem>, ProblemFileError> {
    let bytes = games::read_bytes(file).map_err(ProblemFileError::Unreadable)?;
    // Comments may be in any encoding.
    let text = String::from_utf8_lossy(&bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let problems: Vec<MateProblem> =
        lines.map(|(line, text)| problem(line, text)).collect::<Result<_, _>>()?;
    if problems.is_empty() { Err(ProblemFileError::Empty) } else { Ok(problems) }
}

fn problem(line: usize, text: &str) -> Result<MateProblem, ProblemFileError> {
    let mut columns = text.split('\t');
    let position = columns.next().unwrap_or_default();
    // An invalid file is refused before the long work.
    arguments::position(position)
        .map_err(|error| ProblemFileError::NotAPosition { line, error })?;
    let length = match columns.next().map(str::trim) {
        None | Some("" | "?") => None,
        Some(text) => {
            let wrong = |_| ProblemFileError::NotALength { line, text: text.to_owned() };
            Some(text.parse().map_err(wrong)?)
        }
    };
    Ok(MateProblem { line, position: position.to_owned(), length })
}

/// Whether the solution shows that a length is wrong.
fn contradicts(solution: &Solution, length: usize) -> bool {
    match solution.within.map(usize::from) {
        Some(plies) => plies < length || solution.is_shortest && plies > length,
        None => solution.result == MateResult::NoMate,
    }
}

fn row(problem: &MateProblem, solved: &ProblemResult) -> String {
    let Solution { result, within, is_shortest, nodes } = &solved.solution;
    let found = match within {
        Some(plies) if *is_shortest => plies.to_string(),
        Some(plies) => format!("<={plies}"),
        None if *result == MateResult::NoMate => "none".to_owned(),
        None => "?".to_owned(),
    };
    let given = problem.length.map_or_else(|| "?".to_owned(), |length| length.to_string());
    let (line, millis) = (problem.line, solved.elapsed.as_millis());
    let remark = if solved.is_wrong { "  contradicted" } else { "" };
    format!("{line:>6} {found:>5} {given:>6} {millis:>10} {nodes:>13}{remark}")
}

fn summary(results: &[ProblemResult]) -> String {
    let count = |fits: &dyn Fn(&ProblemResult) -> bool| results.iter().filter(|&a| fits(a)).count();
    let mut times: Vec<f64> = results
        .iter()
        .filter(|result| result.is_mate())
        .map(|result| result.elapsed.as_secs_f64() * 1e3)
        .collect();
    times.sort_by(f64::total_cmp);
    let time: Duration = results.iter().map(|result| result.elapsed).sum();
    let nodes: u64 = results.iter().map(|result| result.solution.nodes).sum();
    let mut text = format!("\nproblems      {:>12}\n", results.len());
    for (name, number) in [
        ("solved", count(&ProblemResult::is_mate)),
        ("  shortest", count(&|result| result.solution.is_shortest)),
        ("no mate", count(&|result| result.solution.result == MateResult::NoMate)),
        ("not solved", count(&|result| result.solution.result == MateResult::Unknown)),
        ("contradicted", count(&|result| result.is_wrong)),
    ] {
        text += &format!("{name:<14}{number:>12}\n");
    }
    for (name, share) in [("median ms", 50), ("99 percent ms", 99), ("slowest ms", 100)] {
        if let Some(last) = times.len().checked_sub(1) {
            text += &format!("{name:<14}{:>12.1}\n", times[last.min(times.len() * share / 100)]);
        }
    }
    text += &format!("nodes         {nodes:>12}\n");
    let nps = nodes as f64 / time.as_secs_f64().max(1e-3);
    text + &format!("nps           {nps:>12.0}\n")
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        problems: MateArgs,
    }

    #[test]
    fn flags_override_the_options_of_the_engine() {
        let settings =
            Settings { threads: 3, hash_mb: 5, mate_aim: Aim::First, ..Settings::default() };
        let solver = |flags: &[&str]| {
            let line = Line::parse_from([&["mate", "a.txt"][..], flags].concat());
            let mate::SolverSettings { threads, memory_mib, aim } = line.problems.solver(&settings);
            (threads, memory_mib, aim)
        };
        assert_eq!(solver(&[]), (3, 5, Aim::First));
        let flags = ["--threads", "2", "--hash", "7", "--aim", "short"];
        assert_eq!(solver(&flags), (2, 7, Aim::Short));
    }

    /// They were refused in the spelling of the option.
    #[test]
    fn aims_are_accepted_in_the_spelling_of_the_option() {
        for (word, wanted) in [("First", Aim::First), ("shortest", Aim::Shortest)] {
            let line = Line::parse_from(["mate", "a.txt", "--aim", word]);
            assert_eq!(line.problems.solver(&Settings::default()).aim, wanted);
        }
    }
}
