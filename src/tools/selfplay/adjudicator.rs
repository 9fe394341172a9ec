//! Adjudicates games by their scores, before they end by the rules.

use crate::tools::referee::{GameEnd, GameEndReason};
use crate::types::{Color, Score};

/// A game is won when all searches of some consecutive plies see the same side ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WinRule {
    /// Minimum score.
    pub score: Score,
    /// Number of consecutive plies, at least two, so that both sides agree.
    pub plies: u32,
}

/// A game is drawn when no side is ahead for long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// Maximum absolute score.
    pub score: Score,
    /// Number of consecutive plies.
    pub plies: u32,
    /// Plies before this move number do not count.
    pub from: u32,
}

/// Tracks the scores of one game.
#[derive(Clone, Debug, Default)]
pub struct Adjudicator {
    win: Option<WinRule>,
    draw: Option<DrawRule>,
    /// Consecutive plies in which Black, or if negative White, was ahead by enough.
    ahead: i64,
    /// Consecutive plies in which no side was ahead by more than the rule allows.
    level: u32,
}

impl Adjudicator {
    pub fn new(win: Option<WinRule>, draw: Option<DrawRule>) -> Adjudicator {
        Adjudicator { win, draw, ahead: 0, level: 0 }
    }

    /// Adds the score of the position before move `number`, for the side to move. Returns the end of
    /// the game, if it is adjudicated.
    pub fn add_score(&mut self, mover: Color, number: u32, score: Score) -> Option<GameEnd> {
        let black = if mover == Color::Black { score } else { -score };
        self.check_win(black).or_else(|| self.check_draw(number, black))
    }

    fn check_win(&mut self, black: Score) -> Option<GameEnd> {
        let rule = self.win?;
        self.ahead = match black {
            black if black >= rule.score => self.ahead.max(0) + 1,
            black if black <= -rule.score => self.ahead.min(0) - 1,
            _ => 0,
        };
        let winner = if self.ahead > 0 { Color::Black } else { Color::White };
        let decided = self.ahead.unsigned_abs() >= u64::from(rule.plies);
        decided.then(|| GameEnd::win(winner, GameEndReason::Adjudication))
    }

    fn check_draw(&mut self, number: u32, black: Score) -> Option<GameEnd> {
        let rule = self.draw?;
        let is_level = number >= rule.from && black.0.abs() <= rule.score.0;
        self.level = if is_level { self.level + 1 } else { 0 };
        (self.level >= rule.plies).then(|| GameEnd::draw(GameEndReason::Adjudication))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scores as the mover sees them, Black first; the ply after which the game ends, and how.
    fn end(mut adjudicator: Adjudicator, scores: &[i32]) -> Option<(usize, GameEnd)> {
        scores.iter().enumerate().find_map(|(ply, &score)| {
            let mover = if ply % 2 == 0 { Color::Black } else { Color::White };
            adjudicator.add_score(mover, ply as u32 + 1, Score(score)).map(|end| (ply, end))
        })
    }

    fn win() -> Adjudicator {
        Adjudicator::new(Some(WinRule { score: Score(2000), plies: 3 }), None)
    }

    #[test]
    fn a_game_is_won_when_both_sides_agree_for_long_enough() {
        let black = GameEnd::win(Color::Black, GameEndReason::Adjudication);
        let white = GameEnd::win(Color::White, GameEndReason::Adjudication);
        assert_eq!(end(win(), &[2000, -2000, 2000, -2000]), Some((2, black)));
        assert_eq!(end(win(), &[0, 2500, -2500, 31_990, 0]), Some((3, white)));
        assert_eq!(end(win(), &[2000, -1999, 2000, -2000, 1999]), None);
        assert_eq!(end(win(), &[2000, 2000, 2000, 2000, 2000]), None, "each sees itself ahead");
        assert_eq!(end(Adjudicator::default(), &[32_000, -32_000, 32_000]), None);
    }

    #[test]
    fn a_game_is_drawn_when_it_stays_level_late_enough() {
        let rule = DrawRule { score: Score(10), plies: 3, from: 4 };
        let adjudicator = || Adjudicator::new(None, Some(rule));
        let draw = GameEnd::draw(GameEndReason::Adjudication);
        assert_eq!(end(adjudicator(), &[0; 8]), Some((5, draw)));
        assert_eq!(end(adjudicator(), &[0, 0, 0, 0, 11, -10, 10, 0, 0]), Some((7, draw)));
        assert_eq!(end(adjudicator(), &[0, 0, 0, -11, 0, 0, 11]), None);
    }
}
