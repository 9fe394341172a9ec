//! The check of a problem: whether it is solvable, how long it is, and whether it is sound.

use super::budget::{Budget, CheckProgress, Decided, Undecided};
use super::customary::CustomaryLengths;
use super::main_line::{LineFinder, MainLine, count};
use super::second_solutions::{FoundSeconds, SecondKind, SecondSolution, SecondSolutions};
use crate::mate::{MateJudge, SolverLimits};
use crate::position::Position;
use crate::sys::AllocationError;
use crate::types::{Color, Move};

/// What a check says of a problem first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckVerdict {
    /// Proved: there is no mate.
    NoMate,
    /// Whether there is a mate is not decided.
    Undecided,
    /// Proved: mate in exactly so many plies by the customary rules.
    Mate(u16),
    /// Proved: mate within so many plies, all interpositions counted. The customary length is not
    /// decided.
    MateWithin(u16),
}

/// What the check says of the solution in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordedSolution {
    /// It is as long as the main line and ends in mate.
    Right,
    /// It ends in mate, but the attacker can mate sooner.
    TooLong,
    /// It ends in mate, but the defender can hold out longer.
    TooShort,
    /// The move after so many plies gives no check, or loses the mate.
    Fails {
        ply: usize,
    },
    /// It ends before the mate.
    Unfinished,
    Undecided,
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckReport {
    pub verdict: CheckVerdict,
    /// The line along which second solutions were looked for: the recorded solution if it ends in mate,
    /// otherwise the main line.
    pub line: Option<MainLine>,
    pub recorded: Option<RecordedSolution>,
    /// The mates beside the line, in its order.
    pub second: Vec<SecondSolution>,
    /// The moves of the attacker for which it is not decided whether they mate, each with the plies of
    /// the line before it.
    pub undecided: Vec<(usize, Move)>,
    /// Positions expanded.
    pub nodes: u64,
}

impl CheckReport {
    fn new(verdict: CheckVerdict) -> CheckReport {
        CheckReport {
            verdict,
            line: None,
            recorded: None,
            second: Vec::new(),
            undecided: Vec::new(),
            nodes: 0,
        }
    }

    /// Whether everything was decided.
    pub fn is_decided(&self) -> bool {
        match self.verdict {
            CheckVerdict::NoMate => true,
            CheckVerdict::Undecided | CheckVerdict::MateWithin(_) => false,
            CheckVerdict::Mate(_) => {
                let unsorted = |second: &SecondSolution| second.kind == SecondKind::Unsorted;
                self.line.is_some()
                    && self.undecided.is_empty()
                    && !self.second.iter().any(unsorted)
                    && self.recorded != Some(RecordedSolution::Undecided)
            }
        }
    }

    /// Whether the problem has one solution: no mate beside the line but with the last move or by coming
    /// back to the line. `None` if that is not decided.
    pub fn is_unique(&self) -> Option<bool> {
        let is_second = |second: &SecondSolution| {
            matches!(second.kind, SecondKind::Shorter | SecondKind::Independent)
        };
        match self.verdict {
            CheckVerdict::NoMate => Some(false),
            _ if self.second.iter().any(is_second) => Some(false),
            _ => self.is_decided().then_some(true),
        }
    }
}

/// Checks problems one after the other. Keeps its memory between them.
#[derive(Debug)]
pub struct Checker {
    plain: MateJudge,
    without_drops: MateJudge,
    beside: MateJudge,
    with_lines: bool,
}

impl Checker {
    /// A checker that may take `memory_mib` mebibytes, and a seventh more while it grows.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn new(memory_mib: usize) -> Result<Checker, AllocationError> {
        let part = (memory_mib / 4).max(1);
        let judge = |mib| MateJudge::new(Color::Black, mib);
        Ok(Checker {
            plain: judge(memory_mib.saturating_sub(2 * part).max(1))?,
            without_drops: judge(part)?.without_drops(),
            beside: judge(part)?,
            with_lines: true,
        })
    }

    /// Does not look for the moves of second solutions after the first.
    #[must_use]
    pub(super) fn without_lines(self) -> Checker {
        Checker { with_lines: false, ..self }
    }

    /// Checks a problem with the attacker to move, and its recorded solution if it has one, whose moves
    /// must be legal.
    ///
    /// ```
    /// use kawasemi::mate::SolverLimits;
    /// use kawasemi::position::Position;
    /// use kawasemi::tsume::{CheckVerdict, Checker};
    /// let limits = SolverLimits { nodes: Some(10_000), depth: None, deadline: None, stop: &|| false };
    /// let problem = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
    /// let mut checker = Checker::new(4).unwrap();
    /// let report = checker.check(&problem, &[], &limits, &mut |_| {});
    /// assert_eq!(report.verdict, CheckVerdict::Mate(1));
    /// assert_eq!(report.is_unique(), Some(true));
    /// ```
    pub fn check(
        &mut self,
        problem: &Position,
        recorded: &[Move],
        limits: &SolverLimits<'_>,
        report: &mut dyn FnMut(CheckProgress),
    ) -> CheckReport {
        let attacker = problem.side_to_move();
        for judge in [&mut self.plain, &mut self.without_drops, &mut self.beside] {
            judge.forget(attacker);
        }
        let budget = Budget::new(limits, report);
        let lengths = CustomaryLengths::new(&mut self.plain, &mut self.without_drops, budget);
        let (beside, with_lines) = (&mut self.beside, self.with_lines);
        ProblemCheck { problem, recorded, lengths, beside, with_lines }.run()
    }
}

/// The check of one problem.
struct ProblemCheck<'a> {
    problem: &'a Position,
    recorded: &'a [Move],
    lengths: CustomaryLengths<'a>,
    beside: &'a mut MateJudge,
    with_lines: bool,
}

impl ProblemCheck<'_> {
    fn run(mut self) -> CheckReport {
        self.lengths.budget.report(CheckProgress::Solving);
        let mut position = self.problem.clone();
        let within = match self.lengths.any_mate(&position) {
            Err(Undecided) => return self.finish(CheckReport::new(CheckVerdict::Undecided)),
            Ok(None) => return self.finish(CheckReport::new(CheckVerdict::NoMate)),
            Ok(Some(plies)) => plies,
        };
        let length = self.lengths.length(&mut position).ok().flatten();
        let verdict = length.map_or(CheckVerdict::MateWithin(within), CheckVerdict::Mate);
        let mut report = CheckReport::new(verdict);
        let recorded = self.recorded_line(length);
        report.recorded = recorded.as_ref().map(|&(judged, _)| judged);
        let is_recorded = matches!(recorded, Some((_, Some(_))));
        let line = match recorded {
            Some((_, Some(line))) => Some(line),
            _ => length.and_then(|plies| self.main_line(plies)),
        };
        if let Some(line) = &line {
            let is_shortest = !is_recorded;
            let mut finder = SecondSolutions {
                lengths: &mut self.lengths,
                beside: self.beside,
                line: &line.moves,
                is_shortest,
                with_lines: self.with_lines,
            };
            let FoundSeconds { solutions, undecided } = finder.find(self.problem);
            (report.second, report.undecided) = (solutions, undecided);
        }
        report.line = line;
        self.finish(report)
    }

    fn finish(self, report: CheckReport) -> CheckReport {
        CheckReport { nodes: self.lengths.budget.spent(), ..report }
    }

    fn main_line(&mut self, plies: u16) -> Option<MainLine> {
        LineFinder::new(&mut self.lengths).line(self.problem, plies).ok()
    }

    /// What is to be said of the recorded solution, and the solution itself if it ends in mate.
    fn recorded_line(
        &mut self,
        length: Option<u16>,
    ) -> Option<(RecordedSolution, Option<MainLine>)> {
        if self.recorded.is_empty() {
            return None;
        }
        let judged = self.follow_record();
        let moves = match judged {
            Ok(Ok(plies)) => self.recorded[..plies].to_vec(),
            Ok(Err(fault)) => return Some((fault, None)),
            Err(Undecided) => return Some((RecordedSolution::Undecided, None)),
        };
        let judged = match length.map(usize::from) {
            Some(plies) if plies < moves.len() => RecordedSolution::TooLong,
            Some(plies) if plies > moves.len() => RecordedSolution::TooShort,
            Some(_) => RecordedSolution::Right,
            None => RecordedSolution::Undecided,
        };
        let mut end = self.problem.clone();
        moves.iter().for_each(|&mv| {
            end.do_move(mv);
        });
        let left = count(end.hand(self.lengths.attacker()));
        Some((judged, Some(MainLine { moves, left, compared: true, equal: Vec::new() })))
    }

    /// The plies of the recorded solution up to the mate, or what is wrong with it. Futile
    /// interpositions after the mate are left out.
    fn follow_record(&mut self) -> Decided<Result<usize, RecordedSolution>> {
        let mut position = self.problem.clone();
        for (ply, &mv) in self.recorded.iter().enumerate() {
            position.do_move(mv);
            if ply % 2 == 1 {
                continue;
            }
            if !position.in_check() || self.lengths.any_mate(&position)?.is_none() {
                return Ok(Err(RecordedSolution::Fails { ply }));
            }
            if self.lengths.is_mate_within(&mut position, 0)? {
                return Ok(Ok(ply + 1));
            }
        }
        Ok(Err(RecordedSolution::Unfinished))
    }
}
