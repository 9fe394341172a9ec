//! The time manager: decides by the clock when the search stops. It knows the time limits, the clock
//! since `go` or `ponderhit`, and how the finished iterations went.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::params::TIME_NEXT_ITERATION;
use super::previous_scores::PreviousScores;
use super::request::Clock;
use super::search_context::{PonderHit, SearchContext};
use super::time_budget::{PlannedEnd, TimeBudget, TimeFactors, fraction, ms, round_up_to_second};
use crate::sys::Instant;
use crate::types::{Move, Random, Score};

#[derive(Debug)]
pub(super) struct TimeManager {
    /// When the clock of this move started.
    clock_start: Instant,
    /// Whether the clock waits for the ponder hit.
    is_pondering: bool,
    /// `None` if the clock does not limit the search.
    budget: Option<TimeBudget>,
    /// The time on the clock at which the search ends; set when the move is decided.
    search_end_ms: Option<f64>,
    previous_scores: PreviousScores,
    /// Scores of the finished iterations, newest last.
    scores: Vec<Score>,
    /// The best move of the last finished iteration.
    last_best_move: Move,
    /// Share of the nodes that went to the best move, up to the last finished iteration.
    nodes_effort: f64,
    /// Whether the running iteration fails low on its best move and has found no better move yet.
    is_failing_low: bool,
    stable_iterations: i32,
    best_move_changes: f64,
}

impl TimeManager {
    pub(super) fn new(context: &SearchContext, previous_scores: PreviousScores) -> TimeManager {
        let request = &context.request;
        let mut time = TimeManager {
            clock_start: request.received,
            is_pondering: request.limits.ponder,
            budget: None,
            search_end_ms: None,
            previous_scores,
            scores: Vec::with_capacity(64),
            last_best_move: Move::NONE,
            nodes_effort: 0.0,
            is_failing_low: false,
            stable_iterations: 0,
            best_move_changes: 0.0,
        };
        if !time.is_pondering {
            time.set_budget(context, request.limits.clock.as_ref());
        }
        time
    }

    pub(super) fn budget(&self) -> Option<TimeBudget> {
        self.budget
    }

    /// Time on the clock of this move, which starts at a ponder hit.
    pub(super) fn elapsed_ms(&self) -> f64 {
        ms(self.clock_start.elapsed())
    }

    /// Time since the search began, pondering included.
    fn searched_ms(context: &SearchContext) -> f64 {
        ms(context.request.received.elapsed())
    }

    fn set_budget(&mut self, context: &SearchContext, clock: Option<&Clock>) {
        self.budget = budget_of(context, clock);
        if let Some(budget) = self.budget {
            context.plan_end(planned_end(self.clock_start, budget, budget.maximum_ms));
        }
    }

    /// Starts the clock if there was a ponder hit since the last call; returns whether there was.
    pub(super) fn start_clock_on_ponder_hit(&mut self, context: &SearchContext) -> bool {
        let Some(hit) = context.received_ponder_hit().filter(|_| self.is_pondering) else {
            return false;
        };
        (self.is_pondering, self.clock_start) = (false, hit.received);
        self.set_budget(context, clock_after(context, hit).as_ref());
        true
    }

    /// Looks for a ponder hit during an iteration. After long pondering the running iteration may last
    /// very long, so the move may be due at once.
    pub(super) fn handle_ponder_hit(&mut self, context: &SearchContext) {
        if self.start_clock_on_ponder_hit(context) && (!self.is_failing_low || is_forced(context)) {
            self.stop_if_due(context);
        }
    }

    /// The end of the time for the move, if it is used up.
    pub(super) fn end_reached(&self) -> Option<Instant> {
        let budget = self.budget?;
        let end_ms = self.search_end_ms.unwrap_or(budget.maximum_ms).min(budget.maximum_ms);
        let is_over = self.elapsed_ms() >= end_ms;
        is_over.then(|| instant_at(self.clock_start, end_ms))
    }

    /// Sets whether the best move fails low.
    pub(super) fn set_failing_low(&mut self, is_failing_low: bool) {
        self.is_failing_low = is_failing_low;
    }

    /// Records a finished iteration and stops the search if the move is due. Returns whether the best
    /// move has changed.
    pub(super) fn end_iteration(
        &mut self,
        context: &SearchContext,
        best: Move,
        score: Score,
        nodes_effort: f64,
    ) -> bool {
        let has_changed = best != self.last_best_move;
        self.stable_iterations = if has_changed { 0 } else { self.stable_iterations + 1 };
        self.last_best_move = best;
        self.scores.push(score);
        self.nodes_effort = nodes_effort;
        let changes = context.best_move_changes.swap(0, Relaxed);
        self.best_move_changes = self.best_move_changes / 2.0 + changes as f64;
        self.start_clock_on_ponder_hit(context);
        self.stop_if_due(context);
        has_changed
    }

    /// Decides by the finished iterations whether the move is due, and stops the search at once or at
    /// the end of a second.
    fn stop_if_due(&mut self, context: &SearchContext) {
        let Some(budget) = self.budget.filter(|budget| !budget.is_fixed()) else { return };
        let is_best_lost =
            || context.root_moves.len() > 1 && context.is_proven_loss(self.last_best_move);
        if self.search_end_ms.is_some() || is_best_lost() {
            return;
        }
        let Some(total_ms) = self.total_ms(context, budget) else { return };
        let wanted = total_ms.clamp(budget.minimum_ms, budget.maximum_ms);
        // Time spent pondering counts: the move may be due at the ponder hit.
        if TimeManager::searched_ms(context) < wanted && !is_forced(context) {
            return;
        }
        let elapsed = self.elapsed_ms();
        let earliest_end = elapsed.max(budget.minimum_ms);
        let options = &context.request.options.time;
        let end = if options.round_up_to_full_second {
            round_up_to_second(earliest_end, options, budget.maximum_ms)
        } else {
            earliest_end
        };
        if end <= elapsed {
            context.stop_by_clock(Instant::now());
        } else {
            context.plan_end(planned_end(self.clock_start, budget, end));
        }
        self.search_end_ms = Some(end);
    }

    /// Whether the next iteration should not go deeper, because it would not finish.
    pub(super) fn should_search_again(&self, context: &SearchContext) -> bool {
        let budget = self.budget.filter(|budget| !budget.is_fixed());
        let total_ms = budget.and_then(|budget| self.total_ms(context, budget));
        total_ms.is_some_and(|total_ms| {
            TimeManager::searched_ms(context) > total_ms * fraction(TIME_NEXT_ITERATION)
        })
    }

    /// The time that the move needs by the finished iterations (Stockfish: `totalTime`); `None` before the
    /// first.
    fn total_ms(&self, context: &SearchContext, budget: TimeBudget) -> Option<f64> {
        let &score = self.scores.last()?;
        let four_iterations_ago = self.scores.len().saturating_sub(5);
        let factors = TimeFactors {
            score,
            previous_average: self
                .previous_scores
                .previous_average(context.request.position.side_to_move())
                .unwrap_or(score),
            earlier_score: self.scores[four_iterations_ago],
            stable_iterations: self.stable_iterations,
            best_move_changes: self.best_move_changes / context.worker_count() as f64,
            nodes_effort: self.nodes_effort,
        };
        Some(budget.optimum_ms * factors.total())
    }
}

/// Plans the end of a pondering search that gets a ponder hit. The main worker looks for the hit too, but on a busy
/// machine it may get no processor before the time is over.
pub(super) fn plan_end_after(context: &SearchContext, hit: PonderHit) {
    if let Some(budget) = budget_of(context, clock_after(context, hit).as_ref()) {
        context.plan_end(planned_end(hit.received, budget, budget.maximum_ms));
    }
}

/// The clock of the move after a ponder hit.
fn clock_after(context: &SearchContext, hit: PonderHit) -> Option<Clock> {
    hit.clock.or(context.request.limits.clock)
}

/// The time budget of the move; `None` if the clock does not limit the search.
fn budget_of(context: &SearchContext, clock: Option<&Clock>) -> Option<TimeBudget> {
    let request = &context.request;
    let limits = &request.limits;
    if limits.infinite {
        return None;
    }
    let exact = limits.move_time.map(TimeBudget::exactly);
    let random = limits.random_time.map(|time| {
        let mut random = Random::of_part(request.position.key(), context.search_id);
        let permille = random.between(1000, 1499);
        TimeBudget::exactly(time * permille as u32 / 1000)
    });
    let (options, position) = (&request.options, &request.position);
    let by_clock = clock.map(|clock| {
        TimeBudget::new(
            clock,
            &options.time,
            position.side_to_move(),
            position.game_ply(),
            options.max_moves,
        )
    });
    match (exact.or(random), by_clock) {
        // The clocks of a game run beside `movetime` too (bots of lishogi send both).
        (Some(exact), Some(clock)) => Some(exact.within(&clock, &options.time)),
        (None, Some(clock)) if is_forced(context) => Some(clock.for_only_move(&options.time)),
        (exact, clock) => exact.or(clock),
    }
}

/// The instant at which a clock that started at `clock_start` shows this time.
fn instant_at(clock_start: Instant, clock_ms: f64) -> Instant {
    clock_start + Duration::from_secs_f64(clock_ms / 1000.0)
}

fn planned_end(clock_start: Instant, budget: TimeBudget, clock_ms: f64) -> PlannedEnd {
    PlannedEnd { clock_start, at: instant_at(clock_start, clock_ms), limit: budget.limit }
}

/// Whether there is only one root move.
fn is_forced(context: &SearchContext) -> bool {
    context.root_moves.len() == 1
}

#[cfg(test)]
mod tests {
    use super::super::request::{Limits, SearchOptions};
    use super::super::root_move::RootMove;
    use super::super::search_context::WorkerResult;
    use super::super::testing::{START, context, request};
    use super::*;
    use crate::types::ByColor;

    /// So far in the future that no stall of the machine reaches it.
    const FAR: Duration = Duration::from_secs(3600);

    /// A search that has pondered for so long and has finished some iterations.
    fn pondering(seconds: u64, options: SearchOptions) -> (SearchContext, TimeManager) {
        let time = ByColor([Duration::from_secs(120); 2]);
        let clock = Some(Clock { time, ..Clock::default() });
        let limits = Limits { clock, ponder: true, ..Limits::default() };
        let mut request = request(START, limits, options);
        request.received -= Duration::from_secs(seconds);
        let context = context(request);
        let mut time = TimeManager::new(&context, PreviousScores::default());
        context.publish_result(0, WorkerResult { depth: 12, root_moves: Vec::new() });
        for _ in 0..12 {
            time.end_iteration(&context, context.root_moves[0], Score(40), 0.5);
        }
        (context, time)
    }

    /// A ponder hit during an iteration, before any time has passed on the clock.
    fn hit(context: &SearchContext, time: &mut TimeManager) {
        let received = Instant::now() + FAR;
        context.ponder_hit(PonderHit { clock: None, received });
        time.handle_ponder_hit(context);
    }

    #[test]
    fn the_end_of_the_time_is_reported_once_it_is_over() {
        let move_time = Duration::from_millis(500);
        let end = |received: Instant| {
            let limits = Limits { move_time: Some(move_time), ..Limits::default() };
            let mut request = request(START, limits, SearchOptions::for_tests());
            request.received = received;
            let context = context(request);
            TimeManager::new(&context, PreviousScores::default()).end_reached()
        };
        let now = Instant::now();
        let long_ago = now - Duration::from_secs(20);
        assert_eq!(end(now + FAR), None);
        assert_eq!(end(long_ago), Some(long_ago + move_time));
    }

    /// Regression: the clocks that came with the hit were planned without it.
    #[test]
    fn a_ponder_hit_with_clocks_is_answered_earlier_by_the_lateness() {
        let byoyomi = ByColor([Duration::from_secs(1); 2]);
        let clock = Some(Clock { byoyomi, ..Clock::default() });
        for (lateness, maximum) in [(0, 1000.0), (80, 920.0)] {
            let mut options = SearchOptions::for_tests();
            options.time.lateness = Duration::from_millis(lateness);
            let limits = Limits { ponder: true, ..Limits::default() };
            let context = context(request(START, limits, options));
            let mut time = TimeManager::new(&context, PreviousScores::default());
            assert_eq!(time.budget(), None);
            context.ponder_hit(PonderHit { clock, received: Instant::now() + FAR });
            assert!(time.start_clock_on_ponder_hit(&context));
            assert!(!time.start_clock_on_ponder_hit(&context), "the clock starts once");
            assert_eq!(time.budget().map(|budget| budget.maximum_ms), Some(maximum));
        }
    }

    #[test]
    fn a_ponder_hit_after_long_pondering_is_answered_at_once() {
        for (seconds, is_answered) in [(0, false), (20, true)] {
            let (mut context, mut time) = pondering(seconds, SearchOptions::for_tests());
            if !is_answered {
                context.request.received += FAR;
            }
            time.handle_ponder_hit(&context);
            assert!(!context.is_stopped(), "the opponent still thinks");
            hit(&context, &mut time);
            assert_eq!(context.is_stopped(), is_answered, "after {seconds} s");
        }
    }

    #[test]
    fn a_ponder_hit_while_the_best_move_fails_low_waits_for_the_iteration() {
        let (context, mut time) = pondering(20, SearchOptions::for_tests());
        time.set_failing_low(true);
        hit(&context, &mut time);
        assert!(!context.is_stopped());
        time.end_iteration(&context, context.root_moves[1], Score(40), 0.5);
        assert!(context.is_stopped());
    }

    #[test]
    fn after_a_ponder_hit_a_best_move_that_is_proven_to_lose_is_not_played_at_once() {
        let (context, mut time) = pondering(20, SearchOptions::for_tests());
        let moves = &context.root_moves;
        context.add_proof(RootMove::proven(vec![moves[0]; 6], Score::mated_in(6)));
        hit(&context, &mut time);
        assert!(!context.is_stopped());
        time.end_iteration(&context, moves[1], Score(40), 0.5);
        assert!(context.is_stopped());
    }

    #[test]
    fn a_ponder_hit_respects_the_minimum_time_and_rounds_up_to_a_second() {
        let mut options = SearchOptions::for_tests();
        options.time.minimum_thinking = Duration::from_millis(300);
        for (round_up, end) in [(false, 300.0), (true, 1000.0)] {
            options.time.round_up_to_full_second = round_up;
            let (context, mut time) = pondering(20, options.clone());
            hit(&context, &mut time);
            assert!(!context.is_stopped());
            assert_eq!(time.search_end_ms, Some(end));
        }
    }

    /// Regression: all of the byoyomi was used for a forced move.
    #[test]
    fn the_only_move_is_due_soon_where_a_clock_runs() {
        // White's king must go to 8a.
        let forced = "k8/9/1G7/9/9/9/9/9/8K w - 1";
        let byoyomi = ByColor([Duration::from_secs(10); 2]);
        let clock = Some(Clock { byoyomi, ..Clock::default() });
        let timed = Limits { clock, ..Limits::default() };
        let infinite = Limits { infinite: true, ..timed.clone() };
        let exact = Limits { move_time: Some(Duration::from_secs(10)), ..timed.clone() };
        let by_depth = Limits { depth: Some(20), ..Limits::default() };
        for (sfen, limits, end) in [
            (forced, timed.clone(), Some(500.0)),
            (START, timed, None),
            (forced, infinite, None),
            (forced, exact, None),
            (forced, by_depth, None),
        ] {
            let mut request = request(sfen, limits, SearchOptions::for_tests());
            request.received += FAR;
            let context = context(request);
            let mut time = TimeManager::new(&context, PreviousScores::default());
            time.end_iteration(&context, context.root_moves[0], Score(40), 0.5);
            assert!(!context.is_stopped());
            assert_eq!(time.search_end_ms, end, "{:?}", context.request.limits);
        }
    }

    #[test]
    fn a_ponder_hit_does_not_stop_a_search_whose_time_is_fixed() {
        let (byoyomi, own) = (ByColor([Duration::from_secs(60); 2]), Duration::from_secs(60));
        let byoyomi =
            Limits { clock: Some(Clock { byoyomi, ..Clock::default() }), ..Limits::default() };
        let exact = Limits { move_time: Some(own), ..Limits::default() };
        let infinite = Limits { infinite: true, ..byoyomi.clone() };
        for limits in [byoyomi, exact, infinite, Limits::default()] {
            let (mut context, _) = pondering(20, SearchOptions::for_tests());
            context.request.limits = Limits { ponder: true, ..limits };
            let mut time = TimeManager::new(&context, PreviousScores::default());
            time.end_iteration(&context, context.root_moves[0], Score(40), 0.5);
            hit(&context, &mut time);
            assert!(!context.is_stopped(), "{:?}", context.request.limits);
        }
    }

    #[test]
    fn a_random_time_is_the_given_one_or_up_to_half_longer() {
        let random_time = Some(Duration::from_secs(1));
        let limits = Limits { random_time, ..Limits::default() };
        let mut context = context(request(START, limits, SearchOptions::for_tests()));
        let time = |search_id| {
            context.search_id = search_id;
            TimeManager::new(&context, PreviousScores::default()).budget().unwrap().maximum_ms
        };
        let times: Vec<f64> = (0..100).map(time).collect();
        assert!(times.iter().all(|time| (1000.0..1500.0).contains(time)), "{times:?}");
        let spread = (times.iter().any(|&ms| ms < 1100.0), times.iter().any(|&ms| ms > 1400.0));
        assert_eq!(spread, (true, true), "{times:?}");
    }

    /// Regression: the clock beside `movetime` was ignored, and ran out.
    #[test]
    fn an_exact_time_is_cut_off_by_the_clock_beside_it() {
        let end = |main_ms, byoyomi_ms| {
            let of = |ms| ByColor([Duration::from_millis(ms); 2]);
            let clock = Clock { time: of(main_ms), byoyomi: of(byoyomi_ms), ..Clock::default() };
            let move_time = Some(Duration::from_millis(1500));
            let limits = Limits { clock: Some(clock), move_time, ..Limits::default() };
            let context = context(request(START, limits, SearchOptions::for_tests()));
            TimeManager::new(&context, PreviousScores::default()).budget().unwrap().maximum_ms
        };
        assert_eq!([end(60_000, 0), end(1000, 1000)], [1500.0; 2]);
        assert_eq!(end(1000, 0), 1000.0);
    }
}
