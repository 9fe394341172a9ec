//! The settings of the engine: one typed value for each option, and the defaults with their
//! reasons.
//!
//! The names and ranges of the options are in `usi::options`, which takes the defaults from here.

use std::path::PathBuf;
use std::time::Duration;

use super::option_profile::{BookOptionSet, OptionProfile};
use crate::book::BookPolicy;
use crate::mate;
use crate::nnue::{Isa, NetworkWeights};
use crate::position::EnteringKingRule;
use crate::search::request::{SearchOptions, TimeOptions};
use crate::sys;
use crate::types::message::counted;
use crate::types::{ByColor, Depth, Score};

/// One value for each option, in the units of the option.
///
/// The search gets [`Settings::search_options`] instead. A setting that changes scores belongs in `score_settings`, so
/// that the table and the histories are cleared when it changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Size of the transposition table in mebibytes.
    pub hash_mib: usize,
    pub threads: usize,
    pub ponder: bool,
    pub stochastic_ponder: bool,
    pub multi_pv: usize,
    pub own_book: bool,
    pub show_current_line: bool,
    pub show_refutations: bool,
    pub root_mates: bool,
    /// The number among the workers of a cluster that exchange entries; 0 for none.
    pub cluster_worker: u32,
    pub limit_strength: bool,
    /// A level: kyu negative, dan positive. Used only with `limit_strength`.
    pub strength: i32,
    pub analysis: bool,
    pub entering_king: EnteringKingRule,
    /// Moves after which the game is drawn; 0 for no limit.
    pub max_moves_to_draw: u32,
    /// Value of a draw in centipawns when this colour is to move at the root.
    pub draw_value: ByColor<i32>,
    /// The engine resigns when it is this many centipawns behind; [`Settings::NEVER_RESIGN`] for
    /// never.
    pub resign_value: i32,
    pub network_delay_ms: u64,
    pub network_delay2_ms: u64,
    pub minimum_thinking_ms: u64,
    pub slow_mover_percent: u32,
    pub round_up_to_full_second: bool,
    pub pv_interval_ms: u64,
    /// Show how a line ends if the rules end it. Only the protocol reads this.
    pub consideration: bool,
    pub report_bounds: bool,
    pub all_legal_moves: bool,
    /// Maximum depth of a `go` that names no depth, in plies; 0 for no limit.
    pub depth_limit: u32,
    /// Maximum number of nodes of a `go` that names no nodes; 0 for no limit.
    pub nodes_limit: u64,
    /// At which mate a mate search ends: the first, a short one, or the shortest.
    pub mate_aim: mate::Aim,
    /// The network file; `None` for the one in the folder.
    pub eval_file: Option<PathBuf>,
    /// The folder of a network file called `nn.bin`.
    pub eval_dir: Option<PathBuf>,
    /// Divisor from the network's output to scores; 0 for what its files say.
    pub fv_scale: u32,
    /// How a network with several layer stacks chooses one; `None` for what its files say.
    pub ls_bucket_mode: Option<String>,
    /// The file of progress coefficients that some of these modes need.
    pub ls_progress_coeff: Option<PathBuf>,
    /// The instruction set to evaluate with; `None` for the best one of the processor.
    pub eval_kernel: Option<Isa>,
    /// The opening book: a file in the folder, or [`Settings::NO_BOOK`].
    pub book_file: Option<PathBuf>,
    /// The folder of the opening book; `None` for the working directory.
    pub book_dir: Option<PathBuf>,
    /// Whether only samples of a book are validated before it is used.
    pub book_on_the_fly: bool,
    /// The content of `engine_option_profile.txt`, on which some defaults depend.
    pub profile: OptionProfile,
    /// How moves are chosen from the book.
    pub book: BookPolicy,
    /// Log file of the communication with the GUI; `None` for no log.
    pub debug_log: Option<PathBuf>,
    /// Log file in the Thinking Log Format; `None` for no log.
    pub thinking_log: Option<PathBuf>,
}

impl Settings {
    /// The resign value at which the engine plays on until it is mated.
    pub const NEVER_RESIGN: i32 = 99_999;

    /// Maximum of `fv_scale`.
    pub const MAX_FV_SCALE: u32 = NetworkWeights::MAX_FV_SCALE;

    /// The default folder of the network, as other engines have it.
    pub const DEFAULT_EVAL_DIR: &str = "eval";

    /// The default folder and file of the opening book, as other engines have them.
    pub const DEFAULT_BOOK_DIR: &str = "book";
    pub const DEFAULT_BOOK_FILE: &str = "standard_book.db";
    /// The default book with the second set of book options.
    const DEFAULT_BOOK_FILE_V2: &str = "user_book1.db";
    /// The file name that means no book.
    pub const NO_BOOK: &str = "no_book";

    /// Enough for about a minute of search on a home computer; in a browser for some five minutes.
    const DEFAULT_HASH_MIB: usize =
        if cfg!(target_family = "wasm") { Settings::BROWSER_HASH_MIB } else { 256 };
    /// The default size of the table in a browser.
    pub const BROWSER_HASH_MIB: usize = 64;

    /// Maximum number of threads by default: the owners of larger machines set the number themselves.
    const MAX_DEFAULT_THREADS: usize = 32;

    /// The defaults with the book options of this profile.
    pub fn with_profile(profile: OptionProfile) -> Settings {
        let mut settings = Settings::default();
        if profile.book_options == BookOptionSet::V2 {
            // YaneuraOu's defaults of version 2, for large books from searches.
            settings.book_file = Some(Settings::DEFAULT_BOOK_FILE_V2.into());
            settings.book_on_the_fly = true;
            settings.book.last_ply = 200;
            settings.book.eval_diff = ByColor([0, 0]);
            settings.book.depth_limit = ByColor([0, 5]);
        }
        settings.profile = profile;
        settings
    }

    /// The book that need not exist.
    pub(super) fn default_book_file(&self) -> &'static str {
        match self.profile.book_options {
            BookOptionSet::V1 => Settings::DEFAULT_BOOK_FILE,
            BookOptionSet::V2 => Settings::DEFAULT_BOOK_FILE_V2,
        }
    }

    /// The options of a search for a move.
    pub fn search_options(&self) -> SearchOptions {
        SearchOptions {
            multi_pv: self.multi_pv,
            all_legal_moves: self.all_legal_moves,
            entering_king: self.entering_king,
            max_moves: (self.max_moves_to_draw > 0).then_some(self.max_moves_to_draw),
            draw_value: ByColor(self.draw_value.0.map(Score::from_centipawns)),
            resign_value: (self.resign_value < Settings::NEVER_RESIGN).then_some(self.resign_value),
            time: self.time_options(),
            pv_interval: Duration::from_millis(self.pv_interval_ms),
            report_bounds: self.report_bounds,
            show_current_line: self.show_current_line,
            show_refutations: self.show_refutations,
            root_mates: self.root_mates,
            strength: self.limit_strength.then_some(self.strength),
            analysis: self.analysis,
            cluster_worker: (self.cluster_worker > 0).then_some(self.cluster_worker),
            #[cfg(test)]
            panic_at: None,
        }
    }

    /// The settings of a search for a mate.
    pub fn mate_settings(&self) -> mate::SolverSettings {
        let threads = useful_threads(self.threads, sys::processors());
        mate::SolverSettings { threads, memory_mib: self.hash_mib, aim: self.mate_aim }
    }

    fn time_options(&self) -> TimeOptions {
        TimeOptions {
            network_delay: Duration::from_millis(self.network_delay_ms),
            network_delay2: Duration::from_millis(self.network_delay2_ms),
            // The session measures it.
            lateness: Duration::ZERO,
            minimum_thinking: Duration::from_millis(self.minimum_thinking_ms),
            slow_mover: self.slow_mover_percent,
            round_up_to_full_second: self.round_up_to_full_second,
            ponder: self.ponder,
            stochastic_ponder: self.stochastic_ponder,
        }
    }

    /// The depth limit of a `go` that names none.
    pub fn default_depth(&self) -> Option<Depth> {
        (self.depth_limit > 0).then_some(self.depth_limit as Depth)
    }

    /// The settings on which the scores in the transposition table and the histories depend.
    pub(super) fn score_settings(&self) -> impl PartialEq + use<> {
        let Settings { entering_king, max_moves_to_draw, draw_value, analysis, .. } = *self;
        (entering_king, max_moves_to_draw, draw_value, analysis)
    }

    /// The node limit of a `go` that names none.
    pub fn default_nodes(&self) -> Option<u64> {
        (self.nodes_limit > 0).then_some(self.nodes_limit)
    }
}

impl Default for Settings {
    /// Defaults for games on a personal computer.
    fn default() -> Settings {
        Settings {
            hash_mib: Settings::DEFAULT_HASH_MIB,
            // The strongest choice if the user sets nothing.
            threads: sys::processors().unwrap_or(1).min(Settings::MAX_DEFAULT_THREADS),
            // Some GUIs take this as their own switch; pondering by default would slow other
            // programs.
            ponder: false,
            stochastic_ponder: false,
            multi_pv: 1,
            // The built-in book is meant to be used; a GUI with its own book sends no `go` in the
            // opening.
            own_book: true,
            // Several GUIs lose a line, or their saved variation, on `currline` and `refutation`.
            show_current_line: false,
            show_refutations: false,
            // It costs little and finds mates that the search misses.
            root_mates: true,
            cluster_worker: 0,
            limit_strength: false,
            // First dan, a level that most club players know.
            strength: 1,
            analysis: false,
            // The rule of nearly all servers and tournaments.
            entering_king: EnteringKingRule::Csa27,
            max_moves_to_draw: 0,
            // Just below zero: play on against equals, but give nothing up for it.
            draw_value: ByColor([-2, -2]),
            // People want to see the mate, and a wrong resignation cannot be taken back.
            resign_value: Settings::NEVER_RESIGN,
            // A pipe takes less than a millisecond, but a busy GUI reads it some tens later.
            network_delay_ms: 50,
            // The last reserve also covers rare long stalls of a GUI on a loaded machine.
            network_delay2_ms: 150,
            // An easy move may be quick. Clocks of whole seconds are an option.
            minimum_thinking_ms: 0,
            slow_mover_percent: 100,
            // Useful only if the server does not count fractions of a second.
            round_up_to_full_second: false,
            // Frequent enough to show progress, rare enough to read.
            pv_interval_ms: 300,
            // ShogiGUI and Shogidokoro accept only moves in a PV, no word at its end.
            consideration: false,
            // A large change of the score is shown at once.
            report_bounds: true,
            all_legal_moves: false,
            depth_limit: 0,
            nodes_limit: 0,
            // Users who solve problems want to know their length.
            mate_aim: mate::Aim::Shortest,
            eval_file: None,
            eval_dir: Some(Settings::DEFAULT_EVAL_DIR.into()),
            fv_scale: 0,
            ls_bucket_mode: None,
            ls_progress_coeff: None,
            eval_kernel: None,
            book_file: Some(Settings::DEFAULT_BOOK_FILE.into()),
            book_dir: Some(Settings::DEFAULT_BOOK_DIR.into()),
            // Useful only for books of gibibytes.
            book_on_the_fly: false,
            profile: OptionProfile::default(),
            book: BookPolicy::DEFAULT,
            debug_log: None,
            thinking_log: None,
        }
    }
}

/// Maximum number of threads for each processor. A few too many do no harm, and a container may report too
/// few processors; many more delay each other and the answer.
const THREADS_PER_PROCESSOR: usize = 4;

/// The number of threads to start of those that the user wants.
pub(super) fn useful_threads(wanted: usize, processors: Option<usize>) -> usize {
    processors.map_or(wanted, |processors| wanted.min(processors * THREADS_PER_PROCESSOR))
}

/// The message for more threads than processors.
pub(super) fn thread_count_warning(wanted: usize, processors: Option<usize>) -> Option<String> {
    let processors = processors.filter(|&processors| wanted > processors)?;
    let shared = counted(processors as u64, "processor");
    Some(match useful_threads(wanted, Some(processors)) {
        started if started < wanted => {
            format!("only {started} of {wanted} threads: more would wait for {shared}")
        }
        _ => format!("{wanted} threads share {shared}, which gains nothing"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: too many threads delayed the answer, up to seconds.
    #[test]
    fn far_more_threads_than_processors_are_not_started() {
        let threads = |wanted| useful_threads(wanted, Some(2));
        assert_eq!([1, 2, 8, 9, 1024].map(threads), [1, 2, 8, 8, 8]);
        assert_eq!(useful_threads(1024, None), 1024);
    }

    #[test]
    fn more_threads_than_processors_are_reported() {
        let note = |wanted| thread_count_warning(wanted, Some(2));
        assert_eq!((note(1), note(2), thread_count_warning(64, None)), (None, None, None));
        assert!(note(3).is_some_and(|text| text.starts_with("3 threads share 2 processors")));
        assert!(
            thread_count_warning(3, Some(1)).unwrap().starts_with("3 threads share 1 processor,")
        );
        assert!(note(64).is_some_and(|text| text.starts_with("only 8 of 64 threads: ")));
    }

    #[test]
    fn zero_and_the_largest_resign_value_mean_no_limit() {
        let options = Settings::default().search_options();
        assert_eq!(options.max_moves, None);
        assert_eq!(options.resign_value, None);
        assert_eq!(options.strength, None);
        assert_eq!(Settings::default().default_depth(), None);
        assert_eq!(Settings::default().default_nodes(), None);
    }

    #[test]
    fn the_settings_reach_the_search() {
        let settings = Settings {
            max_moves_to_draw: 256,
            resign_value: 3000,
            limit_strength: true,
            strength: -3,
            network_delay2_ms: 1120,
            depth_limit: 7,
            nodes_limit: 1 << 40,
            ..Settings::default()
        };
        let options = settings.search_options();
        assert_eq!(options.max_moves, Some(256));
        assert_eq!(options.resign_value, Some(3000));
        assert_eq!(options.strength, Some(-3));
        assert_eq!(options.time.network_delay2, Duration::from_millis(1120));
        assert_eq!(settings.default_depth(), Some(7));
        assert_eq!(settings.default_nodes(), Some(1 << 40));
    }
}
