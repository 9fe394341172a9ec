//! What the main worker does besides searching: it watches the limits and the clock, and tells
//! what was found. Helpers have no such object.

use std::iter;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use crossbeam::channel::Sender;

use super::line::{Progress, line_of, lines_of};
use super::request::{Clock, Event, Line, Report};
use super::shared::Shared;
use super::strength::Level;
use super::time::{Plan, Signs, round_up_to_second};
use crate::position::Position;
use crate::types::{Color, Depth, Move, Score};

/// Nodes between two looks at the clock: about a millisecond.
const CHECK_INTERVAL: u64 = 512;
/// Currmove and the like begin after this time, as the protocol's draft advises.
const DETAILS_AFTER: Duration = Duration::from_secs(1);

/// Memory from one move of a game to the next.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GameMemory {
    /// Mean score of the last search, and the side it is meant for.
    last: Option<(Color, Score)>,
    /// The same of a later search that ended while it pondered, and the key of its position.
    pondered: Option<(u64, Color, Score)>,
}

impl GameMemory {
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
pub(super) struct MainDuties {
    /// Who is told; `None`: nobody.
    events: Option<Sender<Event>>,
    /// Who is told which move is best; `None`: nobody.
    favourites: Option<Sender<Move>>,
    has_told_win: bool,
    /// Node count at which to look at the limits again.
    pub(super) next_check: u64,
    /// When the clock of this move began to run.
    clock_start: Instant,
    /// `None`: the clock is no limit.
    plan: Option<Plan>,
    /// The move is decided; think on until this many milliseconds.
    search_end_ms: Option<f64>,
    node_limit: Option<u64>,
    level: Option<Level>,
    last_report: Option<Instant>,
    last_current_line: Option<Instant>,
    /// An iteration that has finished is to be reported as soon as one may report again.
    owes_report: bool,
    memory: GameMemory,
    /// Every move has been held against the others, if not deeply. It takes a few milliseconds, and
    /// before that no time is over: a machine that stands still may have used it up before the first
    /// node (Stockfish waits for its first iteration too).
    has_compared: bool,
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

impl MainDuties {
    pub(super) fn new(
        events: Option<Sender<Event>>,
        shared: &Shared,
        memory: GameMemory,
    ) -> MainDuties {
        let request = &shared.request;
        let mut duties = MainDuties {
            events,
            favourites: None,
            has_told_win: false,
            next_check: 0,
            clock_start: request.received,
            plan: None,
            search_end_ms: None,
            node_limit: request.limits.nodes,
            level: request.options.strength.map(Level::new),
            last_report: None,
            last_current_line: None,
            owes_report: false,
            memory,
            has_compared: false,
            scores: Vec::with_capacity(64),
            last_best: Move::NONE,
            last_effort: 0.0,
            is_failing_low: false,
            stable_iterations: 0,
            changes: 0.0,
        };
        if !shared.is_pondering() {
            duties.make_plan(shared, request.limits.clock.as_ref());
        }
        duties.schedule(0, shared.workers());
        duties
    }

    /// Tells `favourites` from now on which move is best, whenever that changes.
    pub(super) fn share_favourites(&mut self, favourites: Sender<Move>) {
        self.favourites = Some(favourites);
    }

    /// Decides how long to think.
    fn make_plan(&mut self, shared: &Shared, clock: Option<&Clock>) {
        let request = &shared.request;
        let limits = &request.limits;
        if limits.infinite {
            return;
        }
        let exact = limits.move_time.map(Plan::exactly);
        let random = limits.random_time.map(|time| {
            // Any number that nobody can foretell does.
            let noise =
                shared.generation.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ request.position.key();
            let permille = 1000 + (noise >> 32) % 500;
            Plan::exactly(time * permille as u32 / 1000)
        });
        self.plan = exact.or(random).or_else(|| {
            let options = &request.options;
            let position = &request.position;
            clock.map(|clock| {
                let plan = Plan::new(
                    clock,
                    &options.time,
                    position.side_to_move(),
                    position.ply(),
                    options.max_moves,
                );
                if is_forced(shared) { plan.for_only_move(&options.time) } else { plan }
            })
        });
    }

    fn schedule(&mut self, nodes: u64, workers: usize) {
        self.next_check = nodes + CHECK_INTERVAL;
        if workers > 1 {
            return;
        }
        // Alone, the main worker knows the node at which a limit falls.
        for limit in self.node_limit.into_iter().chain(self.level.map(Level::nodes)) {
            self.next_check = self.next_check.min(limit.max(nodes + 1));
        }
    }

    /// Stops the search if a limit is reached. `nodes` are the main worker's own.
    pub(super) fn check_limits(&mut self, shared: &Shared, nodes: u64) {
        self.schedule(nodes, shared.workers());
        if self.notice_ponder_hit(shared) && (!self.is_failing_low || is_forced(shared)) {
            // After long pondering the running iteration may last for very long.
            self.decide(shared);
        }
        self.tell_win(shared);
        if self.owes_report && self.may_report(shared) {
            self.report_late(shared);
        }
        if self.node_limit.is_some_and(|limit| shared.nodes() >= limit) {
            shared.stop();
        }
        if self.has_seen_enough(nodes) {
            self.keep_human_pace(shared);
            shared.stop();
        }
        if let Some(plan) = self.plan {
            let end = self.search_end_ms.unwrap_or(plan.maximum_ms);
            if self.has_compared && self.elapsed_ms() >= end.min(plan.maximum_ms) {
                shared.stop();
            }
        }
    }

    /// Tells at once that a move is proven to mate: the iteration may last long.
    fn tell_win(&mut self, shared: &Shared) {
        if self.favourites.is_none() || self.has_told_win || shared.request.options.multi_pv > 1 {
            return;
        }
        if let Some(win) = shared.proven_win() {
            self.has_told_win = true;
            let depth = self.scores.len() as Depth;
            let line = line_of(shared, Progress::of(shared), &win, depth, 0);
            self.report_lines(shared, vec![line]);
        }
    }

    /// Starts the clock when the expected move was played; says whether that is so.
    fn notice_ponder_hit(&mut self, shared: &Shared) -> bool {
        let Some(hit) = shared.take_ponder_hit() else { return false };
        self.clock_start = hit.received;
        let clock = hit.clock.or(shared.request.limits.clock);
        self.make_plan(shared, clock.as_ref());
        true
    }

    /// Whether a weak level may look no further. It always finishes the first iteration, or it would
    /// choose among moves that it has not held against all others.
    fn has_seen_enough(&self, nodes: u64) -> bool {
        !self.scores.is_empty() && self.level.is_some_and(|level| nodes >= level.nodes())
    }

    /// A weak level has seen enough: lets the time pass that a human would take.
    fn keep_human_pace(&mut self, shared: &Shared) {
        const NAP: Duration = Duration::from_millis(2);
        let least_ms = shared.request.options.time.minimum_thinking.as_secs_f64() * 1000.0;
        while !shared.is_stopped() {
            // Asked first: a hit that comes between the two brings a plan the next time.
            let is_pondering = shared.is_pondering();
            self.notice_ponder_hit(shared);
            let pace = match (self.level, self.plan) {
                (Some(level), Some(plan)) => {
                    level.pace_ms(plan.optimum_ms).max(least_ms.min(plan.minimum_ms))
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
    fn thought_ms(shared: &Shared) -> f64 {
        shared.request.received.elapsed().as_secs_f64() * 1000.0
    }

    /// How long the own clock has run.
    fn elapsed_ms(&self) -> f64 {
        self.clock_start.elapsed().as_secs_f64() * 1000.0
    }

    /// Notes how a finished iteration ended and decides whether to go on.
    pub(super) fn finish_iteration(
        &mut self,
        shared: &Shared,
        best: Move,
        score: Score,
        effort: f64,
    ) {
        if best == self.last_best {
            self.stable_iterations += 1;
        } else {
            self.stable_iterations = 0;
            self.last_best = best;
            if let Some(favourites) = &self.favourites {
                // Nobody listening means that all is known already.
                let _ = favourites.send(best);
            }
        }
        self.scores.push(score);
        self.last_effort = effort;
        let fresh = shared.best_move_changes.swap(0, Relaxed);
        self.changes = self.changes / 2.0 + fresh as f64;
        self.notice_ponder_hit(shared);
        self.decide(shared);
    }

    /// Notes that the best of all moves is known, as far as it has been searched.
    pub(super) fn note_comparison(&mut self) {
        self.has_compared = true;
    }

    /// Notes whether the best move now seems worse than it was thought.
    pub(super) fn note_failing_low(&mut self, is_failing_low: bool) {
        self.is_failing_low = is_failing_low;
    }

    /// Decides by what the finished iterations have found whether the move is due.
    fn decide(&mut self, shared: &Shared) {
        let Some(plan) = self.plan.filter(|plan| !plan.is_fixed()) else { return };
        let Some(&score) = self.scores.last() else { return };
        let is_doomed = || shared.root_moves.len() > 1 && shared.is_refuted(self.last_best);
        if self.search_end_ms.is_some() || is_doomed() {
            return;
        }
        let total = plan.optimum_ms * self.signs(shared, score, self.last_effort).stretch();
        let wanted = total.clamp(plan.minimum_ms, plan.maximum_ms);
        // Thinking on the opponent's time counts: the move may be due at the ponder hit.
        if MainDuties::thought_ms(shared) < wanted && !is_forced(shared) {
            return;
        }
        let elapsed = self.elapsed_ms();
        let due = elapsed.max(plan.minimum_ms);
        let options = &shared.request.options.time;
        let end = match options.round_up_to_full_second {
            true => round_up_to_second(due, options, plan.maximum_ms),
            false => due,
        };
        if end <= elapsed {
            shared.stop();
        }
        self.search_end_ms = Some(end);
    }

    /// Whether another iteration is unlikely to be finished: then the depth is not raised.
    pub(super) fn is_late(&self, shared: &Shared, score: Score, effort: f64) -> bool {
        self.plan.filter(|plan| !plan.is_fixed()).is_some_and(|plan| {
            let total = plan.optimum_ms * self.signs(shared, score, effort).stretch();
            MainDuties::thought_ms(shared) > total * 0.5
        })
    }

    fn signs(&self, shared: &Shared, score: Score, effort: f64) -> Signs {
        let before = self.scores.len().saturating_sub(5);
        Signs {
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
    pub(super) fn may_report(&self, shared: &Shared) -> bool {
        let interval = shared.request.options.pv_interval;
        self.is_heard() && self.last_report.is_none_or(|last| last.elapsed() >= interval)
    }

    pub(super) fn report_lines(&mut self, shared: &Shared, lines: Vec<Line>) {
        self.last_report = Some(Instant::now());
        self.owes_report = false;
        self.send(shared, Report::Lines(lines));
    }

    /// An iteration has finished that may not be reported yet.
    pub(super) fn owe_report(&mut self) {
        self.owes_report = true;
    }

    fn report_late(&mut self, shared: &Shared) {
        let Some(result) = shared.result_of_main() else { return };
        self.report_lines(shared, lines_of(shared, &result.lines, result.depth));
    }

    pub(super) fn report_current_move(
        &self,
        shared: &Shared,
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
    pub(super) fn report_current_line(&mut self, shared: &Shared, position: &Position) {
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
    pub(super) fn report_refutation(&self, shared: &Shared, mv: Move) {
        let options = &shared.request.options;
        if options.show_refutations && shared.request.received.elapsed() >= DETAILS_AFTER {
            let line = iter::once(mv).chain(shared.expected_reply(mv)).collect();
            self.send(shared, Report::Refutation(line));
        }
    }

    pub(super) fn send(&self, shared: &Shared, report: Report) {
        if let Some(events) = &self.events {
            // Nobody listening any more means that the session is over.
            let _ = events.send(Event { generation: shared.generation, report });
        }
    }
}

/// Whether there is nothing to choose.
fn is_forced(shared: &Shared) -> bool {
    shared.root_moves.len() == 1
}

#[cfg(test)]
mod tests {
    use super::super::request::{Limits, Options};
    use super::super::root_move::RootMove;
    use super::super::shared::PonderHit;
    use super::super::tests::{START, request, shared};
    use super::*;
    use crate::types::ByColor;

    /// A search that has been pondering for so long and has finished some iterations.
    fn pondering(seconds: u64, options: Options) -> (Shared, MainDuties) {
        let time = ByColor([Duration::from_secs(120); 2]);
        let clock = Some(Clock { time, ..Clock::default() });
        let limits = Limits { clock, ponder: true, ..Limits::default() };
        let mut request = request(START, limits, options);
        request.received -= Duration::from_secs(seconds);
        let shared = shared(request);
        let mut duties = MainDuties::new(None, &shared, GameMemory::default());
        for _ in 0..12 {
            duties.finish_iteration(&shared, shared.root_moves[0], Score(40), 0.5);
        }
        (shared, duties)
    }

    /// The expected move is played; the search looks at the clock in the midst of an iteration, before
    /// any time has gone, however long a busy machine stands still.
    fn hit(shared: &Shared, duties: &mut MainDuties) {
        let received = Instant::now() + Duration::from_secs(3600);
        shared.ponder_hit(PonderHit { clock: None, received });
        duties.check_limits(shared, 512);
    }

    #[test]
    fn a_ponder_hit_after_long_thought_is_answered_at_once() {
        for (seconds, is_answered) in [(0, false), (20, true)] {
            let (mut shared, mut duties) = pondering(seconds, Options::of_tests());
            if !is_answered {
                // However long a busy machine stands still.
                shared.request.received += Duration::from_secs(3600);
            }
            duties.check_limits(&shared, 512);
            assert!(!shared.is_stopped(), "the opponent still thinks");
            hit(&shared, &mut duties);
            assert_eq!(shared.is_stopped(), is_answered, "after {seconds} s");
        }
    }

    #[test]
    fn a_ponder_hit_while_the_best_move_fails_low_waits_for_the_iteration() {
        let (shared, mut duties) = pondering(20, Options::of_tests());
        duties.note_failing_low(true);
        hit(&shared, &mut duties);
        assert!(!shared.is_stopped());
        duties.finish_iteration(&shared, shared.root_moves[1], Score(40), 0.5);
        assert!(shared.is_stopped());
    }

    #[test]
    fn a_move_that_is_proven_to_lose_is_not_due_however_long_it_was_thought_about() {
        let (shared, mut duties) = pondering(20, Options::of_tests());
        let moves = &shared.root_moves;
        shared.note_proof(RootMove::proven(vec![moves[0]; 6], Score::mated_in(6)));
        hit(&shared, &mut duties);
        assert!(!shared.is_stopped());
        duties.finish_iteration(&shared, moves[1], Score(40), 0.5);
        assert!(shared.is_stopped());
    }

    #[test]
    fn a_ponder_hit_respects_the_least_time_and_the_begun_second() {
        let mut options = Options::of_tests();
        options.time.minimum_thinking = Duration::from_millis(300);
        for (round_up, end) in [(false, 300.0), (true, 1000.0)] {
            options.time.round_up_to_full_second = round_up;
            let (shared, mut duties) = pondering(20, options.clone());
            hit(&shared, &mut duties);
            assert!(!shared.is_stopped());
            assert_eq!(duties.search_end_ms, Some(end));
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
            let mut asked = request(sfen, limits, Options::of_tests());
            // However long a busy machine stands still.
            asked.received += Duration::from_secs(3600);
            let shared = shared(asked);
            let mut duties = MainDuties::new(None, &shared, GameMemory::default());
            duties.finish_iteration(&shared, shared.root_moves[0], Score(40), 0.5);
            assert!(!shared.is_stopped());
            assert_eq!(duties.search_end_ms, end, "{:?}", shared.request.limits);
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
            let (mut shared, _) = pondering(20, Options::of_tests());
            shared.request.limits = Limits { ponder: true, ..limits };
            let mut duties = MainDuties::new(None, &shared, GameMemory::default());
            duties.finish_iteration(&shared, shared.root_moves[0], Score(40), 0.5);
            hit(&shared, &mut duties);
            assert!(!shared.is_stopped(), "{:?}", shared.request.limits);
        }
    }

    #[test]
    fn a_weak_player_respects_the_least_time_too() {
        let mut options = Options { strength: Some(-10), ..Options::of_tests() };
        options.time.minimum_thinking = Duration::from_millis(60);
        let time = ByColor([Duration::from_secs(1); 2]);
        let limits =
            Limits { clock: Some(Clock { time, ..Clock::default() }), ..Limits::default() };
        let shared = shared(request(START, limits, options));
        let mut duties = MainDuties::new(None, &shared, GameMemory::default());
        duties.keep_human_pace(&shared);
        assert!(duties.elapsed_ms() >= 60.0);
    }

    #[test]
    fn details_are_told_only_if_asked_for_and_not_in_the_first_second() {
        for (is_early, is_asked, count) in [(false, false, 0), (true, true, 0), (false, true, 3)] {
            let options = Options {
                show_current_line: is_asked,
                show_refutations: is_asked,
                ..Options::of_tests()
            };
            let (mut shared, _) = pondering(20, options);
            if is_early {
                // However long a busy machine stands still.
                shared.request.received = Instant::now() + Duration::from_secs(3600);
            }
            let (events, told) = crossbeam::channel::unbounded();
            let mut duties = MainDuties::new(Some(events), &shared, GameMemory::default());
            let mv = shared.root_moves[0];
            let mut position = shared.request.position.clone();
            position.try_play(mv).unwrap();
            duties.report_current_move(&shared, 5, mv, 1);
            duties.report_current_line(&shared, &position);
            duties.report_refutation(&shared, mv);
            assert_eq!(told.len(), count, "early: {is_early}, asked for: {is_asked}");
        }
    }

    #[test]
    fn a_current_line_goes_beyond_the_root_and_comes_once_a_second() {
        let options = Options { show_current_line: true, ..Options::of_tests() };
        let (shared, _) = pondering(20, options);
        let (events, told) = crossbeam::channel::unbounded();
        let mut duties = MainDuties::new(Some(events), &shared, GameMemory::default());
        let mut position = shared.request.position.clone();
        let line: Vec<Move> = ["7g7f", "3c3d"].map(|mv| mv.parse().unwrap()).into();
        for &mv in &line {
            position.try_play(mv).unwrap();
        }
        position.do_null_move();
        for _ in 0..2 {
            duties.report_current_line(&shared, &position);
        }
        let told: Vec<Report> = told.try_iter().map(|event| event.report).collect();
        assert!(matches!(&told[..], [Report::CurrentLine(moves)] if *moves == line), "{told:?}");
    }

    #[test]
    fn a_search_for_the_other_side_is_remembered_with_its_sign_turned() {
        let last = Some((Color::White, Score(120)));
        let memory = GameMemory { last, ..GameMemory::default() };
        assert_eq!(memory.previous_average(Color::White), Some(Score(120)));
        assert_eq!(memory.previous_average(Color::Black), Some(Score(-120)));
        assert_eq!(GameMemory::default().previous_average(Color::Black), None);
    }
}
