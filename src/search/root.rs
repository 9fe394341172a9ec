//! The root: iterative deepening, aspiration windows, several best lines.

use std::mem;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::evaluate::judge;
use super::node::Node;
use super::params::*;
use super::request::{Ending, Line, Options};
use super::shared::{STOP, Shared, Verdict};
use super::strength::Level;
use super::worker::Worker;
use crate::position::{EnteringKingRule, Position, Repetition};
use crate::types::{Bound, Depth, MAX_PLY, Move, Score};

/// A move at the root and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    mv: Move,
    /// Score of this iteration; `-INFINITE` if it is not known but to be worse than another's.
    pub(super) score: Score,
    /// Score of the last finished iteration.
    pub(super) previous_score: Score,
    /// Mean over the iterations, the newest weighing most.
    pub(super) average_score: Score,
    /// Mean of score times its size, likewise.
    mean_squared: i64,
    /// On which side of the window the score lies, if outside: it is then no more than a bound.
    pub(super) bound: Bound,
    pub(super) selective_depth: usize,
    /// Nodes spent on it.
    effort: u64,
    /// Begins with the move itself; empty as long as it has not been searched, so that many short
    /// searches need no memory for moves that they never come to.
    pub(super) pv: Vec<Move>,
    /// The line that belongs to `previous_score`.
    previous_pv: Vec<Move>,
}

impl RootMove {
    pub(super) fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            score: -Score::INFINITE,
            previous_score: -Score::INFINITE,
            average_score: -Score::INFINITE,
            mean_squared: 0,
            bound: Bound::Exact,
            selective_depth: 0,
            effort: 0,
            pv: Vec::new(),
            previous_pv: Vec::new(),
        }
    }

    /// A move of which the line and the score are known for good.
    pub(super) fn proven(line: Vec<Move>, score: Score) -> RootMove {
        let known = RootMove::new(line[0]);
        RootMove { score, previous_score: score, average_score: score, pv: line, ..known }
    }

    /// Its score of this iteration, else of the last.
    pub(super) fn known_score(&self) -> Option<Score> {
        [self.score, self.previous_score].into_iter().find(|&score| score != -Score::INFINITE)
    }

    /// What the last iteration found must not be taken for something found in this one: where a move
    /// fails high the moves behind it are not searched again.
    fn begin_iteration(&mut self) {
        self.previous_score = mem::replace(&mut self.score, -Score::INFINITE);
        self.previous_pv.clone_from(&self.pv);
    }

    /// Goes back to what was known when the iteration began.
    fn undo_iteration(&mut self) {
        self.score = self.previous_score;
        self.bound = Bound::Exact;
        self.pv.clone_from(&self.previous_pv);
    }

    pub(super) fn mv(&self) -> Move {
        self.mv
    }

    /// The move and what is expected after it.
    fn line(&self) -> &[Move] {
        if self.pv.is_empty() { std::slice::from_ref(&self.mv) } else { &self.pv }
    }
}

impl Worker {
    /// Searches deeper and deeper until a limit falls. What is found lies in the root moves and,
    /// after every finished iteration, in the shared verdicts.
    pub(super) fn deepen(&mut self) {
        let options = &self.shared.request.options;
        let candidates = options.strength.map_or(1, |strength| Level::new(strength).candidates());
        let lines = options.multi_pv.max(candidates).clamp(1, self.root_moves.len().max(1));
        let limit = self.shared.request.limits.depth.unwrap_or(MAX_PLY as Depth - 1);
        let limit = limit.clamp(1, MAX_PLY as Depth - 1);
        let (mut finished, mut repeated) = (0, 0);
        let mut all_lose = false;
        for iteration in 1..=limit {
            if !self.iterate(lines, iteration, repeated) {
                // Cut short, the iteration still counts for the moves it has finished.
                abandon_iteration(&mut self.root_moves, lines);
                break;
            }
            finished = iteration;
            all_lose = self.root_moves[..lines].iter().all(|line| line.score.is_loss());
            self.publish(finished, lines);
            if self.id == 0 {
                self.shared.note_answer();
            }
            if self.finish_iteration() {
                repeated += 1;
            }
            if self.shared.is_stopped() || self.mate_is_settled(iteration) {
                break;
            }
        }
        self.accept_refutations(lines, all_lose);
        self.publish(finished, lines);
    }

    /// Lets the lines be what the mate solver has proven since they were searched. If they all
    /// lose, the move that was thought best before them is still better; but not where the search
    /// has found that `all_lose`, for then the other moves do so no later.
    fn accept_refutations(&mut self, lines: usize, all_lose: bool) {
        let refutation = |mv| self.shared.proof_of(mv).filter(|proof| proof.score.is_loss());
        let refuted = self.root_moves[..lines].iter().map(|line| refutation(line.mv()));
        let refuted: Vec<Option<RootMove>> = refuted.collect();
        if refuted.iter().all(Option::is_none) {
            return;
        }
        let better = self.root_moves.iter().position(|line| !self.shared.is_refuted(line.mv()));
        let most = self.root_moves[0].known_score();
        for (line, refutation) in self.root_moves.iter_mut().zip(refuted) {
            if let Some(refutation) = refutation {
                *line = refutation;
            }
        }
        self.root_moves[..lines].sort_by_key(|line| std::cmp::Reverse(line.score));
        if let Some(better) = better.filter(|&better| better >= lines && !all_lose) {
            let line = &mut self.root_moves[better];
            if let Some(most) = most.filter(|_| line.known_score().is_none()) {
                // All that is known is that the move thought best before was better.
                (line.score, line.bound) = (most, Bound::Upper);
            }
            self.root_moves[..=better].rotate_right(1);
        }
    }

    /// An iteration, begun again whenever a move was refuted meanwhile: what was thought best may be
    /// no move to go on with. False if the search is over before it is finished.
    fn iterate(&mut self, lines: usize, iteration: Depth, repeated: Depth) -> bool {
        while !self.search_lines(lines, iteration, repeated) {
            if self.shared.is_stopped() {
                return false;
            }
            debug_assert_eq!(self.position.key(), self.shared.request.position.key());
            undo_iteration(&mut self.root_moves);
        }
        true
    }

    /// One iteration: every line that MultiPV asks for. Says whether it was finished, which it also
    /// is if the search was stopped while the last line was told.
    fn search_lines(&mut self, lines: usize, iteration: Depth, repeated: Depth) -> bool {
        self.heard = self.shared.signal() & !STOP;
        self.listen();
        self.root_moves.iter_mut().for_each(RootMove::begin_iteration);
        for index in 0..lines {
            self.pv_index = index;
            self.selective_depth = 0;
            self.root_depth = iteration;
            self.aspire(late_depth(iteration, repeated));
            self.root_moves[..=index].sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
            if self.is_stopped() {
                return false;
            }
        }
        self.report();
        true
    }

    /// Searches the root within a window around the expected score, widened until it holds.
    fn aspire(&mut self, depth: Depth) {
        let expected = &self.root_moves[self.pv_index];
        let average = expected.average_score;
        let mut delta = ASPIRATION_DELTA
            + (self.id % 8) as i32
            + (expected.mean_squared.unsigned_abs() as i64 / i64::from(value(ASPIRATION_VARIANCE)))
                as i32;
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if average != -Score::INFINITE && depth > 1 {
            alpha = (average - delta).max(-Score::INFINITE);
            beta = (average + delta).min(Score::INFINITE);
        }
        let mut failed_high = 0;
        loop {
            self.root_delta = (beta - alpha).max(1);
            let adjusted = (depth - failed_high).max(1);
            let score = self.search::<true>(0, alpha, beta, adjusted, false);
            // Stable, so that moves that were not searched keep their order.
            self.root_moves[self.pv_index..]
                .sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
            if self.is_stopped() {
                return;
            }
            if let Some(duties) = self.duties.as_mut().filter(|_| self.pv_index == 0) {
                duties.note_failing_low(score <= alpha);
            }
            if score <= alpha {
                self.report_bound();
                beta = alpha;
                alpha = (score - delta).max(-Score::INFINITE);
                failed_high = 0;
            } else if score >= beta {
                self.report_bound();
                alpha = (beta - delta).max(alpha);
                beta = (score + delta).min(Score::INFINITE);
                failed_high += 1;
            } else {
                return;
            }
            delta += delta * ASPIRATION_WIDEN / 1024;
            if delta > 3000 {
                (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
            }
        }
    }

    /// Whether a root move belongs to the lines still to be searched.
    pub(super) fn is_root_candidate(&self, mv: Move) -> bool {
        self.root_moves[self.pv_index..].iter().any(|root_move| root_move.mv() == mv)
    }

    /// Tells which root move is about to be searched; `count` moves of this line with it.
    pub(super) fn report_current_move(&self, mv: Move, count: i32) {
        if let Some(duties) = &self.duties {
            let number = count as usize + self.pv_index;
            duties.report_current_move(&self.shared, self.root_depth, mv, number);
        }
    }

    /// The score of a root move of which all is known, with its line.
    pub(super) fn proven_score(&mut self, mv: Move) -> Option<Score> {
        let proof = self.shared.proof_of(mv)?;
        self.pv.set(1, &proof.pv[1..]);
        Some(proof.score)
    }

    /// Notes the result of a root move, `is_proven` if it is known for good.
    pub(super) fn note_root_move(
        &mut self,
        mv: Move,
        score: Score,
        count: i32,
        node: &Node,
        nodes: u64,
        is_proven: bool,
    ) {
        let line = self.pv.line(1);
        let selective_depth = self.selective_depth;
        let index = self.pv_index;
        let Some(root_move) = self.root_moves.iter_mut().find(|root_move| root_move.mv() == mv)
        else {
            return;
        };
        root_move.effort += nodes;
        if count > 1 && score <= node.alpha {
            // Not known but to be worse; the sort is stable and keeps its place.
            root_move.score = -Score::INFINITE;
            if let Some(duties) = &self.duties {
                duties.report_refutation(&self.shared, mv);
            }
            return;
        }
        root_move.score = score;
        root_move.bound = match score {
            _ if is_proven => Bound::Exact,
            score if score >= node.beta => Bound::Lower,
            score if score <= node.alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        root_move.selective_depth = selective_depth;
        root_move.average_score = match root_move.average_score {
            average if average == -Score::INFINITE => score,
            average => Score((average.0 + score.0) / 2),
        };
        let squared = score.0 as i64 * score.0.abs() as i64;
        root_move.mean_squared = (root_move.mean_squared + squared) / 2;
        root_move.pv.clear();
        root_move.pv.push(mv);
        root_move.pv.extend_from_slice(line);
        if count > 1 && index == 0 {
            self.shared.best_move_changes.fetch_add(1, Relaxed);
        }
    }

    fn publish(&self, depth: Depth, lines: usize) {
        let lines = self.root_moves[..lines].to_vec();
        self.shared.publish_nodes(self.id, self.nodes);
        self.shared.publish_verdict(self.id, Verdict { depth, lines });
    }

    /// Lets the main worker look at the clock; says whether the next iteration starts late.
    fn finish_iteration(&mut self) -> bool {
        let Some(duties) = &mut self.duties else { return false };
        let best = &self.root_moves[0];
        let effort = best.effort as f64 / self.nodes.max(1) as f64;
        let (mv, score) = (best.mv(), best.score);
        duties.finish_iteration(&self.shared, mv, score, effort);
        duties.is_late(&self.shared, score, effort)
    }

    /// A mate that a much deeper search would not change ends the search, unless the user asked
    /// for analysis without end, for several lines or for a depth.
    fn mate_is_settled(&self, iteration: Depth) -> bool {
        let limits = &self.shared.request.limits;
        let Some(distance) = self.root_moves[0].score.mate_distance() else { return false };
        let proven =
            self.shared.proven_win().is_some_and(|win| win.mv() == self.root_moves[0].mv());
        let settled = proven || iteration * 2 > distance.abs() * 5;
        settled
            && !limits.infinite
            && limits.depth.is_none()
            && self.shared.request.options.multi_pv == 1
            && self.duties.is_some()
    }

    /// Reports a score outside the window.
    fn report_bound(&mut self) {
        let options = &self.shared.request.options;
        // A limited strength looks at several lines where one is told.
        let wanted = options.report_bounds && options.multi_pv == 1 && self.pv_index == 0;
        let Some(duties) = &self.duties else { return };
        if wanted && duties.may_report(&self.shared) && self.root_depth > 5 {
            self.shared.publish_nodes(self.id, self.nodes);
            let line = self.line(Progress::of(&self.shared), 0);
            if let Some(duties) = &mut self.duties {
                duties.report_lines(&self.shared, vec![line]);
            }
        }
    }

    /// Reports the lines of the finished iteration, or puts it off.
    fn report(&mut self) {
        let Some(duties) = self.duties.as_mut().filter(|duties| duties.is_heard()) else { return };
        if !duties.may_report(&self.shared) {
            duties.owe_report();
            return;
        }
        self.shared.publish_nodes(self.id, self.nodes);
        let count = self.shared.request.options.lines().min(self.root_moves.len());
        let progress = Progress::of(&self.shared);
        let lines: Vec<Line> = (0..count).map(|index| self.line(progress, index)).collect();
        if let Some(duties) = &mut self.duties {
            duties.report_lines(&self.shared, lines);
        }
    }

    fn line(&self, progress: Progress, index: usize) -> Line {
        line_of(&self.shared, progress, &self.root_moves[index], self.root_depth, index)
    }
}

/// The depth of an iteration. One that begins late is unlikely to finish, so it goes no deeper than
/// the last: the first late one loses a whole ply, later ones somewhat less (Stockfish's idea).
fn late_depth(iteration: Depth, late: Depth) -> Depth {
    (iteration - 3 * (late + 1) / 4).max(1)
}

/// Goes back to what was known when the iteration began.
fn undo_iteration(root_moves: &mut [RootMove]) {
    root_moves.iter_mut().for_each(RootMove::undo_iteration);
    root_moves.sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
}

/// Makes something consistent of an iteration that was cut short, best move first. With several
/// lines, some would be of this iteration and some of the last, so that they could not be compared:
/// then the last stands. A single line is worth keeping, unless all that is known is a bound of the
/// move that led before: with it goes but the beginning of a line. A move that first seemed better
/// than that and then no longer did leaves nothing to go by, so that the last iteration stands too.
/// It also does where the best move is seen to lose, for moves that might not were not searched.
fn abandon_iteration(root_moves: &mut [RootMove], lines: usize) {
    let finished = |root_move: &RootMove| root_move.previous_score != -Score::INFINITE;
    let best = &root_moves[0];
    let led_before = finished(best)
        && root_moves.iter().all(|other| other.previous_score <= best.previous_score);
    let was_a_mistake = best.bound == Bound::Upper && !led_before;
    let had_hope = |other: &RootMove| finished(other) && !other.previous_score.is_loss();
    let is_a_fright = best.score.is_loss() && root_moves.iter().any(had_hope);
    if (lines > 1 || was_a_mistake || is_a_fright) && root_moves.iter().any(finished) {
        return undo_iteration(root_moves);
    }
    let best = &mut root_moves[0];
    if best.bound == Bound::Exact && best.score != -Score::INFINITE {
        return;
    }
    if led_before {
        best.undo_iteration();
    } else if best.pv.len() < best.previous_pv.len() {
        best.pv.clone_from(&best.previous_pv);
    }
}

/// How far a search is. Lines that are told together have it in common, or they would seem to go back
/// in time where they are told in another order than they were made in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    elapsed: Duration,
    nodes: u64,
    hashfull_permille: u32,
}

impl Progress {
    pub(super) fn of(shared: &Shared) -> Progress {
        Progress {
            elapsed: shared.request.received.elapsed(),
            nodes: shared.nodes(),
            hashfull_permille: shared.table.hashfull(),
        }
    }
}

/// A root move as a line for the user.
pub(super) fn line_of(
    shared: &Shared,
    progress: Progress,
    root_move: &RootMove,
    depth: Depth,
    index: usize,
) -> Line {
    let request = &shared.request;
    // Stopped before anything was searched, there is nothing but how the position looks.
    let score =
        root_move.known_score().unwrap_or_else(|| judge(&shared.network, &request.position).score);
    let (pv, ending) = checked_line(&request.position, root_move.line(), &request.options);
    Line {
        depth,
        // Of a proven line the search itself may have seen next to nothing.
        selective_depth: root_move.selective_depth.max(depth as usize).max(pv.len()),
        multi_pv: index + 1,
        score,
        bound: root_move.bound,
        elapsed: progress.elapsed,
        nodes: progress.nodes,
        hashfull_permille: progress.hashfull_permille,
        pv,
        ending,
    }
}

/// What a worker has found as lines for the user, as many as are asked for: a level looks at more.
/// Left out behind the first are moves of which no score is known, as a search that was cut short
/// has them: those of a finished iteration all have one.
pub(super) fn lines_of(shared: &Shared, verdict: &Verdict) -> Vec<Line> {
    let progress = Progress::of(shared);
    let root_moves = verdict.lines.iter().take(shared.request.options.lines()).enumerate();
    root_moves
        .filter(|&(index, root_move)| index == 0 || root_move.known_score().is_some())
        .map(|(index, root_move)| line_of(shared, progress, root_move, verdict.depth, index))
        .collect()
}

/// The line as far as it is legal, and how it ends if the rules end it.
fn checked_line(
    position: &Position,
    line: &[Move],
    options: &Options,
) -> (Vec<Move>, Option<Ending>) {
    let mut position = position.clone();
    let mut legal = Vec::with_capacity(line.len());
    for (ply, &mv) in line.iter().enumerate() {
        if ply > 0
            && let Some(repetition) = position.search_repetition(ply)
        {
            return (legal, Some(ending_of(repetition)));
        }
        if position.try_play(mv).is_err() {
            return (legal, None);
        }
        legal.push(mv);
    }
    let ending = match position.search_repetition(legal.len()) {
        Some(repetition) => Some(ending_of(repetition)),
        None if !position.has_legal_move() => Some(Ending::Mated),
        None if options.max_moves.is_some_and(|most| position.ply() > most) => None,
        None if position.declaration_win(options.entering_king) => Some(Ending::Declaration),
        None => {
            // The search knows who can win by the try rule, and ends before the move that does.
            legal.extend(winning_try(&position, options.entering_king));
            None
        }
    };
    (legal, ending)
}

/// The move that wins at once by the try rule, if that is the rule of the game.
pub(super) fn winning_try(position: &Position, rule: EnteringKingRule) -> Option<Move> {
    if rule == EnteringKingRule::Try { position.try_rule_move() } else { None }
}

fn ending_of(repetition: Repetition) -> Ending {
    match repetition {
        Repetition::Draw => Ending::RepetitionDraw,
        Repetition::Win => Ending::RepetitionWin,
        Repetition::Loss => Ending::RepetitionLoss,
        Repetition::Superior => Ending::Superior,
        Repetition::Inferior => Ending::Inferior,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::request::Limits;
    use super::super::tests::{request, shared};
    use super::super::worker::Kept;
    use super::*;

    #[test]
    fn the_first_iteration_that_begins_late_goes_no_deeper_than_the_one_before() {
        assert_eq!(late_depth(12, 0), 12);
        assert_eq!(late_depth(13, 1), 12);
        assert_eq!(late_depth(14, 2), 12);
        assert_eq!(late_depth(16, 4), 13);
        assert_eq!(late_depth(1, 1), 1);
    }

    const UNKNOWN: Score = Score(-Score::INFINITE.0);

    /// A move with what the last iteration found of it, and this one.
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
    fn a_move_that_just_fails_low_keeps_the_whole_line_of_the_last_iteration() {
        let before = (Score(30), "7g7f 3c3d 2g2f");
        for (score, bound) in [(Score(-9), Bound::Upper), (Score(70), Bound::Lower)] {
            let mut cut = [root_move(before, (score, "7g7f 8c8d"), bound)];
            abandon_iteration(&mut cut, 1);
            assert_eq!(found(&cut[0]), (Score(30), Bound::Exact, "7g7f 3c3d 2g2f".into()));
        }
    }

    #[test]
    fn a_move_that_just_became_the_best_is_marked_and_has_the_longest_line_known_of_it() {
        let before = (UNKNOWN, "2g2f 8c8d 2f2e");
        let mut cut = [root_move(before, (Score(70), "2g2f"), Bound::Lower)];
        abandon_iteration(&mut cut, 1);
        assert_eq!(found(&cut[0]), (Score(70), Bound::Lower, "2g2f 8c8d 2f2e".into()));
    }

    #[test]
    fn a_move_that_became_the_best_and_then_failed_low_gives_way_to_the_last_iteration() {
        let mut cut = [
            root_move((UNKNOWN, "2g2f"), (Score(-9), "2g2f 8c8d"), Bound::Upper),
            root_move((Score(30), "7g7f 3c3d"), (UNKNOWN, "7g7f"), Bound::Exact),
        ];
        abandon_iteration(&mut cut, 1);
        assert_eq!(found(&cut[0]), (Score(30), Bound::Exact, "7g7f 3c3d".into()));
    }

    /// It was searched in the last iteration before a better one was found.
    #[test]
    fn a_move_that_was_second_and_just_became_the_best_is_not_told_with_the_score_of_a_second() {
        let lost = root_move((Score(30), "7g7f 3c3d"), (UNKNOWN, "7g7f"), Bound::Exact);
        let second = |now, bound| root_move((Score(10), "2g2f 8c8d"), (now, "2g2f"), bound);
        let mut cut = [second(Score(70), Bound::Lower), lost.clone()];
        abandon_iteration(&mut cut, 1);
        assert_eq!(found(&cut[0]), (Score(70), Bound::Lower, "2g2f 8c8d".into()));
        let mut cut = [second(Score(-9), Bound::Upper), lost];
        abandon_iteration(&mut cut, 1);
        assert_eq!(found(&cut[0]), (Score(30), Bound::Exact, "7g7f 3c3d".into()));
    }

    #[test]
    fn what_a_cut_iteration_has_found_for_sure_is_kept() {
        let mut cut =
            [root_move((Score(30), "7g7f 3c3d 2g2f"), (Score(20), "7g7f 8c8d"), Bound::Exact)];
        abandon_iteration(&mut cut, 1);
        assert_eq!(found(&cut[0]), (Score(20), Bound::Exact, "7g7f 8c8d".into()));
    }

    /// A mate would be reason enough to resign.
    #[test]
    fn a_mate_against_us_in_a_cut_iteration_is_not_told_before_the_other_moves_were_searched() {
        let mate = (Score::mated_in(6), "7g7f 8c8d");
        let other = || root_move((UNKNOWN, "2g2f"), (UNKNOWN, "2g2f"), Bound::Exact);
        for bound in [Bound::Exact, Bound::Upper] {
            let mut cut = [root_move((Score(30), "7g7f 3c3d"), mate, bound), other()];
            abandon_iteration(&mut cut, 1);
            assert_eq!(found(&cut[0]), (Score(30), Bound::Exact, "7g7f 3c3d".into()));
        }
        // Where nothing better was known, the longer defence stands.
        for before in [UNKNOWN, Score::mated_in(4)] {
            let mut cut = [root_move((before, "7g7f"), mate, Bound::Exact), other()];
            abandon_iteration(&mut cut, 1);
            assert_eq!(found(&cut[0]).0, mate.0);
        }
    }

    #[test]
    fn what_is_proven_to_lose_in_the_end_gives_way_to_the_next_best() {
        let (limits, options) = (Limits::default(), Options::of_tests());
        let shared = Arc::new(shared(request("4k4/9/9/9/9/9/9/9/4K4 b - 1", limits, options)));
        let moves = &shared.root_moves;
        shared.note_proof(RootMove::proven(vec![moves[0]; 6], Score::mated_in(6)));
        for (lines, order) in [(1, [1, 0]), (2, [1, 0]), (3, [1, 2])] {
            let kept = Kept::new().unwrap();
            let mut worker = Worker::new(0, shared.clone(), kept, None);
            worker.root_moves[0].score = Score(30);
            worker.root_moves[1..lines].iter_mut().for_each(|line| line.score = Score(10));
            worker.accept_refutations(lines, false);
            let first = worker.root_moves[..2].iter().map(RootMove::mv);
            assert_eq!(first.collect::<Vec<_>>(), order.map(|index: usize| moves[index]));
            let refuted = worker.root_moves.iter().find(|line| line.mv() == moves[0]).unwrap();
            assert_eq!((refuted.score, refuted.pv.len()), (Score::mated_in(6), 6));
            if lines == 1 {
                // It was told with the evaluation of the root, as if it had been searched.
                let best = &worker.root_moves[0];
                assert_eq!((best.score, best.bound), (Score(30), Bound::Upper));
            }
        }
    }

    /// The iteration went on with a move that was lost, and in the end another one was played that
    /// nobody had looked at.
    #[test]
    fn a_refutation_ends_the_iteration_and_not_the_search() {
        let (limits, options) = (Limits::default(), Options::of_tests());
        let shared = Arc::new(shared(request("4k4/9/9/9/9/9/9/9/4K4 b - 1", limits, options)));
        let mut worker = Worker::new(0, shared.clone(), Kept::new().unwrap(), None);
        let mv = shared.root_moves[0];
        shared.note_proof(RootMove::proven(vec![mv; 5], Score::mate_in(5)));
        worker.listen();
        assert!(!worker.is_stopped());
        shared.note_proof(RootMove::proven(vec![mv; 6], Score::mated_in(6)));
        worker.listen();
        assert!(worker.is_stopped() && !shared.is_stopped());
        assert!(worker.search_lines(1, 1, 0), "the next iteration knows of it");
        shared.stop();
        assert!(!worker.search_lines(1, 2, 0));
    }

    #[test]
    fn a_proof_of_what_the_search_knows_to_be_lost_brings_no_worse_move_to_the_front() {
        // Whatever White does, Black mates.
        let sfen = "lnk5l/2ss2R2/pSp4p1/5p2p/3pK2N1/PpP4PP/3Pp+n1B1/3GL3R/LNS6 w B3G2P3p 106";
        let (limits, options) =
            (Limits { depth: Some(20), ..Limits::default() }, Options::of_tests());
        let shared = Arc::new(shared(request(sfen, limits, options)));
        let mut worker = Worker::new(0, shared.clone(), Kept::new().unwrap(), None);
        worker.deepen();
        let best = worker.root_moves[0].clone();
        assert!(best.score.is_loss());
        shared.note_proof(RootMove::proven(best.pv.clone(), best.score));
        worker.deepen();
        assert_eq!(worker.root_moves[0].mv(), best.mv());
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
        let mut cut = lines();
        abandon_iteration(&mut cut, 2);
        let left: Vec<_> = cut.iter().map(|root_move| found(root_move).2).collect();
        assert_eq!(left, ["7g7f 3c3d", "2g2f 8c8d", "9g9f"]);
        let mut first = lines();
        first.iter_mut().for_each(|root_move| root_move.previous_score = UNKNOWN);
        abandon_iteration(&mut first, 2);
        assert_eq!(first[0].score, Score(12));
    }
}
