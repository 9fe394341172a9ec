//! What a search is asked and what it tells: plain values, no behaviour.
//!
//! The session turns text into a [`Request`] and [`Event`]s into text; the pool only ever sees
//! these.

use std::time::{Duration, Instant};

use crate::mate::SolverProgress;
use crate::position::movegen::Promotions;
use crate::position::{EnteringKingRule, Position};
use crate::types::{Bound, ByColor, Color, Depth, Move, Score};

/// One `go`: the position with its history, the limits, and when the clock began to run.
#[derive(Clone, Debug)]
pub struct Request {
    pub position: Position,
    pub limits: Limits,
    pub options: SearchOptions,
    /// When the `go` was received; all times count from here.
    pub received: Instant,
}

/// When to stop. Every field may be combined with every other; the first limit reached ends it. But
/// `infinite` sets all times aside, as `move_time` does `random_time`, and either does the clock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Only these root moves (already checked to be legal). Empty: all. A mate search tries all.
    pub search_moves: Vec<Move>,
    pub clock: Option<Clock>,
    pub move_time: Option<Duration>,
    /// Think this long, made longer at random by up to half: for variety in test games.
    pub random_time: Option<Duration>,
    pub depth: Option<Depth>,
    pub nodes: Option<u64>,
    /// Search for a mate instead of a move.
    pub mate: Option<MateLimit>,
    /// Ignore the clock until told of the ponder hit.
    pub ponder: bool,
    /// Ignore the clock until stopped.
    pub infinite: bool,
}

impl Limits {
    /// Whether nothing but a clock can say when to stop.
    pub fn needs_clock(&self) -> bool {
        let is_timed = self.move_time.is_some() || self.random_time.is_some();
        let is_counted = self.depth.is_some() || self.nodes.is_some();
        !(is_timed || is_counted || self.infinite || self.mate.is_some())
    }

    /// Whether a clock says anything here. Who plays without one may send zeros beside another limit: as
    /// a clock they would end the search before that.
    pub fn heeds(&self, clock: &Clock) -> bool {
        !clock.is_zero() || self.needs_clock()
    }
}

/// How long a mate search may take. `Limits::move_time`, `depth` and `nodes` bound it too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MateLimit {
    Unlimited,
    Time(Duration),
}

/// The clocks as the last `go` or `ponderhit` told them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    pub time: ByColor<Duration>,
    pub increment: ByColor<Duration>,
    pub byoyomi: ByColor<Duration>,
    pub moves_to_go: Option<u32>,
}

impl Clock {
    /// What this side's move may use at most. Graphical interfaces of shogi tell a clock without the
    /// increment of the move, those of chess with it. With it no clock shows less than an increment;
    /// where that cannot be told, the increment is left alone.
    pub fn available(&self, side: Color) -> Duration {
        let (time, increment) = (self.time[side], self.increment[side]);
        let more = if time < increment { increment } else { Duration::ZERO };
        time + self.byoyomi[side] + more
    }

    /// Whether it gives neither side any time.
    pub fn is_zero(&self) -> bool {
        let sides = [self.time.0, self.increment.0, self.byoyomi.0];
        sides.as_flattened().iter().all(Duration::is_zero)
    }
}

/// The options that a search obeys.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchOptions {
    pub multi_pv: usize,
    /// Generate the pointless non-promotions too.
    pub all_legal_moves: bool,
    pub entering_king: EnteringKingRule,
    /// The game is drawn after this many moves; `None` for no limit.
    pub max_moves: Option<u32>,
    /// Value of a draw for the side that is to move at the root, by that side's colour.
    pub draw_value: ByColor<Score>,
    /// Resign at this many centipawns or worse (a positive number); `None`: only when mated.
    pub resign_value: Option<i32>,
    pub time: TimeOptions,
    /// Least time between two reports.
    pub pv_interval: Duration,
    /// Report results outside the aspiration window. The last report of a search may be one in any
    /// case.
    pub report_bounds: bool,
    /// Tell how a reported line ends, where the rules end it.
    pub consideration: bool,
    pub show_current_line: bool,
    pub show_refutations: bool,
    /// Let the mate solver look at the root beside the search.
    pub root_mates: bool,
    /// Playing strength: kyu negative, dan positive; `None` is full strength.
    pub strength: Option<i32>,
    /// Analysis rather than play: no asymmetry between the sides.
    pub analysis: bool,
    /// The worker that panics, and after how many nodes of its own.
    #[cfg(test)]
    pub(crate) panic_at: Option<(usize, u64)>,
}

impl SearchOptions {
    /// How many best lines are told. The search may look at more.
    pub(super) fn lines(&self) -> usize {
        self.multi_pv.max(1)
    }

    /// Which promotions may be declined.
    pub(super) fn promotions(&self) -> Promotions {
        if self.all_legal_moves { Promotions::All } else { Promotions::Useful }
    }
}

#[cfg(test)]
impl SearchOptions {
    /// Those of a game, with a clock that nothing is taken off; for the tests of all modules.
    pub(crate) fn for_tests() -> SearchOptions {
        SearchOptions {
            multi_pv: 1,
            all_legal_moves: false,
            entering_king: EnteringKingRule::Csa27,
            max_moves: None,
            draw_value: ByColor::default(),
            resign_value: None,
            time: TimeOptions {
                network_delay: Duration::ZERO,
                network_delay2: Duration::ZERO,
                minimum_thinking: Duration::ZERO,
                slow_mover: 100,
                round_up_to_full_second: false,
                ponder: false,
                stochastic_ponder: false,
            },
            pv_interval: Duration::ZERO,
            report_bounds: true,
            consideration: false,
            show_current_line: false,
            show_refutations: false,
            root_mates: true,
            strength: None,
            analysis: false,
            panic_at: None,
        }
    }
}

/// How the clock is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeOptions {
    /// Taken off every time the engine plans with.
    pub network_delay: Duration,
    /// ThreadData back from the last reserve, against loss on time.
    pub network_delay2: Duration,
    pub minimum_thinking: Duration,
    /// Percent of the usual time.
    pub slow_mover: u32,
    /// Think up to the next full second (servers that count whole seconds).
    pub round_up_to_full_second: bool,
    /// The engine may think on the opponent's time.
    pub ponder: bool,
    pub stochastic_ponder: bool,
}

/// Something the search tells, marked with the `go` it belongs to.
#[derive(Clone, Debug)]
pub struct Event {
    pub generation: u64,
    pub report: Report,
}

#[derive(Clone, Debug)]
pub enum Report {
    /// The lines of one iteration, best first, as many as MultiPV asks for. The last ones are told by
    /// the [`SearchOutcome`].
    Lines(Vec<PvLine>),
    /// The root move being searched, and its number from 1.
    CurrentMove { depth: Depth, mv: Move, number: usize },
    /// The line being searched.
    CurrentLine(Vec<Move>),
    /// A root move and the line that refutes it.
    Refutation(Vec<Move>),
    /// How far a search for a mate is, and the time since its request was received.
    Mate { progress: SolverProgress, elapsed: Duration },
    /// Plain words for the user.
    Message(String),
    /// The search is over. Comes exactly once, last.
    Done(SearchOutcome),
}

/// One principal variation.
#[derive(Clone, Debug, PartialEq)]
pub struct PvLine {
    pub depth: Depth,
    pub selective_depth: usize,
    /// Rank from 1.
    pub multi_pv: usize,
    pub score: Score,
    /// `Exact`, or the side on which the score missed the window.
    pub bound: Bound,
    pub elapsed: Duration,
    pub nodes: u64,
    pub hashfull_permille: u32,
    /// Empty where the root has no move, and where a win is declared.
    pub pv: Vec<Move>,
    /// What stands at the end of the line, if the rules end it.
    pub ending: Option<PvEnding>,
}

/// How a line ends by rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PvEnding {
    /// The side to move declares the entering-king win.
    Declaration,
    RepetitionDraw,
    /// The side to move wins because the opponent gave perpetual check.
    RepetitionWin,
    RepetitionLoss,
    /// The side to move stands better than in an equal earlier position.
    Superior,
    Inferior,
    /// The side to move has no legal move.
    Mated,
}

/// What the search came to.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchOutcome {
    pub answer: Answer,
    /// The last lines, as in [`Report::Lines`], if there is any more to tell. They come with the
    /// answer: between two events a busy machine lets others run, and the second comes late.
    pub lines: Vec<PvLine>,
    pub nodes: u64,
    pub elapsed: Duration,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Move {
        best: Move,
        ponder: Option<Move>,
    },
    /// No legal move, or hopeless by the resign value.
    Resign,
    /// The entering-king declaration holds.
    DeclareWin,
    /// Answer to a mate search.
    Mate(MateAnswer),
}

#[derive(Clone, Debug, PartialEq)]
pub enum MateAnswer {
    /// The whole line, the mating move last.
    Mate(Vec<Move>),
    /// Proven: there is none.
    NoMate,
    /// Not known within the limits.
    Unknown,
}
