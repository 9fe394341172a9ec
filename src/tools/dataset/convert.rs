//! Converts between game files and position files, and reads game records.
//!
//! Every scored position of a game becomes a position that keeps only the result of its game. The
//! reverse conversion makes a game of one move from each position. Scores stay as they are; those of
//! game records are converted from centipawns.

use std::path::{Path, PathBuf};

use super::reader::{DatasetFile, DatasetItem, ItemError};
use super::writer::DatasetWriter;
use super::{DatasetCounts, DatasetError, OnWarning};
use crate::record::scored_position::{PositionFormat, ScoredPosition};
use crate::tools::game_file::{GameFileHeader, GameMove, GameSample, Replay, ScoredGame};
use crate::tools::referee::{GameEnd, GameEndReason, GameOutcome};
use crate::types::Score;

/// Copies all inputs to a new file, of the kind that its name says.
///
/// # Errors
/// If a file cannot be read or written.
pub fn convert(
    inputs: &[PathBuf],
    out: &Path,
    on_warning: OnWarning<'_>,
) -> Result<DatasetCounts, DatasetError> {
    let inputs = DatasetFile::open_all(inputs)?;
    let mut header = GameFileHeader::new();
    header.set("made by", "convert");
    let mut output = DatasetWriter::create(out, &header)?;
    let mut counts = DatasetCounts::default();
    for input in inputs {
        input.read(on_warning, &mut |item| convert_item(item, &mut output, &mut counts))?;
    }
    output.finish()?;
    Ok(counts)
}

fn convert_item(
    item: DatasetItem<'_>,
    output: &mut DatasetWriter,
    counts: &mut DatasetCounts,
) -> Result<(), ItemError> {
    match (item, output.format()) {
        (DatasetItem::Game(game), format) => {
            counts.games.add(1, 0);
            counts.positions.add(game.scored(), 0);
            match format {
                None => {
                    game.check().map_err(ItemError::skip)?;
                    output.push_game(&game)?;
                }
                Some(format) => put_positions(&game, format, output)?,
            }
            counts.games.add(0, 1);
            counts.positions.add(0, game.scored());
        }
        (DatasetItem::Position(bytes, old), Some(format)) => {
            counts.positions.add(1, 0);
            let scored = old.read(bytes).map_err(ItemError::skip)?;
            put_position(&scored, format, output)?;
            counts.positions.add(0, 1);
        }
        (DatasetItem::Position(bytes, old), None) => {
            counts.positions.add(1, 0);
            let game = game_of(old.read(bytes).map_err(ItemError::skip)?);
            game.check().map_err(ItemError::skip)?;
            output.push_game(&game)?;
            counts.games.add(1, 1);
            counts.positions.add(0, 1);
        }
    }
    Ok(())
}

/// Writes all positions of a game, or none if the game is invalid.
fn put_positions(
    game: &ScoredGame,
    format: PositionFormat,
    output: &mut DatasetWriter,
) -> Result<(), ItemError> {
    let mut encoded = Vec::with_capacity(format.size() * game.scored());
    let mut replay = Replay::new(game).map_err(ItemError::skip)?;
    while let Some(sample) = replay.advance().map_err(ItemError::skip)? {
        if let Some(score) = sample.score() {
            format.write(&position_of(&sample, score), &mut encoded).map_err(ItemError::skip)?;
        }
    }
    Ok(encoded.chunks_exact(format.size()).try_for_each(|bytes| output.push_position(bytes))?)
}

fn put_position(
    scored: &ScoredPosition,
    format: PositionFormat,
    output: &mut DatasetWriter,
) -> Result<(), ItemError> {
    let mut bytes = Vec::with_capacity(format.size());
    format.write(scored, &mut bytes).map_err(ItemError::skip)?;
    Ok(output.push_position(&bytes)?)
}

fn position_of(sample: &GameSample<'_>, score: Score) -> ScoredPosition {
    ScoredPosition {
        setup: sample.position.setup(),
        score: score.0 as i16,
        mv: sample.mv(),
        number: sample.position.game_ply().min(u16::MAX.into()) as u16,
        result: sample.result(),
    }
}

/// A game of one move. The reason of its end is unknown.
fn game_of(scored: ScoredPosition) -> ScoredGame {
    let side = scored.setup.side;
    let outcome = match scored.result {
        0 => GameOutcome::Draw,
        1 => GameOutcome::Win(side),
        _ => GameOutcome::Win(!side),
    };
    let ply = GameMove::searched(scored.mv, Score(scored.score.into()), true);
    let end = GameEnd { outcome, reason: GameEndReason::Adjudication };
    ScoredGame { start: scored.setup, plies: vec![ply], end }
}
