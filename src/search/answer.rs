//! From what the workers found to the answer that is given.

use parking_lot::Mutex;

use super::best_thread;
use super::pv_lines::{proven_win_ahead_of, pv_lines, try_rule_win};
use super::request::{Answer, Limits, PvEnding, PvLine};
use super::search_manager::PreviousScores;
use super::shared::{SearchContext, WorkerResult};
use super::strength::StrengthLevel;
use crate::types::{Bound, Move, Score};

/// An answer, with a last full report.
pub(super) type Reported = (Answer, Vec<PvLine>);

/// The answer that needs no search: no legal move, a declaration that holds, or the winning move of
/// the try rule.
pub(super) fn without_search(shared: &SearchContext) -> Option<Reported> {
    let request = &shared.request;
    let position = &request.position;
    if shared.root_moves.is_empty() {
        let ending = Some(PvEnding::Mated);
        let line = immediate(shared, vec![], Score::mated_in(0), ending);
        return Some((Answer::Resign, vec![line]));
    }
    let (rule, asked) = (request.options.entering_king, &request.limits.search_moves);
    if let Some(best) = try_rule_win(position, rule)
        && (asked.is_empty() || asked.contains(&best))
    {
        let line = immediate(shared, vec![best], Score::mate_in(1), None);
        return Some((Answer::Move { best, ponder: None }, vec![line]));
    }
    if asked.is_empty() && position.declaration_win(rule) {
        let ending = Some(PvEnding::Declaration);
        let line = immediate(shared, vec![], Score::mate_in(1), ending);
        return Some((Answer::DeclareWin, vec![line]));
    }
    None
}

/// A line that was not searched for.
fn immediate(
    shared: &SearchContext,
    pv: Vec<Move>,
    score: Score,
    ending: Option<PvEnding>,
) -> PvLine {
    PvLine {
        depth: 1,
        selective_depth: 1,
        multi_pv: 1,
        score,
        bound: Bound::Exact,
        elapsed: shared.request.received.elapsed(),
        nodes: 0,
        hashfull_permille: 0,
        pv,
        ending,
    }
}

/// The answer when nobody is waited for any more.
pub(super) fn after_search(shared: &SearchContext, memory: &Mutex<PreviousScores>) -> Reported {
    let Some((result, search_score)) = choose(shared) else {
        // Every worker failed before it had anything to show.
        return (Answer::Move { best: shared.root_moves[0], ponder: None }, Vec::new());
    };
    let average = result.lines[0].average_score;
    let average = (average != -Score::INFINITE).then_some(average);
    let before = remember(shared, average, memory);

    let lines = pv_lines(shared, &result.lines, result.depth);
    let (best, score) = (result.lines[0].mv(), lines[0].score);
    let expected = lines[0].pv.get(1).copied();
    let ends_the_game = lines[0].ending.is_some();
    if may_resign(shared, search_score, score, before) {
        return (Answer::Resign, lines);
    }
    let reply = || if ends_the_game { None } else { shared.expected_reply(best) };
    let ponder = expected.or_else(reply);
    (Answer::Move { best, ponder }, lines)
}

/// Notes the mean score of the search, if it has any. Says what the last search of the game thought
/// of this position.
fn remember(
    shared: &SearchContext,
    average: Option<Score>,
    memory: &Mutex<PreviousScores>,
) -> Option<Score> {
    let position = &shared.request.position;
    let mut memory = memory.lock();
    let before = memory.previous_average(position.side_to_move());
    memory.note(position, average, shared.is_pondering());
    before
}

/// The result to follow, with the move to play in front; and how the search thought that the side
/// to move stands before a level or a proof had a say, `None` if it has not come so far. Nothing at
/// all if no worker has anything to show.
fn choose(shared: &SearchContext) -> Option<(WorkerResult, Option<Score>)> {
    let mut results: Vec<WorkerResult> =
        shared.results().into_iter().filter(|result| !result.lines.is_empty()).collect();
    if results.is_empty() {
        return None;
    }
    let options = &shared.request.options;
    let level = options.strength.map(StrengthLevel::new);
    let alone = options.multi_pv > 1 || shared.request.limits.depth.is_some() || level.is_some();
    // What was proven when some workers had ended is news to the others alone.
    let is_old = |result: &WorkerResult| {
        let best = &result.lines[0];
        !best.score.is_loss() && shared.is_refuted(best.mv())
    };
    if !alone && !results.iter().all(is_old) {
        results.retain(|result| !is_old(result));
    }
    let mut result =
        if alone { results[0].clone() } else { best_thread::best_thread_result(&results).clone() };
    let search_score = result.lines[0].known_score();
    if let Some(level) = level {
        play_at_level(level, shared, &mut result);
    }
    // Of a mate as long that the search has found it may not know the whole line.
    if let Some(win) = proven_win_ahead_of(shared, &result.lines) {
        result.lines.retain(|line| line.mv() != win.mv());
        result.lines.insert(0, win);
    }
    Some((result, search_score))
}

/// Whether the game may be given up for the `score` of the move to play. `search_score` is what
/// [`choose`] says of the position, `before` what the last search of the game thought of it.
fn may_resign(
    shared: &SearchContext,
    search_score: Option<Score>,
    score: Score,
    before: Option<Score>,
) -> bool {
    // Nobody resigns in analysis, nor for how a position looks that has not been searched.
    let Limits { infinite, search_moves, .. } = &shared.request.limits;
    let options = &shared.request.options;
    let is_analysis = *infinite || options.analysis || !search_moves.is_empty();
    let Some(search_score) = search_score.filter(|_| !is_analysis) else { return false };
    // Where a level plays worse than it could, the best move known still has hope.
    let hope = search_score.max(score);
    options.resign_value.is_some_and(|value| is_hopeless(value, before, hope))
}

/// Whether it is time to resign, `value` centipawns behind. One short search may be mistaken, so the
/// one before must have said so too, unless it is a mate.
fn is_hopeless(value: i32, before: Option<Score>, now: Score) -> bool {
    let is_behind = |score: Score| score.centipawns() <= -value;
    is_behind(now) && (now.is_loss() || before.is_some_and(is_behind))
}

/// Puts the line that a level chooses first.
fn play_at_level(level: StrengthLevel, shared: &SearchContext, result: &mut WorkerResult) {
    let scores: Vec<Score> = result
        .lines
        .iter()
        .take(level.candidates())
        .map(|root_move| root_move.score)
        .take_while(|&score| score != -Score::INFINITE)
        .collect();
    if scores.is_empty() {
        return;
    }
    let moment = shared.request.received.elapsed().as_nanos() as u64;
    let lot = (moment ^ shared.request.position.key()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let chosen = level.choose(&scores, lot);
    result.lines[..=chosen].rotate_right(1);
}
