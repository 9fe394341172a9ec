//! The best thread: a vote selects the worker whose move is played.

use std::collections::HashMap;

use super::search_context::WorkerResult;
use crate::types::{Move, Score};

/// Added to each voter's lead over the lowest score, so that the voter with the lowest score has a weight too
/// (Stockfish's constant).
pub const VOTE_OFFSET: Score = Score(14);

/// The result whose move is played. Each worker votes for its move, with a weight by depth and score; a
/// win by mate overrides the votes (Stockfish's idea).
///
/// `results` starts with the main worker's and must not be empty.
pub(super) fn best_thread_result(results: &[WorkerResult]) -> &WorkerResult {
    let main = &results[0];
    // A worker that was stopped before its first move has no vote.
    let voters = || results.iter().filter(|result| score(result) != -Score::INFINITE);
    let worst = voters().map(score).min().unwrap_or_default();
    let mut votes: HashMap<Move, i64> = HashMap::new();
    for result in voters() {
        let weight = (score(result) - worst + VOTE_OFFSET.0) as i64 * result.depth.max(1) as i64;
        *votes.entry(result.root_moves[0].mv()).or_default() += weight;
    }
    voters().fold(main, |best, result| {
        let better = if score(best).is_win() || score(best).is_loss() {
            // Better than a win is a shorter win; better than a loss is a longer loss or any other score.
            score(result) > score(best)
        } else if score(result).is_win() {
            true
        } else {
            let (for_it, for_best) =
                (votes[&result.root_moves[0].mv()], votes[&best.root_moves[0].mv()]);
            !score(result).is_loss() && for_it > for_best
        };
        if better { result } else { best }
    })
}

/// The score of the first line, in this iteration or the last; `-INFINITE` if there is none.
fn score(result: &WorkerResult) -> Score {
    result.root_moves[0].known_score().unwrap_or(-Score::INFINITE)
}

#[cfg(test)]
mod tests {
    use super::super::root_move::RootMove;
    use super::*;

    fn result(mv: &str, depth: i32, score: Score) -> WorkerResult {
        let mut line = RootMove::new(mv.parse().unwrap());
        line.score = score;
        WorkerResult { depth, root_moves: vec![line] }
    }

    fn chosen(results: &[WorkerResult]) -> String {
        best_thread_result(results).root_moves[0].mv().to_string()
    }

    #[test]
    fn a_worker_that_was_stopped_before_its_first_move_has_no_vote() {
        let nothing = result("9g9f", 0, -Score::INFINITE);
        let (good, bad) = (result("7g7f", 10, Score(90)), result("2g2f", 11, Score(20)));
        assert_eq!(chosen(&[good.clone(), bad.clone(), nothing.clone()]), "7g7f");
        assert_eq!(chosen(&[nothing.clone(), bad]), "2g2f");
        assert_eq!(chosen(&[good, nothing.clone()]), "7g7f");
        assert_eq!(chosen(&[nothing.clone(), nothing]), "9g9f");
    }

    #[test]
    fn a_majority_beats_the_main_worker() {
        let results = [
            result("7g7f", 10, Score(20)),
            result("2g2f", 10, Score(20)),
            result("2g2f", 10, Score(25)),
        ];
        assert_eq!(chosen(&results), "2g2f");
    }

    #[test]
    fn a_single_worker_needs_no_vote() {
        assert_eq!(chosen(&[result("7g7f", 1, Score(0))]), "7g7f");
    }

    #[test]
    fn a_mate_overrides_the_votes_and_the_shortest_is_chosen() {
        let results = [
            result("7g7f", 20, Score(2000)),
            result("7g7f", 20, Score(2000)),
            result("G*5b", 9, Score::mate_in(7)),
            result("S*5b", 9, Score::mate_in(5)),
        ];
        assert_eq!(chosen(&results), "S*5b");
    }

    #[test]
    fn a_worker_that_sees_itself_mated_does_not_overrule_one_that_does_not() {
        let results = [result("7g7f", 10, Score(-500)), result("2g2f", 14, Score::mated_in(8))];
        assert_eq!(chosen(&results), "7g7f");
    }
}
