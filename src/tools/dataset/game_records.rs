//! Reads game records, in any notation, as games with the scores that the players' evaluations give.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;

use crate::position::{EnteringKingRule, Position, Repetition};
use crate::record::{
    Ending, ErrorPolicy, EvaluationValue, FLOODGATE_MATE, GameNode, GameRecord, GameStream,
    GameStreamError, ReadWarning, RecordErrorKind, RecordFormat, StreamedItem, WarningKind,
};
use crate::sys::is_stream;
use crate::tools::game_file::{GameMove, ScoredGame};
use crate::tools::referee::{GameEnd, GameEndReason, GameRules, end_of_position};
use crate::types::{Color, MAX_PLY, Score};

/// Reads the games of a file of records.
#[derive(Debug)]
pub(super) struct GameRecordReader {
    stream: GameStream<'static>,
    /// Number of the next game, from 0.
    number: u64,
    /// Whether the moves of the next game end before an invalid move.
    is_cut: bool,
}

/// A game, or a warning about what is skipped.
#[derive(Debug)]
pub(super) enum GameRecordItem {
    /// The game and its number.
    Game(u64, ScoredGame),
    Warning(String),
}

impl GameRecordReader {
    /// Reads an open file; `format` is the notation if it cannot be detected.
    pub(super) fn new(
        path: &Path,
        mut file: File,
        format: RecordFormat,
    ) -> Result<GameRecordReader, GameStreamError> {
        let (expected, policy) = (Some(format), ErrorPolicy::KeepPartial);
        let stream = if is_stream(path) {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).map_err(GameStreamError::Io)?;
            GameStream::open(Cursor::new(bytes), expected, policy)?
        } else {
            GameStream::open(file, expected, policy)?
        };
        Ok(GameRecordReader { stream, number: 0, is_cut: false })
    }

    /// The next game or warning; `None` at the end of the file.
    pub(super) fn advance(&mut self) -> io::Result<Option<GameRecordItem>> {
        while let Some(item) = self.stream.next() {
            let read = match item {
                Ok(StreamedItem::Game(record)) => self.game(&record),
                Ok(StreamedItem::Warning(warning)) => {
                    self.is_cut |= cuts_moves(&warning);
                    Some(GameRecordItem::Warning(warning.to_string()))
                }
                Err(GameStreamError::Record(error)) => {
                    Some(GameRecordItem::Warning(error.to_string()))
                }
                Err(GameStreamError::Io(error)) => return Err(error),
            };
            if read.is_some() {
                return Ok(read);
            }
        }
        Ok(None)
    }

    /// `None` for a game with an invalid move, about which there was a warning.
    fn game(&mut self, record: &GameRecord) -> Option<GameRecordItem> {
        let number = self.number;
        self.number += 1;
        // The invalid move may have been in a branch.
        let is_whole = !matches!(record.ending(), None | Some(Ending::IllegalMove));
        if std::mem::take(&mut self.is_cut) && !is_whole {
            return None;
        }
        Some(match scored_game(record) {
            Some(game) => GameRecordItem::Game(number, game),
            None => GameRecordItem::Warning(format!("game {number}: it has no result")),
        })
    }
}

/// A warning comes before its game, except where the line that begins a game in KIF also ends the game before.
fn cuts_moves(warning: &ReadWarning) -> bool {
    matches!(warning.kind, WarningKind::RestSkipped(RecordErrorKind::Move { .. }))
}

/// The main line of a record; `None` if the game has no result.
fn scored_game(record: &GameRecord) -> Option<ScoredGame> {
    let mut position = record.start_position();
    let mut plies = Vec::new();
    for id in record.main_line() {
        let node = record.node(id);
        let Some(mv) = node.mv() else { continue };
        plies.push(match score_by_mover(node, position.side_to_move()) {
            Some(score) => GameMove::searched(mv, score, true),
            None => GameMove::unsearched(mv),
        });
        position.do_move(mv);
    }
    let recorded = record.ending().and_then(|ending| recorded_end(ending, &position));
    let end = recorded.or_else(|| end_by_rules(&position))?;
    Some(ScoredGame { start: record.start().clone(), plies, end })
}

/// The score that the player who moved gave its best move.
fn score_by_mover(node: &GameNode, mover: Color) -> Option<Score> {
    let mut evaluations = node.evaluations.iter();
    let first = evaluations.find(|found| found.is_by_player() && found.rank.unwrap_or(1) == 1)?;
    let for_black = score_for_black(first.value);
    Some(if mover == Color::Black { for_black } else { -for_black })
}

/// A mate of unknown length counts as the longest.
fn score_for_black(value: EvaluationValue) -> Score {
    match value {
        EvaluationValue::Centipawns(FLOODGATE_MATE..) => Score::MATE_IN_MAX_PLY,
        EvaluationValue::Centipawns(value) if value <= -FLOODGATE_MATE => -Score::MATE_IN_MAX_PLY,
        EvaluationValue::Centipawns(value) => Score::from_centipawns(value as i32),
        EvaluationValue::Mate { winner, plies } => {
            let plies = plies.map_or(MAX_PLY, |plies| (plies as usize).min(MAX_PLY));
            let won = Score::mate_in(plies);
            if winner == Color::Black { won } else { -won }
        }
    }
}

/// The end that a record gives, after the last move.
fn recorded_end(ending: &Ending, position: &Position) -> Option<GameEnd> {
    let mover = position.side_to_move();
    Some(match ending {
        Ending::Resign => GameEnd::win(!mover, GameEndReason::Resign),
        Ending::Mate => GameEnd::win(!mover, GameEndReason::NoMove),
        Ending::Declaration => GameEnd::win(mover, GameEndReason::Declaration),
        Ending::Sennichite => GameEnd::draw(GameEndReason::Sennichite),
        Ending::MaxMoves => GameEnd::draw(GameEndReason::MaxMoves),
        // The reason is unknown.
        Ending::Jishogi | Ending::Draw => GameEnd::draw(GameEndReason::Adjudication),
        Ending::TimeUp => GameEnd::win(!mover, GameEndReason::TimeLoss),
        Ending::IllegalMove => GameEnd::win(!mover, foul(position)),
        Ending::IllegalAction(offender) => GameEnd::win(!*offender, foul(position)),
        Ending::WinByDefault => GameEnd::win(mover, GameEndReason::Adjudication),
        Ending::LossByDefault => GameEnd::win(!mover, GameEndReason::Adjudication),
        Ending::NoMate | Ending::Interrupted | Ending::Matta | Ending::Error | Ending::Other(_) => {
            return None;
        }
    })
}

/// Records do not distinguish perpetual check from other fouls.
fn foul(position: &Position) -> GameEndReason {
    match position.repetition() {
        Some(Repetition::Win | Repetition::Loss) => GameEndReason::PerpetualCheck,
        _ => GameEndReason::IllegalMove,
    }
}

/// The end of a game whose record gives none, as in USI, but whose last move ended it.
fn end_by_rules(position: &Position) -> Option<GameEnd> {
    let entering_king = EnteringKingRule::None;
    end_of_position(position, &GameRules { max_moves: u32::MAX, entering_king, resign: None })
}
