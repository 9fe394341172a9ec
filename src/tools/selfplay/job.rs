//! What a run asks of a job, whichever kind of games it makes.

use super::common_config::{CommonConfig, SelfplayConfigError};
use super::searcher::{GameFailure, SelfplaySearcher};
use crate::tools::game_file::{GameFileHeader, ScoredGame};

/// Games to be made, in numbered units of work. A unit follows from the configuration and its
/// number alone, so units are played side by side.
pub trait GameJob: Sync {
    fn common(&self) -> &CommonConfig;

    /// # Errors
    /// The first error of the configuration.
    fn check(&self) -> Result<(), SelfplayConfigError>;

    /// Everything that the games depend on. `program` is the fingerprint of the running program.
    fn header(&self, program: &str) -> GameFileHeader;

    /// How many units there are; `None` if there is no bound.
    fn unit_count(&self) -> Option<u64>;

    /// The unit to continue with when `games` games are in the file, and how many of its own games
    /// are among them.
    ///
    /// # Errors
    /// The job has fewer games than that, as text.
    fn unit_after(&self, games: u64) -> Result<(u64, usize), String>;

    /// Plays the unit of this number.
    ///
    /// # Errors
    /// The unit cannot be played, or the run was stopped.
    fn play_unit(
        &self,
        number: u64,
        searcher: &mut SelfplaySearcher<'_>,
    ) -> Result<Vec<ScoredGame>, GameFailure>;
}
