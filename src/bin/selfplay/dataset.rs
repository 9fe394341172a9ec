//! `selfplay stats`, `filter`, `dedup`, `shuffle`, `convert`, `balance`, `blend` and `positions`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand, value_parser};

use kawasemi::tools::dataset::balance::{BalanceConfig, balance};
use kawasemi::tools::dataset::blend::{BlendConfig, blend};
use kawasemi::tools::dataset::convert::convert;
use kawasemi::tools::dataset::dedup::dedup;
use kawasemi::tools::dataset::filter::{FilterConditions, GameFilter, PositionFilter, filter};
use kawasemi::tools::dataset::join::join;
use kawasemi::tools::dataset::positions::positions;
use kawasemi::tools::dataset::shuffle::shuffle;
use kawasemi::tools::dataset::stats::DatasetStats;
use kawasemi::tools::numbers::parse_numbers;
use kawasemi::tools::referee::GameEndReason;
use kawasemi::tools::teacher::PackedPredictions;
use kawasemi::tools::terminal::print;
use kawasemi::types::Score;
use kawasemi::types::message::counted;

use super::network::{NetworkArguments, NetworkWithName};
use super::warnings::Warnings;

/// What the commands that also read game records say about their inputs.
const WITH_RECORDS: &str =
    "Game files or game records; .psv and .bin are PackedSfenValue, .hcpe is hcpe";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Shows statistics of files
    Stats {
        #[arg(required = true, value_name = "IN", help = WITH_RECORDS)]
        files: Vec<PathBuf>,
    },
    Filter(Box<FilterArguments>),
    Join(JoinArguments),
    /// Copies files without duplicates
    ///
    /// Of games with the same start and moves, and of equal positions with a score, the first is kept.
    /// In a game file the other positions lose their scores; their moves stay.
    Dedup(InputOutput),
    /// Copies files in random order
    ///
    /// Games stay whole. To shuffle single positions, convert first.
    Shuffle {
        #[command(flatten)]
        files: InputOutput,
        /// Seed of the random order
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
        /// Approximate memory; for larger inputs temporary files are written next to the output
        #[arg(long, value_name = "MIB", default_value_t = 1024)]
        memory: u64,
    },
    /// Converts between game files and position files, and reads game records
    ///
    /// A position file has only positions with a score, without their games. The reverse conversion
    /// makes a game of one move from each position. Records in any notation (.csa, .kif, .ki2, .jkf, .usi ...), such as
    /// those of `gauntlet --csa`, become games: a move has the score that its player's evaluation gives, if there is
    /// one. Games without a result are skipped.
    #[command(mut_arg("inputs", |inputs| inputs.help(WITH_RECORDS)))]
    Convert(InputOutput),
    Balance(BalanceArguments),
    Blend(BlendArguments),
    /// Writes every position with a score once, a line of text each: openings for other games
    Positions(PositionsArguments),
}

#[derive(Debug, Args)]
pub(crate) struct InputOutput {
    /// Game files; .psv and .bin are PackedSfenValue, .hcpe is hcpe
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,
    /// The output file; it must not exist
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
}

/// Joins the files of the parts of a job
///
/// The parts are those of `--part`, or of `generate --first-game`. Each must be present once, complete, and made by the
/// same program with the same settings. The result is byte for byte what one process would have written.
/// Files of predictions can be joined too.
#[derive(Debug, Args)]
#[command(mut_arg("inputs", |inputs| inputs.help("Game files, or files of predictions")))]
pub(crate) struct JoinArguments {
    #[command(flatten)]
    files: InputOutput,
    /// How many games `generate` was to play in all parts together
    #[arg(long, value_name = "N")]
    games: Option<u64>,
}

/// Copies files with as many positions lost as won for the side to move
///
/// Within each stage of the game, the more frequent of two opposite bins of win rates becomes as
/// frequent as the other. Positions after random moves are mostly won for the side to move.
#[derive(Debug, Args)]
pub(crate) struct BalanceArguments {
    #[command(flatten)]
    files: InputOutput,
    /// Scale of the sigmoid: a score is the win rate 1 / (1 + exp(-score / scale)) (a pawn is 90)
    #[arg(long, value_name = "SCORE", default_value_t = 600.0, value_parser = parse_scale)]
    scale: f64,
    /// Keep only this percentage of the positions before move 40, before move 70, before move 100, and later
    #[arg(long, value_name = "PERCENT,...", default_value = "100,100,100,100", value_parser = parse_shares)]
    shares: [u8; 4],
    /// Seed of the random choice
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

fn parse_shares(text: &str) -> Result<[u8; 4], String> {
    parse_numbers(text, 100)
        .ok_or_else(|| "it is not four percentages such as 10,30,100,100".into())
}

/// Copies files with every score mixed with the static evaluation of a network
///
/// The win rates of both are averaged, and the mean is written as a score of the files' scale.
#[derive(Debug, Args)]
pub(crate) struct BlendArguments {
    #[command(flatten)]
    files: InputOutput,
    #[command(flatten)]
    network: NetworkArguments,
    /// Weight of the network's win rate in the mean
    #[arg(long, value_name = "PERCENT", default_value_t = 50, value_parser = value_parser!(u8).range(0..=100))]
    weight: u8,
    /// Scale of the sigmoid for the scores of the files: a score is the win rate
    /// 1 / (1 + exp(-score / scale)) (a pawn is 90)
    #[arg(long, value_name = "SCORE", default_value_t = 600.0, value_parser = parse_scale)]
    scale: f64,
    /// Scale of the sigmoid for the static evaluation of the network
    #[arg(long, value_name = "SCORE", default_value_t = 600.0, value_parser = parse_scale)]
    network_scale: f64,
}

pub(crate) fn parse_scale(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(scale) if (1.0..=100_000.0).contains(&scale) => Ok(scale),
        _ => Err("a number from 1 to 100000 is needed".into()),
    }
}

impl BlendArguments {
    fn config(&self) -> Result<BlendConfig, String> {
        let NetworkWithName { network, name: network_name, .. } = self.network.load()?;
        let weight = f64::from(self.weight) / 100.0;
        let BlendArguments { scale, network_scale, .. } = *self;
        Ok(BlendConfig { network, network_name, weight, scale, network_scale })
    }
}

#[derive(Debug, Args)]
#[command(mut_arg("inputs", |inputs| inputs.help(WITH_RECORDS)))]
pub(crate) struct PositionsArguments {
    #[command(flatten)]
    files: InputOutput,
    /// Write the start of the game and the moves from there, not the position alone
    #[arg(long)]
    moves: bool,
}

/// Copies files without some games and positions
///
/// In a game file, removed positions lose their scores; their moves stay.
#[derive(Debug, Args)]
pub(crate) struct FilterArguments {
    #[command(flatten)]
    files: InputOutput,
    /// Remove games of fewer plies
    #[arg(long, value_name = "N")]
    min_plies: Option<usize>,
    /// Remove games of more plies
    #[arg(long, value_name = "N")]
    max_plies: Option<usize>,
    /// Remove games that ended for this reason; may be repeated
    #[arg(long, value_name = "REASON", value_parser = end_reason())]
    no_ending: Vec<GameEndReason>,
    /// Remove positions before this move, counted as in SFEN
    #[arg(long, value_name = "N")]
    from_move: Option<u32>,
    /// Remove positions after this move
    #[arg(long, value_name = "N")]
    to_move: Option<u32>,
    /// Remove positions with a larger score for either side, in the units of the file
    #[arg(long, value_name = "SCORE")]
    max_score: Option<u16>,
    /// Remove positions in which a side is ahead by this much or more and loses the game
    #[arg(long, value_name = "SCORE")]
    no_contradiction: Option<u16>,
    /// Remove positions with the side to move in check
    #[arg(long)]
    no_check: bool,
    /// Remove positions where the next move is a capture
    #[arg(long)]
    no_capture: bool,
    /// Remove positions where the next move is a promotion
    #[arg(long)]
    no_promotion: bool,
    /// Remove positions where the best move of the search was not played
    #[arg(long)]
    best_only: bool,
    /// Of the remaining positions, keep this many random ones of each game
    #[arg(long, value_name = "N")]
    per_game: Option<usize>,
    /// Seed of the random choice
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Parses a word for the end of a game; the help lists all of them.
fn end_reason() -> impl TypedValueParser<Value = GameEndReason> {
    PossibleValuesParser::new(GameEndReason::ALL.map(GameEndReason::name))
        .try_map(|word| word.parse::<GameEndReason>())
}

impl FilterArguments {
    fn conditions(&self) -> FilterConditions {
        let score = |units: u16| Score(units.into());
        FilterConditions {
            games: GameFilter {
                min_plies: self.min_plies,
                max_plies: self.max_plies,
                end_reasons: self.no_ending.clone(),
            },
            positions: PositionFilter {
                min_number: self.from_move,
                max_number: self.to_move,
                max_score: self.max_score.map(score),
                contradiction: self.no_contradiction.map(score),
                no_check: self.no_check,
                no_capture: self.no_capture,
                no_promotion: self.no_promotion,
                best_only: self.best_only,
            },
            per_game: self.per_game,
            seed: self.seed,
        }
    }
}

pub(crate) fn run(command: &Command) -> Result<(), String> {
    let mut warnings = Warnings::default();
    let warn = &mut |text: String| warnings.print(&text);
    let counts = match command {
        Command::Stats { files } => {
            let stats = DatasetStats::of_files(files, warn);
            return print(stats.map_err(|error| error.to_string())?);
        }
        Command::Filter(arguments) => {
            let InputOutput { inputs, out } = &arguments.files;
            filter(inputs, out, &arguments.conditions(), warn)
        }
        Command::Join(arguments) => return join_parts(arguments),
        Command::Dedup(InputOutput { inputs, out }) => dedup(inputs, out, warn),
        Command::Shuffle { files: InputOutput { inputs, out }, seed, memory } => {
            let memory = memory.saturating_mul(1 << 20);
            shuffle(inputs, out, *seed, memory, warn)
        }
        Command::Convert(InputOutput { inputs, out }) => convert(inputs, out, warn),
        Command::Balance(BalanceArguments { files, scale, shares, seed }) => {
            let config = BalanceConfig { scale: *scale, shares_percent: *shares, seed: *seed };
            balance(&files.inputs, &files.out, &config, warn)
        }
        Command::Blend(arguments) => {
            let InputOutput { inputs, out } = &arguments.files;
            blend(inputs, out, &arguments.config()?, warn)
        }
        Command::Positions(PositionsArguments { files, moves }) => {
            positions(&files.inputs, &files.out, *moves, warn)
        }
    };
    let counts = counts.map_err(|error| error.to_string())?;
    print(format_args!("{counts}\n"))
}

fn join_parts(arguments: &JoinArguments) -> Result<(), String> {
    let JoinArguments { files: InputOutput { inputs, out }, games } = arguments;
    if PackedPredictions::is_named(out) {
        let units = PackedPredictions::join(inputs, out)?;
        return print(format_args!("{}\n", counted(units, "unit")));
    }
    let counts = join(inputs, out, *games)?;
    let games = counted(counts.games.kept, "game");
    print(format_args!("{games}, {}\n", counted(counts.positions.kept, "position")))
}
