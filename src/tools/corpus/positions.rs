//! Positions as text, a line each: openings for other games.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::input::{Input, Item, Refusal};
use super::output::place;
use super::{CorpusError, Tally, Trouble};
use crate::position::{Position, Setup};
use crate::sys::sync_file;
use crate::tools::games::Replay;

/// Writes every scored position of these files once, as `sfen ...`, to a new file; the lines are
/// openings as `gauntlet` and `selfplay generate` read them.
///
/// # Errors
/// If a file cannot be read or written.
pub fn positions(
    inputs: &[PathBuf],
    out: &Path,
    trouble: Trouble<'_>,
) -> Result<Tally, CorpusError> {
    let inputs = Input::open_all(inputs)?;
    let blame = |error| CorpusError::writing(out, error);
    let (place, file) = place(out)?;
    let mut list = List { file: BufWriter::new(file), out, seen: HashSet::new() };
    let mut tally = Tally::default();
    for input in inputs {
        input.read(trouble, &mut |item| list.take(item, &mut tally))?;
    }
    let file = list.file.into_inner().map_err(|error| blame(error.into_error()))?;
    sync_file(&file).and_then(|()| place.put(out)).map_err(blame)?;
    Ok(tally)
}

struct List<'a> {
    file: BufWriter<File>,
    out: &'a Path,
    /// Keys of the positions that are written already.
    seen: HashSet<u64>,
}

impl List<'_> {
    fn take(&mut self, item: Item<'_>, tally: &mut Tally) -> Result<(), Refusal> {
        match item {
            Item::Game(game) => {
                tally.games.add(1, 0);
                let mut scored = Vec::with_capacity(game.scored());
                let mut replay = Replay::new(&game).map_err(Refusal::bad)?;
                while let Some(sample) = replay.advance().map_err(Refusal::bad)? {
                    if sample.score().is_some() {
                        scored.push((sample.position.key(), sample.position.setup()));
                    }
                }
                scored.iter().try_for_each(|(key, setup)| self.put(*key, setup, tally))?;
                tally.games.add(0, 1);
            }
            Item::Record(bytes, form) => {
                let record = form.read(bytes).map_err(Refusal::bad)?;
                let position = Position::from_setup(&record.setup).map_err(Refusal::bad)?;
                self.put(position.key(), &record.setup, tally)?;
            }
        }
        Ok(())
    }

    fn put(&mut self, key: u64, setup: &Setup, tally: &mut Tally) -> Result<(), Refusal> {
        let is_new = self.seen.insert(key);
        tally.positions.add(1, usize::from(is_new));
        if is_new {
            let written = writeln!(self.file, "sfen {setup}");
            written.map_err(|error| CorpusError::writing(self.out, error))?;
        }
        Ok(())
    }
}
