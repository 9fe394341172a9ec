//! The searches of one self-play thread.

use super::common_config::CommonConfig;
use super::stop::StopState;
use crate::position::Position;
use crate::search::{Found, Solo};
use crate::sys::MemoryRefused;
use crate::types::Random;

/// Why a game was not played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameFailure {
    /// The reason, as text.
    Impossible(String),
    /// The run was told to stop at once.
    Abandoned,
}

/// See the module's comment.
#[derive(Debug)]
pub struct SelfplaySearcher<'a> {
    config: &'a CommonConfig,
    stop: &'a StopState<'a>,
    solo: Solo,
}

impl<'a> SelfplaySearcher<'a> {
    pub(super) fn new(
        config: &'a CommonConfig,
        stop: &'a StopState<'a>,
    ) -> Result<SelfplaySearcher<'a>, MemoryRefused> {
        let solo = Solo::new(config.hash_mib, config.network.clone())?;
        Ok(SelfplaySearcher { config, stop, solo })
    }

    /// Clears the table and the histories, so that a game does not depend on earlier ones.
    pub(super) fn clear(&mut self) {
        self.solo.forget();
    }

    /// Searches a position with `lines` principal variations.
    pub(super) fn search(
        &mut self,
        position: &Position,
        lines: usize,
        random: &mut Random,
    ) -> Result<Found, GameFailure> {
        if self.stop.must_abandon() {
            return Err(GameFailure::Abandoned);
        }
        let CommonConfig { nodes, spread, .. } = *self.config;
        let range = nodes * u64::from(spread) / 100;
        let nodes = if range > 0 { random.between(nodes - range, nodes + range) } else { nodes };
        Ok(self.solo.search(self.config.request(position, nodes.max(1), lines)))
    }
}
