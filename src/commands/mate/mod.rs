//! The command `mate` of the program: solves mate problems and checks whether they are sound.

mod check;
mod check_json;
mod check_record;
mod check_text;
mod check_words;
mod checked_problem;
mod make;
mod output;
mod practice_problem;
mod problems;
mod solve;
mod written_problem;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use kawasemi::engine::Settings;
use kawasemi::mate::{self, Aim, SolverLimits};
use kawasemi::types::language::Language;
use kawasemi::types::message::message;

use crate::commands::arguments;
use crate::commands::failure::Failure;
use output::ProblemOutput;
use problems::MateProblem;

/// Solve mate problems, or check whether they are sound.
///
/// A problem is a game record in any notation, whose moves are the solution, or a line of a list:
/// an SFEN or a USI position (the problem is the position after the moves), optionally followed by
/// a tab and the length of the mate in plies or a question mark. Further columns, empty lines and
/// lines that begin with # are ignored. Lengths include futile interpositions, except in records
/// and with --check. The command fails if a given length or solution is wrong. Ctrl-C ends the
/// command with the results so far.
#[derive(Debug, Args)]
pub struct MateArgs {
    /// Files of problems, `-` for standard input.
    #[arg(value_name = "PROBLEM", required_unless_present_any = ["make", "count", "seed"])]
    files: Vec<PathBuf>,
    /// Check each problem: its length by the customary rules, its main line, second solutions.
    #[arg(long, conflicts_with = "aim")]
    check: bool,
    /// Give the defender all pieces that are neither on the board nor in a hand.
    #[arg(long, conflicts_with = "make")]
    fill_hand: bool,
    /// Compose problems with mates of this length in plies instead: an odd number up to 15.
    #[arg(long, value_name = "PLIES", conflicts_with_all = ["files", "check", "aim", "nodes", "hash"])]
    #[arg(value_parser = make::plies)]
    make: Option<u16>,
    /// Number of problems to compose; 10 by default.
    // That it requires --make is not enough: clap drops the rule where --make would conflict.
    #[arg(long, requires = "make", conflicts_with = "files", value_parser = arguments::number::<u64>(1..=i64::MAX))]
    count: Option<u64>,
    /// Random seed for --make, 1 by default. The same seed gives the same problems.
    #[arg(long, value_name = "SEED", requires = "make", conflicts_with = "files")]
    #[arg(value_parser = arguments::number::<u64>(0..=i64::MAX))]
    seed: Option<u64>,
    /// Print the moves of each mate.
    #[arg(long, conflicts_with_all = ["check", "make"])]
    moves: bool,
    /// The language of the moves, the check and the page: en or ja. By default the moves are in
    /// USI, the check is in the system language, and the page in the browser's.
    #[arg(long, value_name = "LANGUAGE")]
    lang: Option<Language>,
    /// Print the check as JSON.
    #[arg(long, requires = "check", conflicts_with = "make")]
    json: bool,
    /// Write the checked or composed problems: in the notation of the file extension, with second
    /// solutions as branches, or (.html) as a practice page.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Time limit per problem in milliseconds: 10000 by default, 60000 for a check. For --make the
    /// total time; no limit by default.
    #[arg(long, value_name = "MS", value_parser = arguments::number::<u64>(0..=i64::MAX))]
    time: Option<u64>,
    /// Node limit per problem.
    #[arg(long, value_parser = arguments::number::<u64>(0..=i64::MAX))]
    nodes: Option<u64>,
    /// Threads of the solver; 1 by default. With --check or --make, problems at the same time.
    #[arg(long, value_parser = arguments::threads())]
    threads: Option<usize>,
    /// Memory of the solver in MiB; 1024 by default.
    #[arg(long, value_name = "MIB", value_parser = arguments::hash())]
    hash: Option<usize>,
    /// When the search for a mate ends, as with the option MateAim; by default at the shortest mate.
    #[arg(long, value_enum, ignore_case = true)]
    aim: Option<AimArgument>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum AimArgument {
    /// At the first mate.
    First,
    /// After a quick search for shorter mates.
    Short,
    /// When the mate is proved to be the shortest, or the time is over.
    Shortest,
}

impl MateArgs {
    /// The flags override `settings`.
    pub fn run(&self, settings: &Settings) -> Result<(), Failure> {
        match self.make {
            Some(plies) => make::run(self, plies, settings),
            None if self.check => check::run(self, settings),
            None if self.output.is_some() => Err(Failure::arguments(&message!(
                "--output needs --check or --make",
                "--outputは--checkか--makeと一緒に指定してください"
            ))),
            None => solve::run(self, settings),
        }
    }

    /// The USI options that matter.
    pub fn used_options(&self) -> &'static [&'static str] {
        match self.make {
            Some(_) => &["Threads"],
            None if self.check => &["Threads", "USI_Hash"],
            None => &["Threads", "USI_Hash", "MateAim"],
        }
    }

    /// The problems to solve or to check.
    fn problems(&self) -> Result<Vec<MateProblem>, Failure> {
        let mut problems = problems::read_all(&self.files)?;
        if self.fill_hand {
            problems.iter_mut().try_for_each(MateProblem::fill_hand)?;
        }
        Ok(problems)
    }

    /// The file to write, if there is one.
    fn output(&self) -> Result<Option<ProblemOutput<'_>>, Failure> {
        self.output.as_deref().map(|path| ProblemOutput::new(path, &self.files)).transpose()
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

    /// The limits of a problem, which start now.
    fn limits<'a>(&self, default_ms: u64, stop: &'a dyn Fn() -> bool) -> SolverLimits<'a> {
        let time = Duration::from_millis(self.time.unwrap_or(default_ms));
        let deadline = Instant::now().checked_add(time);
        SolverLimits { nodes: self.nodes, depth: None, deadline, stop }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    pub(super) struct Line {
        #[command(flatten)]
        pub(super) problems: MateArgs,
    }

    #[test]
    fn flags_override_the_options_of_the_engine() {
        let settings =
            Settings { threads: 3, hash_mib: 5, mate_aim: Aim::First, ..Settings::default() };
        let solver = |flags: &[&str]| {
            let line = Line::parse_from([&["mate", "a.txt"][..], flags].concat());
            let mate::SolverSettings { threads, memory_mib, aim } = line.problems.solver(&settings);
            (threads, memory_mib, aim)
        };
        assert_eq!(solver(&[]), (3, 5, Aim::First));
        let flags = ["--threads", "2", "--hash", "7", "--aim", "short"];
        assert_eq!(solver(&flags), (2, 7, Aim::Short));
    }

    #[test]
    fn arguments_that_would_have_no_effect_are_refused() {
        let refused = [
            &["mate", "a.txt", "--count", "3"][..],
            &["mate", "a.txt", "--seed", "3"],
            &["mate", "--make", "3", "--json"],
            &["mate", "--make", "3", "--moves"],
            &["mate", "--make", "3", "--fill-hand"],
            &["mate", "a.txt", "--check", "--moves"],
        ];
        for line in refused {
            assert!(Line::try_parse_from(line).is_err(), "{line:?}");
        }
        assert!(
            Line::try_parse_from(["mate", "--make", "3", "--count", "2", "--seed", "5"]).is_ok()
        );
    }

    /// Regression: the command asked for --make and for PROBLEMS, which exclude each other.
    #[test]
    fn an_option_for_composing_asks_for_make_alone() {
        for option in ["--count", "--seed"] {
            let error = Line::try_parse_from(["mate", option, "3"]).unwrap_err();
            let text = error.to_string();
            let asked = text.split("Usage").next().unwrap();
            assert!(asked.contains("--make <PLIES>") && !asked.contains("PROBLEMS"), "{text}");
        }
        assert!(Line::try_parse_from(["mate"]).is_err());
    }

    /// Regression: they were refused in the spelling of the option.
    #[test]
    fn aims_are_accepted_in_the_spelling_of_the_option() {
        for (word, wanted) in [("First", Aim::First), ("shortest", Aim::Shortest)] {
            let line = Line::parse_from(["mate", "a.txt", "--aim", word]);
            assert_eq!(line.problems.solver(&Settings::default()).aim, wanted);
        }
    }
}
