//! One connection, from the login to its end, as a state machine without sockets or threads.

use std::time::{Duration, Instant};

use super::action::{ConnectionEnd, SessionAction};
use super::game::{CsaGame, PlayOptions};
use super::game_summary::{GameSummary, SummaryReader};
use super::move_overhead::MoveOverhead;
use super::player::{CommandId, PlayerCommand, PlayerEvent};
use super::server_line::{GameResult, ServerLine};
use crate::types::language::{Localized, localized};
use crate::types::message::{Message, message};

/// Maximum time of the server to answer the login.
const LOGIN_TIMEOUT: Duration = Duration::from_secs(30);
/// Maximum time of the engine to get ready for a game. A server waits for 120 s.
pub const READY_TIMEOUT: Duration = Duration::from_secs(100);
/// Maximum time of the server to start a game that both sides agreed to, while the user wants to leave.
const START_TIMEOUT: Duration = Duration::from_secs(120);
/// Maximum time of the server to continue or end a game after the time of the side to move, while the user
/// wants to leave.
const OVERDUE_TIMEOUT: Duration = Duration::from_secs(60);
/// Maximum time of the server to answer the logout.
const LOGOUT_TIMEOUT: Duration = Duration::from_secs(1);
/// A server that has echoed a keep-alive counts as gone if it does not echo this many in a row.
const MAX_MISSED_ECHOES: u32 = 3;
/// Maximum number of unknown lines reported on each connection.
const MAX_UNKNOWN_LINES: u32 = 50;
/// Maximum number of failures of the player between two games.
const MAX_FAILURES: u32 = 3;
/// Number of rejections in a row after which the client logs out, to try again later.
const MAX_REJECTIONS: u32 = 3;
/// When the server closes the connection within this time after a rejection, the rejection is the reason.
/// shogi-server first waits up to a minute for the next line.
const CLOSED_AFTER_REJECTION: Duration = Duration::from_secs(90);

/// The user's settings for a connection.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SessionConfig {
    pub(super) play: PlayOptions,
    /// The line that asks for a game in the extended mode.
    pub(super) challenge: Option<String>,
    /// Log out after each game: shogi-server plays one game on a connection, but may be slow to close it.
    pub(super) logout: bool,
    /// The silence after which an empty line is sent; zero for never.
    pub(super) keep_alive: Duration,
    /// Added to the measured network delay.
    pub(super) margin: Duration,
}

/// The state that persists across connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SeriesState {
    /// The number of games still to play; `None` for no limit.
    pub(super) games: Option<u32>,
    /// The id of the next command.
    pub(super) next_id: CommandId,
}

impl SeriesState {
    /// Prepares the player for a game. Returns the id of the command.
    fn prepare_player(&mut self, summary: &GameSummary, out: &mut Vec<SessionAction>) -> CommandId {
        let id = self.next_id;
        self.next_id += 1;
        out.push(SessionAction::Command(PlayerCommand::NewGame(id, summary.conditions())));
        id
    }
}

/// An input of the session.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SessionInput<'a> {
    Line(&'a str),
    Player(PlayerEvent),
    /// The user wants to leave after the current game.
    Leave,
    /// The connection was lost, with the reason.
    Closed(Message),
    /// The deadline may have come.
    Timer,
}

#[derive(Debug)]
enum SessionState {
    LoggingIn {
        since: Instant,
    },
    Waiting,
    /// A game is proposed. The client agrees when the player is ready.
    Agreeing {
        summary: Box<GameSummary>,
        since: Instant,
        /// The id of the command to get ready.
        preparation: CommandId,
        agreed: bool,
    },
    Playing(Box<CsaGame>),
    LoggingOut {
        until: Instant,
        then: ConnectionEnd,
    },
    Over,
}

/// The state of a connection.
#[derive(Debug)]
pub(super) struct CsaSession {
    config: SessionConfig,
    series: SeriesState,
    state: SessionState,
    /// A proposal that is being received.
    reader: Option<SummaryReader>,
    overhead: MoveOverhead,
    /// When the last line was sent or received.
    last_line: Instant,
    /// Keep-alives since the last line of the server.
    unanswered: u32,
    /// Whether the server echoes keep-alives.
    echoes: bool,
    /// When the user asked to leave.
    leaving: Option<Instant>,
    /// Whether a game has ended on this connection, so that the server may close it.
    game_has_ended: bool,
    failures: u32,
    /// Rejections by either side since the last game, and the time of the last one.
    rejections: u32,
    last_rejection: Option<Instant>,
    unknown_lines: u32,
}

impl CsaSession {
    /// A session on a new connection, and its first actions.
    pub(super) fn open(
        config: SessionConfig,
        series: SeriesState,
        now: Instant,
    ) -> (CsaSession, Vec<SessionAction>) {
        let session = CsaSession {
            overhead: MoveOverhead::new(config.margin),
            config,
            series,
            state: SessionState::LoggingIn { since: now },
            reader: None,
            last_line: now,
            unanswered: 0,
            echoes: false,
            leaving: None,
            game_has_ended: false,
            failures: 0,
            rejections: 0,
            last_rejection: None,
            unknown_lines: 0,
        };
        (session, vec![SessionAction::Login])
    }

    pub(super) fn series(&self) -> SeriesState {
        self.series
    }

    /// Whether the login has succeeded, and the connection is open.
    pub(super) fn is_logged_in(&self) -> bool {
        !matches!(self.state, SessionState::LoggingIn { .. } | SessionState::Over)
    }

    /// The game that is being played.
    pub(super) fn game(&self) -> Option<&CsaGame> {
        match &self.state {
            SessionState::Playing(game) => Some(game),
            _ => None,
        }
    }

    /// The expected network delay.
    pub(super) fn network_delay(&self) -> Duration {
        self.overhead.network_delay()
    }

    /// A description of the state for the user.
    pub(super) fn status(&self) -> Localized {
        match &self.state {
            SessionState::LoggingIn { .. } => localized("logging in", "ログイン中"),
            SessionState::Waiting => localized("waiting for a game", "対局待ち"),
            SessionState::Agreeing { .. } => localized("a game is about to begin", "対局の準備中"),
            SessionState::Playing(_) if self.leaving.is_some() => {
                localized("playing the last game", "最後の対局中")
            }
            SessionState::Playing(_) => localized("playing", "対局中"),
            SessionState::LoggingOut { .. } | SessionState::Over => localized("leaving", "終了中"),
        }
    }

    /// When [`SessionInput::Timer`] is due.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let own = match &self.state {
            SessionState::LoggingIn { since } => Some(*since + LOGIN_TIMEOUT),
            SessionState::Agreeing { since, agreed: false, .. } => Some(*since + READY_TIMEOUT),
            SessionState::Agreeing { .. } => None,
            SessionState::Playing(game) => game.deadline(&self.overhead),
            SessionState::LoggingOut { until, .. } => Some(*until),
            SessionState::Waiting | SessionState::Over => None,
        };
        own.into_iter().chain(self.keep_alive_at()).chain(self.leave_at()).min()
    }

    /// When the client leaves without the end of the game, if the user wants to leave.
    fn leave_at(&self) -> Option<Instant> {
        let left = self.leaving?;
        match &self.state {
            SessionState::Agreeing { agreed: true, .. } => Some(left + START_TIMEOUT),
            SessionState::Playing(game) => Some(left.max(game.move_ends_at()) + OVERDUE_TIMEOUT),
            _ => None,
        }
    }

    /// When the next keep-alive is due, if keep-alives are sent.
    fn keep_alive_at(&self) -> Option<Instant> {
        let is_sent = self.is_logged_in() && !self.config.keep_alive.is_zero();
        is_sent.then(|| self.last_line + self.config.keep_alive)
    }

    /// Handles an input. Returns the actions to execute.
    pub(super) fn handle(&mut self, input: SessionInput<'_>, now: Instant) -> Vec<SessionAction> {
        let mut out = Vec::new();
        match input {
            SessionInput::Line(line) => self.read_line(line, now, &mut out),
            SessionInput::Player(event) => self.handle_player(event, now, &mut out),
            SessionInput::Leave => self.leave(now, &mut out),
            SessionInput::Closed(why) => self.closed(why, now, &mut out),
            SessionInput::Timer => self.check_time(now, &mut out),
        }
        if out.iter().any(|action| matches!(action, SessionAction::Send(_))) {
            self.last_line = now;
        }
        out
    }

    fn close(&mut self, end: ConnectionEnd, out: &mut Vec<SessionAction>) {
        self.state = SessionState::Over;
        out.push(SessionAction::Close(end));
    }

    fn read_line(&mut self, line: &str, now: Instant, out: &mut Vec<SessionAction>) {
        self.last_line = now;
        let echo = self.unanswered > 0 && line.trim().is_empty();
        self.echoes |= echo;
        self.unanswered = 0;
        if let Some(reader) = &mut self.reader {
            if let Some(summary) = reader.push(line) {
                let id = reader.id().to_owned();
                self.reader = None;
                match summary {
                    Ok(summary) => self.proposed(summary, now, out),
                    Err(error) => self.reject(&id, error.message(), now, out),
                }
            }
            return;
        }
        self.handle_line(ServerLine::read(line), now, out);
    }

    fn handle_line(&mut self, line: ServerLine<'_>, now: Instant, out: &mut Vec<SessionAction>) {
        match (line, &mut self.state) {
            (ServerLine::LoginOk, SessionState::LoggingIn { since }) => {
                let since = *since;
                self.logged_in(since, now, out);
            }
            (ServerLine::LoginIncorrect, SessionState::LoggingIn { .. }) => {
                self.close(ConnectionEnd::LoginRefused, out);
            }
            (ServerLine::LogoutCompleted, SessionState::LoggingOut { then, .. }) => {
                let then = then.clone();
                self.close(then, out);
            }
            (ServerLine::SummaryBegins, SessionState::Waiting) => {
                self.reader = Some(SummaryReader::default());
            }
            (ServerLine::Start(_), SessionState::Agreeing { .. }) => self.start(now, out),
            (ServerLine::Reject { by, .. }, SessionState::Agreeing { .. }) => {
                out.push(SessionAction::Info(message!(
                    "the game was rejected by {by}",
                    "{by}が対局を拒否しました"
                )));
                self.rejected_by_opponent(now, out);
            }
            (ServerLine::Reject { .. }, SessionState::Waiting) if self.rejections > 0 => {
                self.ask_again_after_rejection(now, out);
            }
            (ServerLine::Played(line), SessionState::Playing(game)) => {
                game.played(line, &mut self.overhead, now, out);
            }
            (ServerLine::EndReason(reason), SessionState::Playing(game)) => {
                game.set_end_reason(reason);
            }
            (ServerLine::Result(result), SessionState::Playing(_)) => {
                self.finish(result, now, out);
            }
            (ServerLine::Extended(text), _) => {
                out.push(SessionAction::Info(message!("server: {text}", "サーバー：{text}")))
            }
            (ServerLine::Comment(text), _) => {
                out.push(SessionAction::Info(message!("comment: {text}", "コメント：{text}")))
            }
            // The server sent this before it received our logout.
            (ServerLine::Other(_), SessionState::LoggingOut { .. }) => {}
            (ServerLine::Other(text), _) => self.report_unknown(text, out),
            // Empty lines, and lines that belong to another state.
            _ => {}
        }
    }

    fn report_unknown(&mut self, text: &str, out: &mut Vec<SessionAction>) {
        self.unknown_lines += 1;
        if self.unknown_lines <= MAX_UNKNOWN_LINES {
            out.push(SessionAction::Warn(message!(
                "unknown line from the server: \"{text}\"",
                "サーバーからの不明な行：「{text}」"
            )));
        }
    }

    fn logged_in(&mut self, since: Instant, now: Instant, out: &mut Vec<SessionAction>) {
        // The time includes the server's work for the login, but is a first estimate.
        self.overhead.set_estimate(now.saturating_duration_since(since));
        out.push(SessionAction::Info(message!("logged in", "ログインしました")));
        self.state = SessionState::Waiting;
        if self.leaving.is_some() {
            self.log_out(ConnectionEnd::Done, now, out);
        } else {
            self.challenge(out);
        }
    }

    fn challenge(&self, out: &mut Vec<SessionAction>) {
        out.extend(self.config.challenge.clone().map(SessionAction::Send));
    }

    fn proposed(&mut self, summary: GameSummary, now: Instant, out: &mut Vec<SessionAction>) {
        out.push(SessionAction::Info(summary.message()));
        let preparation = self.series.prepare_player(&summary, out);
        let summary = Box::new(summary);
        self.state = SessionState::Agreeing { summary, since: now, preparation, agreed: false };
    }

    fn reject(&mut self, id: &str, why: Message, now: Instant, out: &mut Vec<SessionAction>) {
        out.push(SessionAction::Warn(message!(
            "a game was rejected: {}",
            "対局を拒否しました：{}";
            why
        )));
        out.push(SessionAction::Send(with_id("REJECT", id)));
        self.rejections += 1;
        self.last_rejection = Some(now);
    }

    /// The opponent rejects the game. The server may propose the same opponent again and again, so the client
    /// pauses as after its own rejection.
    fn rejected_by_opponent(&mut self, now: Instant, out: &mut Vec<SessionAction>) {
        self.rejections += 1;
        self.last_rejection = Some(now);
        self.state = SessionState::Waiting;
        if self.leaving.is_some() {
            self.log_out(ConnectionEnd::Done, now, out);
        } else if self.config.logout {
            self.log_out(ConnectionEnd::Unplayable, now, out);
        } else {
            self.ask_again_after_rejection(now, out);
        }
    }

    /// The server confirms a rejection. In the extended mode the client must ask for another game, but not
    /// endlessly.
    fn ask_again_after_rejection(&mut self, now: Instant, out: &mut Vec<SessionAction>) {
        if self.rejections < MAX_REJECTIONS {
            return self.challenge(out);
        }
        self.log_out(ConnectionEnd::Unplayable, now, out);
    }

    fn start(&mut self, now: Instant, out: &mut Vec<SessionAction>) {
        let SessionState::Agreeing { summary, .. } = &self.state else { return };
        match CsaGame::new(summary, self.config.play, self.series.next_id, now) {
            Ok(mut game) => {
                (self.rejections, self.last_rejection) = (0, None);
                game.begin(&self.overhead, now, out);
                self.state = SessionState::Playing(Box::new(game));
            }
            Err(error) => self.close(ConnectionEnd::Retry(error.message()), out),
        }
    }

    fn handle_player(&mut self, event: PlayerEvent, now: Instant, out: &mut Vec<SessionAction>) {
        match (event, &mut self.state) {
            (PlayerEvent::Message(text), _) => {
                out.push(SessionAction::Info(message!("engine: {text}", "エンジン：{text}")))
            }
            (
                PlayerEvent::Ready(id),
                SessionState::Agreeing { summary, preparation, agreed, .. },
            ) if id == *preparation && !*agreed => {
                *agreed = true;
                out.push(SessionAction::Send(with_id("AGREE", &summary.id)));
            }
            (PlayerEvent::Update(id, update), SessionState::Playing(game)) => {
                game.set_search_update(id, update);
            }
            (PlayerEvent::Answer(id, line), SessionState::Playing(game)) => {
                game.answered(id, &line, &mut self.overhead, now, out);
            }
            // The game has already given up its players.
            (PlayerEvent::Failed(_), SessionState::Playing(game)) if !game.has_player() => {}
            (PlayerEvent::Failed(why), SessionState::Playing(game)) => {
                out.push(SessionAction::Warn(engine_failed(&why)));
                game.player_failed(&self.overhead, now, out);
            }
            (PlayerEvent::Failed(why), _) => self.player_failed(why, out),
            _ => {}
        }
    }

    fn player_failed(&mut self, why: String, out: &mut Vec<SessionAction>) {
        self.failures += 1;
        if self.failures >= MAX_FAILURES {
            return self.close(ConnectionEnd::NoEngine(why), out);
        }
        out.push(SessionAction::Warn(engine_failed(&why)));
        out.push(SessionAction::RestartPlayer);
        // The new player must be prepared even after `AGREE`.
        if let SessionState::Agreeing { summary, preparation, .. } = &mut self.state {
            *preparation = self.series.prepare_player(summary, out);
        }
    }

    fn leave(&mut self, now: Instant, out: &mut Vec<SessionAction>) {
        self.leaving = Some(now);
        match &mut self.state {
            SessionState::Waiting => self.log_out(ConnectionEnd::Done, now, out),
            SessionState::Agreeing { agreed: false, summary, .. } => {
                out.push(SessionAction::Send(with_id("REJECT", &summary.id)));
                self.log_out(ConnectionEnd::Done, now, out);
            }
            SessionState::Agreeing { .. } | SessionState::Playing(_) => {
                out.push(SessionAction::Info(message!(
                    "leaving after this game",
                    "この対局の後で終了します"
                )));
            }
            // The client does not log in again, whatever the reason of the logout.
            SessionState::LoggingOut {
                then: then @ (ConnectionEnd::Reconnect | ConnectionEnd::Unplayable),
                ..
            } => {
                *then = ConnectionEnd::Done;
            }
            SessionState::LoggingOut { .. }
            | SessionState::LoggingIn { .. }
            | SessionState::Over => {}
        }
    }

    fn log_out(&mut self, then: ConnectionEnd, now: Instant, out: &mut Vec<SessionAction>) {
        out.push(SessionAction::Send("LOGOUT".into()));
        // A proposal in progress is void.
        self.reader = None;
        self.state = SessionState::LoggingOut { until: now + LOGOUT_TIMEOUT, then };
    }

    /// The server says that the game is over.
    fn finish(&mut self, result: GameResult, now: Instant, out: &mut Vec<SessionAction>) {
        self.close_game(Some(result), out);
        self.failures = 0;
        if self.game().is_some_and(CsaGame::has_player) {
            self.end_of_game(now, out);
        } else {
            self.log_out(no_engine_left(), now, out);
        }
    }

    /// Ends the game, if there is one. A game counts as played if the server has sent a reason, or a result
    /// other than an interruption.
    fn close_game(&mut self, result: Option<GameResult>, out: &mut Vec<SessionAction>) {
        let SessionState::Playing(game) = &mut self.state else { return };
        game.finish(result, out);
        self.series.next_id = game.next_id();
        let is_decided = result.is_some_and(|result| result != GameResult::Interrupted);
        let is_played = is_decided || game.reason().is_some();
        if let Some(games) = self.series.games.as_mut().filter(|_| is_played) {
            *games = games.saturating_sub(1);
        }
    }

    /// A game is over.
    fn end_of_game(&mut self, now: Instant, out: &mut Vec<SessionAction>) {
        self.game_has_ended = true;
        self.state = SessionState::Waiting;
        if self.leaving.is_some() || self.series.games == Some(0) {
            self.log_out(ConnectionEnd::Done, now, out);
        } else if self.config.logout {
            self.log_out(ConnectionEnd::Reconnect, now, out);
        } else {
            self.challenge(out);
        }
    }

    fn closed(&mut self, why: Message, now: Instant, out: &mut Vec<SessionAction>) {
        let over_anyway = self.game().is_some_and(|game| game.reason().is_some());
        let no_engine = self.game().is_some_and(|game| !game.has_player());
        self.close_game(None, out);
        let done = self.leaving.is_some() || self.series.games == Some(0);
        // Outside the extended mode shogi-server closes the connection after a rejection.
        let after_rejection =
            self.last_rejection.is_some_and(|last| now < last + CLOSED_AFTER_REJECTION);
        let end = match &self.state {
            SessionState::LoggingOut { then, .. } => then.clone(),
            _ if no_engine => no_engine_left(),
            _ if done => ConnectionEnd::Done,
            SessionState::Waiting if after_rejection => ConnectionEnd::Unplayable,
            SessionState::Waiting if self.game_has_ended => ConnectionEnd::Reconnect,
            _ if over_anyway => ConnectionEnd::Reconnect,
            _ => ConnectionEnd::Retry(why),
        };
        if matches!(self.state, SessionState::Agreeing { .. }) {
            out.push(SessionAction::Command(PlayerCommand::Cancel));
        }
        self.close(end, out);
    }

    fn check_time(&mut self, now: Instant, out: &mut Vec<SessionAction>) {
        if self.leave_at().is_some_and(|at| now >= at) {
            out.push(SessionAction::Warn(message!(
                "the server neither continues nor ends the game",
                "サーバーが対局を続行も終了もしません"
            )));
            return self.closed(message!("the game is overdue", "対局が終わりません"), now, out);
        }
        match &mut self.state {
            SessionState::LoggingIn { since } if now >= *since + LOGIN_TIMEOUT => {
                return self.closed(
                    message!("no answer to the login", "ログインへの応答がありません"),
                    now,
                    out,
                );
            }
            SessionState::LoggingOut { until, then } if now >= *until => {
                let then = then.clone();
                return self.close(then, out);
            }
            SessionState::Agreeing { summary, since, agreed: false, .. }
                if now >= *since + READY_TIMEOUT =>
            {
                let id = summary.id.clone();
                self.state = SessionState::Waiting;
                self.reject(
                    &id,
                    message!("the engine is not ready", "エンジンの準備ができていません"),
                    now,
                    out,
                );
            }
            SessionState::Playing(game) => game.check_time(&mut self.overhead, now, out),
            _ => {}
        }
        if self.keep_alive_at().is_some_and(|at| now >= at) {
            self.keep_alive(now, out);
        }
    }

    fn keep_alive(&mut self, now: Instant, out: &mut Vec<SessionAction>) {
        if self.echoes && self.unanswered >= MAX_MISSED_ECHOES {
            return self.closed(
                message!("the server is silent", "サーバーの応答がありません"),
                now,
                out,
            );
        }
        self.unanswered += 1;
        out.push(SessionAction::Send(String::new()));
    }
}

fn engine_failed(why: &str) -> Message {
    message!("the engine failed: {why}", "エンジンに障害が起きました：{why}")
}

/// The end after a game in which the player and all its replacements have failed.
fn no_engine_left() -> ConnectionEnd {
    ConnectionEnd::NoEngine("it failed repeatedly".into())
}

/// A command with the number of the game, if the game has one.
fn with_id(command: &str, id: &str) -> String {
    if id.is_empty() { command.into() } else { format!("{command} {id}") }
}

#[cfg(test)]
mod tests;
