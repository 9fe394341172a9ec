//! What the main worker does besides searching: it watches the limits and the clock, and tells
//! what was found. Helpers have no such object.

use std::iter;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use crossbeam::channel::Sender;

use super::pv_lines::{SearchStats, pv_line, pv_lines};
use super::request::{Clock, Event, PvLine, Report};
use super::shared::SearchContext;
use super::strength::StrengthLevel;
use super::time_budget::{TimeBudget, TimeFactors, round_up_to_second};
use crate::position::Position;
use crate::types::{Color, Depth, Move, Score};

/// Nodes between two looks at the clock: about a millisecond.
const CHECK_INTERVAL: u64 = 512;
/// Currmove and the like begin after this time, as the protocol's draft advises.
const DETAILS_AFTER: Duration = Duration::from_secs(1);

/// Memory from one move of a game to the next.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PreviousScores {
    /// Mean score of the last search, and the side it is meant for.
    last: Option<(Color, Score)>,
    /// The same of a later search that ended while it pondered, and the key of its position.
    pondered: Option<(u64, Color, Score)>,
}

impl PreviousScores {
    /// A search of this position begins. If the game has gone on from the one that was pondered on,
    /// that search was of a move that was played, and counts.
    pub(super) fn begin(&mut self, position: &Position) {
        if let Some((key, side, average)) = self.pondered.take()
            && position.key_before(2) == Some(key)
        {
            self.last = Some((side, average));
        }
    }

    /// A search of this position has ended with this mean score, if with any.
    pub(super) fn note(&mut self, position: &Position, average: Option<Score>, ponders: bool) {
        let side = position.side_to_move();
        if ponders {
            // Whether the move was played nobody knows yet.
            self.pondered = average.map(|average| (position.key(), side, average));
        } else {
            self.last = average.map(|average| (side, average));
        }
    }

    /// The mean score of the last search as `side` sees it. The last search may have been for the
    /// other side: pondering may look at the opponent's choice, and analysis goes either way.
    pub(super) fn previous_average(&self, side: Color) -> Option<Score> {
        self.last.map(|(color, score)| if color == side { score } else { -score })
    }
}

#[derive(Debug)]
pub(super) struct SearchManager {
    /// Who is told; `None`: nobody.
    events: Option<Sender<Event>>,
    /// Who is told which move is best; `None`: nobody.
    best_moves: Option<Sender<Move>>,
    has_reported_win: bool,
    /// SearchNode count at which to look at the limits again.
    pub(super) next_check: u64,
    /// When the clock of this move began to run.
    clock_start: Instant,
    /// `None`: the clock is no limit.
    budget: Option<TimeBudget>,
    /// The move is decided; think on until this many milliseconds.
    search_end_ms: Option<f64>,
    node_limit: Option<u64>,
    level: Option<StrengthLevel>,
    last_report: Option<Instant>,
    last_current_line: Option<Instant>,
    /// An iteration that has finished is to be reported as soon as one may report again.
    report_pending: bool,
    memory: PreviousScores,
    /// Every move has been held against the others, if not deeply. It takes a few milliseconds, and
    /// before that no time is over: a machine that stands still may have used it up before the first
    /// node (Stockfish waits for its first iteration too).
    has_completed_line: bool,
    /// Scores of the last finished iterations, newest last.
    scores: Vec<Score>,
    last_best: Move,
    /// Share of the nodes that the last finished iteration had spent on its best move.
    last_effort: f64,
    /// The running iteration has found the best move to be worse than it was thought, and nothing
    /// better yet.
    is_failing_low: bool,
    stable_iterations: i32,
    changes: f64,
}

impl SearchManager {
    pub(super) fn new(
        events: Option<Sender<Event>>,
        shared: &SearchContext,
        memory: PreviousScores,
    ) -> SearchManager {
        let request = &shared.request;
        let mut manager = SearchManager {
            events,
            best_moves: None,
            has_reported_win: false,
            next_check: 0,
            clock_start: request.received,
            budget: None,
            search_end_ms: None,
            node_limit: request.limits.nodes,
            level: request.options.strength.map(StrengthLevel::new),
            last_report: None,
            last_current_line: None,
            report_pending: false,
            memory,
            has_completed_line: false,
            scores: Vec::with_capacity(64),
            last_best: Move::NONE,
            last_effort: 0.0,
            is_failing_low: false,
            stable_iterations: 0,
            changes: 0.0,
        };
        if !shared.is_pondering() {
            manager.start_budget(shared, request.limits.clock.as_ref());
        }
        manager.schedule(0, shared.workers());
        manager
    }

    /// Tells `best_moves` from now on which move is best, whenever that changes.
    pub(super) fn send_best_moves_to(&mut self, best_moves: Sender<Move>) {
        self.best_moves = Some(best_moves);
    }

    /// Decides how long to think.
    fn start_budget(&mut self, shared: &SearchContext, clock: Option<&Clock>) {
        let request = &shared.request;
        let limits = &request.limits;
        if limits.infinite {
            return;
        }
        let exact = limits.move_time.map(TimeBudget::exactly);
        let random = limits.random_time.map(|time| {
            // Any number that nobody can foretell does.
            let noise =
                shared.generation.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ request.position.key();
            let permille = 1000 + (noise >> 32) % 500;
            TimeBudget::exactly(time * permille as u32 / 1000)
        });
        self.budget = exact.or(random).or_else(|| {
            let options = &request.options;
            let position = &request.position;
            clock.map(|clock| {
                let budget = TimeBudget::new(
                    clock,
                    &options.time,
                    position.side_to_move(),
                    position.ply(),
                    options.max_moves,
                );
                if is_forced(shared) { budget.for_only_move(&options.time) } else { budget }
            })
        });
    }

    fn schedule(&mut self, nodes: u64, workers: usize) {
        self.next_check = nodes + CHECK_INTERVAL;
        if workers > 1 {
            return;
        }
        // Alone, the main worker knows the node at which a limit falls.
        for limit in self.node_limit.into_iter().chain(self.level.map(StrengthLevel::nodes)) {
            self.next_check = self.next_check.min(limit.max(nodes + 1));
        }
    }

    /// Stops the search if a limit is reached. `nodes` are the main worker's own.
    pub(super) fn check_limits(&mut self, shared: &SearchContext, nodes: u64) {
        self.schedule(nodes, shared.workers());
        if self.poll_ponder_hit(shared) && (!self.is_failing_low || is_forced(shared)) {
            // After long pondering the running iteration may last for very long.
            self.decide(shared);
        }
        self.report_proven_win(shared);
        if self.report_pending && self.may_report(shared) {
            self.report_pending_lines(shared);
        }
        if self.node_limit.is_some_and(|limit| shared.nodes() >= limit) {
            shared.stop();
        }
        if self.is_level_done(nodes) {
            self.keep_human_pace(shared);
            shared.stop();
        }
        if let Some(budget) = self.budget {
            let end = self.search_end_ms.unwrap_or(budget.maximum_ms);
            if self.has_completed_line && self.elapsed_ms() >= end.min(budget.maximum_ms) {
                shared.stop();
            }
        }
    }

    /// Tells at once that a move is proven to mate: the iteration may last long.
    fn report_proven_win(&mut self, shared: &SearchContext) {
        if self.best_moves.is_none() || self.has_reported_win || shared.request.options.multi_pv > 1
        {
            return;
        }
        if let Some(win) = shared.proven_win() {
            self.has_reported_win = true;
            let depth = self.scores.len() as Depth;
            let line = pv_line(shared, SearchStats::of(shared), &win, depth, 0);
            self.report_lines(shared, vec![line]);
        }
    }

    /// Starts the clock when the expected move was played; says whether that is so.
    fn poll_ponder_hit(&mut self, shared: &SearchContext) -> bool {
        let Some(hit) = shared.take_ponder_hit() else { return false };
        self.clock_start = hit.received;
        let clock = hit.clock.or(shared.request.limits.clock);
        self.start_budget(shared, clock.as_ref());
        true
    }

    /// Whether a weak level may look no further. It always finishes the first iteration, or it would
    /// choose among moves that it has not held against all others.
    fn is_level_done(&self, nodes: u64) -> bool {
        !self.scores.is_empty() && self.level.is_some_and(|level| nodes >= level.nodes())
    }

    /// A weak level has seen enough: lets the time pass that a human would take.
    fn keep_human_pace(&mut self, shared: &SearchContext) {
        const NAP: Duration = Duration::from_millis(2);
        let least_ms = shared.request.options.time.minimum_thinking.as_secs_f64() * 1000.0;
        while !shared.is_stopped() {
            // Asked first: a hit that comes between the two brings a budget the next time.
            let is_pondering = shared.is_pondering();
            self.poll_ponder_hit(shared);
            let pace = match (self.level, self.budget) {
                (Some(level), Some(budget)) => {
                    level.pace_ms(budget.optimum_ms).max(least_ms.min(budget.minimum_ms))
                }
                _ if is_pondering => f64::INFINITY,
                _ => 0.0,
            };
            if self.elapsed_ms() >= pace {
                return;
            }
            std::thread::sleep(NAP);
        }
    }

    /// How long the search has thought, on the opponent's time too.
    fn thought_ms(shared: &SearchContext) -> f64 {
        shared.request.received.elapsed().as_secs_f64() * 1000.0
    }

    /// How long the own clock has run.
    fn elapsed_ms(&self) -> f64 {
        self.clock_start.elapsed().as_secs_f64() * 1000.0
    }

    /// Notes how a finished iteration ended and decides whether to go on.
    pub(super) fn end_iteration(
        &mut self,
        shared: &SearchContext,
        best: Move,
        score: Score,
        effort: f64,
    ) {
        if best == self.last_best {
            self.stable_iterations += 1;
        } else {
            self.stable_iterations = 0;
            self.last_best = best;
            if let Some(best_moves) = &self.best_moves {
                // Nobody listening means that all is known already.
                let _ = best_moves.send(best);
            }
        }
        self.scores.push(score);
        self.last_effort = effort;
        let fresh = shared.best_move_changes.swap(0, Relaxed);
        self.changes = self.changes / 2.0 + fresh as f64;
        self.poll_ponder_hit(shared);
        self.decide(shared);
    }

    /// Notes that the best of all moves is known, as far as it has been searched.
    pub(super) fn note_line_completed(&mut self) {
        self.has_completed_line = true;
    }

    /// Notes whether the best move now seems worse than it was thought.
    pub(super) fn note_failing_low(&mut self, is_failing_low: bool) {
        self.is_failing_low = is_failing_low;
    }

    /// Decides by what the finished iterations have found whether the move is due.
    fn decide(&mut self, shared: &SearchContext) {
        let Some(budget) = self.budget.filter(|budget| !budget.is_fixed()) else { return };
        let Some(&score) = self.scores.last() else { return };
        let is_doomed = || shared.root_moves.len() > 1 && shared.is_refuted(self.last_best);
        if self.search_end_ms.is_some() || is_doomed() {
            return;
        }
        let total = budget.optimum_ms * self.factors(shared, score, self.last_effort).factor();
        let wanted = total.clamp(budget.minimum_ms, budget.maximum_ms);
        // Thinking on the opponent's time counts: the move may be due at the ponder hit.
        if SearchManager::thought_ms(shared) < wanted && !is_forced(shared) {
            return;
        }
        let elapsed = self.elapsed_ms();
        let due = elapsed.max(budget.minimum_ms);
        let options = &shared.request.options.time;
        let end = match options.round_up_to_full_second {
            true => round_up_to_second(due, options, budget.maximum_ms),
            false => due,
        };
        if end <= elapsed {
            shared.stop();
        }
        self.search_end_ms = Some(end);
    }

    /// Whether another iteration is unlikely to be finished: then the depth is not raised.
    pub(super) fn is_late(&self, shared: &SearchContext, score: Score, effort: f64) -> bool {
        self.budget.filter(|budget| !budget.is_fixed()).is_some_and(|budget| {
            let total = budget.optimum_ms * self.factors(shared, score, effort).factor();
            SearchManager::thought_ms(shared) > total * 0.5
        })
    }

    fn factors(&self, shared: &SearchContext, score: Score, effort: f64) -> TimeFactors {
        let before = self.scores.len().saturating_sub(5);
        TimeFactors {
            score,
            previous_average: self
                .memory
                .previous_average(shared.request.position.side_to_move())
                .unwrap_or(score),
            score_before: self.scores.get(before).copied().unwrap_or(score),
            stable_iterations: self.stable_iterations,
            best_move_changes: self.changes / shared.workers() as f64,
            effort,
        }
    }

    /// Whether there is anybody to report to.
    pub(super) fn is_heard(&self) -> bool {
        self.events.is_some()
    }

    /// Whether there is anybody to report to, and the last report is long enough ago.
    pub(super) fn may_report(&self, shared: &SearchContext) -> bool {
        let interval = shared.request.options.pv_interval;
        self.is_heard() && self.last_report.is_none_or(|last| last.elapsed() >= interval)
    }

    pub(super) fn report_lines(&mut self, shared: &SearchContext, lines: Vec<PvLine>) {
        self.last_report = Some(Instant::now());
        self.report_pending = false;
        self.send(shared, Report::Lines(lines));
    }

    /// An iteration has finished that may not be reported yet.
    pub(super) fn defer_report(&mut self) {
        self.report_pending = true;
    }

    fn report_pending_lines(&mut self, shared: &SearchContext) {
        let Some(result) = shared.result_of_main() else { return };
        self.report_lines(shared, pv_lines(shared, &result.lines, result.depth));
    }

    pub(super) fn report_current_move(
        &self,
        shared: &SearchContext,
        depth: Depth,
        mv: Move,
        number: usize,
    ) {
        let options = &shared.request.options;
        if options.show_current_line && shared.request.received.elapsed() >= DETAILS_AFTER {
            self.send(shared, Report::CurrentMove { depth, mv, number });
        }
    }

    /// Tells the line that is being searched, from the root to the position of the worker, which nobody
    /// could read more often than once a second.
    pub(super) fn report_current_line(&mut self, shared: &SearchContext, position: &Position) {
        let since = self.last_current_line.unwrap_or(shared.request.received);
        if !shared.request.options.show_current_line || since.elapsed() < DETAILS_AFTER {
            return;
        }
        self.last_current_line = Some(Instant::now());
        let before = shared.request.position.history().count();
        // Behind a null move it is no line that can be played.
        let line: Vec<Move> =
            position.history().skip(before).take_while(|mv| mv.is_some()).collect();
        if !line.is_empty() {
            self.send(shared, Report::CurrentLine(line));
        }
    }

    /// The reply is the table's: a move that is no candidate for the best was searched with a null
    /// window, which leaves no line.
    pub(super) fn report_refutation(&self, shared: &SearchContext, mv: Move) {
        let options = &shared.request.options;
        if options.show_refutations && shared.request.received.elapsed() >= DETAILS_AFTER {
            let line = iter::once(mv).chain(shared.expected_reply(mv)).collect();
            self.send(shared, Report::Refutation(line));
        }
    }

    pub(super) fn send(&self, shared: &SearchContext, report: Report) {
        if let Some(events) = &self.events {
            // Nobody listening any more means that the session is over.
            let _ = events.send(Event { generation: shared.generation, report });
        }
    }
}

/// Whether there is nothing to choose.
fn is_forced(shared: &SearchContext) -> bool {
    shared.root_moves.len() == 1
}

#[cfg(test)]
mod tests {
    use super::super::request::{Limits, SearchOptions};
    use super::super::root_move::RootMove;
    use super::super::shared::PonderHit;
    use super::super::tests::{START, request, shared};
    use super::*;
    use crate::types::ByColor;

    /// A search that has been pondering for so long and has finished some iterations.
    fn pondering(seconds: u64, options: SearchOptions) -> (SearchContext, SearchManager) {
        let time = ByColor([Duration::from_secs(120); 2]);
        let clock = Some(Clock { time, ..Clock::default() });
        let limits = Limits { clock, ponder: true, ..Limits::default() };
        let mut request = request(START, limits, options);
        request.received -= Duration::from_secs(seconds);
        let shared = shared(request);
        let mut manager = SearchManager::new(None, &shared, PreviousScores::default());
        for _ in 0..12 {
            manager.end_iteration(&shared, shared.root_moves[0], Score(40), 0.5);
        }
        (shared, manager)
    }

    /// The expected move is played; the search looks at the clock in the midst of an iteration, before
    /// any time has gone, however long a busy machine stands still.
    fn hit(shared: &SearchContext, manager: &mut SearchManager) {
        let received = Instant::now() + Duration::from_secs(3600);
        shared.ponder_hit(PonderHit { clock: None, received });
        manager.check_limits(shared, 512);
    }

    #[test]
    fn a_ponder_hit_after_long_thought_is_answered_at_once() {
        for (seconds, is_answered) in [(0, false), (20, true)] {
            let (mut shared, mut manager) = pondering(seconds, SearchOptions::for_tests());
            if !is_answered {
                // However long a busy machine stands still.
                shared.request.received += Duration::from_secs(3600);
            }
            manager.check_limits(&shared, 512);
            assert!(!shared.is_stopped(), "the opponent still thinks");
            hit(&shared, &mut manager);
            assert_eq!(shared.is_stopped(), is_answered, "after {seconds} s");
        }
    }

    #[test]
    fn a_ponder_hit_while_the_best_move_fails_low_waits_for_the_iteration() {
        let (shared, mut manager) = pondering(20, SearchOptions::for_tests());
        manager.note_failing_low(true);
        hit(&shared, &mut manager);
        assert!(!shared.is_stopped());
        manager.end_iteration(&shared, shared.root_moves[1], Score(40), 0.5);
        assert!(shared.is_stopped());
    }

    #[test]
    fn a_move_that_is_proven_to_lose_is_not_due_however_long_it_was_thought_about() {
        let (shared, mut manager) = pondering(20, SearchOptions::for_tests());
        let moves = &shared.root_moves;
        shared.add_proof(RootMove::proven(vec![moves[0]; 6], Score::mated_in(6)));
        hit(&shared, &mut manager);
        assert!(!shared.is_stopped());
        manager.end_iteration(&shared, moves[1], Score(40), 0.5);
        assert!(shared.is_stopped());
    }

    #[test]
    fn a_ponder_hit_respects_the_least_time_and_the_begun_second() {
        let mut options = SearchOptions::for_tests();
        options.time.minimum_thinking = Duration::from_millis(300);
        for (round_up, end) in [(false, 300.0), (true, 1000.0)] {
            options.time.round_up_to_full_second = round_up;
            let (shared, mut manager) = pondering(20, options.clone());
            hit(&shared, &mut manager);
            assert!(!shared.is_stopped());
            assert_eq!(manager.search_end_ms, Some(end));
        }
    }

    /// By byoyomi, all of it was used to think of a move that could be no other.
    #[test]
    fn the_only_move_is_due_soon_where_a_clock_runs() {
        // White's king must go to 8a.
        let forced = "k8/9/1G7/9/9/9/9/9/8K w - 1";
        let byoyomi = ByColor([Duration::from_secs(10); 2]);
        let clock = Some(Clock { byoyomi, ..Clock::default() });
        let timed = Limits { clock, ..Limits::default() };
        let endless = Limits { infinite: true, ..timed.clone() };
        let exact = Limits { move_time: Some(Duration::from_secs(10)), ..timed.clone() };
        let counted = Limits { depth: Some(20), ..Limits::default() };
        for (sfen, limits, end) in [
            (forced, timed.clone(), Some(500.0)),
            (START, timed, None),
            (forced, endless, None),
            (forced, exact, None),
            (forced, counted, None),
        ] {
            let mut asked = request(sfen, limits, SearchOptions::for_tests());
            // However long a busy machine stands still.
            asked.received += Duration::from_secs(3600);
            let shared = shared(asked);
            let mut manager = SearchManager::new(None, &shared, PreviousScores::default());
            manager.end_iteration(&shared, shared.root_moves[0], Score(40), 0.5);
            assert!(!shared.is_stopped());
            assert_eq!(manager.search_end_ms, end, "{:?}", shared.request.limits);
        }
    }

    #[test]
    fn a_ponder_hit_without_a_clock_to_share_goes_on() {
        let (byoyomi, own) = (ByColor([Duration::from_secs(60); 2]), Duration::from_secs(60));
        let byoyomi =
            Limits { clock: Some(Clock { byoyomi, ..Clock::default() }), ..Limits::default() };
        let exact = Limits { move_time: Some(own), ..Limits::default() };
        let infinite = Limits { infinite: true, ..byoyomi.clone() };
        for limits in [byoyomi, exact, infinite, Limits::default()] {
            let (mut shared, _) = pondering(20, SearchOptions::for_tests());
            shared.request.limits = Limits { ponder: true, ..limits };
            let mut manager = SearchManager::new(None, &shared, PreviousScores::default());
            manager.end_iteration(&shared, shared.root_moves[0], Score(40), 0.5);
            hit(&shared, &mut manager);
            assert!(!shared.is_stopped(), "{:?}", shared.request.limits);
        }
    }

    #[test]
    fn a_weak_player_respects_the_least_time_too() {
        let mut options = SearchOptions { strength: Some(-10), ..SearchOptions::for_tests() };
        options.time.minimum_thinking = Duration::from_millis(60);
        let time = ByColor([Duration::from_secs(1); 2]);
        let limits =
            Limits { clock: Some(Clock { time, ..Clock::default() }), ..Limits::default() };
        let shared = shared(request(START, limits, options));
        let mut manager = SearchManager::new(None, &shared, PreviousScores::default());
        manager.keep_human_pace(&shared);
        assert!(manager.elapsed_ms() >= 60.0);
    }

    #[test]
    fn details_are_told_only_if_asked_for_and_not_in_the_first_second() {
        for (is_early, is_asked, count) in [(false, false, 0), (true, true, 0), (false, true, 3)] {
            let options = SearchOptions {
                show_current_line: is_asked,
                show_refutations: is_asked,
                ..SearchOptions::for_tests()
            };
            let (mut shared, _) = pondering(20, options);
            if is_early {
                // However long a busy machine stands still.
                shared.request.received = Instant::now() + Duration::from_secs(3600);
            }
            let (events, told) = crossbeam::channel::unbounded();
            let mut manager = SearchManager::new(Some(events), &shared, PreviousScores::default());
            let mv = shared.root_moves[0];
            let mut position = shared.request.position.clone();
            position.try_play(mv).unwrap();
            manager.report_current_move(&shared, 5, mv, 1);
            manager.report_current_line(&shared, &position);
            manager.report_refutation(&shared, mv);
            assert_eq!(told.len(), count, "early: {is_early}, asked for: {is_asked}");
        }
    }

    #[test]
    fn a_current_line_goes_beyond_the_root_and_comes_once_a_second() {
        let options = SearchOptions { show_current_line: true, ..SearchOptions::for_tests() };
        let (shared, _) = pondering(20, options);
        let (events, told) = crossbeam::channel::unbounded();
        let mut manager = SearchManager::new(Some(events), &shared, PreviousScores::default());
        let mut position = shared.request.position.clone();
        let line: Vec<Move> = ["7g7f", "3c3d"].map(|mv| mv.parse().unwrap()).into();
        for &mv in &line {
            position.try_play(mv).unwrap();
        }
        position.do_null_move();
        for _ in 0..2 {
            manager.report_current_line(&shared, &position);
        }
        let told: Vec<Report> = told.try_iter().map(|event| event.report).collect();
        assert!(matches!(&told[..], [Report::CurrentLine(moves)] if *moves == line), "{told:?}");
    }

    #[test]
    fn a_search_for_the_other_side_is_remembered_with_its_sign_turned() {
        let last = Some((Color::White, Score(120)));
        let memory = PreviousScores { last, ..PreviousScores::default() };
        assert_eq!(memory.previous_average(Color::White), Some(Score(120)));
        assert_eq!(memory.previous_average(Color::Black), Some(Score(-120)));
        assert_eq!(PreviousScores::default().previous_average(Color::Black), None);
    }
}
