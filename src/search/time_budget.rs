//! How long to think. Turns clocks into a [`TimeBudget`], and what the search has seen into a share of
//! it. Pure arithmetic: nothing here looks at a clock.
//!
//! The frame of the budget (horizon of moves, minimum, optimum, maximum, using up the byoyomi) is
//! YaneuraOu's; the factors by which a search stretches it are Stockfish's idea.

use std::time::Duration;

use super::request::{Clock, TimeOptions};
use crate::types::{Color, Score};

/// How long a move may take, in milliseconds from the moment that the clock runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeBudget {
    /// Do not move sooner.
    pub(super) minimum_ms: f64,
    /// Move about now, if nothing unusual happens.
    pub(super) optimum_ms: f64,
    /// Never later.
    pub(super) maximum_ms: f64,
}

/// Of what is left for a move, at most this part is thread_data back as a reserve: with little time a
/// large reserve would leave nothing to think with.
const RESERVE_SHARE: f64 = 0.1;
/// A move may take this long at least, whatever the clock says.
const LEAST_MS: f64 = 1.0;
/// A move of a long game takes at most this multiple of its even share.
const MAXIMUM_OVER_SHARE: f64 = 5.0;
/// And at most this part of what the whole game may still take.
const MAXIMUM_OF_ALL: f64 = 0.3;
/// But the last move before the clock is refilled at most this part: what it leaves is thread_data against a
/// stall, and comes to the moves behind it.
const MAXIMUM_OF_LAST: f64 = 0.8;
/// A clock with increments is not spent to its end on one move: a stall would lose the game, and the
/// moves to come would have their increments alone.
const MAXIMUM_OF_FISCHER: f64 = 0.8;
/// So much of byoyomi goes into a move that is the only one: enough for a score to show and a reply to
/// ponder on, and who looks on need not wait for what is clear (the idea is Stockfish's).
const ONLY_MOVE_MS: f64 = 500.0;
/// Of the time on the clock, at most this part is planned to be lost on the way of the moves to come:
/// with little time that would be all of it, and nothing left to think with.
const LOSS_SHARE: f64 = 0.5;

fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

impl TimeBudget {
    /// A budget for the side to move at `ply` (SFEN move number).
    pub(super) fn new(
        clock: &Clock,
        options: &TimeOptions,
        side: Color,
        ply: u32,
        max_moves: Option<u32>,
    ) -> TimeBudget {
        let time = ms(clock.time[side]);
        let increment = ms(clock.increment[side]);
        let byoyomi = ms(clock.byoyomi[side]);
        let available = ms(clock.available(side));
        let delay = reserve(options.network_delay, available);
        // What a move loses on its way is lost to this one too, however little there is.
        let lost = ms(options.network_delay).min(available * LOSS_SHARE);
        let hard = (available - reserve(options.network_delay2, available).max(lost)).max(LEAST_MS);

        if byoyomi > 0.0 && time < 1.2 * byoyomi {
            // What is not used of the byoyomi is lost.
            return TimeBudget { minimum_ms: hard, optimum_ms: hard, maximum_ms: hard };
        }
        let refilled = byoyomi + increment > 0.0;
        let to_refill = clock.moves_to_go.filter(|&moves| moves > 0);
        let moves = moves_to_plan(to_refill, refilled, ply, max_moves);
        let gain = (increment + byoyomi - delay) * moves;
        let whole = time + gain.max(-time * LOSS_SHARE);
        let largest = largest_part(to_refill) * whole;
        let share = whole / moves * options.slow_mover as f64 / 100.0;
        // Thinking on the opponent's time saves some of one's own.
        let ponder = if options.ponder && !options.stochastic_ponder { 1.25 } else { 1.0 };
        // No least time may use up a clock that nothing refills.
        let allowed = if refilled { hard } else { largest };
        let minimum = ms(options.minimum_thinking).min(allowed).min(hard);
        let maximum = (MAXIMUM_OVER_SHARE * share).min(largest).max(byoyomi);
        let most = if increment > 0.0 { hard.min(MAXIMUM_OF_FISCHER * available) } else { hard };
        let maximum = maximum.min(most).max(minimum);
        TimeBudget {
            minimum_ms: minimum,
            optimum_ms: (share * ponder).max(minimum).min(maximum),
            maximum_ms: maximum,
        }
    }

    /// The same for a move that is the only one: time that cannot be saved need not all be used either.
    pub(super) fn for_only_move(self, options: &TimeOptions) -> TimeBudget {
        let least = ms(options.minimum_thinking).max(ONLY_MOVE_MS);
        TimeBudget { minimum_ms: self.minimum_ms.min(least), ..self }
    }

    /// A budget that uses exactly this time.
    pub(super) fn exactly(duration: Duration) -> TimeBudget {
        let time = ms(duration).max(LEAST_MS);
        TimeBudget { minimum_ms: time, optimum_ms: time, maximum_ms: time }
    }

    /// Whether every move takes the same time, whatever the search sees.
    pub(super) fn is_fixed(&self) -> bool {
        self.minimum_ms >= self.maximum_ms
    }
}

fn reserve(margin: Duration, available: f64) -> f64 {
    ms(margin).min(available * RESERVE_SHARE)
}

/// The part of all that one move may take: the more, the fewer moves stand before a refill.
fn largest_part(to_refill: Option<u32>) -> f64 {
    let last = to_refill.map_or(0.0, |moves| 1.0 / f64::from(moves));
    MAXIMUM_OF_ALL + (MAXIMUM_OF_LAST - MAXIMUM_OF_ALL) * last
}

/// How many own moves the time must serve.
fn moves_to_plan(to_refill: Option<u32>, refilled: bool, ply: u32, max_moves: Option<u32>) -> f64 {
    if let Some(moves) = to_refill {
        return f64::from(moves);
    }
    let horizon = if refilled { 180 - ply.min(80) } else { 200 - ply.min(40) };
    let left = max_moves.map_or(horizon, |limit| (limit + 2).saturating_sub(ply).max(2));
    (left.min(horizon) / 2).max(1) as f64
}

/// When servers count whole seconds, the rest of a begun second is free: the time up to which to
/// think on, given when a decision fell.
pub(super) fn round_up_to_second(elapsed_ms: f64, options: &TimeOptions, maximum_ms: f64) -> f64 {
    let delay = ms(options.network_delay);
    let seconds = ((elapsed_ms + delay) / 1000.0).ceil().max(1.0);
    (seconds * 1000.0 - delay).min(maximum_ms).max(elapsed_ms)
}

/// What the finished iterations say about the need for time.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeFactors {
    pub(super) score: Score,
    /// Mean of the scores of the previous search of this game.
    pub(super) previous_average: Score,
    /// Score four iterations ago.
    pub(super) score_before: Score,
    /// Iterations since the best move changed.
    pub(super) stable_iterations: i32,
    /// Changes of the best move lately, per worker.
    pub(super) best_move_changes: f64,
    /// Share of the nodes spent on the best move, 0..1.
    pub(super) effort: f64,
}

impl TimeFactors {
    /// Factor on the optimum: more when the score falls, the choice wavers, or effort is spread.
    pub(super) fn factor(&self) -> f64 {
        let fall = (self.previous_average - self.score) as f64;
        let recent = (self.score_before - self.score) as f64;
        let falling = ((11.8 + 2.2 * fall + 0.9 * recent) / 100.0 + 0.55).clamp(0.57, 1.65);
        let stability = 0.65 + 0.95 / (1.0 + (0.55 * (self.stable_iterations as f64 - 6.0)).exp());
        let instability = (1.0 + 1.9 * self.best_move_changes).min(3.0);
        let effort = if self.effort > 0.92 { 0.67 } else { 1.0 };
        falling * stability * instability * effort
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::ByColor;

    fn options() -> TimeOptions {
        TimeOptions {
            network_delay: Duration::from_millis(30),
            network_delay2: Duration::from_millis(100),
            minimum_thinking: Duration::from_millis(10),
            slow_mover: 100,
            round_up_to_full_second: false,
            ponder: false,
            stochastic_ponder: false,
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

    fn budget(time: u64, increment: u64, byoyomi: u64, ply: u32) -> TimeBudget {
        TimeBudget::new(&clock(time, increment, byoyomi), &options(), Color::Black, ply, None)
    }

    /// It counted for nothing where only byoyomi is left.
    #[test]
    fn what_every_move_loses_on_its_way_is_taken_off_byoyomi_too() {
        let maximum = |delay: u64| {
            let network_delay = Duration::from_millis(delay);
            let options = TimeOptions { network_delay, ..options() };
            TimeBudget::new(&clock(0, 0, 1_000), &options, Color::Black, 50, None).maximum_ms
        };
        assert_eq!([30, 300, 800].map(maximum), [900.0, 700.0, 500.0]);
    }

    /// In all other tests the clocks of both sides are alike.
    #[test]
    fn each_side_plans_with_its_own_clock() {
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

    /// Usual options, and such as network games and users ask for.
    fn many_options() -> Vec<TimeOptions> {
        let mut all = Vec::new();
        for (delay, delay2) in [(0, 0), (30, 100), (120, 1_120), (10_000, 10_000)] {
            for minimum in [0, 10, 2_000] {
                all.push(TimeOptions {
                    network_delay: Duration::from_millis(delay),
                    network_delay2: Duration::from_millis(delay2),
                    minimum_thinking: Duration::from_millis(minimum),
                    ponder: minimum == 0,
                    ..options()
                });
            }
        }
        all
    }

    /// Main time, increment, byoyomi, and the number of the move.
    fn many_clocks() -> Vec<(u64, u64, u64, u32)> {
        let mut all = Vec::new();
        for time in [0, 1, 10, 50, 200, 1_000, 4_000, 11_000, 60_000, 3_600_000] {
            for (increment, byoyomi) in [0, 1, 10, 100, 1_000, 10_000, 60_000]
                .into_iter()
                .flat_map(|more| [(more, 0), (0, more)])
            {
                for ply in [1, 50, 150, 400] {
                    all.push((time, increment, byoyomi, ply));
                }
            }
        }
        all.retain(|(time, increment, byoyomi, _)| time + increment + byoyomi > 0);
        all
    }

    #[test]
    fn no_plan_ever_exceeds_the_clock() {
        for options in many_options() {
            for (time, increment, byoyomi, ply) in many_clocks() {
                let clock = clock(time, increment, byoyomi);
                let budget = TimeBudget::new(&clock, &options, Color::Black, ply, None);
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
    fn byoyomi_alone_is_used_up_but_for_the_reserve() {
        let budget = budget(0, 0, 1_000, 40);
        assert!(budget.is_fixed());
        assert_eq!(budget.maximum_ms, 900.0);
    }

    /// All of it was used.
    #[test]
    fn the_only_move_takes_little_of_byoyomi_and_no_less_than_the_least_time() {
        for (byoyomi, least, minimum) in
            [(10_000, 0, 500.0), (10_000, 2_000, 2_000.0), (1_000, 2_000, 900.0), (400, 0, 360.0)]
        {
            let minimum_thinking = Duration::from_millis(least);
            let options = TimeOptions { minimum_thinking, ..options() };
            let budget = TimeBudget::new(&clock(0, 0, byoyomi), &options, Color::Black, 50, None);
            let only = budget.for_only_move(&options);
            assert_eq!(only.minimum_ms, minimum, "{byoyomi} {least}");
            assert_eq!(only.maximum_ms, budget.maximum_ms);
        }
    }

    #[test]
    fn the_only_move_takes_no_more_of_a_clock_than_its_least_time() {
        for options in many_options() {
            let budget =
                TimeBudget::new(&clock(60_000, 1_000, 0), &options, Color::Black, 50, None);
            assert_eq!(budget.for_only_move(&options), budget);
        }
    }

    #[test]
    fn sudden_death_never_spends_more_than_a_third() {
        let budget = budget(60_000, 0, 0, 1);
        assert!(budget.maximum_ms < 20_000.0);
        assert!(budget.optimum_ms > 300.0);
    }

    #[test]
    fn a_short_sudden_death_is_used_and_lasts_for_a_long_game() {
        for time in [1_000, 2_000, 4_000, 11_000, 60_000] {
            for (delay, delay2) in [(30, 100), (50, 150), (120, 1120)] {
                let mut options = options();
                options.minimum_thinking = Duration::ZERO;
                options.network_delay = Duration::from_millis(delay);
                options.network_delay2 = Duration::from_millis(delay2);
                let mut left = time as f64;
                for ply in (1..240).step_by(2) {
                    let clock = clock(left as u64, 0, 0);
                    let budget = TimeBudget::new(&clock, &options, Color::Black, ply, None);
                    assert!(budget.maximum_ms <= left * 0.3, "{budget:?} of {left}");
                    left -= budget.optimum_ms;
                }
                let share = left / time as f64;
                assert!((0.2..0.7).contains(&share), "{share} of {time}, delay {delay}");
            }
        }
    }

    #[test]
    fn a_least_time_does_not_use_up_a_sudden_death_clock() {
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
        assert!(minimum(0, 0, 1_000) >= 900.0);
    }

    #[test]
    fn what_refills_the_clock_is_planned_with_less_the_delay() {
        // The delay is taken off each increment and byoyomi in full, however little time there is.
        for (time, increment, byoyomi, ply) in many_clocks() {
            if time < 500 || increment + byoyomi < 30 || 10 * time < 12 * byoyomi {
                continue;
            }
            let budget = budget(time, increment, byoyomi, ply);
            let moves = ((180 - ply.min(80)) / 2) as f64;
            let share = time as f64 / moves + (increment + byoyomi) as f64 - 30.0;
            let wanted = share.min(budget.maximum_ms);
            assert!((budget.optimum_ms - wanted).abs() < 1e-6, "{budget:?} for {wanted}");
        }
    }

    #[test]
    fn an_increment_is_planned_with() {
        let budget = budget(10_000, 100, 0, 60);
        assert!(budget.optimum_ms > 200.0 && budget.optimum_ms < 500.0, "{budget:?}");
    }

    #[test]
    fn a_clock_below_its_increment_may_use_the_increment_too() {
        for (time, increment) in [(0, 5_000), (1, 5_000), (50, 5_000), (200, 10_000), (999, 1_000)]
        {
            let budget = budget(time, increment, 0, 60);
            let all = (time + increment) as f64;
            assert!(
                budget.optimum_ms >= 0.4 * all && budget.maximum_ms <= 0.8 * all,
                "{budget:?} of {all}"
            );
        }
    }

    #[test]
    fn a_clock_with_increments_is_not_spent_to_its_end_on_one_move() {
        for (time, increment) in [(20_000, 10_000), (3_000, 1_000), (1_000, 1_000)] {
            let budget = budget(time, increment, 0, 101);
            assert!(budget.maximum_ms <= 0.8 * time as f64, "{budget:?}");
        }
    }

    #[test]
    fn few_moves_to_go_share_the_time() {
        let mut clock = clock(10_000, 0, 0);
        clock.moves_to_go = Some(2);
        let budget = TimeBudget::new(&clock, &options(), Color::White, 60, None);
        assert!(budget.optimum_ms > 2_000.0 && budget.maximum_ms <= 9_900.0, "{budget:?}");
    }

    /// They took no larger part than a move of a game whose clock nothing refills.
    #[test]
    fn the_last_moves_before_a_refill_use_the_time_that_is_theirs() {
        for (moves, optimum, maximum) in [
            (1, 7_976.0, 7_976.0),
            (2, 4_970.0, 5_467.0),
            (3, 3_303.0, 4_625.0),
            (40, 220.0, 1_100.0),
        ] {
            let clock = Clock { moves_to_go: Some(moves), ..clock(10_000, 0, 0) };
            let budget = TimeBudget::new(&clock, &options(), Color::Black, 60, None);
            let planned = (budget.optimum_ms.round(), budget.maximum_ms.round());
            assert_eq!(planned, (optimum, maximum), "{moves} moves");
        }
    }

    #[test]
    fn no_time_is_kept_for_moves_behind_the_limit_of_moves() {
        for refilled in [false, true] {
            let planned = |ply, limit| moves_to_plan(None, refilled, ply, limit);
            for ply in 180..=256 {
                let own_moves = (ply..=256).step_by(2).count();
                assert_eq!(planned(ply, Some(256)), own_moves as f64, "at {ply}");
            }
            assert_eq!(planned(300, Some(256)), 1.0);
            // One far off changes nothing.
            assert_eq!(planned(50, Some(1_000)), planned(50, None));
        }
        let optimum = |limit| {
            TimeBudget::new(&clock(60_000, 0, 0), &options(), Color::Black, 255, limit).optimum_ms
        };
        assert!(optimum(Some(256)) > 10.0 * optimum(None));
    }

    #[test]
    fn a_slow_mover_plans_with_more_and_so_does_who_ponders_on_the_position_itself() {
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
    fn thinking_goes_on_to_the_end_of_a_begun_second() {
        let options = options();
        assert_eq!(round_up_to_second(100.0, &options, 9_000.0), 970.0);
        assert_eq!(round_up_to_second(980.0, &options, 9_000.0), 1_970.0);
        assert_eq!(round_up_to_second(980.0, &options, 1_200.0), 1_200.0);
    }

    const CALM: TimeFactors = TimeFactors {
        score: Score(50),
        previous_average: Score(50),
        score_before: Score(50),
        stable_iterations: 12,
        best_move_changes: 0.0,
        effort: 0.5,
    };

    #[test]
    fn a_falling_score_and_a_wavering_choice_ask_for_more_time() {
        let falling = TimeFactors { score: Score(0), ..CALM };
        let wavering = TimeFactors { stable_iterations: 0, best_move_changes: 0.5, ..CALM };
        assert!(falling.factor() > 1.3 * CALM.factor());
        assert!(wavering.factor() > 2.0 * CALM.factor());
        assert!(CALM.factor() < 0.8);
    }

    /// Each sign alone, so that none hides behind another.
    #[test]
    fn every_sign_has_a_say_in_the_time() {
        let since_last_move = TimeFactors { previous_average: Score(100), ..CALM };
        let since_some_iterations = TimeFactors { score_before: Score(100), ..CALM };
        let new_choice = TimeFactors { stable_iterations: 0, ..CALM };
        let changing = TimeFactors { best_move_changes: 0.5, ..CALM };
        for worried in [since_last_move, since_some_iterations, new_choice, changing] {
            assert!(worried.factor() > 1.3 * CALM.factor(), "{worried:?}");
        }
        let rising = TimeFactors { previous_average: Score(0), ..CALM };
        let settled = TimeFactors { effort: 0.95, ..CALM };
        for sure in [rising, settled] {
            assert!(sure.factor() < 0.9 * CALM.factor(), "{sure:?}");
        }
    }
}
