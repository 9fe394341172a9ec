//! Checks a problem: whether it has a mate, the length of the mate, and whether the problem is sound.

use std::cmp::Ordering;
use std::mem;

use super::budget::{Budget, CheckProgress, Decided, Undecided};
use super::customary_length::CustomaryLengths;
use super::main_line::{MainLine, MainLineFinder};
use super::second_solutions::{
    SecondSolution, SecondSolutionFinder, SecondSolutionKind, SecondSolutionResults,
};
use crate::mate::{MateProver, SolverLimits};
use crate::position::Position;
use crate::sys::AllocationError;
use crate::types::{Color, Move};

/// The verdict of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckVerdict {
    /// Proved: there is no mate.
    NoMate,
    /// Whether there is a mate is not decided.
    Undecided,
    /// Proved: mate in exactly this many plies by the customary rules.
    Mate(u16),
    /// Proved: mate within this many plies, all interpositions counted. The customary length is not
    /// decided.
    MateWithin(u16),
}

/// The verdict on the solution in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordedVerdict {
    /// It ends in mate, both sides play their best, and the defender cannot leave fewer pieces.
    Right,
    /// It ends in mate, but the attacker can mate sooner, perhaps only after a weak defence.
    TooLong,
    /// It ends in mate, but the move after this many plies is a futile interposition, which does not count.
    FutileInterposition {
        ply: usize,
    },
    /// It ends in mate, but the defender can hold out longer, perhaps only after a slow move of the attacker.
    TooShort,
    /// It is as long as the main line, but the defender can leave the attacker fewer pieces in hand.
    MorePiecesLeft,
    /// The move after this many plies gives no check, or loses the mate.
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
    /// The line along which second solutions were looked for: the recorded solution if it ends in mate and the
    /// defender has nothing better, otherwise the main line.
    pub line: Option<MainLine>,
    /// The line is only some line to the mate, because the main line is not decided.
    pub is_tentative: bool,
    pub recorded: Option<RecordedVerdict>,
    /// The moves of the attacker that are not in the line and mate too, in the order of the line.
    pub second_solutions: Vec<SecondSolution>,
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
            is_tentative: false,
            recorded: None,
            second_solutions: Vec::new(),
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
                !self.is_tentative
                    && self.are_second_solutions_decided()
                    && self.recorded != Some(RecordedVerdict::Undecided)
            }
        }
    }

    fn set_second(&mut self, found: SecondSolutionResults) {
        (self.second_solutions, self.undecided) = (found.solutions, found.undecided);
    }

    fn are_second_solutions_decided(&self) -> bool {
        self.undecided.is_empty()
            && !self.second_solutions.iter().any(SecondSolution::is_unclassified)
    }

    /// Whether the line is the recorded solution or proved to be the main line: defences of the same length
    /// were compared by the pieces that they leave.
    pub fn is_line_decided(&self) -> bool {
        !self.is_tentative && self.line.as_ref().is_some_and(|line| line.all_compared)
    }

    /// Whether the problem has one solution: every other mate differs in the last move only, or returns to
    /// the line. `None` if that is not decided.
    pub fn is_unique(&self) -> Option<bool> {
        let is_second = |second: &SecondSolution| {
            matches!(second.kind, SecondSolutionKind::Shorter | SecondSolutionKind::Independent)
        };
        match self.verdict {
            CheckVerdict::NoMate => Some(false),
            _ if self.is_tentative => None,
            _ if self.second_solutions.iter().any(is_second) => Some(false),
            _ => self.is_decided().then_some(true),
        }
    }
}

/// Checks problems one after the other. Keeps its memory between them.
#[derive(Debug)]
pub struct ProblemChecker {
    with_drops: MateProver,
    without_drops: MateProver,
    avoiding_line: MateProver,
    with_lines: bool,
}

impl ProblemChecker {
    /// A checker that may take `memory_mib` mebibytes, and a seventh more while it grows.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn new(memory_mib: usize) -> Result<ProblemChecker, AllocationError> {
        let part = (memory_mib / 4).max(1);
        let prover = |mib| MateProver::new(Color::Black, mib);
        Ok(ProblemChecker {
            with_drops: prover(memory_mib.saturating_sub(2 * part).max(1))?,
            without_drops: prover(part)?.without_drops(),
            avoiding_line: prover(part)?,
            with_lines: true,
        })
    }

    /// A checker that does not look for the moves of second solutions after the first one.
    #[must_use]
    pub(super) fn without_lines(self) -> ProblemChecker {
        ProblemChecker { with_lines: false, ..self }
    }

    /// Checks a problem with the attacker to move, and its recorded solution if it has one, whose moves
    /// must be legal.
    ///
    /// ```
    /// use kawasemi::mate::SolverLimits;
    /// use kawasemi::position::Position;
    /// use kawasemi::tsume::{CheckVerdict, ProblemChecker};
    /// let limits = SolverLimits { nodes: Some(10_000), ..SolverLimits::UNLIMITED };
    /// let problem = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
    /// let mut checker = ProblemChecker::new(4).unwrap();
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
        for prover in [&mut self.with_drops, &mut self.without_drops, &mut self.avoiding_line] {
            prover.reset(attacker);
        }
        let budget = Budget::new(limits, report);
        let lengths = CustomaryLengths::new(&mut self.with_drops, &mut self.without_drops, budget);
        let (avoiding_line, with_lines) = (&mut self.avoiding_line, self.with_lines);
        ProblemCheck { problem, recorded, lengths, avoiding_line, with_lines }.run()
    }
}

/// The check of one problem.
struct ProblemCheck<'a> {
    problem: &'a Position,
    recorded: &'a [Move],
    lengths: CustomaryLengths<'a>,
    avoiding_line: &'a mut MateProver,
    with_lines: bool,
}

impl<'a> ProblemCheck<'a> {
    fn run(mut self) -> CheckReport {
        self.lengths.budget.report(CheckProgress::Solving);
        let within = match self.lengths.prove_mate(self.problem) {
            Err(Undecided) => return self.finish(CheckReport::new(CheckVerdict::Undecided)),
            Ok(None) => return self.finish(CheckReport::new(CheckVerdict::NoMate)),
            Ok(Some(plies)) => plies,
        };
        let mut report = CheckReport::new(CheckVerdict::MateWithin(within));
        // A move whose mate is hard to refute must not cost all other results.
        let limits = self.lengths.budget.limit_to_half();
        let followed = self.follow_record();
        self.lengths.budget.restore(limits);
        let length = match followed {
            Some(Ok(plies)) => self.check_recorded_line(&mut report, plies, within),
            other => {
                report.recorded = other.and_then(Result::err);
                self.check_main_line(&mut report, within)
            }
        };
        report.verdict = length.map_or(report.verdict, CheckVerdict::Mate);
        self.finish(report)
    }

    /// Looks for second solutions along the recorded solution, which mates in this many plies, and then for the length.
    /// If second solutions need more than half of the limits, the length gets half of what is left before the rest of
    /// them. If the defender has something better, the recorded solution is not the main line, and second solutions are
    /// looked for along that.
    fn check_recorded_line(
        &mut self,
        report: &mut CheckReport,
        plies: usize,
        within: u16,
    ) -> Option<u16> {
        let line = self.recorded_line(plies);
        let pieces_left = line.pieces_left;
        let limits = self.lengths.budget.limit_to_half();
        self.find_second(report, line, false);
        self.lengths.budget.restore(limits);
        let is_decided = report.are_second_solutions_decided();
        let mut length = if is_decided { None } else { self.length_in_half() };
        if length.is_none() {
            self.find_rest_of_second(report);
            length = self.length();
        }
        let (recorded, main_line) = match length {
            // The length is at most that of the mate that is proved.
            None if usize::from(within) < plies => (RecordedVerdict::TooLong, None),
            None => (RecordedVerdict::Undecided, None),
            Some(length) => self.compare_with_length(plies, pieces_left, length),
        };
        report.recorded = Some(recorded);
        report.is_tentative = recorded == RecordedVerdict::TooShort && main_line.is_none();
        match main_line {
            Some(line) => self.find_second(report, line, true),
            None => self.find_rest_of_second(report),
        }
        length
    }

    /// The verdict on the recorded solution, which mates in `plies`, if the main line takes `length`; with the main
    /// line if the defender has something better there.
    fn compare_with_length(
        &mut self,
        plies: usize,
        pieces_left: u32,
        length: u16,
    ) -> (RecordedVerdict, Option<MainLine>) {
        let verdict = match usize::from(length).cmp(&plies) {
            Ordering::Less => self.why_too_long(plies),
            Ordering::Equal => self.first_mistake(plies).unwrap_or(RecordedVerdict::Undecided),
            Ordering::Greater => RecordedVerdict::TooShort,
        };
        match verdict {
            RecordedVerdict::TooShort => (verdict, self.main_line(length)),
            RecordedVerdict::Right if pieces_left > 0 => {
                match self.main_line(length).filter(|line| line.all_compared) {
                    None => (RecordedVerdict::Undecided, None),
                    Some(line) if line.pieces_left < pieces_left => {
                        (RecordedVerdict::MorePiecesLeft, Some(line))
                    }
                    Some(_) => (verdict, None),
                }
            }
            _ => (verdict, None),
        }
    }

    /// The verdict on the recorded solution, which is as long as the main line, by the first move that is not the best
    /// and for which a later mistake makes up: after a slow move of the attacker the defender can hold out longer, and
    /// after a weak defence the attacker can mate sooner. A defence that lasts longer than the mate before it is a
    /// futile interposition.
    fn first_mistake(&mut self, plies: usize) -> Decided<RecordedVerdict> {
        let mut position = self.problem.clone();
        for (ply, &mv) in self.recorded[..plies].iter().enumerate() {
            position.do_move(mv);
            let (is_defence, rest) = (ply % 2 == 1, (plies - ply - 1) as u16);
            if !self.lengths.is_mate_within(&mut position, rest)? {
                return Ok(match is_defence {
                    true => RecordedVerdict::FutileInterposition { ply },
                    false => RecordedVerdict::TooShort,
                });
            }
            if is_defence && rest > 2 && self.lengths.is_mate_within(&mut position, rest - 2)? {
                return Ok(RecordedVerdict::TooLong);
            }
        }
        Ok(RecordedVerdict::Right)
    }

    /// Why the recorded solution, which mates in this many plies, is longer than the main line. The first move after
    /// which the mate takes as long as the rest of the solution tells: one of the attacker is too slow, and one of the
    /// defender lasts longer than the mate before it, as only a futile interposition does. Where the limits do not
    /// suffice to find this move, the solution is still too long.
    fn why_too_long(&mut self, plies: usize) -> RecordedVerdict {
        let mut position = self.problem.clone();
        for (ply, &mv) in self.recorded[..plies.saturating_sub(2)].iter().enumerate() {
            position.do_move(mv);
            match self.lengths.is_mate_within(&mut position, (plies - ply - 3) as u16) {
                Ok(true) => {}
                Ok(false) if ply % 2 == 1 => return RecordedVerdict::FutileInterposition { ply },
                Ok(false) | Err(Undecided) => break,
            }
        }
        RecordedVerdict::TooLong
    }

    /// Looks for the length and for second solutions along the main line. If the length needs more than half of the
    /// limits, second solutions along some line to the mate come first, and the length gets half of what they leave.
    fn check_main_line(&mut self, report: &mut CheckReport, within: u16) -> Option<u16> {
        let mut length = self.length_in_half();
        let mut main_line = length.and_then(|plies| self.main_line(plies));
        if main_line.is_none() {
            report.is_tentative = true;
            if let Some(line) = self.tentative_line(within) {
                self.find_second(report, line, false);
            }
            length = length.or_else(|| self.length_in_half());
            main_line = length.and_then(|plies| self.main_line(plies));
        }
        if let Some(line) = main_line {
            report.is_tentative = false;
            self.find_second(report, line, true);
        }
        length
    }

    /// The length of the mate, if the limits suffice.
    fn length(&mut self) -> Option<u16> {
        self.lengths.length(&mut self.problem.clone()).ok().flatten()
    }

    /// The length of the mate, if half of the remaining limits suffice.
    fn length_in_half(&mut self) -> Option<u16> {
        let limits = self.lengths.budget.limit_to_half();
        let length = self.length();
        self.lengths.budget.restore(limits);
        length
    }

    /// Looks for second solutions along a line.
    fn find_second(&mut self, report: &mut CheckReport, line: MainLine, is_shortest: bool) {
        let problem = self.problem;
        let found = self.second_solution_finder(&line.moves, is_shortest).find(problem);
        report.set_second(found);
        report.line = Some(line);
    }

    /// Goes on with what a limit left undecided in the last search for second solutions, along a line not known to be
    /// a shortest mate.
    fn find_rest_of_second(&mut self, report: &mut CheckReport) {
        let Some(line) = &report.line else { return };
        let solutions = mem::take(&mut report.second_solutions);
        let undecided = mem::take(&mut report.undecided);
        let mut found = SecondSolutionResults { solutions, undecided };
        let problem = self.problem;
        self.second_solution_finder(&line.moves, false).find_rest(problem, &mut found);
        report.set_second(found);
    }

    fn second_solution_finder<'f>(
        &'f mut self,
        line: &'f [Move],
        is_shortest: bool,
    ) -> SecondSolutionFinder<'f, 'a> {
        SecondSolutionFinder {
            lengths: &mut self.lengths,
            avoiding_line: self.avoiding_line,
            line,
            is_shortest,
            with_lines: self.with_lines,
        }
    }

    fn finish(self, report: CheckReport) -> CheckReport {
        CheckReport { nodes: self.lengths.budget.spent(), ..report }
    }

    fn main_line(&mut self, plies: u16) -> Option<MainLine> {
        MainLineFinder::new(&mut self.lengths).line(self.problem, plies).ok()
    }

    /// The recorded solution as a line.
    fn recorded_line(&self, plies: usize) -> MainLine {
        self.line_of(self.recorded[..plies].to_vec())
    }

    /// A line to a mate of at most this many plies, up to where only futile interpositions are left.
    fn tentative_line(&mut self, plies: u16) -> Option<MainLine> {
        let mut moves = self.lengths.line(self.problem, plies, None)?;
        let mut position = self.problem.clone();
        for ply in 0..moves.len() {
            position.do_move(moves[ply]);
            if ply % 2 == 0 && self.lengths.is_mate_within(&mut position, 0) == Ok(true) {
                moves.truncate(ply + 1);
                break;
            }
        }
        Some(self.line_of(moves))
    }

    fn line_of(&self, moves: Vec<Move>) -> MainLine {
        let mut end = self.problem.clone();
        moves.iter().for_each(|&mv| {
            end.do_move(mv);
        });
        let left = end.hand(self.lengths.attacker()).total();
        MainLine { moves, pieces_left: left, all_compared: true, equal_defences: None }
    }

    /// The plies of the recorded solution up to the mate, or what is wrong with it. Futile
    /// interpositions after the mate are left out.
    fn follow_record(&mut self) -> Option<Result<usize, RecordedVerdict>> {
        if self.recorded.is_empty() {
            return None;
        }
        Some(self.end_of_record().unwrap_or(Err(RecordedVerdict::Undecided)))
    }

    fn end_of_record(&mut self) -> Decided<Result<usize, RecordedVerdict>> {
        let mut position = self.problem.clone();
        for (ply, &mv) in self.recorded.iter().enumerate() {
            position.do_move(mv);
            if ply % 2 == 1 {
                continue;
            }
            if !position.in_check() || self.lengths.prove_mate(&position)?.is_none() {
                return Ok(Err(RecordedVerdict::Fails { ply }));
            }
            if self.lengths.is_mate_within(&mut position, 0)? {
                return Ok(Ok(ply + 1));
            }
        }
        Ok(Err(RecordedVerdict::Unfinished))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: a solution that was proved too long became undecided when the limits were used up.
    #[test]
    fn a_solution_that_is_proved_too_long_stays_so_when_the_limits_are_used_up() {
        let problem = "3lk1n2/3p1p3/9/3N3N1/9/9/9/9/8R b Bg 1";
        let problem = Position::from_sfen(problem).unwrap();
        let recorded: [Move; 5] =
            ["1i5i", "G*5c", "5i5c", "5a4a", "B*3b"].map(|mv| mv.parse().unwrap());
        let limits = SolverLimits { nodes: Some(0), ..SolverLimits::UNLIMITED };
        let mut report = |_: CheckProgress| {};
        let mut checker = ProblemChecker::new(4).unwrap();
        let ProblemChecker { with_drops, without_drops, avoiding_line, .. } = &mut checker;
        let budget = Budget::new(&limits, &mut report);
        let lengths = CustomaryLengths::new(with_drops, without_drops, budget);
        let (problem, recorded, with_lines) = (&problem, &recorded[..], false);
        let mut check = ProblemCheck { problem, recorded, lengths, avoiding_line, with_lines };
        assert_eq!(check.why_too_long(recorded.len()), RecordedVerdict::TooLong);
    }
}
