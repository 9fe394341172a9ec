//! How long a move may take: the budget that follows from the clocks, and the factors by which the
//! running search stretches it. Pure arithmetic: nothing here reads a clock.
//!
//! The structure of the budget (move horizon, minimum, optimum, maximum, using up the byoyomi) follows
//! YaneuraOu; the factors follow Stockfish.

use std::time::Duration;

use super::params::*;
use super::request::{Clock, TimeOptions};
use crate::sys::Instant;
use crate::types::{Color, Score};

/// The times of one move, in milliseconds from the start of its clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeBudget {
    /// The earliest time of the move.
    pub(super) minimum_ms: f64,
    /// The time for a usual move.
    pub(super) optimum_ms: f64,
    /// The latest time of the move.
    pub(super) maximum_ms: f64,
    /// `None` if no clock runs out.
    pub(super) limit: Option<ClockLimit>,
}

/// The time that the clock has for one move, and the part of it that is reserved for delays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ClockLimit {
    available_ms: f64,
    reserve_ms: f64,
}

/// When the clock is to end a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlannedEnd {
    pub(super) clock_start: Instant,
    pub(super) at: Instant,
    pub(super) limit: Option<ClockLimit>,
}

/// `NetworkDelay2` reserves at most this share of the available time: with little time a large reserve would leave
/// nothing to search with. The same share caps the usual delay that is planned for later moves.
const MAX_RESERVE_SHARE: f64 = 0.1;
/// Minimum of a budget.
const MIN_MS: f64 = 1.0;
/// The last move before the clock is refilled may take this share: the rest protects against a stall
/// and is left for the moves after the refill.
const MAX_SHARE_OF_LAST_MOVE: f64 = 0.8;
/// A move takes at most this share of a clock with increments: a stall would lose the game, and the
/// next moves would have only their increments.
const MAX_SHARE_OF_FISCHER_CLOCK: f64 = 0.8;
/// With less main time than this multiple of the byoyomi, a move uses up both.
const LAST_MAIN_TIME: f64 = 1.2;
/// Factor of the optimum with pondering, which saves own time.
const PONDER_FACTOR: f64 = 1.25;
/// Byoyomi time for the only legal move: enough for a score and a ponder move (Stockfish's idea).
const ONLY_MOVE_MS: f64 = 500.0;
/// All delays together, including those measured during the move, are at most this share of the clock: with
/// little time they would take all of it.
const MAX_DELAY_SHARE: f64 = 0.5;

/// The value of a parameter in percent as a fraction: 30 is 0.3. It may exceed 1.
pub(super) fn fraction(percent: impl Into<i32>) -> f64 {
    f64::from(value(percent)) / 100.0
}

/// The duration in milliseconds.
pub(super) fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

impl ClockLimit {
    /// The latest end of the search if its answer arrives this much later.
    fn latest_end_ms(&self, lateness: Duration) -> f64 {
        let delay = (self.reserve_ms + ms(lateness)).min(self.available_ms * MAX_DELAY_SHARE);
        (self.available_ms - delay).max(MIN_MS)
    }
}

impl PlannedEnd {
    /// The end of the search if its answer arrives this much later. A clock with more time than the move uses
    /// needs no earlier end.
    pub(super) fn with_lateness(self, lateness: Duration) -> Instant {
        let Some(limit) = self.limit else { return self.at };
        let latest = Duration::from_secs_f64(limit.latest_end_ms(lateness) / 1000.0);
        self.at.min(self.clock_start + latest)
    }
}

impl TimeBudget {
    /// The budget of the side to move at `game_ply` (the move number of SFEN).
    pub(super) fn new(
        clock: &Clock,
        options: &TimeOptions,
        side: Color,
        game_ply: u32,
        max_moves: Option<u32>,
    ) -> TimeBudget {
        let time = ms(clock.time[side]);
        let increment = ms(clock.increment[side]);
        let byoyomi = ms(clock.byoyomi[side]);
        let available = ms(clock.available(side));
        let usual_delay = capped_reserve(options.network_delay + options.lateness, available);
        let largest_delay = capped_reserve(options.network_delay2, available);
        // The delays of this move count however little time there is.
        let reserve = largest_delay.max(ms(options.network_delay));
        let limit = ClockLimit { available_ms: available, reserve_ms: reserve };
        let latest_end = limit.latest_end_ms(options.lateness);

        if byoyomi > 0.0 && time < LAST_MAIN_TIME * byoyomi {
            // Byoyomi that is not used is lost.
            return TimeBudget { limit: Some(limit), ..TimeBudget::fixed(latest_end) };
        }
        let is_refilled = byoyomi + increment > 0.0;
        let moves_to_go = clock.moves_to_go.filter(|&moves| moves > 0);
        let moves = move_horizon(moves_to_go, is_refilled, game_ply, max_moves);
        let refill = (increment + byoyomi - usual_delay) * moves;
        let remaining = time + refill.max(-time * MAX_DELAY_SHARE);
        let max_of_game = max_share(moves_to_go) * remaining;
        let average = remaining / moves * options.slow_mover as f64 / 100.0;
        let ponder = if options.ponder && !options.stochastic_ponder { PONDER_FACTOR } else { 1.0 };
        // A minimum time must not use up a sudden death clock.
        let max_minimum = if is_refilled { latest_end } else { max_of_game };
        let minimum = ms(options.minimum_thinking).min(max_minimum).min(latest_end);
        let max_over_average = fraction(TIME_MAX_OVER_AVERAGE) * average;
        let max_over_average = if options.round_up_to_full_second {
            round_up_to_second(max_over_average, options, max_of_game)
        } else {
            max_over_average
        };
        let maximum = max_over_average.min(max_of_game).max(byoyomi);
        let max_of_clock = if increment > 0.0 {
            latest_end.min(MAX_SHARE_OF_FISCHER_CLOCK * available)
        } else {
            latest_end
        };
        let maximum = maximum.min(max_of_clock).max(minimum);
        TimeBudget {
            minimum_ms: minimum,
            optimum_ms: (average * ponder).max(minimum).min(maximum),
            maximum_ms: maximum,
            limit: Some(limit),
        }
    }

    /// The budget for the only legal move. Byoyomi that is not used is lost, but a search would not change
    /// the move.
    pub(super) fn for_only_move(self, options: &TimeOptions) -> TimeBudget {
        let only_move = ms(options.minimum_thinking).max(ONLY_MOVE_MS);
        TimeBudget { minimum_ms: self.minimum_ms.min(only_move), ..self }
    }

    /// A budget of exactly this time.
    pub(super) fn exactly(duration: Duration) -> TimeBudget {
        TimeBudget::fixed(ms(duration).max(MIN_MS))
    }

    /// This fixed time, but no more than the clock allows.
    pub(super) fn within(self, clock: &TimeBudget, options: &TimeOptions) -> TimeBudget {
        let latest = clock.limit.map_or(f64::MAX, |limit| limit.latest_end_ms(options.lateness));
        TimeBudget { limit: clock.limit, ..TimeBudget::fixed(self.maximum_ms.min(latest)) }
    }

    fn fixed(time_ms: f64) -> TimeBudget {
        let (minimum_ms, optimum_ms, maximum_ms) = (time_ms, time_ms, time_ms);
        TimeBudget { minimum_ms, optimum_ms, maximum_ms, limit: None }
    }

    /// Whether the move takes the same time whatever the search finds.
    pub(super) fn is_fixed(&self) -> bool {
        self.minimum_ms >= self.maximum_ms
    }
}

/// The milliseconds to reserve for a delay when this many are available.
fn capped_reserve(delay: Duration, available: f64) -> f64 {
    ms(delay).min(available * MAX_RESERVE_SHARE)
}

/// The largest share of the remaining time for one move: the larger, the fewer moves until the refill.
fn max_share(moves_to_go: Option<u32>) -> f64 {
    let last = moves_to_go.map_or(0.0, |moves| 1.0 / f64::from(moves));
    let usual = fraction(TIME_MAX_SHARE);
    usual + (MAX_SHARE_OF_LAST_MOVE - usual) * last
}

/// The number of own moves that share the time: half of the plies that are expected to remain. (The structure and the
/// numbers of clocks with increments or byoyomi are YaneuraOu's.)
fn move_horizon(
    moves_to_go: Option<u32>,
    is_refilled: bool,
    game_ply: u32,
    max_moves: Option<u32>,
) -> f64 {
    if let Some(moves) = moves_to_go {
        return f64::from(moves);
    }
    let (horizon, plies) = if is_refilled {
        (TIME_HORIZON, TIME_HORIZON_PLIES)
    } else {
        (TIME_SUDDEN_DEATH_HORIZON, TIME_SUDDEN_DEATH_HORIZON_PLIES)
    };
    let horizon = (value(horizon) - (game_ply as i32).min(value(plies))).max(2) as u32;
    let left = max_moves.map_or(horizon, |limit| (limit + 2).saturating_sub(game_ply).max(2));
    (left.min(horizon) / 2).max(1) as f64
}

/// Where servers count whole seconds, the rest of a started second is free. Returns the time until which
/// to search when the move is decided at `elapsed_ms`.
pub(super) fn round_up_to_second(elapsed_ms: f64, options: &TimeOptions, maximum_ms: f64) -> f64 {
    let delay = ms(options.network_delay + options.lateness);
    let seconds = ((elapsed_ms + delay) / 1000.0).ceil().max(1.0);
    (seconds * 1000.0 - delay).min(maximum_ms).max(elapsed_ms)
}

/// The results of the finished iterations that determine how much time the move needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeFactors {
    pub(super) score: Score,
    /// The average score of the previous search of the game.
    pub(super) previous_average: Score,
    /// The score four iterations ago, or of the first iteration.
    pub(super) earlier_score: Score,
    /// Iterations since the best move changed.
    pub(super) stable_iterations: i32,
    /// Recent changes of the best move per worker.
    pub(super) best_move_changes: f64,
    /// Share of the nodes spent on the best move, 0..1.
    pub(super) nodes_effort: f64,
}

impl TimeFactors {
    /// The factor on the optimum: larger when the score falls, the best move changes, or the nodes
    /// are spread over many moves. (The factors are Stockfish's: `fallingEval`, `timeReduction`,
    /// `bestMoveInstability`, `highBestMoveEffort`. The weights are YaneuraOu's, rounded, except for
    /// `TIME_FALLING_BASE`, `TIME_INSTABILITY_MAX` and the curve of `reduction`, which falls from 1.57 to 0.65 while
    /// the best move stays the same.)
    pub(super) fn total(&self) -> f64 {
        let fall = (self.previous_average - self.score) as f64;
        let recent = (self.earlier_score - self.score) as f64;
        let falling_eval = fraction(TIME_FALLING_BASE)
            + (fraction(TIME_FALLING_AVERAGE) * fall + fraction(TIME_FALLING_RECENT) * recent)
                / 10.0;
        let falling_eval =
            falling_eval.clamp(fraction(TIME_FALLING_MIN), fraction(TIME_FALLING_MAX));
        let iterations = self.stable_iterations as f64 - fraction(TIME_STABLE_MIDPOINT) * 10.0;
        let reduction = fraction(TIME_STABLE_BASE)
            + fraction(TIME_STABLE_RANGE)
                / (1.0 + (fraction(TIME_STABLE_SLOPE) * iterations).exp());
        let best_move_instability = (1.0
            + fraction(TIME_INSTABILITY_SLOPE) * self.best_move_changes)
            .min(fraction(TIME_INSTABILITY_MAX));
        let high_best_move_effort = if self.nodes_effort > fraction(TIME_EFFORT_SHARE) {
            fraction(TIME_EFFORT_FACTOR)
        } else {
            1.0
        };
        falling_eval * reduction * best_move_instability * high_best_move_effort
    }
}

#[cfg(test)]
mod tests {
    use super::super::request::SearchOptions;
    use super::*;
    use crate::types::ByColor;

    fn options() -> TimeOptions {
        TimeOptions {
            network_delay: Duration::from_millis(30),
            network_delay2: Duration::from_millis(100),
            minimum_thinking: Duration::from_millis(10),
            ..SearchOptions::for_tests().time
        }
    }

    fn clock(time: u64, increment: u64, byoyomi: u64) -> Clock {
        let both = |ms| ByColor([Duration::from_millis(ms); 2]);
        Clock {
            time: both(time),
            increment: both(increment),
            byoyomi: both(byoyomi),
            moves_to_go: None,
        }
    }

    fn budget(time: u64, increment: u64, byoyomi: u64, game_ply: u32) -> TimeBudget {
        TimeBudget::new(&clock(time, increment, byoyomi), &options(), Color::Black, game_ply, None)
    }

    #[test]
    fn the_network_delay_is_subtracted_from_byoyomi_too() {
        let maximum = |delay: u64| {
            let network_delay = Duration::from_millis(delay);
            let options = TimeOptions { network_delay, ..options() };
            TimeBudget::new(&clock(0, 0, 1_000), &options, Color::Black, 50, None).maximum_ms
        };
        assert_eq!([30, 300, 800].map(maximum), [900.0, 700.0, 500.0]);
    }

    /// Regression: on a busy machine the lateness of answers was not planned for.
    #[test]
    fn the_move_ends_earlier_by_the_lateness_that_is_expected() {
        let maximum = |clock: &Clock, lateness| {
            let lateness = Duration::from_millis(lateness);
            let options = TimeOptions { lateness, ..options() };
            TimeBudget::new(clock, &options, Color::Black, 50, None).maximum_ms
        };
        for clock in [clock(0, 0, 1_000), clock(300, 0, 2_000)] {
            let quiet = maximum(&clock, 0);
            assert_eq!([7, 80].map(|late| quiet - maximum(&clock, late)), [7.0, 80.0]);
            let available = clock.available(Color::Black).as_millis() as f64;
            assert_eq!(maximum(&clock, 3_000), available / 2.0, "something is left");
        }
    }

    /// The end of a search in milliseconds; without lateness it is planned at `at_ms`.
    fn end_ms(budget: TimeBudget, at_ms: f64, lateness: u64) -> f64 {
        let clock_start = Instant::now();
        let at = clock_start + Duration::from_secs_f64(at_ms / 1000.0);
        let end = PlannedEnd { clock_start, at, limit: budget.limit };
        ms(end.with_lateness(Duration::from_millis(lateness)) - clock_start).round()
    }

    /// Regression: the first move of a game on a busy machine was late, because no delay was known yet.
    #[test]
    fn lateness_measured_during_the_move_ends_it_as_if_it_had_been_known_before() {
        for clock in [clock(0, 0, 1_000), clock(300, 0, 2_000), clock(0, 0, 40)] {
            let planned = |lateness| {
                let options =
                    TimeOptions { lateness: Duration::from_millis(lateness), ..options() };
                TimeBudget::new(&clock, &options, Color::Black, 50, None)
            };
            for lateness in [0, 7, 80, 3_000] {
                let expected = planned(lateness).maximum_ms;
                assert_eq!(end_ms(planned(0), planned(0).maximum_ms, lateness), expected);
            }
        }
    }

    /// Regression: earlier lateness and lateness measured during the move together took more than half of the
    /// time.
    #[test]
    fn lateness_takes_at_most_half_of_the_time_of_a_move() {
        let options = TimeOptions { lateness: Duration::from_secs(3), ..options() };
        let budget = TimeBudget::new(&clock(0, 0, 1_000), &options, Color::Black, 50, None);
        assert_eq!(budget.maximum_ms, 500.0);
        assert_eq!(end_ms(budget, budget.maximum_ms, 3_000), 500.0);
    }

    #[test]
    fn lateness_is_ignored_if_the_clock_has_time_to_spare() {
        let clock_with_time = budget(60_000, 0, 1_000, 50);
        assert_eq!(end_ms(clock_with_time, 2_000.0, 3_000), 2_000.0);
        let exact = TimeBudget::exactly(Duration::from_secs(1));
        assert_eq!(end_ms(exact, 1_000.0, 3_000), 1_000.0);
    }

    #[test]
    fn the_second_that_is_rounded_up_to_ends_earlier_by_the_lateness() {
        let options = TimeOptions { lateness: Duration::from_millis(80), ..options() };
        assert_eq!(round_up_to_second(100.0, &options, 9_000.0), 890.0);
    }

    /// All other tests give both sides the same clock.
    #[test]
    fn each_side_uses_its_own_clock() {
        let (black, white) = (clock(0, 0, 1_000), clock(60_000, 2_000, 0));
        let sides = |of: fn(&Clock) -> ByColor<Duration>| {
            ByColor([of(&black)[Color::Black], of(&white)[Color::White]])
        };
        let both = Clock {
            time: sides(|clock| clock.time),
            increment: sides(|clock| clock.increment),
            byoyomi: sides(|clock| clock.byoyomi),
            moves_to_go: None,
        };
        for (side, own) in [(Color::Black, &black), (Color::White, &white)] {
            let budget = |clock: &Clock| TimeBudget::new(clock, &options(), side, 50, None);
            assert_eq!(budget(&both), budget(own), "{side:?}");
        }
    }

    /// Usual options, and those of network games.
    fn many_options() -> Vec<TimeOptions> {
        let mut all = Vec::new();
        for (delay, delay2) in [(0, 0), (30, 100), (120, 1_120), (10_000, 10_000)] {
            for minimum in [0, 10, 2_000] {
                all.push(TimeOptions {
                    network_delay: Duration::from_millis(delay),
                    network_delay2: Duration::from_millis(delay2),
                    minimum_thinking: Duration::from_millis(minimum),
                    round_up_to_full_second: delay == 120,
                    ponder: minimum == 0,
                    ..options()
                });
            }
        }
        all
    }

    /// Main time, increment, byoyomi (ms), and the move number.
    fn many_clocks() -> Vec<(u64, u64, u64, u32)> {
        let mut all = Vec::new();
        for time in [0, 1, 10, 50, 200, 1_000, 4_000, 11_000, 60_000, 3_600_000] {
            for (increment, byoyomi) in [0, 1, 10, 100, 1_000, 10_000, 60_000]
                .into_iter()
                .flat_map(|more| [(more, 0), (0, more)])
            {
                for game_ply in [1, 50, 150, 400] {
                    all.push((time, increment, byoyomi, game_ply));
                }
            }
        }
        all.retain(|(time, increment, byoyomi, _)| time + increment + byoyomi > 0);
        all
    }

    #[test]
    fn no_budget_exceeds_the_clock() {
        for options in many_options() {
            for (time, increment, byoyomi, game_ply) in many_clocks() {
                let clock = clock(time, increment, byoyomi);
                let budget = TimeBudget::new(&clock, &options, Color::Black, game_ply, None);
                let limit = time + byoyomi + if time < increment { increment } else { 0 };
                assert!(budget.maximum_ms <= limit as f64, "{budget:?} of {limit}");
                assert!(budget.minimum_ms <= budget.optimum_ms, "{budget:?}");
                assert!(budget.optimum_ms <= budget.maximum_ms, "{budget:?}");
                assert!(budget.maximum_ms > 0.0, "{budget:?} of {clock:?}");
                assert!(budget.minimum_ms > 0.0 || options.minimum_thinking.is_zero());
            }
        }
    }

    #[test]
    fn byoyomi_alone_is_used_up_except_for_the_reserve() {
        let budget = budget(0, 0, 1_000, 40);
        assert!(budget.is_fixed());
        assert_eq!(budget.maximum_ms, 900.0);
    }

    #[test]
    fn the_only_move_takes_little_byoyomi_and_at_least_the_minimum_time() {
        for (byoyomi, minimum_thinking_ms, expected) in
            [(10_000, 0, 500.0), (10_000, 2_000, 2_000.0), (1_000, 2_000, 900.0), (400, 0, 360.0)]
        {
            let minimum_thinking = Duration::from_millis(minimum_thinking_ms);
            let options = TimeOptions { minimum_thinking, ..options() };
            let budget = TimeBudget::new(&clock(0, 0, byoyomi), &options, Color::Black, 50, None);
            let only = budget.for_only_move(&options);
            assert_eq!(only.minimum_ms, expected, "{byoyomi} {minimum_thinking_ms}");
            assert_eq!(only.maximum_ms, budget.maximum_ms);
        }
    }

    #[test]
    fn the_only_move_does_not_change_the_budget_of_a_clock_with_main_time() {
        for options in many_options() {
            let budget =
                TimeBudget::new(&clock(60_000, 1_000, 0), &options, Color::Black, 50, None);
            assert_eq!(budget.for_only_move(&options), budget);
        }
    }

    /// Optimum and maximum, rounded to whole milliseconds.
    fn rounded(budget: TimeBudget) -> (f64, f64) {
        (budget.optimum_ms.round(), budget.maximum_ms.round())
    }

    #[test]
    fn sudden_death_and_increments_are_spread_over_the_game() {
        assert_eq!(rounded(budget(60_000, 0, 0, 1)), (576.0, 2_880.0));
        assert_eq!(rounded(budget(10_000, 100, 0, 60)), (237.0, 1_183.0));
    }

    #[test]
    fn a_short_sudden_death_clock_is_used_and_lasts_for_a_long_game() {
        for time in [1_000, 2_000, 4_000, 11_000, 60_000] {
            for (delay, delay2) in [(30, 100), (50, 150), (120, 1120)] {
                let mut options = options();
                options.minimum_thinking = Duration::ZERO;
                options.network_delay = Duration::from_millis(delay);
                options.network_delay2 = Duration::from_millis(delay2);
                let mut left = time as f64;
                for game_ply in (1..240).step_by(2) {
                    let clock = clock(left as u64, 0, 0);
                    let budget = TimeBudget::new(&clock, &options, Color::Black, game_ply, None);
                    assert!(budget.maximum_ms <= left * 0.3, "{budget:?} of {left}");
                    left -= budget.optimum_ms;
                }
                let share = left / time as f64;
                assert!((0.03..0.4).contains(&share), "{share} of {time}, delay {delay}");
            }
        }
    }

    #[test]
    fn a_minimum_time_does_not_use_up_a_sudden_death_clock() {
        let mut options = options();
        options.minimum_thinking = Duration::from_millis(1_500);
        let minimum = |time: u64, increment: u64, byoyomi: u64| {
            let clock = clock(time, increment, byoyomi);
            TimeBudget::new(&clock, &options, Color::Black, 60, None).minimum_ms
        };
        for time in [10, 100, 1_000, 4_000] {
            assert!(minimum(time, 0, 0) <= 0.3 * time as f64);
        }
        assert_eq!(minimum(60_000, 0, 0), 1_500.0);
        assert_eq!(minimum(1_000, 2_000, 0), 1_500.0);
        assert_eq!(minimum(1_000, 500, 0), 900.0);
        assert_eq!(minimum(3_000, 0, 2_000), 1_500.0);
        assert_eq!(minimum(0, 0, 1_000), 900.0);
    }

    #[test]
    fn increments_and_byoyomi_count_less_the_network_delay() {
        // The delay is taken off each increment and byoyomi in full.
        for (time, increment, byoyomi, game_ply) in many_clocks() {
            if time < 500 || increment + byoyomi < 30 || 10 * time < 12 * byoyomi {
                continue;
            }
            let budget = budget(time, increment, byoyomi, game_ply);
            let moves = ((180 - game_ply.min(80)) / 2) as f64;
            let share = time as f64 / moves + (increment + byoyomi) as f64 - 30.0;
            let wanted = share.min(budget.maximum_ms);
            assert!((budget.optimum_ms - wanted).abs() < 1e-6, "{budget:?} for {wanted}");
        }
    }

    #[test]
    fn a_clock_below_its_increment_may_use_the_increment_too() {
        for (time, increment, expected) in [
            (0, 5_000, (4_000.0, 4_000.0)),
            (1, 5_000, (4_001.0, 4_001.0)),
            (50, 5_000, (4_040.0, 4_040.0)),
            (200, 10_000, (8_160.0, 8_160.0)),
            (999, 1_000, (987.0, 1_599.0)),
        ] {
            assert_eq!(rounded(budget(time, increment, 0, 60)), expected, "{time}+{increment}");
        }
    }

    #[test]
    fn a_move_takes_at_most_four_fifths_of_a_clock_with_increments() {
        for (time, increment, maximum) in
            [(20_000, 10_000, 16_000.0), (3_000, 1_000, 2_400.0), (1_000, 1_000, 800.0)]
        {
            assert_eq!(budget(time, increment, 0, 101).maximum_ms, maximum);
        }
    }

    #[test]
    fn the_last_moves_before_a_refill_use_a_large_share_of_the_clock() {
        for (moves, optimum, maximum) in [
            (1, 7_976.0, 7_976.0),
            (2, 4_970.0, 5_467.0),
            (3, 3_303.0, 4_625.0),
            (40, 220.0, 1_100.0),
        ] {
            let clock = Clock { moves_to_go: Some(moves), ..clock(10_000, 0, 0) };
            let budget = TimeBudget::new(&clock, &options(), Color::Black, 60, None);
            assert_eq!(rounded(budget), (optimum, maximum), "{moves} moves");
        }
    }

    #[test]
    fn no_time_is_reserved_for_moves_beyond_the_limit_of_moves() {
        for refilled in [false, true] {
            let planned = |game_ply, limit| move_horizon(None, refilled, game_ply, limit);
            for game_ply in 200..=256 {
                let own_moves = (game_ply..=256).step_by(2).count();
                assert_eq!(planned(game_ply, Some(256)), own_moves as f64, "at {game_ply}");
            }
            assert_eq!(planned(300, Some(256)), 1.0);
            // A distant limit changes nothing.
            assert_eq!(planned(50, Some(1_000)), planned(50, None));
        }
        let optimum = |limit| {
            TimeBudget::new(&clock(60_000, 0, 0), &options(), Color::Black, 255, limit).optimum_ms
        };
        assert_eq!([Some(256), None].map(|limit| optimum(limit).round()), [17_991.0, 1_970.0]);
    }

    #[test]
    fn slow_mover_and_pondering_scale_the_optimum() {
        let over_usual = |options: TimeOptions| {
            let optimum = |options: &TimeOptions| {
                TimeBudget::new(&clock(60_000, 0, 0), options, Color::Black, 1, None).optimum_ms
            };
            (100.0 * optimum(&options) / optimum(&self::options())).round()
        };
        let slow = |slow_mover| over_usual(TimeOptions { slow_mover, ..options() });
        assert_eq!([50, 100, 200].map(slow), [50.0, 100.0, 200.0]);
        let ponders = |(ponder, stochastic_ponder)| {
            over_usual(TimeOptions { ponder, stochastic_ponder, ..options() })
        };
        let cases = [(true, false), (true, true), (false, true)];
        assert_eq!(cases.map(ponders), [125.0, 100.0, 100.0]);
    }

    #[test]
    fn the_search_continues_to_the_end_of_a_begun_second() {
        let options = options();
        assert_eq!(round_up_to_second(100.0, &options, 9_000.0), 970.0);
        assert_eq!(round_up_to_second(980.0, &options, 9_000.0), 1_970.0);
        assert_eq!(round_up_to_second(980.0, &options, 1_200.0), 1_200.0);
    }

    /// Regression: the maximum cut off a begun second. With 10 s left, moves took 0.3 s of the second that was free.
    #[test]
    fn the_maximum_of_a_move_is_at_the_end_of_a_second_too() {
        let maximum = |time: u64, round_up_to_full_second| {
            let options = TimeOptions { round_up_to_full_second, ..options() };
            let clock = clock(time, 0, 0);
            TimeBudget::new(&clock, &options, Color::Black, 60, None).maximum_ms.round()
        };
        for (time, exact, rounded) in [
            (60_000, 4_136.0, 4_970.0),
            (20_000, 1_279.0, 1_970.0),
            (10_000, 564.0, 970.0),
            // No more than usual of a game's time.
            (2_000, 71.0, 300.0),
        ] {
            assert_eq!([maximum(time, false), maximum(time, true)], [exact, rounded], "{time}");
        }
    }

    const CALM: TimeFactors = TimeFactors {
        score: Score(50),
        previous_average: Score(50),
        earlier_score: Score(50),
        stable_iterations: 12,
        best_move_changes: 0.0,
        nodes_effort: 0.5,
    };

    /// In percent.
    fn total(factors: TimeFactors) -> f64 {
        (100.0 * factors.total()).round()
    }

    #[test]
    fn a_falling_score_and_a_changing_best_move_extend_the_time() {
        assert_eq!(total(CALM), 46.0);
        assert_eq!(total(TimeFactors { score: Score(0), ..CALM }), 113.0);
        let unstable = TimeFactors { stable_iterations: 0, best_move_changes: 0.5, ..CALM };
        assert_eq!(total(unstable), 205.0);
    }

    #[test]
    fn every_factor_alone_changes_the_time() {
        for (factors, expected) in [
            (TimeFactors { previous_average: Score(100), ..CALM }, 113.0),
            (TimeFactors { earlier_score: Score(100), ..CALM }, 77.0),
            (TimeFactors { stable_iterations: 0, ..CALM }, 105.0),
            (TimeFactors { best_move_changes: 0.5, ..CALM }, 89.0),
            (TimeFactors { previous_average: Score(0), ..CALM }, 39.0),
            (TimeFactors { nodes_effort: 0.95, ..CALM }, 31.0),
        ] {
            assert_eq!(total(factors), expected, "{factors:?}");
        }
    }
}
