//! The clocks of a game by the server's rules, and the clocks for the engine.
//!
//! The server's clock includes the network delay, so this is subtracted from the clocks for the
//! engine, as is the time that has already passed.

use std::time::Duration;

use crate::types::message::{Message, message};
use crate::types::{ByColor, Color};

/// The time rules of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TimeRule {
    /// The unit in which the server counts.
    pub(super) unit: Duration,
    pub(super) total: Duration,
    /// Time for every move, once the total is used up.
    pub(super) byoyomi: Duration,
    /// Time before the clock starts, at every move.
    pub(super) delay: Duration,
    /// Added at the start of every move, including the first.
    pub(super) increment: Duration,
    /// Minimum time counted for a move (`Least_Time_Per_Move`).
    pub(super) least_time_per_move: Duration,
    /// Whether units are rounded up instead of down.
    pub(super) round_up: bool,
}

impl Default for TimeRule {
    /// No limits; the unit is a second.
    fn default() -> TimeRule {
        TimeRule {
            unit: Duration::from_secs(1),
            total: Duration::ZERO,
            byoyomi: Duration::ZERO,
            delay: Duration::ZERO,
            increment: Duration::ZERO,
            least_time_per_move: Duration::ZERO,
            round_up: false,
        }
    }
}

impl TimeRule {
    /// Whether there is a time limit.
    pub(super) fn is_limited(&self) -> bool {
        !(self.total + self.byoyomi + self.delay + self.increment).is_zero()
    }

    /// The time that the server counts for a move that took `elapsed`.
    fn count(&self, elapsed: Duration) -> Duration {
        let unit = self.unit.as_millis();
        let running = elapsed.saturating_sub(self.delay).as_millis();
        let units = if self.round_up { running.div_ceil(unit) } else { running / unit };
        Duration::from_millis((units * unit) as u64).max(self.least_time_per_move)
    }

    /// The time of each move that costs nothing, because the server rounds down to a long unit. (The engine itself
    /// uses the rest of a second, with `RoundUpToFullSecond`.)
    fn free_unit(&self) -> Duration {
        /// Shorter units are not worth planning for.
        const MIN_UNIT: Duration = Duration::from_secs(10);
        let is_free = self.unit >= MIN_UNIT && !self.round_up;
        if is_free { self.unit } else { Duration::ZERO }
    }

    /// The rule for the user, such as `300 s + increment 10 s`.
    pub(super) fn message(&self) -> Message {
        if !self.is_limited() {
            return message!("no limit", "時間制限なし");
        }
        let total = self.total.as_secs_f64();
        let mut text = message!("{total} s", "持ち時間{total}秒");
        let parts = [
            (self.byoyomi, message!("byoyomi", "秒読み")),
            (self.increment, message!("increment", "加算")),
            (self.delay, message!("delay", "遅延")),
            (self.least_time_per_move, message!("least time per move", "1手の最低消費時間")),
        ];
        for (time, name) in parts {
            if !time.is_zero() {
                let seconds = time.as_secs_f64();
                text = message!("{} + {} {seconds} s", "{}、{}{seconds}秒"; text, name);
            }
        }
        text
    }
}

/// The clock of one side before a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideClock {
    /// Without the increment of the next move.
    pub remaining: Duration,
    pub increment: Duration,
    /// Including the delay, which like a byoyomi is lost if it is not used.
    pub byoyomi: Duration,
}

impl SideClock {
    /// The time for the next move.
    pub fn next_move(&self) -> Duration {
        self.remaining + self.increment + self.byoyomi
    }

    /// Subtracts a time from the next move: from byoyomi, increment and main time in this order, at most
    /// three quarters of each.
    pub(super) fn minus(self, mut lost: Duration) -> SideClock {
        let mut take = |time: Duration| {
            let taken = lost.min(time * 3 / 4);
            lost -= taken;
            time - taken
        };
        let (byoyomi, increment) = (take(self.byoyomi), take(self.increment));
        SideClock { remaining: take(self.remaining), increment, byoyomi }
    }
}

/// The clocks for an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineClocks {
    /// The time for the next moves, less the overhead and the elapsed time of our move.
    pub net: ByColor<SideClock>,
    /// The time by the rules of the server, without that subtraction.
    pub gross: ByColor<SideClock>,
    /// The time that each of our moves loses to the network and to late answers, with the margin.
    pub overhead: Duration,
}

/// The byoyomi that is sent to an engine if there is no time limit.
const UNLIMITED_BYOYOMI: Duration = Duration::from_secs(10);

/// The running clocks of a game.
#[derive(Clone, Debug)]
pub(super) struct GameClocks {
    rules: ByColor<TimeRule>,
    remaining: ByColor<Duration>,
}

impl GameClocks {
    pub(super) fn new(rules: ByColor<TimeRule>) -> GameClocks {
        GameClocks { rules, remaining: ByColor(rules.0.map(|rule| rule.total)) }
    }

    /// Subtracts the time of a move, as counted by the server.
    pub(super) fn spend(&mut self, color: Color, taken: Duration) {
        let remaining = self.remaining[color] + self.rules[color].increment;
        self.remaining[color] = remaining.saturating_sub(taken);
    }

    /// Subtracts the time of a move of a buoy. shogi-server begins with full clocks, and writes one second for a
    /// move without a time. Tournaments write a longer time where a clock begins with less, and the increment for
    /// each other move. So no move adds time.
    pub(super) fn spend_in_buoy(&mut self, color: Color, taken: Duration) {
        const PLACEHOLDER: Duration = Duration::from_secs(1);
        if taken > PLACEHOLDER {
            self.spend(color, taken.max(self.rules[color].increment));
        }
    }

    /// Subtracts the time of a move for which the server sends no time. Returns the time that the server
    /// should have counted. A fraction of a unit is also subtracted, because the server may have counted the
    /// whole unit.
    pub(super) fn spend_measured(&mut self, color: Color, elapsed: Duration) -> Duration {
        let rule = &self.rules[color];
        let (counted, running) = (rule.count(elapsed), elapsed.saturating_sub(rule.delay));
        self.spend(color, counted.max(running));
        counted
    }

    pub(super) fn rule(&self, color: Color) -> &TimeRule {
        &self.rules[color]
    }

    /// The main time that is left, without the next increment.
    pub(super) fn remaining(&self, color: Color) -> Duration {
        self.remaining[color]
    }

    /// The time for the next move, less `overhead`, as in [`GameClocks::engine_clocks`]; `None` without a limit.
    pub(super) fn allowed(&self, color: Color, overhead: Duration) -> Option<Duration> {
        let budget = self.budget(color).minus(overhead);
        self.rules[color].is_limited().then(|| budget.next_move())
    }

    /// The clocks for our engine, when `elapsed` of our move has passed and `overhead` is lost.
    pub(super) fn engine_clocks(
        &self,
        us: Color,
        overhead: Duration,
        elapsed: Duration,
    ) -> EngineClocks {
        let gross = ByColor(Color::ALL.map(|color| self.budget(color)));
        let mut net = gross;
        net[us] = gross[us].minus(overhead + elapsed);
        EngineClocks { net, gross, overhead }
    }

    /// The time for the next move, by the rules.
    fn budget(&self, color: Color) -> SideClock {
        let rule = &self.rules[color];
        if !rule.is_limited() {
            return SideClock { byoyomi: UNLIMITED_BYOYOMI, ..SideClock::default() };
        }
        // The free time is also limited by the time that is left.
        let free = rule.free_unit().min(self.remaining[color]);
        SideClock {
            remaining: self.remaining[color] - free,
            increment: rule.increment,
            byoyomi: rule.byoyomi + rule.delay + free,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn clocks(rule: TimeRule) -> GameClocks {
        GameClocks::new(ByColor([rule; 2]))
    }

    #[test]
    fn byoyomi_is_full_at_every_move_and_the_main_time_never_grows() {
        let mut clocks = clocks(TimeRule { total: s(10), byoyomi: s(5), ..TimeRule::default() });
        assert_eq!(clocks.allowed(Color::Black, s(0)), Some(s(15)));
        clocks.spend(Color::Black, s(12));
        assert_eq!((clocks.remaining(Color::Black), clocks.remaining(Color::White)), (s(0), s(10)));
        assert_eq!(clocks.allowed(Color::Black, s(0)), Some(s(5)));
        let clock = clocks.engine_clocks(Color::Black, ms(300), ms(100)).net;
        assert_eq!(clock[Color::Black].next_move(), ms(4600));
        assert_eq!(clock[Color::White].next_move(), s(15));
    }

    #[test]
    fn an_increment_is_added_at_the_start_of_every_move() {
        let mut clocks = clocks(TimeRule { total: s(10), increment: s(2), ..TimeRule::default() });
        assert_eq!(clocks.allowed(Color::White, s(0)), Some(s(12)));
        clocks.spend(Color::White, s(1));
        assert_eq!(clocks.remaining(Color::White), s(11));
        let clock = clocks.engine_clocks(Color::White, ms(500), s(0)).net[Color::White];
        assert_eq!((clock.remaining, clock.increment, clock.byoyomi), (s(11), ms(1500), s(0)));
    }

    #[test]
    fn a_delay_is_time_for_every_move() {
        let clocks = clocks(TimeRule { total: s(1), delay: s(3), ..TimeRule::default() });
        assert_eq!(clocks.allowed(Color::Black, s(0)), Some(s(4)));
        assert_eq!(clocks.engine_clocks(Color::Black, s(1), s(0)).net[Color::Black].byoyomi, s(2));
    }

    #[test]
    fn time_that_the_server_does_not_send_is_counted_by_its_rules() {
        let seen = |rule: TimeRule, lasted| {
            let mut clocks = clocks(TimeRule { total: s(100), ..rule });
            (clocks.spend_measured(Color::Black, lasted), s(100) - clocks.remaining(Color::Black))
        };
        let rule = TimeRule::default();
        assert_eq!(seen(rule, ms(2900)), (s(2), ms(2900)));
        assert_eq!(seen(TimeRule { round_up: true, ..rule }, ms(2100)), (s(3), s(3)));
        assert_eq!(seen(TimeRule { delay: s(3), ..rule }, ms(4500)), (s(1), ms(1500)));
        assert_eq!(seen(TimeRule { delay: s(3), ..rule }, ms(500)), (s(0), s(0)));
        assert_eq!(seen(TimeRule { least_time_per_move: s(1), ..rule }, ms(500)), (s(1), s(1)));
        let nanos = Duration::from_nanos(1_234_567_891);
        assert_eq!(seen(TimeRule { unit: ms(10), ..rule }, nanos), (ms(1230), nanos));
    }

    #[test]
    fn a_minute_that_has_begun_is_free_if_minutes_are_rounded_down() {
        let rule = TimeRule { unit: s(60), total: s(600), ..TimeRule::default() };
        let mut clocks = clocks(rule);
        let clock = clocks.engine_clocks(Color::Black, s(1), s(0)).net[Color::Black];
        assert_eq!((clock.remaining, clock.byoyomi), (s(540), s(59)));
        clocks.spend(Color::Black, s(540));
        let clock = clocks.engine_clocks(Color::Black, s(1), s(0)).net[Color::Black];
        assert_eq!((clock.remaining, clock.byoyomi), (s(0), s(59)));
        clocks.rules[Color::Black].round_up = true;
        let clock = clocks.engine_clocks(Color::Black, s(1), s(0)).net[Color::Black];
        assert_eq!((clock.remaining, clock.byoyomi), (s(59), s(0)));
    }

    #[test]
    fn a_quarter_of_the_time_is_left_however_slow_the_network_is() {
        let clocks = clocks(TimeRule { byoyomi: s(1), ..TimeRule::default() });
        let clock = clocks.engine_clocks(Color::Black, s(5), s(0)).net[Color::Black];
        assert_eq!(clock.byoyomi, ms(250));
        assert_eq!(clocks.allowed(Color::Black, s(5)), Some(ms(250)));
    }

    #[test]
    fn without_a_time_limit_the_engine_gets_a_default_time() {
        let clocks = clocks(TimeRule::default());
        assert_eq!(clocks.allowed(Color::Black, s(0)), None);
        assert_eq!(
            clocks.engine_clocks(Color::Black, s(0), s(0)).net[Color::Black].byoyomi,
            UNLIMITED_BYOYOMI
        );
        assert_eq!(TimeRule::default().message().en, "no limit");
    }
}
