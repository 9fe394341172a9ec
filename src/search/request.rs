//! Requests to the search and its events: plain values.
//!
//! The protocol makes requests from text and text from events.

use std::time::Duration;

use super::strength::StrengthLevel;
use crate::mate::SolverProgress;
use crate::position::movegen::NonPromotions;
use crate::position::{EnteringKingRule, MoveList, Position};
use crate::sys::Instant;
pub use crate::tt::KeyedEntry;
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

impl Request {
    /// Whether the user wants to see the lines, not only a move to play.
    pub fn is_analysis(&self) -> bool {
        self.limits.infinite || self.options.analysis
    }
}

/// The limits of a search. They may be combined; the first one that is reached ends the search. But `infinite`
/// overrides all times, and `move_time` overrides `random_time`. With one of these two times the clock ends the search
/// only if it would run out otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Search only these legal root moves. Empty: all. A mate search ignores this.
    pub search_moves: Vec<Move>,
    pub clock: Option<Clock>,
    /// Search for exactly this time (`movetime`).
    pub move_time: Option<Duration>,
    /// Search for this time (`rtime`, YaneuraOu's), increased at random by up to half, for variety in test games.
    pub random_time: Option<Duration>,
    pub depth: Option<Depth>,
    /// Nodes of all threads together.
    pub nodes: Option<u64>,
    /// Search for a mate instead of a move.
    pub mate: Option<MateLimit>,
    /// Ignore the clock until the ponder hit.
    pub ponder: bool,
    /// Ignore the clock until stopped.
    pub infinite: bool,
}

impl Limits {
    /// Whether only a clock can end the search.
    pub fn needs_clock(&self) -> bool {
        !(self.has_fixed_time()
            || self.has_depth_or_node_limit()
            || self.infinite
            || self.mate.is_some())
    }

    /// Whether the request fixes the time of the move, by `movetime` or `rtime`.
    pub(super) fn has_fixed_time(&self) -> bool {
        self.move_time.is_some() || self.random_time.is_some()
    }

    /// Whether the depth or the number of nodes is limited.
    pub(super) fn has_depth_or_node_limit(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some()
    }

    /// Whether the clock limits the search. Some programs send zeros together with another limit,
    /// which would end the search at once.
    pub fn uses_clock(&self, clock: &Clock) -> bool {
        !clock.is_zero() || self.needs_clock()
    }
}

/// How long a mate search may take. `Limits::move_time`, `depth` and `nodes` bound it too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MateLimit {
    Unlimited,
    Time(Duration),
}

/// The clocks of the last `go` or `ponderhit`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Main time left.
    pub time: ByColor<Duration>,
    pub increment: ByColor<Duration>,
    pub byoyomi: ByColor<Duration>,
    /// Own moves until the main time is refilled; `None` for never.
    pub moves_to_go: Option<u32>,
}

impl Clock {
    /// Maximum time of this side's next move. Chess GUIs have added the increment of the move to `time`
    /// already, shogi GUIs have not. Only a `time` below one increment shows that it is not included, so
    /// otherwise it is not added.
    pub fn available(&self, side: Color) -> Duration {
        let (time, increment) = (self.time[side], self.increment[side]);
        let more = if time < increment { increment } else { Duration::ZERO };
        time + self.byoyomi[side] + more
    }

    /// The clock when this side has already thought about its move for this time.
    #[must_use]
    pub fn after(mut self, side: Color, mut thought: Duration) -> Clock {
        let may_include_increment =
            self.time[side] >= self.increment[side] && thought <= self.available(side);
        for part in [&mut self.time[side], &mut self.byoyomi[side], &mut self.increment[side]] {
            let taken = thought.min(*part);
            *part -= taken;
            thought -= taken;
        }
        if may_include_increment {
            // `available` would add it again to a main time below it.
            self.increment[side] = self.increment[side].min(self.time[side]);
        }
        self
    }

    /// Whether neither side has any time.
    pub fn is_zero(&self) -> bool {
        let sides = [self.time.0, self.increment.0, self.byoyomi.0];
        sides.as_flattened().iter().all(Duration::is_zero)
    }
}

/// The options of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchOptions {
    /// Number of lines to search and report; 0 counts as 1.
    pub multi_pv: usize,
    /// Generate all legal non-promotions, also the useless ones.
    pub all_legal_moves: bool,
    pub entering_king: EnteringKingRule,
    /// The game is a draw after this many moves; `None` for no limit.
    pub max_moves: Option<u32>,
    /// Score of a draw for the side to move at the root, by colour.
    pub draw_value: ByColor<Score>,
    /// Resign at this many centipawns behind (a positive number); `None`: only when mated.
    pub resign_value: Option<i32>,
    pub time: TimeOptions,
    /// Minimum time between two reports.
    pub pv_interval: Duration,
    /// Report scores outside the aspiration window. The last report may be one in any case.
    pub report_bounds: bool,
    /// Report the root move and the line that are searched ([`Report::CurrentMove`],
    /// [`Report::CurrentLine`]).
    pub show_current_line: bool,
    /// Report the refutation of each root move that is not best ([`Report::Refutation`]).
    pub show_refutations: bool,
    /// Run the root mate search in parallel with the search.
    pub root_mates: bool,
    /// Playing strength: kyu negative, dan positive; `None` is full strength.
    pub strength: Option<i32>,
    /// Analysis instead of play: no asymmetry between the sides.
    pub analysis: bool,
    /// The number, from 1, of this engine among those that search together and exchange deep entries of their
    /// tables; `None` if it searches alone.
    pub cluster_worker: Option<u32>,
    /// A worker, and the number of its own nodes after which it panics.
    #[cfg(test)]
    pub(crate) panic_at: Option<(usize, u64)>,
}

impl SearchOptions {
    /// The number of lines that are reported. The search may use more.
    pub(super) fn reported_lines(&self) -> usize {
        self.multi_pv.max(1)
    }

    /// Whether a player of this strength uses the opening book.
    pub fn uses_book(&self) -> bool {
        self.strength.is_none_or(|strength| StrengthLevel::new(strength).uses_book())
    }

    /// The moves that the search makes in a position, if the request names no moves.
    pub(crate) fn moves_to_search(&self, position: &Position) -> MoveList {
        if self.all_legal_moves { position.legal_moves() } else { position.useful_moves() }
    }

    /// Which non-promotions the search generates.
    pub(super) fn non_promotions(&self) -> NonPromotions {
        if self.all_legal_moves { NonPromotions::All } else { NonPromotions::Useful }
    }
}

#[cfg(test)]
impl SearchOptions {
    /// Options of a game with all margins zero, for the tests of all modules.
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
                lateness: Duration::ZERO,
                minimum_thinking: Duration::ZERO,
                slow_mover: 100,
                round_up_to_full_second: false,
                ponder: false,
                stochastic_ponder: false,
            },
            pv_interval: Duration::ZERO,
            report_bounds: true,
            show_current_line: false,
            show_refutations: false,
            root_mates: true,
            strength: None,
            analysis: false,
            cluster_worker: None,
            panic_at: None,
        }
    }
}

/// Options of the time management.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeOptions {
    /// Average delay of the connection, subtracted from every clock (the option `NetworkDelay`).
    pub network_delay: Duration,
    /// Maximum delay of the connection, a reserve where the clock could run out (`NetworkDelay2`).
    pub network_delay2: Duration,
    /// How long after the end of the search the answer is expected to go out.
    pub lateness: Duration,
    /// Minimum time of a move, if the clock has that much (`MinimumThinkingTime`). A mate that ends the search does not
    /// wait for it.
    pub minimum_thinking: Duration,
    /// Percentage of the usual time for a move (the option `SlowMover`).
    pub slow_mover: u32,
    /// Search until the end of a started second, for servers that count whole seconds only.
    pub round_up_to_full_second: bool,
    /// Pondering is on.
    pub ponder: bool,
    /// Pondering searches the position before the expected move, which saves no time
    /// (`Stochastic_Ponder`).
    pub stochastic_ponder: bool,
}

/// An event of the search with this id.
#[derive(Clone, Debug)]
pub struct Event {
    pub search_id: u64,
    pub report: Report,
}

/// What a search reports.
#[derive(Clone, Debug)]
pub enum Report {
    /// The lines of one iteration, best first, as many as MultiPV asks for. The last ones come with the
    /// [`SearchOutcome`].
    Lines(Vec<PvLine>),
    /// The root move that is searched, and its number from 1.
    CurrentMove { depth: Depth, mv: Move, number: usize },
    /// The line that is searched.
    CurrentLine(Vec<Move>),
    /// A root move and its refutation.
    Refutation(Vec<Move>),
    /// Entries for the other engines that search together with this one.
    Entries(Vec<KeyedEntry>),
    /// Progress of a mate search, and the time since its request.
    Mate { progress: SolverProgress, elapsed: Duration },
    /// A message for the user about a part of the search that has failed.
    Error(String),
    /// The search is over. Sent once; a worker that was not waited for may still report after it.
    Done(SearchOutcome),
}

/// A principal variation with its score. The moves of `pv` are legal.
#[derive(Clone, Debug, PartialEq)]
pub struct PvLine {
    /// At least 1.
    pub depth: Depth,
    pub selective_depth: usize,
    /// From 1, the best line.
    pub rank: usize,
    pub score: Score,
    /// `Exact`, or the side on which the score missed the window.
    pub bound: Bound,
    pub elapsed: Duration,
    pub nodes: u64,
    pub hashfull_permille: u32,
    /// Empty if the root has no legal move, or if a win is declared.
    pub pv: Vec<Move>,
    /// How the rules end the line, if they do.
    pub ending: Option<PvEnding>,
}

/// How the rules end a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PvEnding {
    /// The side to move declares the entering-king win.
    Declaration,
    RepetitionDraw,
    /// The side to move wins because the opponent gave perpetual check.
    RepetitionWin,
    RepetitionLoss,
    /// The side to move has more in hand than in the same position before.
    Superior,
    Inferior,
    /// The side to move has no legal move.
    Mated,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchOutcome {
    pub answer: Answer,
    /// The last lines, as in [`Report::Lines`]. They come with the answer, because a busy machine may
    /// run other threads between two events.
    pub lines: Vec<PvLine>,
    /// Nodes of all threads.
    pub nodes: u64,
    pub elapsed: Duration,
    /// The time at which the clock was to end the search, or that of the ponder hit if the search had ended before;
    /// `None` if something else ended it.
    pub planned_end: Option<Instant>,
}

/// The answer to a search.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Move {
        best: Move,
        /// The expected reply; `None` if it is not known.
        ponder: Option<Move>,
    },
    /// No legal move, or behind by the resign value.
    Resign,
    /// The entering-king declaration holds.
    DeclareWin,
    /// The answer to a mate search.
    Mate(MateAnswer),
}

/// The answer to a mate search.
#[derive(Clone, Debug, PartialEq)]
pub enum MateAnswer {
    /// The whole line, mating move last.
    Mate(Vec<Move>),
    /// It is proven that there is no mate.
    NoMate,
    /// Not known within the limits.
    Unknown,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elapsed_time_is_subtracted_from_the_main_time_first() {
        let clock = |time, byoyomi, increment| {
            let both = |ms| ByColor([Duration::from_millis(ms), Duration::from_millis(700)]);
            Clock {
                time: both(time),
                byoyomi: both(byoyomi),
                increment: both(increment),
                moves_to_go: None,
            }
        };
        for (before, after) in [
            (clock(100, 1_000, 0), clock(60, 1_000, 0)),
            (clock(30, 1_000, 0), clock(0, 990, 0)),
            (clock(0, 0, 500), clock(0, 0, 460)),
            (clock(10, 20, 5), clock(0, 0, 0)),
        ] {
            assert_eq!(before.after(Color::Black, Duration::from_millis(40)), after);
        }
    }

    /// Regression: after a ponder miss whose answer took 150 ms, a clock of 600 ms with an increment of 500 ms had
    /// 950 ms, because the main time was then below the increment.
    #[test]
    fn elapsed_time_is_subtracted_from_the_time_for_the_move() {
        let ms = Duration::from_millis;
        let both = |time| ByColor([ms(time); 2]);
        for time in [0, 30, 499, 500, 600, 5_000] {
            for (increment, byoyomi) in [(0, 0), (500, 0), (0, 500), (10, 20)] {
                let clock = Clock {
                    time: both(time),
                    increment: both(increment),
                    byoyomi: both(byoyomi),
                    moves_to_go: None,
                };
                let available = clock.available(Color::White);
                for thought in [0, 1, 150, 400].map(ms).map(|thought| thought.min(available)) {
                    let after = clock.after(Color::White, thought);
                    let case = format!("{thought:?} of {clock:?}");
                    assert_eq!(after.available(Color::White), available - thought, "{case}");
                    assert_eq!(after.available(Color::Black), available, "{case}");
                }
            }
        }
    }
}
