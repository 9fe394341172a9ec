//! A mate problem on the practice page.

use kawasemi::analysis::motifs;
use kawasemi::mate::{MateProver, ProofResult, SolverLimits};
use kawasemi::position::Position;
use kawasemi::sys::AllocationError;
use kawasemi::tsume::{CheckReport, CheckVerdict};
use kawasemi::types::Move;

use super::written_problem::WrittenProblem;
use crate::commands::practice::{
    OtherKind, OtherMove, PracticeProblem, PracticeStep, spelled, spelled_line,
};

/// Memory to find refutations, in mebibytes.
const MEMORY_MIB: usize = 16;
/// The nodes to prove that a defence holds.
const NODES: u64 = 20_000;

/// The problem with its main line; `None` if that is not decided.
pub fn of(problem: &WrittenProblem<'_>) -> Result<Option<PracticeProblem>, AllocationError> {
    let WrittenProblem { position, report, info, .. } = problem;
    let (CheckVerdict::Mate(_), Some(line)) = (report.verdict, &report.line) else {
        return Ok(None);
    };
    if report.is_tentative {
        return Ok(None);
    }
    let mut prover = MateProver::new(position.side_to_move(), MEMORY_MIB)?;
    let mut steps = Vec::new();
    let mut before = Position::clone(position);
    for (index, moves) in line.moves.chunks(2).enumerate() {
        let mut after = before.clone();
        after.do_move(moves[0]);
        steps.push(PracticeStep {
            answer: spelled(&before, moves[0]),
            score: None,
            reply: moves.get(1).map(|&mv| spelled(&after, mv)),
            others: others(&mut prover, report, &before, 2 * index, moves[0]),
        });
        if let Some(&reply) = moves.get(1) {
            after.do_move(reply);
        }
        before = after;
    }
    Ok(Some(PracticeProblem {
        start: position.to_sfen(),
        is_handicap: false,
        previous: None,
        goal: "tsume",
        plies: Some(line.moves.len() as u32),
        difficulty: None,
        depth: None,
        nodes: None,
        human_win_rates: None,
        tags: motifs(position, &line.moves).into_iter().map(|motif| motif.name()).collect(),
        title: info.title(),
        source: None,
        played: None,
        steps,
        rest: Vec::new(),
    }))
}

/// The other moves at this ply of the line.
fn others(
    prover: &mut MateProver,
    report: &CheckReport,
    position: &Position,
    ply: usize,
    answer: Move,
) -> Vec<OtherMove> {
    let mut other = |mv: Move| {
        let mut after = position.clone();
        after.do_move(mv);
        let second =
            report.second_solutions.iter().find(|second| second.ply == ply && second.mv == mv);
        let (kind, line) = match second {
            _ if !position.gives_check(mv) => (OtherKind::NoCheck, Vec::new()),
            Some(second) => (OtherKind::AlsoMates, second.line.clone()),
            None if report.undecided.contains(&(ply, mv)) => (OtherKind::Undecided, Vec::new()),
            None => (OtherKind::Wrong, Vec::from_iter(defence(prover, &after))),
        };
        let line = spelled_line(&after, &line);
        OtherMove { mv: spelled(position, mv), kind, score: None, line }
    };
    position.legal_moves().moves().filter(|&mv| mv != answer).map(&mut other).collect()
}

/// A reply to a check after which no mate exists, as proved.
fn defence(prover: &mut MateProver, position: &Position) -> Option<Move> {
    let limits = SolverLimits { nodes: Some(NODES), ..SolverLimits::UNLIMITED };
    position.legal_moves().moves().find(|&mv| {
        let mut after = position.clone();
        after.do_move(mv);
        matches!(prover.prove(&after, None, &limits), ProofResult::NoMate { of_any_length: true })
    })
}
