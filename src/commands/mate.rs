//! The command `mate` of the program: solves a file of problems one after the other, and holds the
//! lengths found against those given.

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
/// Each line is a problem: an SFEN, or a position with moves as in USI, then, after a tab, its length
/// in plies or a question mark, then anything. Empty lines and those that begin with # do not count.
/// Lengths count every interposed piece. Ends with a failure if one of them is wrong.
#[derive(Debug, Args)]
pub struct Problems {
    /// The problems, `-` for standard input.
    file: PathBuf,
    /// Show the moves of each mate too.
    #[arg(long)]
    moves: bool,
    /// Longest time for each problem, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 10_000)]
    time: u64,
    /// Most positions to search for each problem.
    #[arg(long)]
    nodes: Option<u64>,
    /// Threads of the solver, 1 if nothing is said.
    #[arg(long, value_parser = arguments::threads())]
    threads: Option<usize>,
    /// Memory of the solver, in mebibytes; 1024 if nothing is said.
    #[arg(long, value_name = "MIB", value_parser = arguments::hash())]
    hash: Option<usize>,
    /// When a mate is good enough, as the option MateAim; with the shortest, if nothing is said.
    #[arg(long, value_enum, ignore_case = true)]
    aim: Option<Goal>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Goal {
    /// Any mate will do.
    First,
    /// A shorter one is looked for where that is cheap.
    Short,
    /// Until none is shorter, or the time is up.
    Shortest,
}

/// Why a file cannot be worked through, or that it is wrong.
#[derive(Debug)]
enum Fault {
    Unreadable(io::Error),
    Empty,
    NotAPosition { line: usize, error: Box<dyn Error> },
    NotALength { line: usize, text: String },
    WrongLengths(usize),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Unreadable(error) => write!(f, "{error}"),
            Fault::Empty => f.write_str("there is no problem in it"),
            Fault::NotAPosition { line, error } => write!(f, "line {line}: {error}"),
            Fault::NotALength { line, text } => {
                write!(f, "line {line}: a length is a number of plies or ?, not {text:?}")
            }
            Fault::WrongLengths(count) => write!(f, "wrong lengths in the file: {count}"),
        }
    }
}

impl Error for Fault {}

struct Problem {
    /// Of the file, from 1.
    line: usize,
    /// As it was read: once made it takes room for a long game, and a file may have a million.
    position: String,
    /// In plies, where it is given.
    length: Option<usize>,
}

/// What came of a problem.
struct Attempt {
    solution: Solution,
    elapsed: Duration,
    is_wrong: bool,
}

impl Attempt {
    fn is_mate(&self) -> bool {
        matches!(self.solution.result, MateResult::Mate(_))
    }
}

impl Problems {
    /// `settings` count where no flag says another.
    pub fn run(&self, settings: &Settings) -> Result<(), Box<dyn Error>> {
        let problems = read(&self.file).map_err(|error| in_file(&self.file, error))?;
        let mut out = io::stdout().lock();
        writeln!(out, "  line  mate  given    time ms         nodes")?;
        let mut attempts: Vec<Attempt> = Vec::new();
        let mut solver = Solver::new(self.solver(settings));
        let mut progress = ProgressBar::new(problems.len());
        let mut solved = 0;
        for problem in &problems {
            progress.show(&format!("{solved} solved"));
            let attempt = self.attempt(problem, &mut solver)?;
            solved += usize::from(attempt.is_mate());
            progress.advance(true);
            progress.clear();
            writeln!(out, "{}", row(problem, &attempt))?;
            if self.moves
                && let MateResult::Mate(line) = &attempt.solution.result
            {
                let moves: Vec<String> = line.iter().map(Move::to_string).collect();
                writeln!(out, "       {}", moves.join(" "))?;
            }
            out.flush()?;
            attempts.push(attempt);
        }
        write!(out, "{}", summary(&attempts))?;
        match attempts.iter().filter(|attempt| attempt.is_wrong).count() {
            0 => Ok(()),
            wrong => Err(Fault::WrongLengths(wrong).into()),
        }
    }

    fn solver(&self, settings: &Settings) -> mate::SolverSettings {
        let given = settings.mate_settings();
        mate::SolverSettings {
            threads: self.threads.unwrap_or(given.threads),
            memory_mib: self.hash.unwrap_or(given.memory_mib),
            aim: match self.aim {
                Some(Goal::First) => Aim::First,
                Some(Goal::Short) => Aim::Short,
                Some(Goal::Shortest) => Aim::Shortest,
                None => given.aim,
            },
        }
    }

    fn attempt(&self, problem: &Problem, solver: &mut Solver) -> Result<Attempt, Box<dyn Error>> {
        let position = arguments::position(&problem.position)?;
        let start = Instant::now();
        let deadline = start.checked_add(Duration::from_millis(self.time));
        let budget = SolverLimits { nodes: self.nodes, depth: None, deadline, stop: &|| false };
        let solution = solver.solve(&position, &budget, &mut |_| {});
        let is_wrong = problem.length.is_some_and(|length| contradicts(&solution, length));
        Ok(Attempt { solution, elapsed: start.elapsed(), is_wrong })
    }
}

fn read(file: &Path) -> Result<Vec<Problem>, Fault> {
    let bytes = games::read_bytes(file).map_err(Fault::Unreadable)?;
    // What people write besides the problems may be in any encoding.
    let text = String::from_utf8_lossy(&bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let problems: Vec<Problem> =
        lines.map(|(line, text)| problem(line, text)).collect::<Result<_, _>>()?;
    if problems.is_empty() { Err(Fault::Empty) } else { Ok(problems) }
}

fn problem(line: usize, text: &str) -> Result<Problem, Fault> {
    let mut columns = text.split('\t');
    let position = columns.next().unwrap_or_default();
    // What is wrong with a file is said before the long work, not within it.
    arguments::position(position).map_err(|error| Fault::NotAPosition { line, error })?;
    let length = match columns.next().map(str::trim) {
        None | Some("" | "?") => None,
        Some(text) => {
            let wrong = |_| Fault::NotALength { line, text: text.to_owned() };
            Some(text.parse().map_err(wrong)?)
        }
    };
    Ok(Problem { line, position: position.to_owned(), length })
}

/// Whether what was found shows that a length is wrong.
fn contradicts(solution: &Solution, length: usize) -> bool {
    match solution.within.map(usize::from) {
        Some(plies) => plies < length || solution.is_shortest && plies > length,
        None => solution.result == MateResult::NoMate,
    }
}

fn row(problem: &Problem, attempt: &Attempt) -> String {
    let Solution { result, within, is_shortest, nodes } = &attempt.solution;
    let found = match within {
        Some(plies) if *is_shortest => plies.to_string(),
        Some(plies) => format!("<={plies}"),
        None if *result == MateResult::NoMate => "none".to_owned(),
        None => "?".to_owned(),
    };
    let given = problem.length.map_or_else(|| "?".to_owned(), |length| length.to_string());
    let (line, millis) = (problem.line, attempt.elapsed.as_millis());
    let remark = if attempt.is_wrong { "  contradicted" } else { "" };
    format!("{line:>6} {found:>5} {given:>6} {millis:>10} {nodes:>13}{remark}")
}

fn summary(attempts: &[Attempt]) -> String {
    let count = |fits: &dyn Fn(&Attempt) -> bool| attempts.iter().filter(|&a| fits(a)).count();
    let mut times: Vec<f64> = attempts
        .iter()
        .filter(|attempt| attempt.is_mate())
        .map(|attempt| attempt.elapsed.as_secs_f64() * 1e3)
        .collect();
    times.sort_by(f64::total_cmp);
    let time: Duration = attempts.iter().map(|attempt| attempt.elapsed).sum();
    let nodes: u64 = attempts.iter().map(|attempt| attempt.solution.nodes).sum();
    let mut text = format!("\nproblems      {:>12}\n", attempts.len());
    for (name, number) in [
        ("solved", count(&Attempt::is_mate)),
        ("  shortest", count(&|attempt| attempt.solution.is_shortest)),
        ("no mate", count(&|attempt| attempt.solution.result == MateResult::NoMate)),
        ("not solved", count(&|attempt| attempt.solution.result == MateResult::Unknown)),
        ("contradicted", count(&|attempt| attempt.is_wrong)),
    ] {
        text += &format!("{name:<14}{number:>12}\n");
    }
    for (name, share) in [("median ms", 50), ("99 percent ms", 99), ("slowest ms", 100)] {
        if let Some(place) = times.len().checked_sub(1) {
            text += &format!("{name:<14}{:>12.1}\n", times[place.min(times.len() * share / 100)]);
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
        problems: Problems,
    }

    #[test]
    fn options_of_the_engine_count_where_no_flag_says_another() {
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

    /// They were refused as they stand in the list of options.
    #[test]
    fn aims_are_understood_as_the_option_spells_them() {
        for (word, wanted) in [("First", Aim::First), ("shortest", Aim::Shortest)] {
            let line = Line::parse_from(["mate", "a.txt", "--aim", word]);
            assert_eq!(line.problems.solver(&Settings::default()).aim, wanted);
        }
    }
}
