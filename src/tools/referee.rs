//! The end of a game by the rules or by adjudication.
//!
//! Depends on positions and scores only, not on players or clocks.

use std::fmt;
use std::str::FromStr;

use crate::position::{EnteringKingRule, Position, Repetition};
use crate::types::{ByColor, Color};
use crate::usi_client::EngineFaultKind;

/// The rules of the games of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRules {
    /// The game is drawn after this many moves, including the opening; mate with the last one wins.
    pub max_moves: u32,
    pub entering_king: EnteringKingRule,
    /// `None`: games are not adjudicated.
    pub resign: Option<ResignRule>,
}

/// Adjudicates a game as won when both engines agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResignRule {
    /// Minimum score in centipawns that both engines report for the same side.
    pub centipawns: u32,
    /// The number of consecutive moves of each engine with such a score.
    pub moves: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameOutcome {
    Win(Color),
    Draw,
}

impl GameOutcome {
    /// 1 for a win of this side, 0 for a draw, -1 for a loss.
    pub fn for_side(self, color: Color) -> i8 {
        match self {
            GameOutcome::Draw => 0,
            GameOutcome::Win(winner) if winner == color => 1,
            GameOutcome::Win(_) => -1,
        }
    }

    /// The half points of this side: 2 for a win, 1 for a draw, 0 for a loss.
    pub fn half_points(self, color: Color) -> usize {
        (1 + self.for_side(color)) as usize
    }
}

impl fmt::Display for GameOutcome {
    /// `1-0` when Black wins.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameOutcome::Win(Color::Black) => "1-0",
            GameOutcome::Win(Color::White) => "0-1",
            GameOutcome::Draw => "1/2",
        })
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GameEndReason {
    Resign,
    /// The side to move has no legal move.
    NoMove,
    Declaration,
    Try,
    Sennichite,
    PerpetualCheck,
    MaxMoves,
    Adjudication,
    TimeLoss,
    IllegalMove,
    /// `bestmove win` where the declaration does not hold.
    FalseDeclaration,
    Fault(EngineFaultKind),
}

impl GameEndReason {
    pub const ALL: [GameEndReason; 14] = [
        GameEndReason::Resign,
        GameEndReason::NoMove,
        GameEndReason::Declaration,
        GameEndReason::Try,
        GameEndReason::Sennichite,
        GameEndReason::PerpetualCheck,
        GameEndReason::MaxMoves,
        GameEndReason::Adjudication,
        GameEndReason::TimeLoss,
        GameEndReason::IllegalMove,
        GameEndReason::FalseDeclaration,
        GameEndReason::Fault(EngineFaultKind::Crash),
        GameEndReason::Fault(EngineFaultKind::Hang),
        GameEndReason::Fault(EngineFaultKind::Protocol),
    ];

    /// Whether the loser lost by an error of its engine.
    pub fn is_forfeit(self) -> bool {
        use GameEndReason::{FalseDeclaration, Fault, IllegalMove, TimeLoss};
        matches!(self, TimeLoss | IllegalMove | FalseDeclaration | Fault(_))
    }

    /// Its word in files and reports.
    pub const fn name(self) -> &'static str {
        match self {
            GameEndReason::Resign => "resign",
            GameEndReason::NoMove => "no_move",
            GameEndReason::Declaration => "declaration",
            GameEndReason::Try => "try",
            GameEndReason::Sennichite => "sennichite",
            GameEndReason::PerpetualCheck => "perpetual_check",
            GameEndReason::MaxMoves => "max_moves",
            GameEndReason::Adjudication => "adjudication",
            GameEndReason::TimeLoss => "time_loss",
            GameEndReason::IllegalMove => "illegal_move",
            GameEndReason::FalseDeclaration => "false_declaration",
            GameEndReason::Fault(kind) => kind.name(),
        }
    }
}

impl fmt::Display for GameEndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is not a known word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownWord;

impl fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an unknown word")
    }
}

impl std::error::Error for UnknownWord {}

impl FromStr for GameEndReason {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<GameEndReason, UnknownWord> {
        GameEndReason::ALL.into_iter().find(|reason| reason.name() == text).ok_or(UnknownWord)
    }
}

impl FromStr for GameOutcome {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<GameOutcome, UnknownWord> {
        let all =
            [GameOutcome::Win(Color::Black), GameOutcome::Win(Color::White), GameOutcome::Draw];
        all.into_iter().find(|outcome| outcome.to_string() == text).ok_or(UnknownWord)
    }
}

/// The end of a game: its outcome and the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameEnd {
    pub outcome: GameOutcome,
    pub reason: GameEndReason,
}

impl GameEnd {
    pub fn win(winner: Color, reason: GameEndReason) -> GameEnd {
        GameEnd { outcome: GameOutcome::Win(winner), reason }
    }

    pub fn draw(reason: GameEndReason) -> GameEnd {
        GameEnd { outcome: GameOutcome::Draw, reason }
    }
}

/// The end of the game by the rules in this position, after a move.
pub fn end_of_position(position: &Position, rules: &GameRules) -> Option<GameEnd> {
    let mover = position.side_to_move();
    if !position.has_legal_move() {
        return Some(GameEnd::win(!mover, GameEndReason::NoMove));
    }
    match position.repetition() {
        Some(Repetition::Win) => return Some(GameEnd::win(mover, GameEndReason::PerpetualCheck)),
        Some(Repetition::Loss) => return Some(GameEnd::win(!mover, GameEndReason::PerpetualCheck)),
        Some(Repetition::Draw) => return Some(GameEnd::draw(GameEndReason::Sennichite)),
        // These do not end a game; only the search uses them.
        Some(Repetition::Superior | Repetition::Inferior) | None => {}
    }
    (position.game_ply() > rules.max_moves).then(|| GameEnd::draw(GameEndReason::MaxMoves))
}

/// The end of the game after a win declaration by the side to move.
pub fn end_by_declaration(position: &Position, rules: &GameRules) -> GameEnd {
    let declarer = position.side_to_move();
    if position.declaration_win(rules.entering_king) {
        GameEnd::win(declarer, GameEndReason::Declaration)
    } else {
        GameEnd::win(!declarer, GameEndReason::FalseDeclaration)
    }
}

/// Applies a [`ResignRule`] to a game: counts the consecutive moves for which each side has scored
/// itself winning or losing.
#[derive(Clone, Copy, Debug, Default)]
pub struct ResignTracker {
    winning: ByColor<u32>,
    losing: ByColor<u32>,
}

impl ResignTracker {
    /// Adds the score in centipawns that `mover` gave with its move, from its own side. Returns the
    /// end if the rule now gives the game to `mover`; the opponent, who is to move, resigns.
    pub fn add_score(
        &mut self,
        mover: Color,
        score: Option<i64>,
        rule: ResignRule,
    ) -> Option<GameEnd> {
        let bound = i64::from(rule.centipawns);
        let next = |streak: u32, continues: bool| if continues { streak + 1 } else { 0 };
        self.winning[mover] = next(self.winning[mover], score.is_some_and(|score| score >= bound));
        self.losing[mover] = next(self.losing[mover], score.is_some_and(|score| score <= -bound));
        let agreed = self.winning[mover] >= rule.moves && self.losing[!mover] >= rule.moves;
        agreed.then(|| GameEnd::win(mover, GameEndReason::Adjudication))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> GameRules {
        GameRules { max_moves: 512, entering_king: EnteringKingRule::Csa27, resign: None }
    }

    fn play(start: &str, moves: &str) -> Position {
        let mut position = match start {
            "startpos" => Position::startpos(),
            sfen => Position::from_sfen(sfen).unwrap(),
        };
        for mv in moves.split_whitespace() {
            position.try_play(mv.parse().unwrap()).unwrap();
        }
        position
    }

    #[test]
    fn the_fourth_occurrence_is_a_draw_and_the_third_is_not() {
        let cycle = "2h3h 8b7b 3h2h 7b8b ";
        assert_eq!(end_of_position(&play("startpos", &cycle.repeat(2)), &rules()), None);
        let third = play("startpos", &cycle.repeat(3));
        assert_eq!(
            end_of_position(&third, &rules()),
            Some(GameEnd::draw(GameEndReason::Sennichite))
        );
    }

    #[test]
    fn the_side_that_gives_perpetual_check_loses() {
        let end = Some(GameEnd::win(Color::White, GameEndReason::PerpetualCheck));
        let checker_to_move = play("8k/R8/9/9/9/9/9/9/8K b - 1", &"9b9a 1a1b 9a9b 1b1a ".repeat(3));
        assert_eq!(end_of_position(&checker_to_move, &rules()), end);
        let checked_to_move = play(
            "8k/9/R8/9/9/9/9/9/8K b - 1",
            &format!("9c9a {}", "1a1b 9a9b 1b1a 9b9a ".repeat(3)),
        );
        assert_eq!(end_of_position(&checked_to_move, &rules()), end);
    }

    #[test]
    fn a_mated_side_loses_even_with_the_last_move_allowed() {
        let rules = GameRules { max_moves: 1, ..rules() };
        let position = play("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b");
        let end = GameEnd::win(Color::Black, GameEndReason::NoMove);
        assert_eq!(end_of_position(&position, &rules), Some(end));
    }

    #[test]
    fn the_game_is_drawn_after_the_last_move_allowed_and_not_before() {
        let rules = GameRules { max_moves: 2, ..rules() };
        assert_eq!(end_of_position(&play("startpos", "7g7f"), &rules), None);
        let end = end_of_position(&play("startpos", "7g7f 3c3d"), &rules);
        assert_eq!(end, Some(GameEnd::draw(GameEndReason::MaxMoves)));
    }

    #[test]
    fn a_declaration_is_checked() {
        let entered = Position::from_sfen("GGGGKSSSS/+P+P7/9/9/9/9/9/9/4k4 b 2RB3P 1").unwrap();
        let won = GameEnd::win(Color::Black, GameEndReason::Declaration);
        assert_eq!(end_by_declaration(&entered, &rules()), won);
        let lost = GameEnd::win(Color::White, GameEndReason::FalseDeclaration);
        assert_eq!(end_by_declaration(&Position::startpos(), &rules()), lost);
        let none = GameRules { entering_king: EnteringKingRule::None, ..rules() };
        assert_eq!(end_by_declaration(&entered, &none), lost);
    }

    #[test]
    fn a_game_is_adjudicated_only_when_both_sides_agree_long_enough() {
        let rule = ResignRule { centipawns: 1000, moves: 2 };
        let mut resign_tracker = ResignTracker::default();
        let (black, white) = (Color::Black, Color::White);
        assert_eq!(resign_tracker.add_score(black, Some(1500), rule), None);
        assert_eq!(resign_tracker.add_score(white, Some(-1500), rule), None);
        assert_eq!(resign_tracker.add_score(black, Some(1000), rule), None);
        assert_eq!(resign_tracker.add_score(white, Some(-999), rule), None, "the streak is broken");
        assert_eq!(resign_tracker.add_score(black, Some(2000), rule), None);
        assert_eq!(resign_tracker.add_score(white, Some(-1000), rule), None);
        assert_eq!(resign_tracker.add_score(black, None, rule), None, "no score is no agreement");
        assert_eq!(resign_tracker.add_score(white, Some(-1000), rule), None);
        assert_eq!(resign_tracker.add_score(black, Some(1000), rule), None);
        assert_eq!(resign_tracker.add_score(white, Some(-1000), rule), None);
        let end = GameEnd::win(black, GameEndReason::Adjudication);
        assert_eq!(resign_tracker.add_score(black, Some(1000), rule), Some(end));
    }

    #[test]
    fn the_half_points_of_both_sides_add_up_to_two() {
        for outcome in
            [GameOutcome::Win(Color::Black), GameOutcome::Win(Color::White), GameOutcome::Draw]
        {
            let points = Color::ALL.map(|color| outcome.half_points(color));
            assert_eq!(points[0] + points[1], 2);
        }
        assert_eq!(GameOutcome::Win(Color::White).half_points(Color::White), 2);
    }

    #[test]
    fn every_ending_keyword_is_read_back() {
        for reason in GameEndReason::ALL {
            assert_eq!(reason.to_string().parse(), Ok(reason));
        }
        for outcome in
            [GameOutcome::Win(Color::Black), GameOutcome::Win(Color::White), GameOutcome::Draw]
        {
            assert_eq!(outcome.to_string().parse(), Ok(outcome));
        }
        assert_eq!("checkmate".parse::<GameEndReason>(), Err(UnknownWord));
    }
}
