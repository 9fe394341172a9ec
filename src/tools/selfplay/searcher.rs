//! The searches of one self-play thread.

use super::common_config::CommonConfig;
use super::job::GameFailure;
use super::stop::StopState;
use crate::nnue::Network;
use crate::position::Position;
use crate::search::{SearchResult, SingleThreadSearcher};
use crate::sys::AllocationError;
use crate::types::Random;

/// A searcher with the node limits of the job, which fails when the run is stopped at once.
#[derive(Debug)]
pub struct SelfplaySearcher<'a> {
    config: &'a CommonConfig,
    stop: &'a StopState<'a>,
    searcher: SingleThreadSearcher,
}

impl<'a> SelfplaySearcher<'a> {
    /// A searcher with the configured network or that of an opponent.
    pub(super) fn new(
        config: &'a CommonConfig,
        network: &Network,
        stop: &'a StopState<'a>,
    ) -> Result<SelfplaySearcher<'a>, AllocationError> {
        let searcher = SingleThreadSearcher::new(config.hash_mib, network.clone())?;
        Ok(SelfplaySearcher { config, stop, searcher })
    }

    /// Clears the table and the histories, so that a game does not depend on earlier ones.
    pub(super) fn clear(&mut self) {
        self.searcher.clear();
    }

    /// Searches a position with `lines` principal variations and the nodes of the configuration.
    pub(super) fn search(
        &mut self,
        position: &Position,
        lines: usize,
        random: &mut Random,
    ) -> Result<SearchResult, GameFailure> {
        if self.stop.must_abandon() {
            return Err(GameFailure::Abandoned);
        }
        let CommonConfig { nodes, node_variation_percent, .. } = *self.config;
        let range = nodes * u64::from(node_variation_percent) / 100;
        let nodes = if range > 0 { random.between(nodes - range, nodes + range) } else { nodes };
        Ok(self.searcher.search(self.config.request(position, nodes.max(1), lines)))
    }
}
