//! Removes duplicates.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use super::reader::{DatasetFile, DatasetItem, ItemError};
use super::writer::DatasetWriter;
use super::{DatasetCounts, DatasetError, OnWarning};
use crate::tools::game_file::{IllegalGame, Replay, ScoredGame};

/// Copies the inputs to a new file without duplicates: games with the same start and moves, scores
/// of positions that already had one, and, in position files, equal positions. The first one in the
/// order of the files is kept.
///
/// Takes about 16 bytes of memory for each different position.
///
/// # Errors
/// If a file cannot be read or written, or they are not of one kind.
pub fn dedup(
    inputs: &[PathBuf],
    out: &Path,
    on_warning: OnWarning<'_>,
) -> Result<DatasetCounts, DatasetError> {
    let inputs = DatasetFile::open_alike(inputs)?;
    let mut output = DatasetWriter::like(out, &inputs, "dedup")?;
    let mut seen = SeenItems::default();
    let mut counts = DatasetCounts::default();
    for input in inputs {
        input.read(on_warning, &mut |item| seen.take(item, &mut output, &mut counts))?;
    }
    output.finish()?;
    Ok(counts)
}

/// What has been seen, as hashes of 64 bits.
#[derive(Default)]
struct SeenItems {
    games: HashSet<u64>,
    positions: HashSet<u64>,
}

impl SeenItems {
    fn take(
        &mut self,
        item: DatasetItem<'_>,
        output: &mut DatasetWriter,
        counts: &mut DatasetCounts,
    ) -> Result<(), ItemError> {
        match item {
            DatasetItem::Game(mut game) => {
                counts.games.add(1, 0);
                counts.positions.add(game.scored(), 0);
                if !self.games.insert(game_key(&game)) {
                    return Ok(());
                }
                self.remove_repeated_scores(&mut game).map_err(ItemError::skip)?;
                counts.games.add(0, 1);
                counts.positions.add(0, game.scored());
                output.push_game(&game)?;
            }
            DatasetItem::Position(bytes, _) => {
                let is_new = self.positions.insert(hash(&bytes[..32]));
                counts.positions.add(1, usize::from(is_new));
                if is_new {
                    output.push_position(bytes)?;
                }
            }
        }
        Ok(())
    }

    /// The positions of an invalid game do not count as seen, since the game is removed.
    fn remove_repeated_scores(&mut self, game: &mut ScoredGame) -> Result<(), IllegalGame> {
        let mut scored = Vec::new();
        let mut replay = Replay::new(game)?;
        while let Some(sample) = replay.advance()? {
            if sample.score().is_some() {
                scored.push((sample.ply, sample.position.key()));
            }
        }
        for (ply, key) in scored {
            if !self.positions.insert(key) {
                game.plies[ply].remove_score();
            }
        }
        Ok(())
    }
}

/// A hash of the start and the moves of a game.
pub(super) fn game_key(game: &ScoredGame) -> u64 {
    let moves: Vec<_> = game.plies.iter().map(|ply| ply.mv()).collect();
    hash(&(game.start.to_string(), moves))
}

fn hash<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
