//! Leaves out positions until as many are lost as won for the side to move.
//!
//! Positions after random moves are mostly won for the side to move. A network that was trained on them
//! sees the side to move ahead, and misses the threats of the opponent.

use std::path::{Path, PathBuf};

use super::reader::{DatasetFile, DatasetItem, ItemError};
use super::win_rate::win_rate;
use super::writer::DatasetWriter;
use super::{DatasetCounts, DatasetError, DatasetKind, OnWarning};
use crate::record::scored_position::PositionFormat;
use crate::sys::is_stream;
use crate::tools::game_file::ScoredGame;
use crate::types::{Random, Score};

/// The first move numbers of the later stages of a game.
pub const STAGE_BOUNDS: [u32; 3] = [40, 70, 100];
const STAGES: usize = STAGE_BOUNDS.len() + 1;
/// Bins of win rates, of equal width.
const BINS: usize = 20;

/// What is kept.
#[derive(Clone, Copy, Debug)]
pub struct BalanceConfig {
    /// A score s is the win rate 1 / (1 + exp(-s / scale)).
    pub scale: f64,
    /// Percent of the positions of each stage that are kept, before the balance.
    pub shares_percent: [u8; STAGES],
    pub seed: u64,
}

/// Copies files without some of their positions: within each stage of the game, the more frequent of two
/// opposite bins of win rates becomes as frequent as the other. The files are read twice.
/// Games that keep no score are removed.
///
/// # Errors
/// If a file cannot be read or written, is a pipe, or does not contain the numbers of moves, or the files are
/// not of one kind.
pub fn balance(
    inputs: &[PathBuf],
    out: &Path,
    config: &BalanceConfig,
    on_warning: OnWarning<'_>,
) -> Result<DatasetCounts, DatasetError> {
    if let Some(pipe) = inputs.iter().find(|path| is_stream(path)) {
        return Err(DatasetError::Pipe(pipe.clone()));
    }
    let mut histogram = [[0; BINS]; STAGES];
    let files = DatasetFile::open_alike(inputs)?;
    // Without numbers all positions would count as those of the first stage.
    if files.iter().any(|file| file.kind() == DatasetKind::Positions(PositionFormat::Hcpe)) {
        return Err(DatasetError::NotInFormat("the number of a move"));
    }
    for input in files {
        input.read(&mut |_| {}, &mut |item| count(item, config.scale, &mut histogram))?;
    }
    let inputs = DatasetFile::open_alike(inputs)?;
    let BalanceConfig { scale, shares_percent, seed } = config;
    let what = format!("balance; scale {scale}; shares {shares_percent:?}; seed {seed}");
    let mut output = DatasetWriter::like(out, &inputs, &what)?;
    let (random, counts) = (Random::new(config.seed), DatasetCounts::default());
    let mut balancer = Balancer { config, histogram, random, counts };
    for input in inputs {
        input.read(on_warning, &mut |item| balancer.take(item, &mut output))?;
    }
    output.finish()?;
    Ok(balancer.counts)
}

/// The number of positions by stage and bin.
type Histogram = [[usize; BINS]; STAGES];

fn count(item: DatasetItem<'_>, scale: f64, histogram: &mut Histogram) -> Result<(), ItemError> {
    let mut add = |number, score| {
        if let Some(bin) = bin(score, scale) {
            histogram[stage(number)][bin] += 1;
        }
    };
    match item {
        DatasetItem::Game(game) => {
            for (number, ply) in (game.start.game_ply..).zip(&game.plies) {
                ply.score().into_iter().for_each(|score| add(number, score));
            }
        }
        DatasetItem::Position(bytes, format) => {
            let scored = format.read(bytes).map_err(ItemError::skip)?;
            add(scored.number.into(), Score(scored.score.into()));
        }
    }
    Ok(())
}

fn stage(number: u32) -> usize {
    STAGE_BOUNDS.iter().filter(|&&bound| number >= bound).count()
}

/// `None` for a score of 0, which is its own opposite: in one of the bins next to it, draws would displace positions
/// that are nearly even.
fn bin(score: Score, scale: f64) -> Option<usize> {
    (score.0 != 0).then(|| ((win_rate(score, scale) * BINS as f64) as usize).min(BINS - 1))
}

struct Balancer<'a> {
    config: &'a BalanceConfig,
    histogram: Histogram,
    random: Random,
    counts: DatasetCounts,
}

impl Balancer<'_> {
    fn take(&mut self, item: DatasetItem<'_>, output: &mut DatasetWriter) -> Result<(), ItemError> {
        match item {
            DatasetItem::Game(game) => {
                game.check().map_err(ItemError::skip)?;
                let seen = game.scored();
                let game = self.balanced_game(game);
                let kept = game.scored();
                self.counts.games.add(1, usize::from(kept > 0));
                self.counts.positions.add(seen, kept);
                if kept > 0 {
                    output.push_game(&game)?;
                }
            }
            DatasetItem::Position(bytes, format) => {
                let scored = format.read(bytes).map_err(ItemError::skip)?;
                let keep = self.keep(scored.number.into(), Score(scored.score.into()));
                self.counts.positions.add(1, usize::from(keep));
                if keep {
                    output.push_position(bytes)?;
                }
            }
        }
        Ok(())
    }

    /// The game without the scores that are not kept.
    fn balanced_game(&mut self, mut game: ScoredGame) -> ScoredGame {
        for (number, ply) in (game.start.game_ply..).zip(&mut game.plies) {
            if ply.score().is_some_and(|score| !self.keep(number, score)) {
                ply.remove_score();
            }
        }
        game
    }

    fn keep(&mut self, number: u32, score: Score) -> bool {
        let stage = stage(number);
        if !self.random.percent(self.config.shares_percent[stage].into()) {
            return false;
        }
        let Some(bin) = bin(score, self.config.scale) else { return true };
        let histogram = self.histogram[stage];
        let (here, opposite) = (histogram[bin], histogram[BINS - 1 - bin]);
        opposite >= here || self.random.below(here) < opposite
    }
}
