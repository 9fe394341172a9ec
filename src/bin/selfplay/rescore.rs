//! `selfplay rescore`.

use std::path::PathBuf;

use clap::Args;

use kawasemi::tools::selfplay::RescoreConfig;

use super::common;

/// Searches some positions of games anew, and appends the games with these scores alone to a file
///
/// Moves and ends stay. Searched are positions whose score a net can learn: quiet ones that were
/// searched before. The same command takes up a file where it was left, and ends when all games were
/// gone through.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Files of games, whose positions are searched
    #[arg(required = true, value_name = "GAMES")]
    games: Vec<PathBuf>,
    #[command(flatten)]
    common: common::CommonArguments,
    /// Percent of the quiet positions that are searched
    #[arg(long, value_name = "PERCENT", default_value_t = 5)]
    share: u32,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let (games, source) = common::games(&arguments.games)?;
    let common = arguments.common.common()?;
    common::play(&RescoreConfig { common, games, source, share: arguments.share })
}
