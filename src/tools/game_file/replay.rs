//! Iterates over the positions of a game.

use std::fmt;

use super::scored_game::{GameMove, ScoredGame};
use crate::position::{IllegalMove, IllegalSetup, Position};
use crate::tools::referee::GameOutcome;
use crate::types::{Move, Score};

/// A position of a game and the move played there.
#[derive(Clone, Copy, Debug)]
pub struct GameSample<'a> {
    /// With its history since the start of the game.
    pub position: &'a Position,
    /// Number of the move in the game, from 0.
    pub ply: usize,
    played: GameMove,
    outcome: GameOutcome,
}

impl GameSample<'_> {
    /// The move that was played. It is legal.
    pub fn mv(&self) -> Move {
        self.played.mv()
    }

    /// The score from a search of the position, for the side to move; `None` if it was not searched:
    /// in the opening and at random moves.
    pub fn score(&self) -> Option<Score> {
        self.played.score()
    }

    /// Whether the best move of the search was played. If not, the result of the game says less about
    /// this position.
    pub fn is_best(&self) -> bool {
        self.played.is_best()
    }

    /// The result of the game for the side to move: 1 for a win, 0 for a draw, -1 for a loss.
    pub fn result(&self) -> i8 {
        self.outcome.for_side(self.position.side_to_move())
    }

    /// Whether the move that was played is quiet.
    pub fn is_quiet(&self) -> bool {
        is_quiet(self.position, self.mv())
    }

    /// Whether the position is quiet: not in check, with a quiet move, and with a score, which a filter may
    /// have removed. A static evaluation can match the score of such a position, as far as one can tell
    /// without a search.
    pub fn is_quiet_position(&self) -> bool {
        self.score().is_some() && self.is_quiet() && !self.position.in_check()
    }
}

/// Whether a legal move neither captures nor promotes. If the best move is not quiet, the static
/// evaluation of a position cannot match the score of its search.
pub fn is_quiet(position: &Position, mv: Move) -> bool {
    !position.is_capture(mv) && !mv.is_promotion()
}

/// Why a game is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IllegalGame {
    Start(IllegalSetup),
    /// The move with this number, from 0.
    Move {
        ply: usize,
        mv: Move,
        reason: IllegalMove,
    },
}

impl fmt::Display for IllegalGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IllegalGame::Start(error) => write!(f, "the start: {error}"),
            IllegalGame::Move { ply, mv, reason } => {
                write!(f, "ply {ply}, {mv}, is illegal: {reason}")
            }
        }
    }
}

impl std::error::Error for IllegalGame {}

impl ScoredGame {
    /// Checks that all moves are legal. The end of the game is not checked.
    ///
    /// # Errors
    /// See [`IllegalGame`].
    pub fn check(&self) -> Result<(), IllegalGame> {
        let mut replay = Replay::new(self)?;
        while replay.advance()?.is_some() {}
        Ok(())
    }
}

/// Replays a game. It lends one position at a time, so it is not an [`Iterator`].
///
/// ```
/// # use kawasemi::position::Setup;
/// # use kawasemi::tools::game_file::{ScoredGame, GameMove, Replay};
/// # use kawasemi::tools::referee::{GameEnd, GameEndReason};
/// # use kawasemi::types::{Color, Score};
/// let game = ScoredGame {
///     start: Setup::startpos(),
///     plies: vec![
///         GameMove::unsearched("7g7f".parse().unwrap()),
///         GameMove::searched("3c3d".parse().unwrap(), Score(-20), true),
///     ],
///     end: GameEnd::win(Color::White, GameEndReason::Adjudication),
/// };
/// let mut replay = Replay::new(&game).unwrap();
/// let mut scores = Vec::new();
/// while let Some(sample) = replay.advance().unwrap() {
///     scores.push((sample.score(), sample.result()));
/// }
/// assert_eq!(scores, [(None, -1), (Some(Score(-20)), 1)]);
/// ```
#[derive(Debug)]
pub struct Replay<'a> {
    game: &'a ScoredGame,
    position: Position,
    /// Number of positions that were lent.
    lent: usize,
}

impl<'a> Replay<'a> {
    /// # Errors
    /// If the start position is illegal.
    pub fn new(game: &'a ScoredGame) -> Result<Replay<'a>, IllegalGame> {
        let position = Position::from_setup(&game.start).map_err(IllegalGame::Start)?;
        Ok(Replay { game, position, lent: 0 })
    }

    /// The position before the next move; `None` after the last move.
    ///
    /// # Errors
    /// If that move is illegal. Then the replay is over.
    pub fn advance(&mut self) -> Result<Option<GameSample<'_>>, IllegalGame> {
        if let Some(last) = self.lent.checked_sub(1).and_then(|last| self.game.plies.get(last)) {
            self.position.do_move(last.mv());
        }
        let Some(&played) = self.game.plies.get(self.lent) else {
            self.lent = usize::MAX;
            return Ok(None);
        };
        let (ply, mv) = (self.lent, played.mv());
        if let Err(reason) = self.position.validate_move(mv) {
            self.lent = usize::MAX;
            return Err(IllegalGame::Move { ply, mv, reason });
        }
        self.lent += 1;
        let outcome = self.game.end.outcome;
        Ok(Some(GameSample { position: &self.position, ply, played, outcome }))
    }

    /// The current position: after the last move when the replay is over.
    pub fn position(&self) -> &Position {
        &self.position
    }
}
