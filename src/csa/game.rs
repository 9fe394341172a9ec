//! One game, from its start to its end, as a state machine without sockets, threads or a clock.

use std::time::{Duration, Instant};

use super::action::{FinishedGame, SessionAction};
use super::clock::GameClocks;
use super::game_summary::GameSummary;
use super::move_overhead::MoveOverhead;
use super::player::{
    CommandId, GameConditions, PlayerCommand, SearchTask, SearchUpdate, value_for_black,
};
use super::record_header;
use super::server_line::{EndReason, GameResult, MoveLine};
use crate::position::{EnteringKingRule, IllegalSetup, Position};
use crate::record::{Ending, Evaluation, GameCursor, csa_move, read_csa_move, side_names};
use crate::types::language::Localized;
use crate::types::message::{Message, counted, message};
use crate::types::{ByColor, Color, Move, excerpt};
use crate::usi_client::{BestMove, GameOver, possible_answers};

/// Maximum number of PV moves sent with a move.
const MAX_COMMENT_MOVES: usize = 20;
/// The player's time for its answer to `stop`, however small the margin is.
const MIN_STOP_TIME: Duration = Duration::from_millis(30);
/// The longest wait for a move without a time limit when the user wants to leave.
const UNLIMITED_MOVE_WAIT: Duration = Duration::from_secs(600);
/// Maximum number of failed players in a game.
const MAX_FAILURES: u32 = 3;

/// The user's settings for games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlayOptions {
    pub(super) ponder: bool,
    /// Send score and PV with each move, as floodgate records them.
    pub(super) comments: bool,
}

/// The state of the turn.
#[derive(Clone, Debug, PartialEq)]
enum GamePhase {
    /// The player searches our move.
    Thinking { id: CommandId, stopped: bool },
    /// We have sent a line, and the server has not echoed it yet.
    Sent { at: Instant, mv: Option<Move>, ponder: Option<Move> },
    /// The opponent is to move, and the player may be pondering on this move.
    Waiting { ponder: Option<(CommandId, Move)> },
    /// The server has sent an illegal move, and its ruling has not come yet.
    AwaitingRuling,
}

/// The state of a game.
#[derive(Clone, Debug)]
pub(super) struct CsaGame {
    id: String,
    names: ByColor<String>,
    /// What the sides are called.
    colors: ByColor<Localized>,
    us: Color,
    conditions: GameConditions,
    options: PlayOptions,
    cursor: GameCursor,
    clocks: GameClocks,
    phase: GamePhase,
    next_id: CommandId,
    /// When the current move began.
    turn_began: Instant,
    /// The latest results of the current search.
    update: Option<SearchUpdate>,
    /// The evaluation of the move that was sent.
    evaluation: Option<Evaluation>,
    reason: Option<EndReason>,
    /// The time of the word that ends the game, such as `%TORYO`.
    ending_time: Option<Duration>,
    failures: u32,
}

impl CsaGame {
    /// The proposed game, after the moves in the proposal. Commands are numbered from `first_id`.
    ///
    /// # Errors
    /// If the start position is illegal.
    pub(super) fn new(
        summary: &GameSummary,
        options: PlayOptions,
        first_id: CommandId,
        now: Instant,
    ) -> Result<CsaGame, IllegalSetup> {
        let mut cursor = GameCursor::new(summary.start.clone())?;
        let mut clocks = GameClocks::new(summary.times);
        record_header::write(&mut cursor, summary);
        for &(mv, taken) in &summary.moves {
            let mover = cursor.position().side_to_move();
            // Legal, because the proposal was checked when it was read.
            if cursor.play(mv).is_err() {
                break;
            }
            *cursor.node_mut().elapsed = Some(taken);
            if summary.is_buoy {
                clocks.spend_in_buoy(mover, taken);
            } else {
                clocks.spend(mover, taken);
            }
        }
        Ok(CsaGame {
            id: summary.id.clone(),
            names: summary.names.clone(),
            colors: side_names(&summary.start),
            us: summary.us,
            conditions: summary.conditions(),
            options,
            cursor,
            clocks,
            phase: GamePhase::Waiting { ponder: None },
            next_id: first_id,
            turn_began: now,
            update: None,
            evaluation: None,
            reason: None,
            ending_time: None,
            failures: 0,
        })
    }

    pub(super) fn position(&self) -> &Position {
        self.cursor.position()
    }

    pub(super) fn names(&self) -> &ByColor<String> {
        &self.names
    }

    pub(super) fn colors(&self) -> &ByColor<Localized> {
        &self.colors
    }

    pub(super) fn us(&self) -> Color {
        self.us
    }

    pub(super) fn next_id(&self) -> CommandId {
        self.next_id
    }

    /// The latest results of the current search.
    pub(super) fn update(&self) -> Option<&SearchUpdate> {
        self.update.as_ref()
    }

    pub(super) fn is_pondering(&self) -> bool {
        matches!(self.phase, GamePhase::Waiting { ponder: Some(_) })
    }

    pub(super) fn last_move(&self) -> Option<Move> {
        self.cursor.last_move()
    }

    /// The main time of a side, minus the time of the current move.
    pub(super) fn time_left(&self, color: Color, now: Instant) -> Duration {
        let rest = self.clocks.remaining(color);
        if self.position().side_to_move() != color {
            return rest;
        }
        let rule = self.clocks.rule(color);
        let elapsed = now.saturating_duration_since(self.turn_began);
        (rest + rule.increment).saturating_sub(elapsed.saturating_sub(rule.delay))
    }

    /// The server has started the clocks.
    pub(super) fn begin(
        &mut self,
        overhead: &MoveOverhead,
        now: Instant,
        out: &mut Vec<SessionAction>,
    ) {
        self.turn_began = now;
        if self.position().side_to_move() == self.us {
            self.think(overhead, now, out);
        }
    }

    /// When the player must be stopped, or a move be sent without its answer.
    pub(super) fn deadline(&self, overhead: &MoveOverhead) -> Option<Instant> {
        match self.phase {
            GamePhase::Thinking { stopped: false, .. } => self.stop_at(overhead),
            GamePhase::Thinking { stopped: true, .. } => self.fallback_at(overhead),
            _ => None,
        }
    }

    /// When `stop` is sent: when the time of the clocks sent to the player is over. (They keep a part of the time
    /// even if the network takes nearly all, so that the search is not stopped at its beginning.)
    fn stop_at(&self, overhead: &MoveOverhead) -> Option<Instant> {
        let allowed = self.clocks.allowed(self.us, overhead.total())?;
        Some(self.turn_began + allowed)
    }

    /// When a move must be sent without the player's answer, to arrive in time.
    fn fallback_at(&self, overhead: &MoveOverhead) -> Option<Instant> {
        let allowed = self.clocks.allowed(self.us, overhead.minimum())?;
        let stop = self.stop_at(overhead)?;
        Some((self.turn_began + allowed).max(stop + MIN_STOP_TIME))
    }

    /// When the time for the current move is over.
    pub(super) fn move_ends_at(&self) -> Instant {
        let mover = self.position().side_to_move();
        // Without a time limit, the wait for a move is still limited.
        self.turn_began + self.clocks.allowed(mover, Duration::ZERO).unwrap_or(UNLIMITED_MOVE_WAIT)
    }

    /// Does the work that is due at [`CsaGame::deadline`].
    pub(super) fn check_time(
        &mut self,
        overhead: &mut MoveOverhead,
        now: Instant,
        out: &mut Vec<SessionAction>,
    ) {
        let GamePhase::Thinking { id, stopped } = self.phase else { return };
        let is_over = |at: Option<Instant>| at.is_some_and(|at| now >= at);
        if is_over(self.fallback_at(overhead)) {
            self.move_without_answer(overhead, now, out);
        } else if !stopped && is_over(self.stop_at(overhead)) {
            self.phase = GamePhase::Thinking { id, stopped: true };
            out.push(SessionAction::Command(PlayerCommand::Stop));
        }
    }

    /// Moves when the player has not answered in time.
    fn move_without_answer(
        &mut self,
        overhead: &mut MoveOverhead,
        now: Instant,
        out: &mut Vec<SessionAction>,
    ) {
        // From now on the player is stopped earlier by this lateness.
        self.record_lateness(overhead, now);
        out.push(SessionAction::Warn(message!(
            "the engine is late; playing the best known move",
            "エンジンの応答が遅いので、わかっている最善手を指します"
        )));
        self.play_fallback(now, out);
        out.push(SessionAction::Command(PlayerCommand::Cancel));
    }

    /// Starts the search for our move.
    fn think(&mut self, overhead: &MoveOverhead, now: Instant, out: &mut Vec<SessionAction>) {
        if !self.has_player() {
            out.push(SessionAction::Warn(message!(
                "no engine is left, so the game is resigned",
                "動いているエンジンがないので投了します"
            )));
            return self.send("%TORYO".into(), now, out);
        }
        let id = self.search(None, overhead, now, out);
        self.phase = GamePhase::Thinking { id, stopped: false };
    }

    /// Starts pondering on `expected`, if the user wants that and the move is legal.
    fn ponder(
        &mut self,
        expected: Option<Move>,
        overhead: &MoveOverhead,
        now: Instant,
        out: &mut Vec<SessionAction>,
    ) {
        let can_ponder = self.options.ponder && self.has_player();
        let expected = expected.filter(|&mv| can_ponder && self.position().is_legal(mv));
        let ponder = expected.map(|mv| (self.search(Some(mv), overhead, now, out), mv));
        self.phase = GamePhase::Waiting { ponder };
    }

    /// Tells the player to search the position, or to ponder on the one after the expected move.
    fn search(
        &mut self,
        expected: Option<Move>,
        overhead: &MoveOverhead,
        now: Instant,
        out: &mut Vec<SessionAction>,
    ) -> CommandId {
        let id = self.take_id();
        self.update = None;
        let elapsed = now.saturating_duration_since(self.turn_began);
        let clocks = self.clocks.engine_clocks(self.us, overhead.total(), elapsed);
        let game = self.cursor.game();
        let (start, moves) = (game.start().clone(), game.main_moves().chain(expected).collect());
        let task =
            SearchTask { id, start, moves, clocks, ponder: expected.is_some(), received: now };
        out.push(SessionAction::Command(PlayerCommand::Search(Box::new(task))));
        id
    }

    /// Assigns the id of the next command.
    fn take_id(&mut self) -> CommandId {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    /// Stores the results that the player reports of a search.
    pub(super) fn set_search_update(&mut self, id: CommandId, update: SearchUpdate) {
        if self.current_search() == Some(id) {
            self.update = Some(update);
        }
    }

    fn current_search(&self) -> Option<CommandId> {
        match self.phase {
            GamePhase::Thinking { id, .. } => Some(id),
            GamePhase::Waiting { ponder } => ponder.map(|(id, _)| id),
            GamePhase::Sent { .. } | GamePhase::AwaitingRuling => None,
        }
    }

    /// The player has answered a search.
    pub(super) fn answered(
        &mut self,
        id: CommandId,
        line: &str,
        overhead: &mut MoveOverhead,
        now: Instant,
        out: &mut Vec<SessionAction>,
    ) {
        if !matches!(self.phase, GamePhase::Thinking { id: current, .. } if current == id) {
            return;
        }
        self.record_lateness(overhead, now);
        match possible_answers(line).find(|&answer| self.is_legal(answer)) {
            Some(BestMove::Resign) => self.send("%TORYO".into(), now, out),
            Some(BestMove::DeclareWin) => self.send("%KACHI".into(), now, out),
            Some(BestMove::Move { best, ponder }) => self.send_move(best, ponder, now, out),
            None => {
                let shown = excerpt(line);
                out.push(SessionAction::Warn(message!(
                    "the engine's answer \"{shown}\" is not legal; another move is played",
                    "エンジンの応答「{shown}」は合法手でないので、別の手を指します"
                )));
                self.play_fallback(now, out);
            }
        }
    }

    fn is_legal(&self, answer: BestMove) -> bool {
        match answer {
            BestMove::Move { best, .. } => self.position().is_legal(best),
            BestMove::DeclareWin => self.may_declare(),
            BestMove::Resign => true,
        }
    }

    /// Plays the best known move, or resigns if there is no legal one.
    fn play_fallback(&mut self, now: Instant, out: &mut Vec<SessionAction>) {
        match self.fallback_move() {
            Some(mv) => self.send_move(mv, None, now, out),
            None => self.send("%TORYO".into(), now, out),
        }
    }

    /// Records the player's lateness, which is expected again like the network delay.
    fn record_lateness(&self, overhead: &mut MoveOverhead, now: Instant) {
        let Some(stop) = self.stop_at(overhead) else { return };
        overhead.record_lateness(now.saturating_duration_since(stop));
    }

    /// All servers use the 27-point rule, by which a wrong declaration loses.
    fn may_declare(&self) -> bool {
        self.position().declaration_win(EnteringKingRule::Csa27)
    }

    /// The best move that the player has reported, or else one that is found without a search.
    fn fallback_move(&self) -> Option<Move> {
        let position = self.position();
        let best = self.update.as_ref().and_then(|update| update.best);
        let best = best.filter(|&mv| position.is_legal(mv));
        best.or_else(|| position.move_without_search(position.legal_moves().moves()))
    }

    fn send_move(
        &mut self,
        mv: Move,
        ponder: Option<Move>,
        now: Instant,
        out: &mut Vec<SessionAction>,
    ) {
        let mut text = csa_move(self.position(), mv);
        self.evaluation = self.evaluate(mv);
        if let Some(evaluation) = self.evaluation.as_ref().filter(|_| self.options.comments) {
            let mut after = self.position().clone();
            after.do_move(mv);
            text += &format!(",'{}", evaluation.floodgate(&mut after));
        }
        self.phase = GamePhase::Sent { at: now, mv: Some(mv), ponder };
        out.push(SessionAction::Send(text));
    }

    fn send(&mut self, line: String, now: Instant, out: &mut Vec<SessionAction>) {
        self.phase = GamePhase::Sent { at: now, mv: None, ponder: None };
        out.push(SessionAction::Send(line));
    }

    /// The player's evaluation of this move, from Black's side.
    fn evaluate(&self, mv: Move) -> Option<Evaluation> {
        let update = self.update.as_ref()?;
        let pv = match update.pv.split_first() {
            Some((&first, rest)) if first == mv => rest,
            _ => &[],
        };
        let value = value_for_black(update.score?, self.us);
        let pv = pv.iter().take(MAX_COMMENT_MOVES).copied().collect();
        Some(Evaluation::new(value, pv))
    }

    /// The server sends a move, or a word such as `%TORYO`, to both players.
    pub(super) fn played(
        &mut self,
        line: MoveLine<'_>,
        overhead: &mut MoveOverhead,
        now: Instant,
        out: &mut Vec<SessionAction>,
    ) {
        if line.text.starts_with('%') {
            // shogi-server sends a declaration twice, first with its time.
            self.ending_time = line.taken.or(self.ending_time);
            self.measure_round_trip(line.taken, overhead, now);
            return;
        }
        let found = read_csa_move(line.text, self.position());
        match found.ok().filter(|&mv| self.position().is_legal(mv)) {
            Some(mv) => self.make_move(mv, line, overhead, now, out),
            None if self.repeats_last_move(line.text)
                || self.phase == GamePhase::AwaitingRuling => {}
            None => {
                let text = line.text;
                out.push(SessionAction::Warn(message!(
                    "the server sent an illegal move, {text:?}",
                    "サーバーから非合法手「{text}」が届きました"
                )));
                self.wait_for_ruling(out);
            }
        }
    }

    /// Waits for the server's ruling on an illegal move. On our own turn the search continues: the line is
    /// not the opponent's move, and our clock may be running.
    fn wait_for_ruling(&mut self, out: &mut Vec<SessionAction>) {
        if !matches!(self.phase, GamePhase::Thinking { .. }) {
            out.push(SessionAction::Command(PlayerCommand::Cancel));
            self.phase = GamePhase::AwaitingRuling;
        }
    }

    /// Whether this line repeats the last move, as some servers do.
    fn repeats_last_move(&self, text: &str) -> bool {
        let mut position = self.position().clone();
        let Some(last) = self.cursor.last_move() else { return false };
        position.undo_move(last);
        csa_move(&position, last) == text
    }

    fn make_move(
        &mut self,
        mv: Move,
        line: MoveLine<'_>,
        overhead: &mut MoveOverhead,
        now: Instant,
        out: &mut Vec<SessionAction>,
    ) {
        let mover = self.position().side_to_move();
        if mover == self.us {
            self.measure_round_trip(line.taken, overhead, now);
        }
        let text = csa_move(self.position(), mv);
        // The move is legal, so an error means that the game is too long.
        if self.cursor.play(mv).is_err() {
            return self.phase = GamePhase::AwaitingRuling;
        }
        let elapsed = now.saturating_duration_since(self.turn_began);
        let taken = match line.taken {
            Some(taken) => {
                self.clocks.spend(mover, taken);
                taken
            }
            None => self.clocks.spend_measured(mover, elapsed),
        };
        *self.cursor.node_mut().elapsed = Some(taken);
        self.turn_began = now;
        out.push(SessionAction::Info(self.describe(mover, &text, taken)));
        if mover == self.us {
            self.after_own_move(mv, overhead, now, out);
        } else {
            self.after_opponent_move(mv, line.comment, overhead, now, out);
        }
    }

    /// Measures the network delay by the echo of our line. If the server rounds down, its time for the
    /// move gives another lower bound.
    fn measure_round_trip(
        &self,
        taken: Option<Duration>,
        overhead: &mut MoveOverhead,
        now: Instant,
    ) {
        let GamePhase::Sent { at, .. } = self.phase else { return };
        let rule = self.clocks.rule(self.us);
        let ours = at.saturating_duration_since(self.turn_began);
        let counted = taken
            .filter(|_| rule.least_time_per_move.is_zero() && !rule.round_up)
            .unwrap_or_default();
        overhead.record_delay(now.saturating_duration_since(at).max(counted.saturating_sub(ours)));
    }

    fn after_own_move(
        &mut self,
        mv: Move,
        overhead: &MoveOverhead,
        now: Instant,
        out: &mut Vec<SessionAction>,
    ) {
        let (sent, ponder) = match self.phase {
            GamePhase::Sent { mv: sent, ponder, .. } => (sent, ponder),
            _ => (None, None),
        };
        if sent == Some(mv) {
            self.cursor.node_mut().evaluations.extend(self.evaluation.take());
        } else {
            out.push(SessionAction::Warn(message!(
                "the server sent a move for our side",
                "当方の手番の指し手がサーバーから届きました"
            )));
        }
        self.ponder(ponder.filter(|_| sent == Some(mv)), overhead, now, out);
    }

    fn after_opponent_move(
        &mut self,
        mv: Move,
        comment: Option<&str>,
        overhead: &MoveOverhead,
        now: Instant,
        out: &mut Vec<SessionAction>,
    ) {
        if let Some(comment) = comment {
            let name = &self.names[!self.us];
            out.push(SessionAction::Info(message!(
                "{name} says: {comment}",
                "{name}のコメント：{comment}"
            )));
            self.cursor.comment(comment);
        }
        match self.phase {
            GamePhase::Waiting { ponder: Some((id, expected)) } if expected == mv => {
                self.phase = GamePhase::Thinking { id, stopped: false };
                let clocks = self.clocks.engine_clocks(self.us, overhead.total(), Duration::ZERO);
                out.push(SessionAction::Command(PlayerCommand::PonderHit {
                    id,
                    clocks,
                    received: now,
                }));
            }
            _ => self.think(overhead, now, out),
        }
    }

    /// A message about a move.
    fn describe(&self, mover: Color, text: &str, taken: Duration) -> Message {
        let number = self.cursor.moves();
        let seconds = taken.as_secs_f64();
        let mut description =
            message!("{number} {text} ({seconds} s)", "{number}手目 {text}（{seconds}秒）");
        let evaluation = self.evaluation.as_ref().filter(|_| mover == self.us);
        if let (Some(evaluation), Some(update)) = (evaluation, &self.update) {
            let mut position = self.position().clone();
            let line = evaluation.floodgate(&mut position);
            let line = line.trim_start_matches("* ");
            description = message!("{} {line}", "{} {line}"; description);
            if let Some(depth) = update.depth {
                description = message!("{} depth {depth}", "{} 深さ{depth}"; description);
            }
        }
        description
    }

    /// Stores the reason for the end that the server has sent.
    pub(super) fn set_end_reason(&mut self, reason: EndReason) {
        self.reason = Some(reason);
    }

    pub(super) fn reason(&self) -> Option<EndReason> {
        self.reason
    }

    /// Whether a player runs, or another one may still be started.
    pub(super) fn has_player(&self) -> bool {
        self.failures < MAX_FAILURES
    }

    /// The player has failed. A replacement continues the game.
    pub(super) fn player_failed(
        &mut self,
        overhead: &MoveOverhead,
        now: Instant,
        out: &mut Vec<SessionAction>,
    ) {
        self.failures += 1;
        let is_late = self.stop_at(overhead).is_some_and(|stop| now >= stop);
        if matches!(self.phase, GamePhase::Thinking { .. }) && is_late {
            // There is no time for another search.
            self.play_fallback(now, out);
        }
        if self.has_player() {
            out.push(SessionAction::RestartPlayer);
            out.push(SessionAction::Command(PlayerCommand::NewGame(
                self.take_id(),
                self.conditions,
            )));
        }
        match self.phase {
            GamePhase::Thinking { .. } => {
                // The results of the last player are kept until the next one has its own.
                let update = self.update.take();
                self.think(overhead, now, out);
                self.update = update;
            }
            GamePhase::Waiting { .. } => self.phase = GamePhase::Waiting { ponder: None },
            GamePhase::Sent { .. } | GamePhase::AwaitingRuling => {}
        }
    }

    /// The game is over; `None` if the connection was lost before the result.
    pub(super) fn finish(&mut self, result: Option<GameResult>, out: &mut Vec<SessionAction>) {
        out.push(SessionAction::Command(PlayerCommand::Cancel));
        out.push(SessionAction::Command(PlayerCommand::GameOver(match result {
            Some(GameResult::Win) => GameOver::Win,
            Some(GameResult::Lose) => GameOver::Lose,
            _ => GameOver::Draw,
        })));
        let outcome = match result {
            Some(result) => result.message(),
            None => message!("the connection broke", "接続が切れました"),
        };
        let by = self
            .reason
            .map_or(message!("", ""), |reason| message!(" by {}", "（{}）"; reason.message()));
        let moves = self.cursor.moves();
        let counted = counted(moves as u64, "move");
        out.push(SessionAction::Info(message!(
            "the game is over: {}{}, after {counted}",
            "対局終了：{}{}、{moves}手";
            outcome,
            by
        )));
        self.cursor.end(self.ending(result));
        *self.cursor.node_mut().elapsed = self.ending_time;
        record_header::close(&mut self.cursor);
        let (id, game) = (self.id.clone(), self.cursor.game().clone());
        out.push(SessionAction::Save(Box::new(FinishedGame { id, game })));
    }

    /// The ending for the record. Most endings of records are of the side to move.
    fn ending(&self, result: Option<GameResult>) -> Ending {
        let mover = self.position().side_to_move();
        let loser = match result {
            Some(GameResult::Win) => Some(!self.us),
            Some(GameResult::Lose) => Some(self.us),
            _ => None,
        };
        let mover_lost = loser.unwrap_or(mover) == mover;
        match self.reason {
            Some(EndReason::Resign) if mover_lost => Ending::Resign,
            Some(EndReason::TimeUp) if mover_lost => Ending::TimeUp,
            Some(EndReason::IllegalMove) if mover_lost => Ending::IllegalMove,
            Some(EndReason::IllegalMove | EndReason::IllegalAction | EndReason::PerpetualCheck) => {
                Ending::IllegalAction(loser.unwrap_or(mover))
            }
            Some(EndReason::Sennichite) => Ending::Sennichite,
            Some(EndReason::Declaration) if loser != Some(mover) => Ending::Declaration,
            Some(EndReason::MaxMoves) => Ending::MaxMoves,
            _ if result == Some(GameResult::Draw) => Ending::Draw,
            _ => Ending::Interrupted,
        }
    }
}

#[cfg(test)]
mod tests;
