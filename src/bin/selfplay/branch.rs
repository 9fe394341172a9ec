//! `selfplay branch`.

use clap::Args;

use kawasemi::tools::selfplay::BranchConfig;
use kawasemi::types::Score;

use super::common;

/// Plays short branches of games, each after a random move, and appends them to a file
///
/// Each branch starts after a random move instead of the one that was played, and has a few searched
/// moves. The same command continues an existing file, and ends after the last game.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    source: common::SourceArguments,
    #[command(flatten)]
    common: common::CommonArguments,
    /// Percent of the searched positions at which a branch starts
    #[arg(long, value_name = "PERCENT", default_value_t = 30)]
    share: u32,
    /// Searched moves in each branch
    #[arg(long, value_name = "N", default_value_t = 3)]
    plies: u32,
    /// Start no branch at a position with a larger score in centipawns
    #[arg(long, value_name = "CP", default_value_t = 3000)]
    max_score: u32,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let (games, source) = common::games(&arguments.source.games)?;
    common::play(&BranchConfig {
        common: arguments.common.common(arguments.source.part)?,
        games,
        source,
        share: arguments.share,
        plies: arguments.plies,
        max_score: Score::from_centipawns(arguments.max_score.min(30_000) as i32),
    })
}
