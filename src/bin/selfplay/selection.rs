//! The arguments that `selfplay predict` and `selfplay label` have in common: which positions.

use clap::Args;

use kawasemi::tools::teacher::PositionSelection;

use super::common;

#[derive(Debug, Args)]
pub(crate) struct SelectionArguments {
    #[command(flatten)]
    source: common::SourceArguments,
    /// Seed of the choice of positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Percent of the quiet positions that are labelled
    #[arg(long, value_name = "PERCENT", default_value_t = 100)]
    share: u32,
    /// Besides each position, label up to this many after a random move and the captures that win material
    #[arg(long, value_name = "N", default_value_t = 0)]
    children: usize,
}

impl SelectionArguments {
    /// # Errors
    /// If the games cannot be read.
    pub(crate) fn source(&self) -> Result<PositionSelection, String> {
        let (games, source) = common::read_games(&self.source.games)?;
        let SelectionArguments { seed, share: share_percent, children, .. } = *self;
        let part = self.source.part;
        Ok(PositionSelection { games, source, part, seed, share_percent, children })
    }
}
