//! Games and positions in USI notation, one per line: `position startpos moves 7g7f`, `sfen ...`, a bare
//! SFEN.
//!
//! The word `position` is optional, and a word for the ending may follow the moves, as GUIs write it.
//! Lines that begin with `#` or `//` are remarks on the next game.

use std::fmt::Display;

use super::ending::Ending;
use super::error::{
    ConversionLoss, ConversionLosses, MoveError, RecordError, RecordErrorKind, WarningKind, quote,
};
use super::game_builder::{ErrorPolicy, GameBuilder, LineReader};
use super::game_record::{GameNode, GameRecord, NodeId};
use super::text::push_line;
use crate::position::{Setup, is_separator};
use crate::types::usi::{is_result_word, position_line};

/// The ending that a word after the moves means; `None` if it is no result.
fn ending(word: &str) -> Option<Ending> {
    is_result_word(word).then(|| match word {
        "resign" => Ending::Resign,
        "win" => Ending::Declaration,
        "rep_draw" => Ending::Sennichite,
        "draw" => Ending::Draw,
        "timeout" | "timeup" => Ending::TimeUp,
        "break" | "abort" => Ending::Interrupted,
        "illegal" => Ending::IllegalMove,
        _ => Ending::Other(word.to_owned()),
    })
}

pub(super) struct UsiReader(GameBuilder);

impl UsiReader {
    pub(super) fn new(policy: ErrorPolicy) -> UsiReader {
        UsiReader(GameBuilder::new(policy))
    }
}

impl LineReader for UsiReader {
    fn line(&mut self, line_number: usize, line: &str) -> Result<(), RecordError> {
        let UsiReader(builder) = self;
        let line = line.trim_matches(is_separator);
        if let Some(remark) = line.strip_prefix('#').or_else(|| line.strip_prefix("//")) {
            builder.remark(remark);
        } else if !line.is_empty() {
            let error = read_game(line_number, line, builder).err();
            builder.handle_error(line_number, error)?;
            builder.finish();
        }
        Ok(())
    }

    fn end_text(&mut self, last: usize) -> Result<(), RecordError> {
        // Remarks after the last game belong to no game.
        if self.0.has_content() {
            self.0.warn(last, WarningKind::UnknownLine(quote("#")));
        }
        Ok(())
    }

    fn builder(&mut self) -> &mut GameBuilder {
        &mut self.0
    }
}

fn read_game(
    line_number: usize,
    line: &str,
    builder: &mut GameBuilder,
) -> Result<(), RecordErrorKind> {
    let line =
        line.strip_prefix("position").map_or(line, |rest| rest.trim_start_matches(is_separator));
    let (start, moves) = split_moves(line);
    builder.begin(read_start(start)?)?;
    let mut words = words(moves);
    while let Some(word) = words.next() {
        if let Some(ending) = ending(word) {
            builder.end(ending);
            return match words.next() {
                Some(word) => builder.play(line_number, word, Err(MoveError::Unreadable)),
                None => Ok(()),
            };
        }
        builder.play(line_number, word, word.parse().map_err(|_| MoveError::Unreadable))?;
    }
    Ok(())
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_separator).filter(|word| !word.is_empty())
}

/// The text before and after the word `moves`.
fn split_moves(line: &str) -> (&str, &str) {
    let mut at = 0;
    for word in words(line) {
        at += line[at..].find(word).expect("words of a line are in it");
        if word == "moves" {
            return (line[..at].trim_end_matches(is_separator), &line[at + word.len()..]);
        }
        at += word.len();
    }
    (line, "")
}

fn read_start(text: &str) -> Result<Setup, RecordErrorKind> {
    match text {
        "" | "startpos" => Ok(Setup::startpos()),
        _ => {
            let sfen = text.strip_prefix("sfen").filter(|rest| rest.starts_with(is_separator));
            sfen.unwrap_or(text).parse().map_err(RecordErrorKind::Sfen)
        }
    }
}

/// Writes the main line of a game.
pub(super) fn write_game(game: &GameRecord, text: &mut String, losses: &mut ConversionLosses) {
    let sfen = (*game.start() != Setup::startpos()).then_some(game.start() as &dyn Display);
    push_line(text, &position_line(sfen, game.main_moves()));
    add_losses(game, losses);
    let moves = game.nodes().filter(|(_, node)| node.mv().is_some()).count();
    losses.add(ConversionLoss::Branches, moves - game.main_moves().count());
}

/// Writes the position after the main line of a game.
pub(super) fn write_position(game: &GameRecord, text: &mut String, losses: &mut ConversionLosses) {
    let mut position = game.start_position();
    game.main_moves().for_each(|mv| {
        position.do_move(mv);
    });
    push_line(text, &position.to_sfen());
    add_losses(game, losses);
    losses.add(ConversionLoss::Moves, game.nodes().filter(|(_, node)| node.mv().is_some()).count());
}

/// Adds the losses of everything except moves.
fn add_losses(game: &GameRecord, losses: &mut ConversionLosses) {
    losses.add(ConversionLoss::Headers, game.headers.iter().count());
    for (id, node) in game.nodes() {
        let ends = id != NodeId::ROOT && node.mv().is_none();
        losses.add(ConversionLoss::Endings, usize::from(ends));
        add_annotation_losses(node, losses);
    }
}

fn add_annotation_losses(node: &GameNode, losses: &mut ConversionLosses) {
    losses.add(ConversionLoss::Times, usize::from(node.elapsed.is_some()));
    losses.add(ConversionLoss::Comments, node.comments.len());
    losses.add(ConversionLoss::Remarks, node.remarks.len());
    losses.add(ConversionLoss::Evaluations, node.evaluations.len());
    losses.add(ConversionLoss::Bookmarks, usize::from(node.bookmark.is_some()));
}
