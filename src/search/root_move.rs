//! The root moves, with the results that are kept from iteration to iteration.

use std::mem;

use super::request::Request;
use crate::types::{Bound, Move, Score};

/// The legal ones of the moves that the request names, each once. If there are none, the moves that the search makes
/// with these options, which are not all legal moves.
pub(super) fn root_moves(request: &Request) -> Vec<Move> {
    let position = &request.position;
    let mut wanted = Vec::new();
    for &mv in &request.limits.search_moves {
        if position.is_legal(mv) && !wanted.contains(&mv) {
            wanted.push(mv);
        }
    }
    if wanted.is_empty() {
        return request.options.moves_to_search(position).moves().collect();
    }
    wanted
}

/// Moves `first` to the front if it is among the moves; a search that is stopped at once plays the
/// first move.
pub(super) fn put_first(moves: &mut [Move], first: Move) {
    if let Some(index) = moves.iter().position(|&mv| mv == first) {
        moves[..=index].rotate_right(1);
    }
}

/// A root move and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    mv: Move,
    /// The score of this iteration; `-INFINITE` if the move is only known to be worse than another.
    pub(super) score: Score,
    /// The score of the last finished iteration.
    pub(super) previous_score: Score,
    /// The average over the iterations, in which the newest has half of the weight.
    pub(super) average_score: Score,
    /// The average of score times absolute score (Stockfish: `meanSquaredScore`).
    pub(super) mean_squared_score: i64,
    /// `Exact`, or the side on which the score missed the window.
    pub(super) bound: Bound,
    pub(super) selective_depth: usize,
    /// Nodes spent on the move in all iterations, for the time management.
    pub(super) effort: u64,
    /// Starts with the move; empty until the move is searched, so that short searches allocate little.
    pub(super) pv: Vec<Move>,
    /// The PV of `previous_score`.
    previous_pv: Vec<Move>,
}

impl RootMove {
    pub(super) fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            score: -Score::INFINITE,
            previous_score: -Score::INFINITE,
            average_score: -Score::INFINITE,
            mean_squared_score: 0,
            bound: Bound::Exact,
            selective_depth: 0,
            effort: 0,
            pv: Vec::new(),
            previous_pv: Vec::new(),
        }
    }

    /// A move whose line and score are proven.
    pub(super) fn proven(line: Vec<Move>, score: Score) -> RootMove {
        let known = RootMove::new(line[0]);
        RootMove { score, previous_score: score, average_score: score, pv: line, ..known }
    }

    /// The score of this iteration, else of the last.
    pub(super) fn known_score(&self) -> Option<Score> {
        [self.score, self.previous_score].into_iter().find(|&score| score != -Score::INFINITE)
    }

    /// Turns the score into that of the last iteration. A move that is not searched in this iteration, because
    /// one before it fails high, keeps it as its known score.
    pub(super) fn begin_iteration(&mut self) {
        self.previous_score = mem::replace(&mut self.score, -Score::INFINITE);
        self.previous_pv.clone_from(&self.pv);
    }

    /// Restores score, bound and PV of the last finished iteration; averages and effort stay.
    fn restore_previous_result(&mut self) {
        self.score = self.previous_score;
        self.bound = Bound::Exact;
        self.pv.clone_from(&self.previous_pv);
    }

    pub(super) fn mv(&self) -> Move {
        self.mv
    }

    /// The move and the expected replies.
    pub(super) fn line(&self) -> &[Move] {
        if self.pv.is_empty() { std::slice::from_ref(&self.mv) } else { &self.pv }
    }
}

/// Restores score, bound and PV of the last finished iteration, best move first; averages and effort stay.
pub(super) fn restore_previous_results(root_moves: &mut [RootMove]) {
    root_moves.iter_mut().for_each(RootMove::restore_previous_result);
    root_moves.sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
}

/// Makes the root moves of an aborted iteration consistent, best move first.
///
/// With several lines the result of the last finished iteration is restored, because scores of two iterations cannot
/// be compared. A single line of the aborted iteration is kept, except in three cases in which the result of the last
/// iteration is restored too: only a bound is known of the move that was best before (it would lose most of its PV);
/// a move became best and then failed low; the move loses, and some other moves were not searched.
pub(super) fn settle_aborted_iteration(root_moves: &mut [RootMove], multi_pv: usize) {
    let finished = |root_move: &RootMove| root_move.previous_score != -Score::INFINITE;
    let best = &root_moves[0];
    let was_best = finished(best)
        && root_moves.iter().all(|other| other.previous_score <= best.previous_score);
    let new_best_failed_low = best.bound == Bound::Upper && !was_best;
    let was_not_losing = |other: &RootMove| finished(other) && !other.previous_score.is_loss();
    let is_unconfirmed_loss = best.score.is_loss() && root_moves.iter().any(was_not_losing);
    if (multi_pv > 1 || new_best_failed_low || is_unconfirmed_loss)
        && root_moves.iter().any(finished)
    {
        return restore_previous_results(root_moves);
    }
    let best = &mut root_moves[0];
    if best.bound == Bound::Exact && best.score != -Score::INFINITE {
        return;
    }
    if was_best {
        best.restore_previous_result();
    } else if best.pv.len() < best.previous_pv.len() {
        best.pv.clone_from(&best.previous_pv);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNKNOWN: Score = Score(-Score::INFINITE.0);

    /// A move with the result of the last iteration and of this one.
    fn root_move(before: (Score, &str), now: (Score, &str), bound: Bound) -> RootMove {
        let line = |text: &str| text.split(' ').map(|mv| mv.parse().unwrap()).collect::<Vec<_>>();
        let mut root_move = RootMove::new(line(now.1)[0]);
        (root_move.score, root_move.pv) = (before.0, line(before.1));
        root_move.begin_iteration();
        (root_move.score, root_move.pv) = (now.0, line(now.1));
        root_move.bound = bound;
        root_move
    }

    fn found(root_move: &RootMove) -> (Score, Bound, String) {
        let pv: Vec<String> = root_move.pv.iter().map(Move::to_string).collect();
        (root_move.score, root_move.bound, pv.join(" "))
    }

    #[test]
    fn a_best_move_with_a_bound_only_keeps_the_line_of_the_last_iteration() {
        let before = (Score(30), "7g7f 3c3d 2g2f");
        for (score, bound) in [(Score(-9), Bound::Upper), (Score(70), Bound::Lower)] {
            let mut aborted = [root_move(before, (score, "7g7f 8c8d"), bound)];
            settle_aborted_iteration(&mut aborted, 1);
            assert_eq!(found(&aborted[0]), (Score(30), Bound::Exact, "7g7f 3c3d 2g2f".into()));
        }
    }

    #[test]
    fn a_new_best_move_with_a_bound_keeps_its_longest_known_line() {
        let before = (UNKNOWN, "2g2f 8c8d 2f2e");
        let mut aborted = [root_move(before, (Score(70), "2g2f"), Bound::Lower)];
        settle_aborted_iteration(&mut aborted, 1);
        assert_eq!(found(&aborted[0]), (Score(70), Bound::Lower, "2g2f 8c8d 2f2e".into()));
    }

    #[test]
    fn a_new_best_move_that_failed_low_is_replaced_by_the_best_of_the_last_iteration() {
        let mut aborted = [
            root_move((UNKNOWN, "2g2f"), (Score(-9), "2g2f 8c8d"), Bound::Upper),
            root_move((Score(30), "7g7f 3c3d"), (UNKNOWN, "7g7f"), Bound::Exact),
        ];
        settle_aborted_iteration(&mut aborted, 1);
        assert_eq!(found(&aborted[0]), (Score(30), Bound::Exact, "7g7f 3c3d".into()));
    }

    /// The second move was searched in the last iteration, before a better one was found.
    #[test]
    fn a_new_best_move_is_not_reported_with_its_score_of_the_last_iteration() {
        let lost = root_move((Score(30), "7g7f 3c3d"), (UNKNOWN, "7g7f"), Bound::Exact);
        let second = |now, bound| root_move((Score(10), "2g2f 8c8d"), (now, "2g2f"), bound);
        let mut aborted = [second(Score(70), Bound::Lower), lost.clone()];
        settle_aborted_iteration(&mut aborted, 1);
        assert_eq!(found(&aborted[0]), (Score(70), Bound::Lower, "2g2f 8c8d".into()));
        let mut aborted = [second(Score(-9), Bound::Upper), lost];
        settle_aborted_iteration(&mut aborted, 1);
        assert_eq!(found(&aborted[0]), (Score(30), Bound::Exact, "7g7f 3c3d".into()));
    }

    #[test]
    fn an_exact_score_of_an_aborted_iteration_is_kept() {
        let mut aborted =
            [root_move((Score(30), "7g7f 3c3d 2g2f"), (Score(20), "7g7f 8c8d"), Bound::Exact)];
        settle_aborted_iteration(&mut aborted, 1);
        assert_eq!(found(&aborted[0]), (Score(20), Bound::Exact, "7g7f 8c8d".into()));
    }

    /// A mate would be a reason to resign.
    #[test]
    fn a_loss_by_mate_in_an_aborted_iteration_does_not_count_before_the_other_moves_are_searched() {
        let mate = (Score::mated_in(6), "7g7f 8c8d");
        let other = || root_move((UNKNOWN, "2g2f"), (UNKNOWN, "2g2f"), Bound::Exact);
        for bound in [Bound::Exact, Bound::Upper] {
            let mut aborted = [root_move((Score(30), "7g7f 3c3d"), mate, bound), other()];
            settle_aborted_iteration(&mut aborted, 1);
            assert_eq!(found(&aborted[0]), (Score(30), Bound::Exact, "7g7f 3c3d".into()));
        }
        // If nothing better is known, the longer defence stays.
        for before in [UNKNOWN, Score::mated_in(4)] {
            let mut aborted = [root_move((before, "7g7f"), mate, Bound::Exact), other()];
            settle_aborted_iteration(&mut aborted, 1);
            assert_eq!(found(&aborted[0]).0, mate.0);
        }
    }

    #[test]
    fn several_lines_are_all_of_the_last_iteration_if_there_is_one() {
        let lines = || {
            [
                root_move((Score(10), "2g2f 8c8d"), (Score(12), "2g2f 3c3d"), Bound::Exact),
                root_move((Score(30), "7g7f 3c3d"), (UNKNOWN, "7g7f 8c8d"), Bound::Exact),
                root_move((UNKNOWN, "9g9f"), (UNKNOWN, "9g9f"), Bound::Exact),
            ]
        };
        let mut aborted = lines();
        settle_aborted_iteration(&mut aborted, 2);
        let left: Vec<_> = aborted.iter().map(|root_move| found(root_move).2).collect();
        assert_eq!(left, ["7g7f 3c3d", "2g2f 8c8d", "9g9f"]);
        let mut first = lines();
        first.iter_mut().for_each(|root_move| root_move.previous_score = UNKNOWN);
        settle_aborted_iteration(&mut first, 2);
        assert_eq!(first[0].score, Score(12));
    }
}
