//! From one kind of file to another.
//!
//! Every scored position of a game becomes a position of its own, which then knows nothing of the
//! game but its result. The way back cannot undo that: it makes a game of one move of each
//! position. Scores are carried over as they are.

use std::path::{Path, PathBuf};

use super::input::{Input, Item, Refusal};
use super::output::Output;
use super::{CorpusError, Kind, Tally, Trouble};
use crate::record::scored::{Form, ScoredPosition};
use crate::tools::games::{Game, Head, Ply, Replay, Sample};
use crate::tools::referee::{End, Ending, Outcome};
use crate::types::Score;

/// Copies everything to a new file of the kind that its name says.
///
/// # Errors
/// If a file cannot be read or written.
pub fn convert(inputs: &[PathBuf], out: &Path, trouble: Trouble<'_>) -> Result<Tally, CorpusError> {
    let inputs = Input::open_all(inputs)?;
    let mut head = Head::new();
    head.set("made by", "convert");
    let mut output = Output::create(out, &head)?;
    let mut tally = Tally::default();
    for input in inputs {
        input.read(trouble, &mut |item| put(item, &mut output, &mut tally))?;
    }
    output.finish()?;
    Ok(tally)
}

fn put(item: Item<'_>, output: &mut Output, tally: &mut Tally) -> Result<(), Refusal> {
    match (item, output.kind()) {
        (Item::Game(game), kind) => {
            tally.games.add(1, 0);
            tally.positions.add(game.scored(), 0);
            match kind {
                Kind::Games => {
                    game.check().map_err(Refusal::bad)?;
                    output.push_game(&game)?;
                }
                Kind::Positions(form) => put_positions(&game, form, output)?,
            }
            tally.games.add(0, 1);
            tally.positions.add(0, game.scored());
        }
        (Item::Record(bytes, old), Kind::Positions(form)) => {
            tally.positions.add(1, 0);
            let record = old.read(bytes).map_err(Refusal::bad)?;
            put_record(&record, form, output)?;
            tally.positions.add(0, 1);
        }
        (Item::Record(bytes, old), Kind::Games) => {
            tally.positions.add(1, 0);
            let record = old.read(bytes).map_err(Refusal::bad)?;
            let game = game_of(record);
            game.check().map_err(Refusal::bad)?;
            output.push_game(&game)?;
            tally.games.add(1, 1);
            tally.positions.add(0, 1);
        }
    }
    Ok(())
}

/// All of a game or, if there is something wrong with it, nothing.
fn put_positions(game: &Game, form: Form, output: &mut Output) -> Result<(), Refusal> {
    let mut records = Vec::with_capacity(form.size() * game.scored());
    let mut replay = Replay::new(game).map_err(Refusal::bad)?;
    while let Some(sample) = replay.advance().map_err(Refusal::bad)? {
        if let Some(score) = sample.score() {
            form.write(&record_of(&sample, score), &mut records).map_err(Refusal::bad)?;
        }
    }
    Ok(records.chunks_exact(form.size()).try_for_each(|record| output.push_record(record))?)
}

fn put_record(record: &ScoredPosition, form: Form, output: &mut Output) -> Result<(), Refusal> {
    let mut bytes = Vec::with_capacity(form.size());
    form.write(record, &mut bytes).map_err(Refusal::bad)?;
    Ok(output.push_record(&bytes)?)
}

fn record_of(sample: &Sample<'_>, score: Score) -> ScoredPosition {
    ScoredPosition {
        setup: sample.position.setup(),
        score: score.0 as i16,
        mv: sample.mv(),
        number: sample.position.ply().min(u16::MAX.into()) as u16,
        result: sample.result(),
    }
}

/// A game of one move, whose ending nobody knows.
fn game_of(record: ScoredPosition) -> Game {
    let side = record.setup.side;
    let outcome = match record.result {
        0 => Outcome::Draw,
        1 => Outcome::Win(side),
        _ => Outcome::Win(!side),
    };
    let ply = Ply::searched(record.mv, Score(record.score.into()), true);
    let end = End { outcome, ending: Ending::Adjudication };
    Game { start: record.setup, plies: vec![ply], end }
}
