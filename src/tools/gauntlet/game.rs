//! One game between two players, by the rules.
//!
//! It keeps the position, the clocks and the pondering, asks the players, and judges what they
//! answer. It knows no processes and no files.

use std::fmt::Display;
use std::time::Duration;

use super::clock::{Clock, go_limits};
use super::player::{Ask, EngineFault, EngineFaultKind, GameOver, Player, Reply};
use super::spec::EngineSpec;
use super::usage::Usage;
use crate::position::{EnteringKingRule, Position};
use crate::tools::opening::Opening;
use crate::tools::referee::{
    End, Ending, Outcome, Rules, Streaks, end_of_position, judge_declaration,
};
use crate::types::{ByColor, Color, Move};
use crate::usi_client::{BestMove, EngineScore, SearchInfo, parse_bestmove};

/// What is played.
#[derive(Clone, Copy, Debug)]
pub struct GamePlan<'a> {
    pub opening: &'a Opening,
    pub seats: ByColor<&'a EngineSpec>,
    pub rules: &'a Rules,
    /// How long an engine without a clock may think.
    pub longest_move: Duration,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// After the opening.
    pub moves: Vec<PlayedMove>,
    pub end: End,
    pub usage: ByColor<Usage>,
    /// What the loser did, when it lost by what no sound engine does.
    pub blame: Option<Blame>,
    /// Faults when the game was over already, which change nothing of its outcome.
    pub late_faults: Vec<(Color, EngineFault)>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PlayedMove {
    pub mv: Move,
    pub elapsed: Duration,
    pub score: Option<EngineScore>,
    /// The line that goes with the score, in USI words.
    pub pv: String,
}

/// What is known about an engine's offence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blame {
    pub color: Color,
    /// The offending line, or what happened.
    pub detail: String,
    /// The position in question, as the command that was sent.
    pub position: String,
    pub transcript: Vec<String>,
}

/// Plays a whole game.
///
/// # Errors
/// A player that does not even begin: then there is no game.
pub fn play<'a>(
    plan: GamePlan<'a>,
    players: ByColor<&'a mut dyn Player>,
) -> Result<Played, (Color, EngineFault)> {
    let mut game = Game::new(plan, players);
    for color in Color::ALL {
        game.players[color].new_game().map_err(|fault| (color, fault))?;
    }
    let halt = loop {
        if let Err(halt) = game.turn() {
            break halt;
        }
    };
    Ok(game.finish(halt))
}

/// Why a game goes no further.
struct Halt {
    end: End,
    /// Who did what no sound engine does, and what.
    offence: Option<(Color, String)>,
}

impl From<End> for Halt {
    fn from(end: End) -> Halt {
        Halt { end, offence: None }
    }
}

impl Halt {
    fn offence(color: Color, ending: Ending, detail: String) -> Halt {
        Halt { end: End::win(!color, ending), offence: Some((color, detail)) }
    }

    fn fault(color: Color, fault: EngineFault) -> Halt {
        Halt::offence(color, Ending::Fault(fault.kind), fault.detail)
    }
}

/// A game in progress.
struct Game<'a> {
    plan: GamePlan<'a>,
    players: ByColor<&'a mut dyn Player>,
    position: Position,
    /// The `position` command of the present.
    command: String,
    clocks: ByColor<Clock>,
    /// The move each side ponders on.
    pondering: ByColor<Option<Move>>,
    streaks: Streaks,
    moves: Vec<PlayedMove>,
    usage: ByColor<Usage>,
}

impl<'a> Game<'a> {
    fn new(plan: GamePlan<'a>, players: ByColor<&'a mut dyn Player>) -> Game<'a> {
        Game {
            plan,
            players,
            position: plan.opening.position(),
            command: plan.opening.to_string(),
            clocks: ByColor(plan.seats.0.map(|seat| Clock::new(seat.control))),
            pondering: ByColor::default(),
            streaks: Streaks::default(),
            moves: Vec::new(),
            usage: ByColor::default(),
        }
    }

    /// One move of the side to move.
    fn turn(&mut self) -> Result<(), Halt> {
        let mover = self.position.side_to_move();
        let reply = self.ask(mover).map_err(|fault| Halt::fault(mover, fault))?;
        self.check_time(mover, &reply)?;
        let ponder = self.make_move(mover, reply)?;
        self.check_end(mover)?;
        self.start_ponder(mover, ponder).map_err(|fault| Halt::fault(mover, fault))
    }

    /// Has the side to move think, on with its pondering if that guessed right.
    fn ask(&mut self, mover: Color) -> Result<Reply, EngineFault> {
        let patience = self.limit(mover);
        let last = self.moves.last().map(|played| played.mv);
        let guess = self.pondering[mover].take();
        if guess.is_some() && guess == last {
            let reply = self.players[mover].ponder_hit(patience)?;
            self.usage[mover].note_hit(&reply);
            return Ok(reply);
        }
        if guess.is_some() {
            self.players[mover].stop_ponder()?;
        }
        let limits = go_limits(&self.clocks, mover);
        let ask = Ask { position: &self.command, limits: &limits, patience };
        let reply = self.players[mover].think(&ask)?;
        self.usage[mover].note(&reply);
        Ok(reply)
    }

    /// The time after which a move comes too late.
    fn limit(&self, mover: Color) -> Duration {
        match self.clocks[mover].allowed() {
            Some(allowed) => allowed + self.plan.seats[mover].margin,
            None => self.plan.longest_move,
        }
    }

    fn check_time(&mut self, mover: Color, reply: &Reply) -> Result<(), Halt> {
        let limit = self.limit(mover);
        if let Some(allowed) = self.clocks[mover].allowed() {
            self.usage[mover].note_excess(reply.elapsed.saturating_sub(allowed));
        }
        self.clocks[mover].spend(reply.elapsed);
        if reply.elapsed <= limit {
            return Ok(());
        }
        let ms = |time: Duration| time.as_micros() as f64 / 1000.0;
        let detail =
            format!("{} after {:.1} ms of {:.1}", reply.line, ms(reply.elapsed), ms(limit));
        Err(Halt::offence(mover, Ending::TimeLoss, detail))
    }

    /// Judges an answer and plays its move; returns the move to ponder on.
    fn make_move(&mut self, mover: Color, reply: Reply) -> Result<Option<Move>, Halt> {
        let Reply { line, elapsed, info } = reply;
        let offence =
            |ending, why: &dyn Display| Halt::offence(mover, ending, format!("{line} ({why})"));
        let answer = parse_bestmove(&line)
            .map_err(|bad| offence(Ending::Fault(EngineFaultKind::Protocol), &bad))?;
        let (best, ponder) = match answer {
            BestMove::Move { best, ponder } => (best, ponder),
            BestMove::Resign => return Err(End::win(!mover, Ending::Resign).into()),
            BestMove::DeclareWin => return Err(self.declare(mover, line)),
        };
        let is_try = self.plan.rules.entering_king == EnteringKingRule::Try
            && self.position.try_rule_move() == Some(best);
        if let Err(illegal) = self.position.try_play(best) {
            return Err(offence(Ending::IllegalMove, &illegal));
        }
        self.record(best, elapsed, info);
        if is_try { Err(End::win(mover, Ending::Try).into()) } else { Ok(ponder) }
    }

    fn declare(&self, declarer: Color, line: String) -> Halt {
        let end = judge_declaration(&self.position, self.plan.rules);
        let is_false = end.ending == Ending::FalseDeclaration;
        Halt { end, offence: is_false.then_some((declarer, line)) }
    }

    fn record(&mut self, mv: Move, elapsed: Duration, info: SearchInfo) {
        self.moves.push(PlayedMove { mv, elapsed, score: info.score, pv: info.pv });
        self.command = self.plan.opening.game(self.moves.iter().map(|played| played.mv));
    }

    /// Whether the game is over after the last move: by the rules, else by the scores.
    fn check_end(&mut self, mover: Color) -> Result<(), Halt> {
        if let Some(end) = end_of_position(&self.position, self.plan.rules) {
            return Err(end.into());
        }
        let Some(rule) = self.plan.rules.resign else { return Ok(()) };
        let score = self.moves.last().and_then(|played| played.score);
        match self.streaks.note(mover, score.map(EngineScore::centipawns), rule) {
            Some(end) => Err(end.into()),
            None => Ok(()),
        }
    }

    /// Sets the side that has just moved to think on its opponent's time, on a move it wished for.
    fn start_ponder(&mut self, mover: Color, guess: Option<Move>) -> Result<(), EngineFault> {
        let guess = guess.filter(|&mv| self.plan.seats[mover].ponder && self.position.is_legal(mv));
        let Some(guess) = guess else { return Ok(()) };
        let command = format!("{} {guess}", self.command);
        let limits = go_limits(&self.clocks, mover);
        let ask = Ask { position: &command, limits: &limits, patience: Duration::ZERO };
        self.players[mover].start_ponder(&ask)?;
        self.pondering[mover] = Some(guess);
        self.usage[mover].ponders += 1;
        Ok(())
    }

    /// Tells the players, and gathers what is known of the game.
    fn finish(mut self, halt: Halt) -> Played {
        let blame = halt.offence.map(|(color, detail)| Blame {
            color,
            detail,
            position: self.command.clone(),
            transcript: self.players[color].transcript(),
        });
        let gone = matches!(halt.end.ending, Ending::Fault(_)).then(|| blame.as_ref()).flatten();
        let gone = gone.map(|blame| blame.color);
        let mut late_faults = Vec::new();
        for color in Color::ALL.into_iter().filter(|&color| gone != Some(color)) {
            if let Err(fault) = self.dismiss(color, halt.end.outcome) {
                late_faults.push((color, fault));
            }
        }
        Played { moves: self.moves, end: halt.end, usage: self.usage, blame, late_faults }
    }

    fn dismiss(&mut self, color: Color, outcome: Outcome) -> Result<(), EngineFault> {
        if self.pondering[color].take().is_some() {
            self.players[color].stop_ponder()?;
        }
        self.players[color].game_over(match outcome {
            Outcome::Draw => GameOver::Draw,
            Outcome::Win(winner) if winner == color => GameOver::Win,
            Outcome::Win(_) => GameOver::Lose,
        })
    }
}

#[cfg(test)]
mod tests;
