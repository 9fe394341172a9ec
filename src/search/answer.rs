//! The answer of a search, made from the results of the workers.

use parking_lot::Mutex;

use super::best_thread;
use super::level_move::play_at_level;
use super::previous_scores::PreviousScores;
use super::pv_lines::{SearchStats, better_known_win, declaration_line, immediate_line, pv_lines};
use super::request::{Answer, PvEnding, PvLine};
use super::resignation::should_resign;
use super::root_move::RootMove;
use super::search_context::{SearchContext, WorkerResult};
use super::strength::StrengthLevel;
use crate::types::{Move, Score};

/// An answer with the last lines.
pub(super) type AnswerWithLines = (Answer, Vec<PvLine>);

/// The answer without a search: there is no legal move, or the side to move wins by declaration or by
/// the try rule. An analysis shows the lines beside such a win.
pub(super) fn immediate_answer(context: &SearchContext) -> Option<AnswerWithLines> {
    if context.root_moves.is_empty() {
        let ending = Some(PvEnding::Mated);
        let line = immediate_line(SearchStats::now(context), vec![], Score::mated_in(0), ending);
        return Some((Answer::Resign, vec![line]));
    }
    if context.request.is_analysis() {
        return None;
    }
    if let Some(best) = winning_try_move(context) {
        let line = immediate_line(SearchStats::now(context), vec![best], Score::mate_in(1), None);
        return Some((Answer::Move { best, ponder: None }, vec![line]));
    }
    let declaration = declaration_line(context, SearchStats::now(context));
    declaration.map(|line| (Answer::DeclareWin, vec![line]))
}

/// The move that wins at once by the try rule, if the request allows it.
pub(super) fn winning_try_move(context: &SearchContext) -> Option<Move> {
    let request = &context.request;
    let best = request.position.try_rule_win(request.options.entering_king)?;
    context.root_moves.contains(&best).then_some(best)
}

/// The answer after the search.
pub(super) fn answer_from_results(
    context: &SearchContext,
    previous_scores: &Mutex<PreviousScores>,
) -> AnswerWithLines {
    let Some(mut result) = best_result(context) else {
        let best = move_without_result(context);
        return (Answer::Move { best, ponder: None }, Vec::new());
    };
    // Before a strength level or a proof changes it.
    let search_score = result.root_moves[0].known_score();
    if let Some(level) = context.request.options.strength.map(StrengthLevel::new) {
        play_at_level(level, context, &mut result.root_moves);
    }
    put_known_win_first(context, &mut result.root_moves);
    let average = result.root_moves[0].average_score;
    let average = (average != -Score::INFINITE).then_some(average);
    let previous_average = store_average(context, average, previous_scores);

    let lines = pv_lines(context, &result.root_moves, result.depth);
    if context.declares_win {
        return (Answer::DeclareWin, lines);
    }
    let (best, score) = (result.root_moves[0].mv(), lines[0].score);
    let expected = lines[0].pv.get(1).copied();
    let ends_the_game = lines[0].ending.is_some();
    if should_resign(context, search_score, score, previous_average) {
        return (Answer::Resign, lines);
    }
    let reply = || if ends_the_game { None } else { context.expected_reply(best) };
    let ponder = expected.or_else(reply);
    (Answer::Move { best, ponder }, lines)
}

/// The move if all workers failed before they had a result: a proven win, else the move of the table, else the best
/// that is found without a search.
fn move_without_result(context: &SearchContext) -> Move {
    let position = &context.request.position;
    let entry = context.table.probe(position.key()).hit;
    let known = entry.map(|entry| entry.mv).filter(|mv| context.root_moves.contains(mv));
    let proven = context.proven_win().map(|win| win.mv());
    let found = || position.move_without_search(context.root_moves.iter().copied());
    proven.or(known).or_else(found).expect("a search has root moves")
}

/// Stores the average score of the search, and returns that of the previous search.
fn store_average(
    context: &SearchContext,
    average: Option<Score>,
    previous_scores: &Mutex<PreviousScores>,
) -> Option<Score> {
    let position = &context.request.position;
    let mut previous_scores = previous_scores.lock();
    let previous_average = previous_scores.previous_average(position.side_to_move());
    previous_scores.store(position, average, context.is_pondering());
    previous_average
}

/// The result of the worker whose move is played; `None` if no worker has a result.
fn best_result(context: &SearchContext) -> Option<WorkerResult> {
    let mut results: Vec<WorkerResult> =
        context.results().into_iter().filter(|result| !result.root_moves.is_empty()).collect();
    if results.is_empty() {
        return None;
    }
    let options = &context.request.options;
    let is_main_only = options.multi_pv > 1
        || context.request.limits.depth.is_some()
        || options.strength.is_some();
    // A worker whose search ended before the mate solver proved its move lost has not seen the proof.
    let is_stale = |result: &WorkerResult| {
        let best = &result.root_moves[0];
        !best.score.is_loss() && context.is_proven_loss(best.mv())
    };
    if !is_main_only && !results.iter().all(is_stale) {
        results.retain(|result| !is_stale(result));
    }
    Some(if is_main_only {
        results[0].clone()
    } else {
        best_thread::best_thread_result(&results).clone()
    })
}

/// Puts a win first that is better than the best line: a proven one, or one of an earlier iteration.
fn put_known_win_first(context: &SearchContext, lines: &mut Vec<RootMove>) {
    // Also a win of the same length: the search may not know its whole line.
    if let Some(win) = better_known_win(context, lines) {
        lines.retain(|line| line.mv() != win.mv());
        lines.insert(0, win);
    }
}

#[cfg(test)]
mod tests {
    use super::super::request::{Limits, SearchOptions};
    use super::super::testing::{context, request};
    use super::*;
    use crate::tt::TtEntry;
    use crate::types::Bound;

    /// Regression: it was the first legal move, also where there was a mate in one or a proven win.
    #[test]
    fn the_best_known_move_is_played_if_all_workers_failed() {
        let sfen = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
        let context = context(request(sfen, Limits::default(), SearchOptions::for_tests()));
        let played = |best: Move| {
            let (answer, lines) = answer_from_results(&context, &Mutex::default());
            answer == Answer::Move { best, ponder: None } && lines.is_empty()
        };
        let (mate, first): (Move, Move) = ("G*5b".parse().unwrap(), context.root_moves[0]);
        assert_ne!(first, mate, "the test needs another position");
        assert!(played(mate));
        let slot = context.table.probe(context.request.position.key()).slot;
        let entry = TtEntry {
            mv: first,
            score: Score(30),
            eval: Score(25),
            depth: 8,
            bound: Bound::Lower,
            is_pv: false,
        };
        context.table.store(slot, entry);
        assert!(played(first));
        context.add_proof(RootMove::proven(vec![mate], Score::mate_in(1)));
        assert!(played(mate));
    }
}
