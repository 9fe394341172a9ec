//! A game: its start, its moves and the position after them.

use std::fmt::Display;

use crate::engine::MoveListError;
use crate::position::{EnteringKingRule, Position, SfenError};
use crate::types::Move;
use crate::types::usi::position_line;
use crate::usi::command::Start;
use crate::usi_client::BestMove;

/// A game so far.
#[derive(Clone, Debug)]
pub(super) struct GameMoves {
    start: Start,
    moves: Vec<Move>,
    pub(super) position: Position,
}

/// The same start and the same moves.
impl PartialEq for GameMoves {
    fn eq(&self, other: &GameMoves) -> bool {
        self.start == other.start && self.moves == other.moves
    }
}

impl GameMoves {
    pub(super) fn startpos() -> GameMoves {
        GameMoves { start: Start::Startpos, moves: Vec::new(), position: Position::startpos() }
    }

    /// A game without moves.
    ///
    /// # Errors
    /// If the start position is invalid.
    pub(super) fn new(start: Start) -> Result<GameMoves, SfenError> {
        let position = start.position()?;
        Ok(GameMoves { start, moves: Vec::new(), position })
    }

    /// Plays moves, up to the first illegal one.
    ///
    /// # Errors
    /// The first illegal move.
    pub(super) fn play(&mut self, moves: &[Move]) -> Result<(), MoveListError> {
        for (index, &mv) in moves.iter().enumerate() {
            let played = self.position.try_play(mv);
            played.map_err(|reason| MoveListError { mv, number: index + 1, reason })?;
            self.moves.push(mv);
        }
        Ok(())
    }

    /// The game with one more move.
    ///
    /// # Errors
    /// If the move is illegal.
    pub(super) fn after(&self, mv: Move) -> Result<GameMoves, MoveListError> {
        let mut game = self.clone();
        game.play(&[mv])?;
        Ok(game)
    }

    /// The last move, and the game without it.
    pub(super) fn before(&self) -> Option<(Move, GameMoves)> {
        let (&last, moves) = self.moves.split_last()?;
        let mut game = GameMoves::new(self.start.clone()).ok()?;
        game.play(moves).ok()?;
        Some((last, game))
    }

    /// The `position` line.
    pub(super) fn line(&self) -> String {
        let sfen = match &self.start {
            Start::Startpos => None,
            Start::Sfen(fields) => Some(fields as &dyn Display),
        };
        position_line(sfen, self.moves.iter().copied())
    }

    /// Whether an answer is legal here.
    pub(super) fn is_legal(&self, answer: BestMove, rule: EnteringKingRule) -> bool {
        match answer {
            BestMove::Move { best, .. } => self.position.is_legal(best),
            BestMove::Resign => true,
            BestMove::DeclareWin => self.position.declaration_win(rule),
        }
    }

    /// The `bestmove` line of an answer. An illegal ponder move is left out.
    pub(super) fn bestmove_line(&self, answer: BestMove) -> String {
        let (best, ponder) = match answer {
            BestMove::Move { best, ponder } => (best, ponder),
            BestMove::Resign => return "bestmove resign".into(),
            BestMove::DeclareWin => return "bestmove win".into(),
        };
        let reply =
            |ponder: &Move| self.after(best).is_ok_and(|next| next.position.is_legal(*ponder));
        match ponder.filter(reply) {
            Some(ponder) => format!("bestmove {best} ponder {ponder}"),
            None => format!("bestmove {best}"),
        }
    }

    /// The answer if no worker gives one: the best known move if it is legal, else the best of
    /// `search_moves`, or of all legal moves, that is found without a search.
    pub(super) fn fallback(&self, known: Option<BestMove>, search_moves: &[Move]) -> BestMove {
        let is_legal = |best: &Move| self.position.is_legal(*best);
        let is_playable =
            |answer: &BestMove| matches!(answer, BestMove::Move { best, .. } if is_legal(best));
        let move_without_search = || {
            let position = &self.position;
            let named = position.move_without_search(search_moves.iter().copied().filter(is_legal));
            named.or_else(|| position.move_without_search(position.legal_moves().moves()))
        };
        let answer = |best| BestMove::Move { best, ponder: None };
        known
            .filter(is_playable)
            .or_else(|| move_without_search().map(answer))
            .unwrap_or(BestMove::Resign)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<Move> {
        text.split_whitespace().map(|mv| mv.parse().unwrap()).collect()
    }

    fn game(text: &str) -> GameMoves {
        let mut game = GameMoves::startpos();
        game.play(&moves(text)).unwrap();
        game
    }

    #[test]
    fn games_are_compared_by_start_and_moves() {
        let (last, before) = game("7g7f 3c3d").before().unwrap();
        assert_eq!((last.to_string().as_str(), &before), ("3c3d", &game("7g7f")));
        assert_eq!(before.line(), "position startpos moves 7g7f");
        assert_eq!(before.after(last).unwrap(), game("7g7f 3c3d"));
        assert!(GameMoves::startpos().before().is_none());
        let sfen = "4k4/9/9/9/9/9/9/9/4K4 b - 1";
        let mut other = GameMoves::new(Start::Sfen(sfen.into())).unwrap();
        other.play(&moves("5i5h")).unwrap();
        assert_eq!(other.line(), format!("position sfen {sfen} moves 5i5h"));
        let mut short = GameMoves::startpos();
        let error = short.play(&moves("7g7f 7g7f 2g2f")).unwrap_err();
        assert_eq!((error.number, error.mv), (2, moves("7g7f")[0]));
        assert_eq!(short, game("7g7f"), "the legal moves are played");
    }

    #[test]
    fn answers_are_checked_by_the_rules() {
        let here = game("7g7f");
        let answer = |best: &str, ponder: Option<&str>| BestMove::Move {
            best: best.parse().unwrap(),
            ponder: ponder.map(|mv| mv.parse().unwrap()),
        };
        let rule = EnteringKingRule::Csa27;
        assert!(here.is_legal(answer("3c3d", None), rule));
        assert!(!here.is_legal(answer("7g7f", None), rule));
        assert!(
            here.is_legal(BestMove::Resign, rule) && !here.is_legal(BestMove::DeclareWin, rule)
        );
        let line = |ponder| here.bestmove_line(answer("3c3d", Some(ponder)));
        assert_eq!(line("2g2f"), "bestmove 3c3d ponder 2g2f");
        assert_eq!(line("7g7f"), "bestmove 3c3d");
        let known = answer("3c3d", Some("2g2f"));
        assert_eq!(here.fallback(Some(known), &[]), known);
        assert!(here.is_legal(here.fallback(Some(answer("7g7f", None)), &[]), rule));
    }

    /// Regression: the fallback was the first legal move, even if it lost a piece.
    #[test]
    fn a_fallback_mates_or_has_the_best_static_exchange() {
        let played = |sfen: &str| {
            let game = GameMoves::new(Start::Sfen(sfen.into())).unwrap();
            game.bestmove_line(game.fallback(None, &[]))
        };
        assert_eq!(played("4k4/9/4P4/9/9/9/9/9/4K4 b Gr 1"), "bestmove G*5b");
        assert_eq!(played("4k4/9/9/2r6/2P6/9/9/9/4K4 b - 1"), "bestmove 7e7d");
        let sfen = "4k4/9/9/4p4/9/4G4/9/9/4K4 b - 1";
        let game = GameMoves::new(Start::Sfen(sfen.into())).unwrap();
        let answer = game.fallback(None, &moves("5f5e 5f4f"));
        assert_eq!(game.bestmove_line(answer), "bestmove 5f4f");
    }

    #[test]
    fn a_fallback_is_one_of_the_search_moves() {
        let here = game("7g7f");
        let played = |known: &str, search_moves| {
            let known = known.parse().ok().map(|best| BestMove::Move { best, ponder: None });
            match here.fallback(known, &moves(search_moves)) {
                BestMove::Move { best, .. } => best.to_string(),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(played("", "7g7f 5c5d 6c6d"), "5c5d");
        assert_eq!(played("6c6d", "5c5d 6c6d"), "6c6d");
    }
}
