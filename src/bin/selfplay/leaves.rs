//! `selfplay leaves`.

use clap::Args;

use kawasemi::tools::selfplay::LeavesConfig;
use kawasemi::types::Score;

use super::common;

/// Searches positions of games and appends the ends of the principal variations to a file
///
/// Each line is a short game without scores except at its end. The same command continues an existing
/// file, and ends after the last game.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    source: common::SourceArguments,
    #[command(flatten)]
    common: common::CommonArguments,
    /// Percent of the scored positions that are searched
    #[arg(long, value_name = "PERCENT", default_value_t = 30)]
    share: u32,
    /// Principal variations of each search
    #[arg(long, value_name = "N", default_value_t = 3)]
    lines: usize,
    /// Nodes of the search at the end of a line
    #[arg(long, value_name = "N", default_value_t = 50)]
    leaf_nodes: u64,
    /// Search no position with a larger score in centipawns
    #[arg(long, value_name = "CP", default_value_t = 2000)]
    max_score: u32,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let (games, source) = common::games(&arguments.source.games)?;
    common::play(&LeavesConfig {
        common: arguments.common.common(arguments.source.part)?,
        games,
        source,
        share: arguments.share,
        lines: arguments.lines,
        leaf_nodes: arguments.leaf_nodes,
        max_score: Score::from_centipawns(arguments.max_score.min(30_000) as i32),
    })
}
