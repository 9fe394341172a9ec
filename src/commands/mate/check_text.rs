//! A check as text.

use kawasemi::position::Position;
use kawasemi::tsume::{CheckVerdict, EqualDefence, MainLine, SecondSolutionKind};
use kawasemi::types::Move;
use kawasemi::types::language::{Language, Localized, localized};
use kawasemi::types::message::{Message, listed, message};

use super::check_words as words;
use super::checked_problem::CheckedProblem;
use super::problems::GivenSolution;
use crate::commands::columns::pad_right;
use crate::commands::source_game::file_name;
use crate::commands::spelling::line_text;

/// The lines of one problem.
pub fn text(checked: &CheckedProblem<'_>, language: Language) -> String {
    let report = &checked.report;
    let mut name = checked.problem.number.to_string();
    if let Some(file) = &checked.problem.file {
        name = format!("{} {name}", file_name(file).of(language));
    }
    if let Some(title) = checked.problem.info.title() {
        name += &format!(" {title}");
    }
    let mut facts = words::facts(&checked.position, report);
    let given = &checked.problem.given;
    if let (true, Some(plies)) = (checked.is_wrong(), given.plies()) {
        facts.push(match given {
            GivenSolution::Recorded(_) => message!("given: {plies}", "作意は{plies}手"),
            _ => message!("given: {plies}", "指定は{plies}手"),
        });
    }
    let facts: Vec<&str> = facts.iter().map(|fact| fact.of(language)).collect();
    let separator = match language {
        Language::English => "; ",
        Language::Japanese => "、",
    };
    let millis = checked.elapsed.as_millis();
    let mut text = format!("{name}: {} ({millis} ms)\n", facts.join(separator));
    if let Some(line) = &report.line {
        if !report.is_line_decided() {
            text += &format!("  {}:\n", words::TENTATIVE_LINE.of(language));
        }
        text += &format!("  {}\n", line_text(&checked.position, &line.moves, Some(language)));
        text += &variations(checked, line, language);
    }
    text
}

/// The defences that are as good, the second solutions and the undecided moves, by the moves of the line. After an
/// interrupt, which leaves nearly all moves undecided, only their number.
fn variations(checked: &CheckedProblem<'_>, line: &MainLine, language: Language) -> String {
    let mut text = String::new();
    let mut position = checked.position.clone();
    // A defence that leaves more pieces is worse.
    let is_as_good =
        |one: &&EqualDefence| one.pieces_left.is_none_or(|left| left <= line.pieces_left);
    let equal: Vec<_> = line.equal_defences.iter().flatten().filter(is_as_good).collect();
    for (ply, &mv) in line.moves.iter().enumerate() {
        let defences = equal.iter().filter(|one| one.ply == ply).map(|one| one.mv);
        let defences: Vec<Move> = defences.collect();
        text += &list(&position, ply, words::EQUAL_DEFENCES, &defences, language);
        for second in checked.report.second_solutions.iter().filter(|second| second.ply == ply) {
            let (kind, length) = (words::kind(second.kind), words::length(second.length));
            let remark = match second.kind {
                SecondSolutionKind::Shorter => Message::from(kind),
                _ => listed(&[kind.of(language), length.of(language)]),
            };
            text += &row(&position, ply, second.mv, remark.of(language), language);
        }
        if !checked.is_stopped {
            let undecided = checked.report.undecided.iter().filter(|(other, _)| *other == ply);
            let undecided: Vec<Move> = undecided.map(|&(_, other)| other).collect();
            text += &list(&position, ply, words::NOT_DECIDED, &undecided, language);
        }
        position.do_move(mv);
    }
    let count = checked.report.undecided.len();
    if checked.is_stopped && count > 0 {
        let rest = message!("moves not decided: {count}", "未判定の手：{count}");
        text += &format!("    {}\n", rest.of(language));
    }
    text
}

/// A row with moves instead of that of the line; empty if there are none.
fn list(
    position: &Position,
    ply: usize,
    name: Localized,
    moves: &[Move],
    language: Language,
) -> String {
    if moves.is_empty() {
        return String::new();
    }
    let texts: Vec<String> =
        moves.iter().map(|&mv| line_text(position, &[mv], Some(language))).collect();
    format!("    {}: {}: {}\n", number(ply).of(language), name.of(language), texts.join(" "))
}

fn row(position: &Position, ply: usize, mv: Move, remark: &str, language: Language) -> String {
    let (number, mv) = (number(ply), line_text(position, &[mv], Some(language)));
    format!("    {}: {mv}: {remark}\n", number.of(language))
}

/// The number of a move of the line.
fn number(ply: usize) -> Message {
    let number = ply + 1;
    message!("move {number}", "{number}手目")
}

/// Counts at the end of a list.
pub fn summary(all: &[CheckedProblem<'_>], language: Language) -> String {
    let count =
        |fits: &dyn Fn(&CheckedProblem<'_>) -> bool| all.iter().filter(|&a| fits(a)).count();
    let is_mate = |checked: &CheckedProblem<'_>| {
        !matches!(checked.report.verdict, CheckVerdict::NoMate | CheckVerdict::Undecided)
    };
    let unique = |wanted: Option<bool>| {
        count(&|checked| is_mate(checked) && checked.report.is_unique() == wanted)
    };
    let rows = [
        (localized("problems", "問題"), all.len()),
        (localized("mates", "詰む"), count(&is_mate)),
        (localized("one solution", "余詰なし"), unique(Some(true))),
        (localized("second solutions", "余詰あり"), unique(Some(false))),
        (words::NOT_DECIDED, count(&|checked| !checked.report.is_decided())),
        (localized("contradicted", "作意・手数と不一致"), count(&|checked| checked.is_wrong())),
    ];
    let rows =
        rows.map(|(name, number)| format!("{}{number:>6}\n", pad_right(name.of(language), 20)));
    format!("\n{}", rows.concat())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use kawasemi::mate::SolverLimits;
    use kawasemi::tsume::ProblemChecker;

    use super::super::problems;
    use super::*;

    /// Checks this problem with a limit of nodes, and gives the result to `test`.
    fn with_check(sfen: &str, nodes: u64, test: impl FnOnce(&mut CheckedProblem<'_>)) {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("list");
        fs::write(&list, sfen).unwrap();
        let problems = problems::read_all(&[list]).unwrap();
        let problem = &problems[0];
        let position = problem.position().unwrap();
        let limits = SolverLimits { nodes: Some(nodes), ..SolverLimits::UNLIMITED };
        let mut checker = ProblemChecker::new(4).unwrap();
        let report = checker.check(&position, &[], &limits, &mut |_| {});
        let elapsed = Duration::ZERO;
        test(&mut CheckedProblem { problem, position, report, elapsed, is_stopped: false });
    }

    /// Regression: such a line was called the main line, although others may leave fewer pieces.
    #[test]
    fn a_line_is_perhaps_not_the_main_line_if_not_all_defences_were_compared() {
        with_check("4k4/9/4P4/9/9/9/9/9/9 b G 1\n", 10_000, |checked| {
            let remark = "perhaps not the main line";
            assert!(!text(checked, Language::English).contains(remark));
            checked.report.line.as_mut().unwrap().all_compared = false;
            assert!(text(checked, Language::English).contains(remark));
        });
    }

    /// Regression: each undecided move had a line of its own.
    #[test]
    fn undecided_moves_share_a_line_for_each_move_and_are_counted_after_an_interrupt() {
        with_check("9/4k4/2K2R3/9/9/9/9/9/9 b 2L 1\n", 3000, |checked| {
            let undecided = checked.report.undecided.len();
            assert!(undecided > 20, "{:?}", checked.report);
            let moves = checked.report.line.as_ref().unwrap().moves.len();
            let at_limit = text(checked, Language::English);
            assert!(at_limit.contains("    move 3: not decided: "), "{at_limit}");
            assert!(at_limit.matches(": not decided: ").count() <= moves.div_ceil(2), "{at_limit}");
            checked.is_stopped = true;
            let stopped = text(checked, Language::English);
            assert!(!stopped.contains(": not decided: "), "{stopped}");
            let end = format!("\n    moves not decided: {undecided}\n");
            assert!(stopped.ends_with(&end), "{stopped}");
        });
    }
}
