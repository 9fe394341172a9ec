//! `selfplay generate`.

use std::path::PathBuf;

use clap::Args;

use kawasemi::tools::opening::load_openings;
use kawasemi::tools::part::Part;
use kawasemi::tools::selfplay::adjudicator::{DrawRule, WinRule};
use kawasemi::tools::selfplay::start_positions::{RandomPlies, StartPositions};
use kawasemi::tools::selfplay::{GenerateConfig, MoveSampling, Opponent};
use kawasemi::tools::terminal::Failure;
use kawasemi::types::Score;

use super::common;
use super::network::NetworkWithName;

/// Plays games and appends them to a file
///
/// The same command continues an existing file. Ctrl-C finishes the games in progress; a second Ctrl-C
/// abandons them. Game n follows from the arguments and n alone, so the file has the same games for
/// any number of threads.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    common: common::CommonArguments,
    /// The number of the first game: several machines play games of one job, which `selfplay join` joins
    #[arg(long, value_name = "N", default_value_t = 0)]
    first_game: u64,
    /// Stop at this many games in the file
    #[arg(long, value_name = "N", required_unless_present = "positions")]
    games: Option<u64>,

    /// Another network file that plays against the first, half of the games as Black; if there are several,
    /// each plays two games in turn
    #[arg(long, value_name = "FILE")]
    opponent: Vec<PathBuf>,

    /// Openings, one per line, as for gauntlet
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Percent of the games that start from an opening, if there are any
    #[arg(long, value_name = "PERCENT", default_value_t = 60)]
    openings_share: u32,
    /// Random moves in games from the initial position: 4-8/14 means four to eight of the first fourteen
    #[arg(long, value_name = "MOVES", default_value = "4-8/14")]
    random_plies: RandomPlies,
    /// Random moves after an opening
    #[arg(long, value_name = "MOVES", default_value = "0-2/8")]
    opening_random_plies: RandomPlies,
    /// Choose another start position if a side is ahead by more centipawns; 0 accepts all
    #[arg(long, value_name = "CP", default_value_t = 400)]
    max_start_score: u32,
    /// After the start, play a random one of this many best moves (MultiPV)
    #[arg(long, value_name = "N", default_value_t = 1)]
    random_multi_pv: usize,
    /// Of these moves, play only those at most this many centipawns worse than the best one
    #[arg(long, value_name = "CP", default_value_t = 50)]
    random_multi_pv_margin: u32,
    /// Play moves chosen at random like this for this many plies
    #[arg(long, value_name = "N", default_value_t = 20)]
    random_multi_pv_plies: usize,

    /// Adjudicate a win for a side that is ahead by this many centipawns; 0 plays to the end
    #[arg(long, value_name = "CP", default_value_t = 2500)]
    win_score: u32,
    /// Adjudicate a win only after this many consecutive plies
    #[arg(long, value_name = "N", default_value_t = 4)]
    win_plies: u32,
    /// Adjudicate a draw when no side is ahead by more centipawns [default: never]
    #[arg(long, value_name = "CP")]
    draw_score: Option<u32>,
    /// Adjudicate a draw only after this many consecutive plies
    #[arg(long, value_name = "N", default_value_t = 40)]
    draw_plies: u32,
    /// Adjudicate draws only from this move on
    #[arg(long, value_name = "N", default_value_t = 160)]
    draw_from: u32,
    /// Percent of the games that are played without adjudication
    #[arg(long, value_name = "PERCENT", default_value_t = 10)]
    play_on: u32,
    /// End a game as a draw after this many moves
    #[arg(long, value_name = "N", default_value_t = 320)]
    max_moves: u32,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    common::run_job(&arguments.config()?)
}

impl Arguments {
    fn config(&self) -> Result<GenerateConfig, String> {
        let score = |centipawns: u32| Score::from_centipawns(centipawns.min(30_000) as i32);
        let openings = self.openings.as_deref().map(load_openings);
        let opponent = |file: &PathBuf| {
            let NetworkWithName { network, name, .. } = self.common.network.load_file(file)?;
            Ok(Opponent { network, name })
        };
        Ok(GenerateConfig {
            common: self.common.common(Part::WHOLE)?,
            first_game: self.first_game,
            games: self.games,
            opponents: self.opponent.iter().map(opponent).collect::<Result<_, String>>()?,
            starts: StartPositions {
                openings: openings.transpose()?.unwrap_or_default().into(),
                openings_percent: self.openings_share,
                random_from_startpos: self.random_plies,
                random_after_opening: self.opening_random_plies,
            },
            max_start_score: (self.max_start_score > 0).then(|| score(self.max_start_score)),
            sampling: (self.random_multi_pv > 1).then(|| MoveSampling {
                lines: self.random_multi_pv,
                margin: score(self.random_multi_pv_margin),
                plies: self.random_multi_pv_plies,
            }),
            win: (self.win_score > 0)
                .then(|| WinRule { score: score(self.win_score), plies: self.win_plies }),
            draw: self.draw_score.map(|centipawns| DrawRule {
                score: score(centipawns),
                plies: self.draw_plies,
                from: self.draw_from,
            }),
            unadjudicated_percent: self.play_on,
            max_moves: self.max_moves,
        })
    }
}
