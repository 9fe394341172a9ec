//! One game between two players.
//!
//! Keeps the position, the clocks and the pondering, asks the players for moves, and checks their
//! answers. Independent of processes and files.

use std::fmt::Display;
use std::time::Duration;

use super::engine_spec::EngineSpec;
use super::match_player::{MatchPlayer, SearchAnswer, SearchCommand};
use super::search_stats::EngineSearchStats;
use super::time_control::{MatchClock, go_command};
use crate::position::Position;
use crate::tools::opening::Opening;
use crate::tools::referee::{
    GameEnd, GameEndReason, GameOutcome, GameRules, ResignTracker, end_by_declaration,
    end_of_position,
};
use crate::types::{Bound, ByColor, Color, Move};
use crate::usi_client::{
    BestMove, EngineFault, EngineFaultKind, EngineScore, GameOver, SearchInfo, parse_bestmove,
};

/// The conditions of a game.
#[derive(Clone, Copy, Debug)]
pub struct GameConditions<'a> {
    pub opening: &'a Opening,
    pub engines: ByColor<&'a EngineSpec>,
    pub rules: &'a GameRules,
    /// Time limit of a move of an engine without a clock.
    pub move_timeout: Duration,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedGame {
    /// The moves after the opening.
    pub moves: Vec<PlayedMove>,
    pub end: GameEnd,
    pub stats: ByColor<EngineSearchStats>,
    /// Details, if the loser lost by an error of its engine.
    pub forfeit: Option<Forfeit>,
    /// Faults after the end of the game. They do not change its outcome.
    pub late_faults: Vec<(Color, EngineFault)>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PlayedMove {
    pub mv: Move,
    pub elapsed: Duration,
    pub score: Option<EngineScore>,
    /// What the score is.
    pub bound: Bound,
    /// The principal variation that goes with the score, in USI notation.
    pub pv: String,
}

impl PlayedMove {
    /// The score; `None` for a bound if the true score may be any nearer to zero.
    fn certain_centipawns(&self) -> Option<i64> {
        let score = self.score?.centipawns();
        let is_certain = match self.bound {
            Bound::Lower => score > 0,
            Bound::Upper => score < 0,
            Bound::Exact | Bound::None => true,
        };
        is_certain.then_some(score)
    }
}

/// Details of a forfeit: a loss by an error of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forfeit {
    pub color: Color,
    /// The line that the engine sent, or what happened.
    pub detail: String,
    /// The last `position` command.
    pub position: String,
    pub transcript: Vec<String>,
}

/// Plays a whole game.
///
/// # Errors
/// A player failed before the game began.
pub fn play<'a>(
    conditions: GameConditions<'a>,
    players: ByColor<&'a mut dyn MatchPlayer>,
) -> Result<PlayedGame, (Color, EngineFault)> {
    let mut game = MatchGame::new(conditions, players);
    for color in Color::ALL {
        game.players[color].new_game().map_err(|fault| (color, fault))?;
    }
    let stop = loop {
        if let Err(stop) = game.turn() {
            break stop;
        }
    };
    Ok(game.finish(stop))
}

/// Why a game stops.
struct GameStop {
    end: GameEnd,
    /// The side that forfeited, and what it did.
    forfeit: Option<(Color, String)>,
}

impl From<GameEnd> for GameStop {
    fn from(end: GameEnd) -> GameStop {
        GameStop { end, forfeit: None }
    }
}

impl GameStop {
    fn forfeit(color: Color, reason: GameEndReason, detail: String) -> GameStop {
        GameStop { end: GameEnd::win(!color, reason), forfeit: Some((color, detail)) }
    }

    fn fault(color: Color, fault: EngineFault) -> GameStop {
        GameStop::forfeit(color, GameEndReason::Fault(fault.kind), fault.detail)
    }
}

/// A game in progress.
struct MatchGame<'a> {
    conditions: GameConditions<'a>,
    players: ByColor<&'a mut dyn MatchPlayer>,
    position: Position,
    /// The `position` command of the current position.
    position_command: String,
    clocks: ByColor<MatchClock>,
    /// The move that each side ponders on.
    pondering: ByColor<Option<Move>>,
    resign_tracker: ResignTracker,
    moves: Vec<PlayedMove>,
    stats: ByColor<EngineSearchStats>,
}

impl<'a> MatchGame<'a> {
    fn new(
        conditions: GameConditions<'a>,
        players: ByColor<&'a mut dyn MatchPlayer>,
    ) -> MatchGame<'a> {
        MatchGame {
            conditions,
            players,
            position: conditions.opening.position(),
            position_command: conditions.opening.to_string(),
            clocks: ByColor(conditions.engines.0.map(|engine| MatchClock::new(engine.control))),
            pondering: ByColor::default(),
            resign_tracker: ResignTracker::default(),
            moves: Vec::new(),
            stats: ByColor::default(),
        }
    }

    /// Plays one move.
    fn turn(&mut self) -> Result<(), GameStop> {
        let mover = self.position.side_to_move();
        let answer = self.ask(mover).map_err(|fault| GameStop::fault(mover, fault))?;
        self.check_time(mover, &answer)?;
        let ponder = self.make_move(mover, answer)?;
        self.check_end(mover)?;
        self.start_ponder(mover, ponder).map_err(|fault| GameStop::fault(mover, fault))
    }

    /// Lets the side to move search, as a ponder hit if its guess was right.
    fn ask(&mut self, mover: Color) -> Result<SearchAnswer, EngineFault> {
        let timeout = self.limit(mover);
        let last = self.moves.last().map(|played| played.mv);
        let guess = self.pondering[mover].take();
        if guess.is_some() && guess == last {
            let answer = self.players[mover].ponder_hit(timeout)?;
            self.stats[mover].add_ponder_hit(&answer);
            return Ok(answer);
        }
        let stopping = match guess {
            Some(_) => self.players[mover].stop_ponder()?,
            None => Duration::ZERO,
        };
        let go = go_command(&self.clocks, mover, false);
        let command = SearchCommand { position: &self.position_command, go: &go, timeout };
        let mut answer = self.players[mover].search(&command)?;
        self.stats[mover].add_search(&answer);
        // The clock has run since the opponent's move.
        answer.elapsed += stopping;
        Ok(answer)
    }

    /// The time after which a move is a time loss.
    fn limit(&self, mover: Color) -> Duration {
        match self.clocks[mover].move_limit() {
            Some(allowed) => allowed + self.conditions.engines[mover].margin,
            None => self.conditions.move_timeout,
        }
    }

    fn check_time(&mut self, mover: Color, answer: &SearchAnswer) -> Result<(), GameStop> {
        let limit = self.limit(mover);
        if let Some(allowed) = self.clocks[mover].move_limit() {
            self.stats[mover].record_excess(answer.elapsed.saturating_sub(allowed));
        }
        self.clocks[mover].spend(answer.elapsed);
        if answer.elapsed <= limit {
            return Ok(());
        }
        let ms = |time: Duration| time.as_micros() as f64 / 1000.0;
        let detail =
            format!("{} after {:.1} ms of {:.1}", answer.line, ms(answer.elapsed), ms(limit));
        Err(GameStop::forfeit(mover, GameEndReason::TimeLoss, detail))
    }

    /// Checks an answer and plays its move; returns the move to ponder on.
    fn make_move(&mut self, mover: Color, answer: SearchAnswer) -> Result<Option<Move>, GameStop> {
        let SearchAnswer { line, elapsed, info } = answer;
        let forfeit =
            |reason, why: &dyn Display| GameStop::forfeit(mover, reason, format!("{line} ({why})"));
        let parsed = parse_bestmove(&line)
            .map_err(|bad| forfeit(GameEndReason::Fault(EngineFaultKind::Protocol), &bad))?;
        let (best, ponder) = match parsed {
            BestMove::Move { best, ponder } => (best, ponder),
            BestMove::Resign => return Err(GameEnd::win(!mover, GameEndReason::Resign).into()),
            BestMove::DeclareWin => return Err(self.declare(mover, line)),
        };
        let rule = self.conditions.rules.entering_king;
        let is_try = self.position.try_rule_win(rule) == Some(best);
        if let Err(illegal) = self.position.try_play(best) {
            return Err(forfeit(GameEndReason::IllegalMove, &illegal));
        }
        self.push_move(best, elapsed, info);
        if is_try { Err(GameEnd::win(mover, GameEndReason::Try).into()) } else { Ok(ponder) }
    }

    fn declare(&self, declarer: Color, line: String) -> GameStop {
        let end = end_by_declaration(&self.position, self.conditions.rules);
        let is_false = end.reason == GameEndReason::FalseDeclaration;
        GameStop { end, forfeit: is_false.then_some((declarer, line)) }
    }

    fn push_move(&mut self, mv: Move, elapsed: Duration, info: SearchInfo) {
        let SearchInfo { score, bound, pv, .. } = info;
        self.moves.push(PlayedMove { mv, elapsed, score, bound, pv });
        let moves = self.moves.iter().map(|played| played.mv);
        self.position_command = self.conditions.opening.position_command(moves);
    }

    /// Whether the last move ended the game, by the rules or by adjudication.
    fn check_end(&mut self, mover: Color) -> Result<(), GameStop> {
        if let Some(end) = end_of_position(&self.position, self.conditions.rules) {
            return Err(end.into());
        }
        let Some(rule) = self.conditions.rules.resign else { return Ok(()) };
        let score = self.moves.last().and_then(PlayedMove::certain_centipawns);
        match self.resign_tracker.add_score(mover, score, rule) {
            Some(end) => Err(end.into()),
            None => Ok(()),
        }
    }

    /// Starts pondering for the side that has just moved.
    fn start_ponder(&mut self, mover: Color, guess: Option<Move>) -> Result<(), EngineFault> {
        let guess =
            guess.filter(|&mv| self.conditions.engines[mover].ponder && self.position.is_legal(mv));
        let Some(guess) = guess else { return Ok(()) };
        let position = format!("{} {guess}", self.position_command);
        let go = go_command(&self.clocks, mover, true);
        let command = SearchCommand { position: &position, go: &go, timeout: Duration::ZERO };
        self.players[mover].start_ponder(&command)?;
        self.pondering[mover] = Some(guess);
        self.stats[mover].ponder_searches += 1;
        Ok(())
    }

    /// Sends `gameover` to the players and returns the finished game.
    fn finish(mut self, stop: GameStop) -> PlayedGame {
        let forfeit = stop.forfeit.map(|(color, detail)| Forfeit {
            color,
            detail,
            position: self.position_command.clone(),
            transcript: self.players[color].transcript(),
        });
        let failed =
            matches!(stop.end.reason, GameEndReason::Fault(_)).then(|| forfeit.as_ref()).flatten();
        let failed = failed.map(|forfeit| forfeit.color);
        let mut late_faults = Vec::new();
        for color in Color::ALL.into_iter().filter(|&color| failed != Some(color)) {
            if let Err(fault) = self.send_game_over(color, stop.end.outcome) {
                late_faults.push((color, fault));
            }
        }
        PlayedGame { moves: self.moves, end: stop.end, stats: self.stats, forfeit, late_faults }
    }

    fn send_game_over(&mut self, color: Color, outcome: GameOutcome) -> Result<(), EngineFault> {
        if self.pondering[color].take().is_some() {
            self.players[color].stop_ponder()?;
        }
        self.players[color].game_over(match outcome {
            GameOutcome::Draw => GameOver::Draw,
            GameOutcome::Win(winner) if winner == color => GameOver::Win,
            GameOutcome::Win(_) => GameOver::Lose,
        })
    }
}

#[cfg(test)]
mod tests;
