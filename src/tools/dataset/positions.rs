//! Writes positions as text, one per line, as openings for other games.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::reader::{DatasetFile, DatasetItem, ItemError};
use super::{DatasetCounts, DatasetError, OnWarning};
use crate::position::{Position, Setup};
use crate::sys::AtomicFile;
use crate::tools::files::check_absent;
use crate::tools::game_file::Replay;

/// Writes every scored position of these files once to a new file, as `sfen ...` or, `with_moves`, as
/// the start of its game and the moves from there; the lines are openings as `gauntlet` and `selfplay
/// generate` read them.
///
/// # Errors
/// If a file cannot be read or written.
pub fn positions(
    inputs: &[PathBuf],
    out: &Path,
    with_moves: bool,
    on_warning: OnWarning<'_>,
) -> Result<DatasetCounts, DatasetError> {
    let inputs = DatasetFile::open_all(inputs)?;
    let write_error = |error| DatasetError::writing(out, error);
    let created = check_absent(out).and_then(|()| AtomicFile::create(out));
    let file = created.map_err(write_error)?;
    let mut list = PositionList { file, out, with_moves, seen: HashSet::new() };
    let mut counts = DatasetCounts::default();
    for input in inputs {
        input.read(on_warning, &mut |item| list.take(item, &mut counts))?;
    }
    list.file.commit().map_err(write_error)?;
    Ok(counts)
}

struct PositionList<'a> {
    file: AtomicFile,
    out: &'a Path,
    with_moves: bool,
    /// Keys of the positions that have been written.
    seen: HashSet<u64>,
}

impl PositionList<'_> {
    fn take(&mut self, item: DatasetItem<'_>, counts: &mut DatasetCounts) -> Result<(), ItemError> {
        match item {
            DatasetItem::Game(game) => {
                counts.games.add(1, 0);
                let mut scored = Vec::with_capacity(game.scored());
                let mut line = start_of(&game.start);
                let mut replay = Replay::new(&game).map_err(ItemError::skip)?;
                while let Some(sample) = replay.advance().map_err(ItemError::skip)? {
                    if sample.score().is_some() {
                        let text = if self.with_moves {
                            line.clone()
                        } else {
                            format!("sfen {}", sample.position.setup())
                        };
                        scored.push((sample.position.key(), text));
                    }
                    line.push_str(&format!(" {}", sample.mv()));
                }
                scored.iter().try_for_each(|(key, text)| self.put(*key, text, counts))?;
                counts.games.add(0, 1);
            }
            DatasetItem::Position(bytes, format) => {
                let setup = format.read(bytes).map_err(ItemError::skip)?.setup;
                let position = Position::from_setup(&setup).map_err(ItemError::skip)?;
                self.put(position.key(), &format!("sfen {setup}"), counts)?;
            }
        }
        Ok(())
    }

    fn put(&mut self, key: u64, text: &str, counts: &mut DatasetCounts) -> Result<(), ItemError> {
        let is_new = self.seen.insert(key);
        counts.positions.add(1, usize::from(is_new));
        if is_new {
            let written = writeln!(self.file, "{text}");
            written.map_err(|error| DatasetError::writing(self.out, error))?;
        }
        Ok(())
    }
}

/// What a line begins with whose moves follow.
fn start_of(start: &Setup) -> String {
    if *start == Setup::startpos() {
        "startpos moves".into()
    } else {
        format!("sfen {start} moves")
    }
}
