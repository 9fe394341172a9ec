//! `selfplay rescore`.

use clap::Args;

use kawasemi::tools::selfplay::RescoreConfig;
use kawasemi::tools::terminal::Failure;

use super::common;

/// Searches some positions of games again and appends the games, with these scores only, to a file
///
/// Moves and results stay the same. Only quiet positions with a score are searched, because a network
/// can learn their scores. The same command continues an existing file, and ends after the last game.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    source: common::SourceArguments,
    #[command(flatten)]
    common: common::CommonArguments,
    /// Percent of the quiet positions that are searched
    #[arg(long, value_name = "PERCENT", default_value_t = 5)]
    share: u32,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (games, source) = common::read_games(&arguments.source.games)?;
    let common = arguments.common.common(arguments.source.part)?;
    common::run_job(&RescoreConfig { common, games, source, share_percent: arguments.share })
}
