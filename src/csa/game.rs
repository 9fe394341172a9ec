//! One game from its start to its end: what each line of the server and each answer of the player
//! makes of it. It knows no sockets, no threads and no time but what it is told.

use std::time::{Duration, Instant};

use super::action::{Action, Finished};
use super::clock::GameClocks;
use super::heading;
use super::latency::Latency;
use super::line::{GameResult, PlayedLine, Reason};
use super::player::{Ask, Order, OrderId, Terms, Thought, value_for_black};
use super::summary::Summary;
use crate::position::{EnteringKingRule, IllegalSetup, Position};
use crate::record::{Evaluation, GameCursor, SpecialMove, csa_move, read_csa_move};
use crate::types::{ByColor, Color, Move};
use crate::usi_client::{BestMove, GameOver};

/// The longest line that is sent with a move.
const COMMENT_MOVES: usize = 20;
/// However little is kept back of a move's time, a player has so long for its answer to `stop`.
const LEAST_GRACE: Duration = Duration::from_millis(30);
/// A player that failed so often in a game is not asked again.
const MOST_FAILURES: u32 = 3;

/// How games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Manner {
    /// Think on the opponent's time.
    pub(super) ponder: bool,
    /// Send score and line with each move, as floodgate records them.
    pub(super) comments: bool,
}

/// What is going on.
#[derive(Clone, Debug, PartialEq)]
enum Phase {
    /// The player looks for our move.
    Thinking { id: OrderId, stopped: bool },
    /// Our line is under way, and has not come back.
    Sent { at: Instant, mv: Option<Move>, ponder: Option<Move> },
    /// The opponent is to move, and the player may be thinking on this move.
    Waiting { guess: Option<(OrderId, Move)> },
    /// The server has passed on what is no legal move, and should say what it makes of it.
    Stuck,
}

/// See the module's comment.
#[derive(Clone, Debug)]
pub(super) struct Game {
    id: String,
    names: ByColor<String>,
    us: Color,
    terms: Terms,
    manner: Manner,
    cursor: GameCursor,
    clocks: GameClocks,
    phase: Phase,
    next_id: OrderId,
    /// When the move began that is being thought about.
    turn_began: Instant,
    /// The latest of the search that runs.
    thought: Option<Thought>,
    /// What was thought of the move that is under way.
    evaluation: Option<Evaluation>,
    reason: Option<Reason>,
    failures: u32,
}

impl Game {
    /// The game that was proposed, its first moves made. Orders are numbered from `first_id`.
    ///
    /// # Errors
    /// A start that cannot be played.
    pub(super) fn new(
        summary: &Summary,
        manner: Manner,
        first_id: OrderId,
        now: Instant,
    ) -> Result<Game, IllegalSetup> {
        let mut cursor = GameCursor::new(summary.start.clone())?;
        let mut clocks = GameClocks::new(summary.times);
        heading::write(&mut cursor, summary);
        for &(mv, taken) in &summary.moves {
            let mover = cursor.position().side_to_move();
            // They were played once, when the proposal was read.
            if cursor.play(mv).is_err() {
                break;
            }
            cursor.node().elapsed = Some(taken);
            if summary.moves_cost_time {
                clocks.spend(mover, taken);
            }
        }
        Ok(Game {
            id: summary.id.clone(),
            names: summary.names.clone(),
            us: summary.us,
            terms: terms(summary),
            manner,
            cursor,
            clocks,
            phase: Phase::Waiting { guess: None },
            next_id: first_id,
            turn_began: now,
            thought: None,
            evaluation: None,
            reason: None,
            failures: 0,
        })
    }

    pub(super) fn position(&self) -> &Position {
        self.cursor.position()
    }

    pub(super) fn names(&self) -> &ByColor<String> {
        &self.names
    }

    pub(super) fn us(&self) -> Color {
        self.us
    }

    pub(super) fn next_id(&self) -> OrderId {
        self.next_id
    }

    /// The latest of what the player thinks.
    pub(super) fn thought(&self) -> Option<&Thought> {
        self.thought.as_ref()
    }

    pub(super) fn is_pondering(&self) -> bool {
        matches!(self.phase, Phase::Waiting { guess: Some(_) })
    }

    pub(super) fn last_move(&self) -> Option<Move> {
        self.cursor.last_move()
    }

    /// What a side has left of its main time, the move that is being thought about taken off.
    pub(super) fn time_left(&self, color: Color, now: Instant) -> Duration {
        let rest = self.clocks.rest(color);
        if self.position().side_to_move() != color {
            return rest;
        }
        let rule = self.clocks.rule(color);
        let gone = now.saturating_duration_since(self.turn_began);
        (rest + rule.increment).saturating_sub(gone.saturating_sub(rule.delay))
    }

    /// The server has started the clocks.
    pub(super) fn begin(&mut self, latency: &Latency, now: Instant, out: &mut Vec<Action>) {
        self.turn_began = now;
        if self.position().side_to_move() == self.us {
            self.think(latency, now, out);
        }
    }

    /// When something must be done about our move, whether the player is ready or not.
    pub(super) fn deadline(&self, latency: &Latency) -> Option<Instant> {
        match self.phase {
            Phase::Thinking { stopped: false, .. } => self.due(latency),
            Phase::Thinking { stopped: true, .. } => self.rescue_at(latency),
            _ => None,
        }
    }

    /// When the player, by what it is told, must have its move. Were this any earlier where the
    /// network takes nearly all the time, each move would be asked for as soon as it is begun.
    fn due(&self, latency: &Latency) -> Option<Instant> {
        let allowed = self.clocks.allowed(self.us, latency.overhead())?;
        Some(self.turn_began + allowed)
    }

    /// When what is known must do, for a line that is sent any later may come too late.
    fn rescue_at(&self, latency: &Latency) -> Option<Instant> {
        let allowed = self.clocks.allowed(self.us, latency.least_overhead())?;
        let due = self.due(latency)?;
        Some((self.turn_began + allowed).max(due + LEAST_GRACE))
    }

    /// The time for that may have come.
    pub(super) fn check_time(
        &mut self,
        latency: &mut Latency,
        now: Instant,
        out: &mut Vec<Action>,
    ) {
        let Phase::Thinking { id, stopped } = self.phase else { return };
        let is_over = |at: Option<Instant>| at.is_some_and(|at| now >= at);
        if is_over(self.rescue_at(latency)) {
            self.rescue(latency, now, out);
        } else if !stopped && is_over(self.due(latency)) {
            self.phase = Phase::Thinking { id, stopped: true };
            out.push(Action::Order(Order::Stop));
        }
    }

    /// Moves without the player, which has let its time go by.
    fn rescue(&mut self, latency: &mut Latency, now: Instant, out: &mut Vec<Action>) {
        // One that is only late has more time to answer in with every move, until it does.
        self.note_lateness(latency, now);
        out.push(Action::Warn("the engine is late; the best move that is known is played".into()));
        self.make_do(now, out);
        out.push(Action::Order(Order::Abandon));
    }

    /// Has the player look for our move.
    fn think(&mut self, latency: &Latency, now: Instant, out: &mut Vec<Action>) {
        if !self.has_player() {
            out.push(Action::Warn("there is no engine left, so the game is resigned".into()));
            return self.send("%TORYO".into(), now, out);
        }
        let id = self.search(None, latency, now, out);
        self.phase = Phase::Thinking { id, stopped: false };
    }

    /// Has the player think on the opponent's time, if that is wanted and `guess` can be played.
    fn ponder(
        &mut self,
        guess: Option<Move>,
        latency: &Latency,
        now: Instant,
        out: &mut Vec<Action>,
    ) {
        let able = self.manner.ponder && self.has_player();
        let guess = guess.filter(|&mv| able && self.position().is_legal(mv));
        let guess = guess.map(|mv| (self.search(Some(mv), latency, now, out), mv));
        self.phase = Phase::Waiting { guess };
    }

    /// Orders a search of the position, or of what is behind the move that is guessed.
    fn search(
        &mut self,
        guess: Option<Move>,
        latency: &Latency,
        now: Instant,
        out: &mut Vec<Action>,
    ) -> OrderId {
        let id = self.number();
        self.thought = None;
        let gone = now.saturating_duration_since(self.turn_began);
        let clocks = self.clocks.told(self.us, latency.overhead(), gone);
        let game = self.cursor.game();
        let (start, moves) = (game.start().clone(), game.main_moves().chain(guess).collect());
        let ask = Ask { id, start, moves, clocks, ponder: guess.is_some(), received: now };
        out.push(Action::Order(Order::Search(Box::new(ask))));
        id
    }

    /// The number of the next order.
    fn number(&mut self) -> OrderId {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    /// The player tells how far it is.
    pub(super) fn note_thought(&mut self, id: OrderId, thought: Thought) {
        if self.current_search() == Some(id) {
            self.thought = Some(thought);
        }
    }

    fn current_search(&self) -> Option<OrderId> {
        match self.phase {
            Phase::Thinking { id, .. } => Some(id),
            Phase::Waiting { guess } => guess.map(|(id, _)| id),
            Phase::Sent { .. } | Phase::Stuck => None,
        }
    }

    /// The player has decided.
    pub(super) fn answer(
        &mut self,
        id: OrderId,
        answer: BestMove,
        latency: &mut Latency,
        now: Instant,
        out: &mut Vec<Action>,
    ) {
        if !matches!(self.phase, Phase::Thinking { id: current, .. } if current == id) {
            return;
        }
        self.note_lateness(latency, now);
        match answer {
            BestMove::Resign => self.send("%TORYO".into(), now, out),
            BestMove::DeclareWin if self.may_declare() => self.send("%KACHI".into(), now, out),
            BestMove::Move { best, ponder } if self.position().is_legal(best) => {
                self.send_move(best, ponder, now, out);
            }
            wrong => {
                let what = match wrong {
                    BestMove::Move { best, .. } => format!("{best}, which is illegal"),
                    _ => "a declaration that does not hold".into(),
                };
                out.push(Action::Warn(format!("the engine wanted {what}; another move is played")));
                self.make_do(now, out);
            }
        }
    }

    /// Plays what can be played without an answer of the player.
    fn make_do(&mut self, now: Instant, out: &mut Vec<Action>) {
        match self.any_move() {
            Some(mv) => self.send_move(mv, None, now, out),
            None => self.send("%TORYO".into(), now, out),
        }
    }

    /// A player that answers later than it was told to will do so again, so that is lost like what
    /// the network takes.
    fn note_lateness(&self, latency: &mut Latency, now: Instant) {
        let Some(due) = self.due(latency) else { return };
        latency.note_lateness(now.saturating_duration_since(due));
    }

    /// By the rule of all servers; a declaration that does not hold loses.
    fn may_declare(&self) -> bool {
        self.position().declaration_win(EnteringKingRule::Csa27)
    }

    /// What the player had in mind, or else any legal move.
    fn any_move(&self) -> Option<Move> {
        let thought = self.thought.as_ref().and_then(|thought| thought.line.first().copied());
        let thought = thought.filter(|&mv| self.position().is_legal(mv));
        thought.or_else(|| self.position().legal_moves().moves().next())
    }

    fn send_move(&mut self, mv: Move, ponder: Option<Move>, now: Instant, out: &mut Vec<Action>) {
        let mut text = csa_move(self.position(), mv);
        self.evaluation = self.evaluate(mv);
        if let Some(evaluation) = self.evaluation.as_ref().filter(|_| self.manner.comments) {
            let mut after = self.position().clone();
            after.do_move(mv);
            text += &format!(",'{}", evaluation.floodgate(&mut after));
        }
        self.phase = Phase::Sent { at: now, mv: Some(mv), ponder };
        out.push(Action::Send(text));
    }

    fn send(&mut self, word: String, now: Instant, out: &mut Vec<Action>) {
        self.phase = Phase::Sent { at: now, mv: None, ponder: None };
        out.push(Action::Send(word));
    }

    /// What the player thought of this move, as Black sees it.
    fn evaluate(&self, mv: Move) -> Option<Evaluation> {
        let thought = self.thought.as_ref()?;
        let line = match thought.line.split_first() {
            Some((&first, rest)) if first == mv => rest,
            _ => &[],
        };
        let value = value_for_black(thought.score?, self.us);
        let line = line.iter().take(COMMENT_MOVES).copied().collect();
        Some(Evaluation::new(value, line))
    }

    /// The server passes on a move, or a word such as `%TORYO`.
    pub(super) fn played(
        &mut self,
        line: PlayedLine<'_>,
        latency: &mut Latency,
        now: Instant,
        out: &mut Vec<Action>,
    ) {
        if line.text.starts_with('%') {
            self.note_round_trip(line.taken, latency, now);
            return;
        }
        let found = read_csa_move(line.text, self.position());
        match found.ok().filter(|&mv| self.position().is_legal(mv)) {
            Some(mv) => self.make_move(mv, line, latency, now, out),
            None if self.is_last(line.text) || self.phase == Phase::Stuck => {}
            None => {
                out.push(Action::Warn(format!("the server passed on {:?}", line.text)));
                self.await_verdict(out);
            }
        }
    }

    /// Waits for what the server makes of a line that is no move. But while we think it cannot be
    /// the opponent's, and our clock may be running.
    fn await_verdict(&mut self, out: &mut Vec<Action>) {
        if !matches!(self.phase, Phase::Thinking { .. }) {
            out.push(Action::Order(Order::Abandon));
            self.phase = Phase::Stuck;
        }
    }

    /// Whether this is the last move once more, as some servers send it.
    fn is_last(&self, text: &str) -> bool {
        let mut position = self.position().clone();
        let Some(last) = self.cursor.last_move() else { return false };
        position.undo_move(last);
        csa_move(&position, last) == text
    }

    fn make_move(
        &mut self,
        mv: Move,
        line: PlayedLine<'_>,
        latency: &mut Latency,
        now: Instant,
        out: &mut Vec<Action>,
    ) {
        let mover = self.position().side_to_move();
        if mover == self.us {
            self.note_round_trip(line.taken, latency, now);
        }
        let text = csa_move(self.position(), mv);
        // It is legal, so only a game without end could be refused.
        if self.cursor.play(mv).is_err() {
            return self.phase = Phase::Stuck;
        }
        let lasted = now.saturating_duration_since(self.turn_began);
        let taken = match line.taken {
            Some(taken) => {
                self.clocks.spend(mover, taken);
                taken
            }
            None => self.clocks.spend_seen(mover, lasted),
        };
        self.cursor.node().elapsed = Some(taken);
        self.turn_began = now;
        out.push(Action::Say(self.describe(mover, &text, taken)));
        if mover == self.us {
            self.after_ours(mv, latency, now, out);
        } else {
            self.after_theirs(mv, line.comment, latency, now, out);
        }
    }

    /// How long the line was on its way. Where the server counts no unit that has only begun, its
    /// count tells too.
    fn note_round_trip(&self, taken: Option<Duration>, latency: &mut Latency, now: Instant) {
        let Phase::Sent { at, .. } = self.phase else { return };
        let rule = self.clocks.rule(self.us);
        let ours = at.saturating_duration_since(self.turn_began);
        let counted = taken.filter(|_| rule.least.is_zero() && !rule.round_up).unwrap_or_default();
        latency.note(now.saturating_duration_since(at).max(counted.saturating_sub(ours)));
    }

    fn after_ours(&mut self, mv: Move, latency: &Latency, now: Instant, out: &mut Vec<Action>) {
        let (sent, ponder) = match self.phase {
            Phase::Sent { mv: sent, ponder, .. } => (sent, ponder),
            _ => (None, None),
        };
        if sent == Some(mv) {
            self.cursor.node().evaluations.extend(self.evaluation.take());
        } else {
            out.push(Action::Warn("this move of ours is the server's".into()));
        }
        self.ponder(ponder.filter(|_| sent == Some(mv)), latency, now, out);
    }

    fn after_theirs(
        &mut self,
        mv: Move,
        comment: Option<&str>,
        latency: &Latency,
        now: Instant,
        out: &mut Vec<Action>,
    ) {
        if let Some(comment) = comment {
            out.push(Action::Say(format!("{} says: {comment}", self.names[!self.us])));
            self.cursor.comment(comment);
        }
        match self.phase {
            Phase::Waiting { guess: Some((id, guess)) } if guess == mv => {
                self.phase = Phase::Thinking { id, stopped: false };
                let clocks = self.clocks.told(self.us, latency.overhead(), Duration::ZERO);
                out.push(Action::Order(Order::PonderHit { id, clocks, received: now }));
            }
            _ => self.think(latency, now, out),
        }
    }

    /// A line for people on a move that was made.
    fn describe(&self, mover: Color, text: &str, taken: Duration) -> String {
        let number = self.cursor.moves();
        let mut said = format!("{number} {text} ({} s)", taken.as_secs_f64());
        let evaluation = self.evaluation.as_ref().filter(|_| mover == self.us);
        if let (Some(evaluation), Some(thought)) = (evaluation, &self.thought) {
            let mut position = self.position().clone();
            said += &format!(" {}", evaluation.floodgate(&mut position).trim_start_matches("* "));
            if let Some(depth) = thought.depth {
                said += &format!(" depth {depth}");
            }
        }
        said
    }

    /// The server says why the game ends.
    pub(super) fn note_reason(&mut self, reason: Reason) {
        self.reason = Some(reason);
    }

    pub(super) fn reason(&self) -> Option<Reason> {
        self.reason
    }

    /// Whether it is worth while to have another player in the place of one that failed.
    pub(super) fn has_player(&self) -> bool {
        self.failures < MOST_FAILURES
    }

    /// The player has failed. Another one is put in its place, and goes on where it was.
    pub(super) fn player_failed(&mut self, latency: &Latency, now: Instant, out: &mut Vec<Action>) {
        self.failures += 1;
        let is_due = self.due(latency).is_some_and(|due| now >= due);
        if matches!(self.phase, Phase::Thinking { .. }) && is_due {
            // There is no time to think anew, nor to wait until another player is started.
            self.make_do(now, out);
        }
        if self.has_player() {
            out.push(Action::Restart);
            out.push(Action::Order(Order::Prepare(self.number(), self.terms)));
        }
        match self.phase {
            Phase::Thinking { .. } => {
                // What the last player found is known until the next one finds more.
                let thought = self.thought.take();
                self.think(latency, now, out);
                self.thought = thought;
            }
            Phase::Waiting { .. } => self.phase = Phase::Waiting { guess: None },
            Phase::Sent { .. } | Phase::Stuck => {}
        }
    }

    /// The game is over; `None` if the connection broke before the server said how.
    pub(super) fn finish(&mut self, result: Option<GameResult>, out: &mut Vec<Action>) {
        out.push(Action::Order(Order::Abandon));
        out.push(Action::Order(Order::GameOver(match result {
            Some(GameResult::Win) => GameOver::Win,
            Some(GameResult::Lose) => GameOver::Lose,
            _ => GameOver::Draw,
        })));
        let words = match result {
            Some(result) => result.to_string(),
            None => "the connection broke".into(),
        };
        let by = self.reason.map(|reason| format!(" by {reason}")).unwrap_or_default();
        let moves = self.cursor.moves();
        out.push(Action::Say(format!("the game is over: {words}{by}, after {moves} moves")));
        self.cursor.end(self.special(result));
        heading::close(&mut self.cursor);
        let (id, game) = (self.id.clone(), self.cursor.game().clone());
        out.push(Action::Save(Box::new(Finished { id, game })));
    }

    /// How records tell the end. What they tell by a word alone is of the side to move.
    fn special(&self, result: Option<GameResult>) -> SpecialMove {
        let mover = self.position().side_to_move();
        let loser = match result {
            Some(GameResult::Win) => Some(!self.us),
            Some(GameResult::Lose) => Some(self.us),
            _ => None,
        };
        let mover_lost = loser.unwrap_or(mover) == mover;
        match self.reason {
            Some(Reason::Resign) if mover_lost => SpecialMove::Resign,
            Some(Reason::TimeUp) if mover_lost => SpecialMove::TimeUp,
            Some(Reason::IllegalMove) if mover_lost => SpecialMove::IllegalMove,
            Some(Reason::IllegalMove | Reason::IllegalAction | Reason::PerpetualCheck) => {
                SpecialMove::IllegalAction(loser.unwrap_or(mover))
            }
            Some(Reason::Sennichite) => SpecialMove::Sennichite,
            Some(Reason::Declaration) if loser != Some(mover) => SpecialMove::Declaration,
            Some(Reason::MaxMoves) => SpecialMove::MaxMoves,
            _ if result == Some(GameResult::Draw) => SpecialMove::Draw,
            _ => SpecialMove::Interrupted,
        }
    }
}

/// What a player should know of a proposed game.
pub(super) fn terms(summary: &Summary) -> Terms {
    let rule = &summary.times[summary.us];
    Terms { max_moves: summary.max_moves, unit: rule.unit, least: rule.least }
}

#[cfg(test)]
mod tests;
