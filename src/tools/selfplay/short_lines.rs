//! Shared code of the jobs that write short lines from positions of existing games.

use super::common_config::{end_by_rules, game_rules};
use std::ops::Range;

use crate::position::Position;
use crate::tools::game_file::{GameSample, IllegalGame, Replay, ScoredGame};
use crate::tools::referee::{GameOutcome, GameRules};
use crate::types::{Color, Random, Score};

/// Lines are too short for a move limit.
pub(super) const RULES: GameRules = game_rules(u32::MAX);

/// Separates the random numbers of the searches from those of the choice of positions.
pub(super) const SEARCH_STREAM: u64 = 1 << 62;

/// The score from which a line counts as won. It is not played to its end, and an advantage
/// of three pawns decides most games.
const WIN_SCORE: Score = Score(300);

/// The result of a line by the score of its last search.
pub(super) fn outcome_by_score(mover: Color, score: Score) -> GameOutcome {
    match score {
        score if score >= WIN_SCORE => GameOutcome::Win(mover),
        score if score <= -WIN_SCORE => GameOutcome::Win(!mover),
        _ => GameOutcome::Draw,
    }
}

/// Start positions that `start` makes from `share` percent of the searched positions of a game in which
/// no side is ahead by more than `max_score`. Positions that end a game are left out.
///
/// # Errors
/// If the game is illegal.
pub(super) fn starts(
    game: &ScoredGame,
    share: u32,
    max_score: Score,
    random: &mut Random,
    start: impl Fn(&GameSample<'_>, &mut Random) -> Option<Position>,
) -> Result<Vec<Position>, String> {
    let source_error = |error: IllegalGame| format!("a source game: {error}");
    let mut starts = Vec::new();
    let mut replay = Replay::new(game).map_err(source_error)?;
    while let Some(sample) = replay.advance().map_err(source_error)? {
        let is_open = sample.score().is_some_and(|score| score.0.abs() <= max_score.0);
        if is_open && random.percent(share) {
            starts.extend(start(&sample, random));
        }
    }
    starts.retain(|position| end_by_rules(position, &RULES).is_none());
    Ok(starts)
}

/// The unit to continue with when `games` lines are in the file, and how many of its own are among them.
/// `count` gives the number of lines per unit, `what` their name.
///
/// # Errors
/// If all `units` have fewer, or `count` fails.
pub(super) fn unit_after(
    units: Range<u64>,
    games: u64,
    what: &str,
    count: impl Fn(u64) -> Result<usize, String>,
) -> Result<(u64, usize), String> {
    let (mut unit, mut remaining) = (units.start, games as usize);
    while remaining > 0 && unit < units.end {
        let count = count(unit)?;
        if remaining < count {
            return Ok((unit, remaining));
        }
        (unit, remaining) = (unit + 1, remaining - count);
    }
    match remaining {
        0 => Ok((unit, 0)),
        _ => Err(format!("{remaining} games more than these have {what}")),
    }
}
