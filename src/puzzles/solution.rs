//! Builds the solution of a puzzle, which continues while there is only one good move.

use super::examiner::Examiner;
use super::goal::goal;
use super::puzzle::{Alternative, CandidateLine, Examination, PuzzleStep, step_moves};
use crate::analysis::{AnalysisError, AnalysisScore, WinReason};
use crate::position::Position;
use crate::types::Move;

/// Maximum number of moves to find.
const MAX_STEPS: usize = 8;

/// The moves to find in a position, and the continuation of the line.
pub(super) struct BuiltSolution {
    /// Empty if the position is not a puzzle.
    pub(super) steps: Vec<PuzzleStep>,
    pub(super) continuation: Vec<Move>,
}

/// Builds the solution in a position without a history, unless the move `played` in the game is right.
///
/// # Errors
/// If the search was stopped.
pub(super) fn build(
    examiner: &mut Examiner,
    start: &Position,
    played: Move,
) -> Result<BuiltSolution, AnalysisError> {
    let mut position = start.clone();
    let mut steps: Vec<PuzzleStep> = Vec::new();
    let mut continuation = Vec::new();
    while steps.len() < MAX_STEPS {
        let Some(examined) = examiner.examine(&position)? else { break };
        if steps.is_empty() && examined.best.mv() == played {
            break;
        }
        let Some(alternatives) = examiner.alternatives(&position, &examined)? else { break };
        let is_played = |it: &Alternative| it.is_right && it.mv == played;
        if steps.is_empty() && alternatives.iter().any(is_played) {
            break;
        }
        let mut after = position.clone();
        after.do_move(examined.best.mv());
        let Some(reply) = confirmed_reply(examiner, &after, &examined)? else { break };
        continuation = reply;
        let next = continuation.first().copied();
        steps.push(PuzzleStep { examination: examined, alternatives, reply: next });
        let Some(next) = next else { break };
        position = after;
        position.do_move(next);
    }
    trim(&mut steps, &mut continuation);
    Ok(BuiltSolution { steps, continuation })
}

/// The opponent's line after the answer, empty if the answer mates. `None` if the position after the answer
/// does not confirm its score.
fn confirmed_reply(
    examiner: &mut Examiner,
    after: &Position,
    examined: &Examination,
) -> Result<Option<Vec<Move>>, AnalysisError> {
    let CandidateLine { score, moves, .. } = &examined.best;
    if matches!(score, AnalysisScore::Win(WinReason::Mate { .. })) || !after.has_legal_move() {
        return Ok(Some(moves[1..].to_vec()));
    }
    let Some(reply) = examiner.best_line(after)? else { return Ok(None) };
    let second = examined.second.as_ref().map(|line| line.score);
    let is_confirmed = goal(reply.score.negated(), second).is_some();
    Ok(is_confirmed.then_some(reply.moves))
}

/// Removes a last move that is the only legal one: there is nothing to find.
fn trim(steps: &mut Vec<PuzzleStep>, continuation: &mut Vec<Move>) {
    let is_forced = |step: &PuzzleStep| step.examination.second.is_none();
    let all: Vec<Move> = step_moves(steps).collect();
    while steps.last().is_some_and(is_forced) {
        steps.pop();
    }
    let Some(last) = steps.last_mut() else { return };
    last.reply = None;
    let kept = 2 * steps.len() - 1;
    let rest = continuation.get(1..).unwrap_or_default().to_vec();
    *continuation = [all.get(kept..).unwrap_or_default(), &rest].concat();
}
