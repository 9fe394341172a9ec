//! A position after moves: the legal moves, and whether the game is over.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::CallError;
use crate::position::{EnteringKingRule, Position, Repetition, Setup, SfenError};
use crate::record::{SpelledMove, is_handicap};
use crate::types::Move;

/// The 27-point rule. In an even game it is the same with and without the correction for handicaps.
const DECLARATION_RULE: EnteringKingRule = EnteringKingRule::Csa27Handicap;

/// A start position and moves.
#[derive(Deserialize)]
pub(super) struct PositionQuery {
    sfen: String,
    #[serde(default)]
    moves: Vec<String>,
}

#[derive(Deserialize)]
pub(super) struct SpellQuery {
    #[serde(flatten)]
    position: PositionQuery,
    lines: Vec<Vec<String>>,
}

#[derive(Serialize)]
struct PositionReport {
    sfen: String,
    side: &'static str,
    /// Whether White gives a handicap in a game from this start.
    handicap: bool,
    /// All legal moves in USI.
    legal: Vec<String>,
    check: bool,
    /// How the rules end the game here.
    end: Option<GameEnd>,
    /// Whether the side to move may declare a win by 27 points.
    declaration: bool,
    /// The last move.
    last: Option<SpelledMove>,
}

#[derive(Serialize)]
struct GameEnd {
    /// `mate`, `no_moves`, `repetition` or `perpetual_check`.
    reason: &'static str,
    /// `None` for a draw.
    winner: Option<&'static str>,
}

pub(super) fn position(query: PositionQuery) -> Result<Value, CallError> {
    let (position, last) = query.play()?;
    let legal: Vec<String> = position.legal_moves().moves().map(|mv| mv.to_string()).collect();
    let report = PositionReport {
        sfen: position.to_sfen(),
        side: position.side_to_move().name(),
        handicap: is_handicap(&start(&query.sfen)?),
        check: position.in_check(),
        end: game_end(&position, legal.is_empty()),
        legal,
        declaration: position.declaration_win(DECLARATION_RULE),
        last,
    };
    Ok(serde_json::to_value(report)?)
}

/// Spells lines of moves from a position, each up to its first illegal move.
pub(super) fn spell(query: SpellQuery) -> Result<Value, CallError> {
    let (position, _) = query.position.play()?;
    let spelled = |line: &Vec<String>| {
        SpelledMove::line(&position, line.iter().map_while(|word| word.parse().ok()))
    };
    let lines: Vec<_> = query.lines.iter().map(spelled).collect();
    Ok(serde_json::to_value(lines)?)
}

impl PositionQuery {
    /// The position, and the name of the last move.
    fn play(&self) -> Result<(Position, Option<SpelledMove>), CallError> {
        let start = start(&self.sfen)?;
        let mut position = Position::from_setup(&start).map_err(SfenError::Illegal)?;
        let mut last = None;
        for (at, word) in self.moves.iter().enumerate() {
            let number = at + 1;
            let mv: Move = word.parse().map_err(|_| CallError::Unreadable { number })?;
            position.validate_move(mv).map_err(|reason| CallError::Illegal { number, reason })?;
            last = (number == self.moves.len()).then(|| SpelledMove::of(&position, mv));
            position.do_move(mv);
        }
        Ok((position, last))
    }
}

/// `startpos` or an SFEN.
pub(super) fn start(text: &str) -> Result<Setup, CallError> {
    match text.trim() {
        "startpos" => Ok(Setup::startpos()),
        sfen => Ok(sfen.parse()?),
    }
}

/// The end of the game by the rules. A side without a legal move loses, also if it is not in check.
fn game_end(position: &Position, has_no_moves: bool) -> Option<GameEnd> {
    let us = position.side_to_move();
    if has_no_moves {
        let reason = if position.in_check() { "mate" } else { "no_moves" };
        return Some(GameEnd { reason, winner: Some((!us).name()) });
    }
    let (reason, winner) = match position.repetition()? {
        Repetition::Win => ("perpetual_check", Some(us)),
        Repetition::Loss => ("perpetual_check", Some(!us)),
        Repetition::Draw => ("repetition", None),
        // Not rules of the game.
        Repetition::Superior | Repetition::Inferior => return None,
    };
    Some(GameEnd { reason, winner: winner.map(|side| side.name()) })
}
