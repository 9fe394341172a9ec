//! The clocks of a game as the server keeps them, and what of them an engine is told.
//!
//! The server counts the network too, so an engine is told less than there is: by what a move is on
//! its way, and by what of the move's time has gone already.

use std::fmt;
use std::time::Duration;

use crate::types::{ByColor, Color};

/// How one side's time is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TimeRule {
    /// Times are counted in whole units.
    pub(super) unit: Duration,
    pub(super) total: Duration,
    /// Free for every move once the total is gone.
    pub(super) byoyomi: Duration,
    /// Before the clock begins to run, at every move.
    pub(super) delay: Duration,
    /// Added at the start of every move, the first too.
    pub(super) increment: Duration,
    /// Every move is taken to have lasted so long.
    pub(super) least: Duration,
    /// Units begun count whole, instead of not at all.
    pub(super) round_up: bool,
}

impl Default for TimeRule {
    /// No limit at all, in seconds.
    fn default() -> TimeRule {
        TimeRule {
            unit: Duration::from_secs(1),
            total: Duration::ZERO,
            byoyomi: Duration::ZERO,
            delay: Duration::ZERO,
            increment: Duration::ZERO,
            least: Duration::ZERO,
            round_up: false,
        }
    }
}

impl TimeRule {
    /// Whether there is a clock at all.
    pub(super) fn is_limited(&self) -> bool {
        !(self.total + self.byoyomi + self.delay + self.increment).is_zero()
    }

    /// What a server that counts so takes a move for that lasted so long.
    fn count(&self, lasted: Duration) -> Duration {
        let unit = self.unit.as_millis();
        let running = lasted.saturating_sub(self.delay).as_millis();
        let units = if self.round_up { running.div_ceil(unit) } else { running / unit };
        Duration::from_millis((units * unit) as u64).max(self.least)
    }

    /// The part of each move that costs nothing where only whole units count, if it is so long
    /// that an engine should plan with it. (The rest of a second is for its own rounding.)
    fn free_unit(&self) -> Duration {
        const WORTH_PLANNING: Duration = Duration::from_secs(10);
        let free = self.unit >= WORTH_PLANNING && !self.round_up;
        if free { self.unit } else { Duration::ZERO }
    }
}

impl fmt::Display for TimeRule {
    /// For people: `300 s + 10 s a move`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_limited() {
            return f.write_str("no limit");
        }
        write!(f, "{} s", self.total.as_secs_f64())?;
        let parts = [
            (self.byoyomi, "byoyomi"),
            (self.increment, "increment"),
            (self.delay, "delay"),
            (self.least, "at least"),
        ];
        for (time, name) in parts {
            if !time.is_zero() {
                write!(f, " + {name} {} s", time.as_secs_f64())?;
            }
        }
        Ok(())
    }
}

/// What one side has for its next move, and for those after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Without the increment of the next move.
    pub rest: Duration,
    pub increment: Duration,
    /// The delay included: like a byoyomi it is there for every move, and lost if not used.
    pub byoyomi: Duration,
}

impl Budget {
    /// The longest that the next move may take.
    pub fn next_move(&self) -> Duration {
        self.rest + self.increment + self.byoyomi
    }

    /// The same with so much gone from the next move: from what every move has, as far as that
    /// goes, else from the rest. Something always remains to think with.
    fn less(self, gone: Duration) -> Budget {
        let mut gone = gone;
        let mut take = |time: Duration| {
            let taken = gone.min(time * 3 / 4);
            gone -= taken;
            time - taken
        };
        let (byoyomi, increment) = (take(self.byoyomi), take(self.increment));
        Budget { rest: take(self.rest), increment, byoyomi }
    }
}

/// The clocks as an engine is told them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// What there is to think with: what our move loses is taken off already.
    pub sides: ByColor<Budget>,
    /// The same with nothing taken off.
    pub whole: ByColor<Budget>,
    /// What each move loses on its way.
    pub overhead: Duration,
}

/// What an engine is told where nothing limits its time.
const UNLIMITED: Duration = Duration::from_secs(10);

/// The running clocks of a game.
#[derive(Clone, Debug)]
pub(super) struct GameClocks {
    rules: ByColor<TimeRule>,
    rest: ByColor<Duration>,
}

impl GameClocks {
    pub(super) fn new(rules: ByColor<TimeRule>) -> GameClocks {
        GameClocks { rules, rest: ByColor(rules.0.map(|rule| rule.total)) }
    }

    /// A move of this side took so long, by the server's count.
    pub(super) fn spend(&mut self, color: Color, taken: Duration) {
        let rest = self.rest[color] + self.rules[color].increment;
        self.rest[color] = rest.saturating_sub(taken);
    }

    /// A move of this side lasted so long, and the server does not say what it took: what it should
    /// have counted. The clock loses also what is short of a unit here, for there it may be full.
    pub(super) fn spend_seen(&mut self, color: Color, lasted: Duration) -> Duration {
        let rule = &self.rules[color];
        let (counted, running) = (rule.count(lasted), lasted.saturating_sub(rule.delay));
        self.spend(color, counted.max(running));
        counted
    }

    pub(super) fn rule(&self, color: Color) -> &TimeRule {
        &self.rules[color]
    }

    /// The main time that is left, without what the next move adds.
    pub(super) fn rest(&self, color: Color) -> Duration {
        self.rest[color]
    }

    /// How long the next move of this side may take when `overhead` is lost on the way, just as the
    /// side is told; `None` if nothing limits it.
    pub(super) fn allowed(&self, color: Color, overhead: Duration) -> Option<Duration> {
        let budget = self.budget(color).less(overhead);
        self.rules[color].is_limited().then(|| budget.next_move())
    }

    /// What the side `us` is told when `gone` of its move's time has passed, and `overhead` is
    /// lost on the way. The other side's clock is told as it is.
    pub(super) fn told(&self, us: Color, overhead: Duration, gone: Duration) -> Clocks {
        let whole = ByColor(Color::ALL.map(|color| self.budget(color)));
        let mut sides = whole;
        sides[us] = whole[us].less(overhead + gone);
        Clocks { sides, whole, overhead }
    }

    fn budget(&self, color: Color) -> Budget {
        let rule = &self.rules[color];
        if !rule.is_limited() {
            return Budget { byoyomi: UNLIMITED, ..Budget::default() };
        }
        // A move shorter than a unit costs nothing, but only as much as there is can be used.
        let free = rule.free_unit().min(self.rest[color]);
        Budget {
            rest: self.rest[color] - free,
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
    fn byoyomi_is_whole_at_every_move_and_the_rest_never_grows() {
        let mut clocks = clocks(TimeRule { total: s(10), byoyomi: s(5), ..TimeRule::default() });
        assert_eq!(clocks.allowed(Color::Black, s(0)), Some(s(15)));
        clocks.spend(Color::Black, s(12));
        assert_eq!((clocks.rest(Color::Black), clocks.rest(Color::White)), (s(0), s(10)));
        assert_eq!(clocks.allowed(Color::Black, s(0)), Some(s(5)));
        let told = clocks.told(Color::Black, ms(300), ms(100)).sides;
        assert_eq!(told[Color::Black].next_move(), ms(4600));
        assert_eq!(told[Color::White].next_move(), s(15));
    }

    #[test]
    fn an_increment_is_there_at_the_start_of_every_move() {
        let mut clocks = clocks(TimeRule { total: s(10), increment: s(2), ..TimeRule::default() });
        assert_eq!(clocks.allowed(Color::White, s(0)), Some(s(12)));
        clocks.spend(Color::White, s(1));
        assert_eq!(clocks.rest(Color::White), s(11));
        let told = clocks.told(Color::White, ms(500), s(0)).sides[Color::White];
        assert_eq!((told.rest, told.increment, told.byoyomi), (s(11), ms(1500), s(0)));
    }

    #[test]
    fn a_delay_is_time_for_every_move() {
        let clocks = clocks(TimeRule { total: s(1), delay: s(3), ..TimeRule::default() });
        assert_eq!(clocks.allowed(Color::Black, s(0)), Some(s(4)));
        assert_eq!(clocks.told(Color::Black, s(1), s(0)).sides[Color::Black].byoyomi, s(2));
    }

    #[test]
    fn what_the_server_does_not_say_is_counted_as_it_would_be() {
        let seen = |rule: TimeRule, lasted| {
            let mut clocks = clocks(TimeRule { total: s(100), ..rule });
            (clocks.spend_seen(Color::Black, lasted), s(100) - clocks.rest(Color::Black))
        };
        let rule = TimeRule::default();
        assert_eq!(seen(rule, ms(2900)), (s(2), ms(2900)));
        assert_eq!(seen(TimeRule { round_up: true, ..rule }, ms(2100)), (s(3), s(3)));
        assert_eq!(seen(TimeRule { delay: s(3), ..rule }, ms(4500)), (s(1), ms(1500)));
        assert_eq!(seen(TimeRule { delay: s(3), ..rule }, ms(500)), (s(0), s(0)));
        assert_eq!(seen(TimeRule { least: s(1), ..rule }, ms(500)), (s(1), s(1)));
        let nanos = Duration::from_nanos(1_234_567_891);
        assert_eq!(seen(TimeRule { unit: ms(10), ..rule }, nanos), (ms(1230), nanos));
    }

    #[test]
    fn where_whole_minutes_count_the_minute_begun_is_free() {
        let rule = TimeRule { unit: s(60), total: s(600), ..TimeRule::default() };
        let mut clocks = clocks(rule);
        let told = clocks.told(Color::Black, s(1), s(0)).sides[Color::Black];
        assert_eq!((told.rest, told.byoyomi), (s(540), s(59)));
        clocks.spend(Color::Black, s(540));
        let told = clocks.told(Color::Black, s(1), s(0)).sides[Color::Black];
        assert_eq!((told.rest, told.byoyomi), (s(0), s(59)));
        clocks.rules[Color::Black].round_up = true;
        let told = clocks.told(Color::Black, s(1), s(0)).sides[Color::Black];
        assert_eq!((told.rest, told.byoyomi), (s(59), s(0)));
    }

    #[test]
    fn something_is_left_to_think_with_however_slow_the_network_is() {
        let clocks = clocks(TimeRule { byoyomi: s(1), ..TimeRule::default() });
        let told = clocks.told(Color::Black, s(5), s(0)).sides[Color::Black];
        assert_eq!(told.byoyomi, ms(250));
        assert_eq!(clocks.allowed(Color::Black, s(5)), Some(ms(250)));
    }

    #[test]
    fn without_any_limit_there_is_a_modest_time() {
        let clocks = clocks(TimeRule::default());
        assert_eq!(clocks.allowed(Color::Black, s(0)), None);
        assert_eq!(clocks.told(Color::Black, s(0), s(0)).sides[Color::Black].byoyomi, UNLIMITED);
        assert_eq!(TimeRule::default().to_string(), "no limit");
    }
}
