//! The events of a tuning.

use std::fmt;
use std::time::Duration;

use crate::record::format_duration;

/// Receives the events of a tuning.
pub trait TuneObserver {
    fn progress(&mut self, progress: &TuneProgress);

    /// An engine failed.
    fn warn(&mut self, text: &str);
}

/// How far a tuning is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TuneProgress {
    pub pairs: usize,
    pub all_pairs: usize,
    /// Wins minus losses of all `plus` sides.
    pub net_wins: i64,
    /// Since this run began.
    pub games_per_second: f64,
    /// Until the end; `None` before the first games.
    pub left: Option<Duration>,
}

impl fmt::Display for TuneProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TuneProgress { pairs, all_pairs, net_wins, games_per_second, left } = self;
        write!(f, "pair {pairs}/{all_pairs}  points {net_wins:+}  {games_per_second:.2} games/s")?;
        let Some(left) = left else { return Ok(()) };
        write!(f, "  {} left", format_duration(*left))
    }
}
