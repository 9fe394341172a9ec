//! One connection from the login to its end: what each line of the server, each word of the player
//! and each wish of the user makes of it. Like the game in it, it knows no sockets and no threads.

use std::time::{Duration, Instant};

use super::action::{Action, Parting};
use super::game::{Game, Manner, terms};
use super::latency::Latency;
use super::line::{GameResult, ServerLine};
use super::player::{Order, OrderId, Told};
use super::summary::{Summary, SummaryReader};

/// How long the server may take to answer the login.
const LOGIN_PATIENCE: Duration = Duration::from_secs(30);
/// How long the player may take to get ready for a game, of the 120 s that a server waits.
pub const READY_PATIENCE: Duration = Duration::from_secs(100);
/// How long the server may take to say farewell.
const FAREWELL: Duration = Duration::from_secs(1);
/// A server that has echoed a keep-alive once, and then does not for so many, is gone.
const MISSED_ECHOES: u32 = 3;
/// Most lines of a connection that are complained of, if nobody understands them.
const MOST_ODD_LINES: u32 = 50;
/// A player that failed so often between two games is not started again.
const MOST_FAILURES: u32 = 3;
/// Who has to reject so many proposals in a row asks for no more, but tries again after a while.
const MOST_REJECTIONS: u32 = 3;
/// A server that lets nobody stay who rejects a game closes the connection within so long: shogi-server
/// may be waiting for the next line meanwhile, but for a minute at most.
const EXPULSION: Duration = Duration::from_secs(90);

/// What the user wants of a connection.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plan {
    pub(super) manner: Manner,
    /// What to ask for in the extended mode, after the login and after each game or proposal.
    pub(super) challenge: Option<String>,
    /// Log out after each game: shogi-server plays one on a connection, and yet may be slow to close
    /// it.
    pub(super) logout: bool,
    /// So long a silence is broken; zero for never.
    pub(super) keep_alive: Duration,
    /// Added to the time that a move is seen to be on its way.
    pub(super) margin: Duration,
}

/// What goes on from connection to connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Career {
    /// Games still to be played; `None` for no end.
    pub(super) games: Option<u32>,
    /// The number of the next order.
    pub(super) next_id: OrderId,
}

impl Career {
    /// Has the player get ready for a game; the number of that order.
    fn prepare(&mut self, summary: &Summary, out: &mut Vec<Action>) -> OrderId {
        let id = self.next_id;
        self.next_id += 1;
        out.push(Action::Order(Order::Prepare(id, terms(summary))));
        id
    }
}

/// Something that happens.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Input<'a> {
    Line(&'a str),
    Told(Told),
    /// The user wants to leave: after the game, if there is one.
    Leave,
    /// The connection is gone.
    Closed(&'a str),
    /// The deadline has come, or nothing at all.
    Time,
}

#[derive(Debug)]
enum State {
    LoggingIn {
        since: Instant,
    },
    Waiting,
    /// A game is proposed. Agreed to once the player is ready.
    Agreeing {
        summary: Box<Summary>,
        since: Instant,
        /// The order to get ready.
        preparation: OrderId,
        agreed: bool,
    },
    Playing(Box<Game>),
    LoggingOut {
        until: Instant,
        then: Parting,
    },
    Over,
}

/// See the module's comment.
#[derive(Debug)]
pub(super) struct Session {
    plan: Plan,
    career: Career,
    state: State,
    /// A proposal that is being received.
    reader: Option<SummaryReader>,
    latency: Latency,
    /// The last line that went either way.
    last_traffic: Instant,
    /// Keep-alives since the server said anything.
    unanswered: u32,
    echoes: bool,
    leaving: bool,
    /// Whether a game was over on this connection, so that the server may well close it.
    played: bool,
    failures: u32,
    /// Proposals that we have rejected since the last game, and when the last of them.
    rejections: u32,
    rejected: Option<Instant>,
    odd_lines: u32,
}

impl Session {
    /// A session on a fresh connection, and what to do first.
    pub(super) fn open(plan: Plan, career: Career, now: Instant) -> (Session, Vec<Action>) {
        let session = Session {
            latency: Latency::new(plan.margin),
            plan,
            career,
            state: State::LoggingIn { since: now },
            reader: None,
            last_traffic: now,
            unanswered: 0,
            echoes: false,
            leaving: false,
            played: false,
            failures: 0,
            rejections: 0,
            rejected: None,
            odd_lines: 0,
        };
        (session, vec![Action::Login])
    }

    pub(super) fn career(&self) -> Career {
        self.career
    }

    /// Whether the server has let us in.
    pub(super) fn is_logged_in(&self) -> bool {
        !matches!(self.state, State::LoggingIn { .. })
    }

    /// The game that is being played.
    pub(super) fn game(&self) -> Option<&Game> {
        match &self.state {
            State::Playing(game) => Some(game),
            _ => None,
        }
    }

    /// How long a move is on its way.
    pub(super) fn latency(&self) -> Duration {
        self.latency.measured()
    }

    /// What goes on, in words.
    pub(super) fn status(&self) -> &'static str {
        match &self.state {
            State::LoggingIn { .. } => "logging in",
            State::Waiting => "waiting for a game",
            State::Agreeing { .. } => "a game is about to begin",
            State::Playing(_) if self.leaving => "playing the last game",
            State::Playing(_) => "playing",
            State::LoggingOut { .. } | State::Over => "leaving",
        }
    }

    /// When to come back with [`Input::Time`] at the latest.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let own = match &self.state {
            State::LoggingIn { since } => Some(*since + LOGIN_PATIENCE),
            State::Agreeing { since, agreed: false, .. } => Some(*since + READY_PATIENCE),
            State::Playing(game) => game.deadline(&self.latency),
            State::LoggingOut { until, .. } => Some(*until),
            State::Waiting | State::Agreeing { .. } | State::Over => None,
        };
        own.into_iter().chain(self.keep_alive_at()).min()
    }

    fn keep_alive_at(&self) -> Option<Instant> {
        let quiet = matches!(self.state, State::LoggingIn { .. } | State::Over);
        let wanted = !quiet && !self.plan.keep_alive.is_zero();
        wanted.then(|| self.last_traffic + self.plan.keep_alive)
    }

    /// What happens, and what is to be done about it.
    pub(super) fn handle(&mut self, input: Input<'_>, now: Instant) -> Vec<Action> {
        let mut out = Vec::new();
        match input {
            Input::Line(line) => self.hear(line, now, &mut out),
            Input::Told(told) => self.heed(told, now, &mut out),
            Input::Leave => self.leave(now, &mut out),
            Input::Closed(why) => self.closed(why, now, &mut out),
            Input::Time => self.check_time(now, &mut out),
        }
        if out.iter().any(|action| matches!(action, Action::Send(_))) {
            self.last_traffic = now;
        }
        out
    }

    fn part(&mut self, parting: Parting, out: &mut Vec<Action>) {
        self.state = State::Over;
        out.push(Action::Part(parting));
    }

    fn hear(&mut self, line: &str, now: Instant, out: &mut Vec<Action>) {
        self.last_traffic = now;
        let echo = self.unanswered > 0 && line.trim().is_empty();
        self.echoes |= echo;
        self.unanswered = 0;
        if let Some(reader) = &mut self.reader {
            if let Some(summary) = reader.push(line) {
                let id = reader.id().to_owned();
                self.reader = None;
                match summary {
                    Ok(summary) => self.proposed(summary, now, out),
                    Err(error) => self.reject(&id, &error.to_string(), now, out),
                }
            }
            return;
        }
        self.obey(ServerLine::read(line), now, out);
    }

    fn obey(&mut self, line: ServerLine<'_>, now: Instant, out: &mut Vec<Action>) {
        match (line, &mut self.state) {
            (ServerLine::LoginOk, State::LoggingIn { since }) => {
                let since = *since;
                self.logged_in(since, now, out);
            }
            (ServerLine::LoginIncorrect, State::LoggingIn { .. }) => {
                self.part(Parting::Refused, out);
            }
            (ServerLine::LogoutCompleted, State::LoggingOut { then, .. }) => {
                let then = then.clone();
                self.part(then, out);
            }
            (ServerLine::SummaryBegins, State::Waiting) => {
                self.reader = Some(SummaryReader::default());
            }
            (ServerLine::Start(_), State::Agreeing { .. }) => self.start(now, out),
            (ServerLine::Reject { by, .. }, State::Agreeing { .. }) => {
                out.push(Action::Say(format!("the game was rejected by {by}")));
                self.end_of_game(now, out);
            }
            (ServerLine::Reject { .. }, State::Waiting) if self.rejections > 0 => {
                self.rejected(now, out);
            }
            (ServerLine::Played(line), State::Playing(game)) => {
                game.played(line, &mut self.latency, now, out);
            }
            (ServerLine::Reason(reason), State::Playing(game)) => {
                game.note_reason(reason);
            }
            (ServerLine::Result(result), State::Playing(_)) => {
                self.finish(result, now, out);
            }
            (ServerLine::Extended(text), _) => out.push(Action::Say(format!("server: {text}"))),
            (ServerLine::Comment(text), _) => out.push(Action::Say(format!("comment: {text}"))),
            // What comes now crossed our farewell, such as the lines of a proposal.
            (ServerLine::Other(_), State::LoggingOut { .. }) => {}
            (ServerLine::Other(text), _) => self.wonder(text, out),
            // Blank, late or early: the end of a game that is over, the echo of a login.
            _ => {}
        }
    }

    /// A line that nobody understands.
    fn wonder(&mut self, text: &str, out: &mut Vec<Action>) {
        self.odd_lines += 1;
        if self.odd_lines <= MOST_ODD_LINES {
            out.push(Action::Warn(format!("the server said {text:?}")));
        }
    }

    fn logged_in(&mut self, since: Instant, now: Instant, out: &mut Vec<Action>) {
        // The server had to look up the name, but better a first idea than none.
        self.latency.guess(now.saturating_duration_since(since));
        out.push(Action::Say("logged in".into()));
        self.state = State::Waiting;
        self.challenge(out);
        if self.leaving {
            self.log_out(Parting::Done, now, out);
        }
    }

    fn challenge(&self, out: &mut Vec<Action>) {
        out.extend(self.plan.challenge.clone().map(Action::Send));
    }

    fn proposed(&mut self, summary: Summary, now: Instant, out: &mut Vec<Action>) {
        let names = &summary.names.0;
        let rule = &summary.times[summary.us];
        out.push(Action::Say(format!(
            "game {}: {} (Black) against {} (White), {rule}",
            summary.id, names[0], names[1]
        )));
        let preparation = self.career.prepare(&summary, out);
        let summary = Box::new(summary);
        self.state = State::Agreeing { summary, since: now, preparation, agreed: false };
    }

    fn reject(&mut self, id: &str, why: &str, now: Instant, out: &mut Vec<Action>) {
        out.push(Action::Warn(format!("a game was rejected: {why}")));
        out.push(Action::Send(with_id("REJECT", id)));
        self.rejections += 1;
        self.rejected = Some(now);
    }

    /// The server confirms that we rejected a game. In the extended mode it proposes none unasked;
    /// but were all to be rejected, asking at once would never end.
    fn rejected(&mut self, now: Instant, out: &mut Vec<Action>) {
        if self.rejections < MOST_REJECTIONS {
            return self.challenge(out);
        }
        self.log_out(Parting::Unplayable, now, out);
    }

    fn start(&mut self, now: Instant, out: &mut Vec<Action>) {
        let State::Agreeing { summary, .. } = &self.state else { return };
        match Game::new(summary, self.plan.manner, self.career.next_id, now) {
            Ok(mut game) => {
                (self.rejections, self.rejected) = (0, None);
                game.begin(&self.latency, now, out);
                self.state = State::Playing(Box::new(game));
            }
            Err(error) => self.part(Parting::Retry(error.to_string()), out),
        }
    }

    /// What the player tells.
    fn heed(&mut self, told: Told, now: Instant, out: &mut Vec<Action>) {
        match (told, &mut self.state) {
            (Told::Remark(text), _) => out.push(Action::Say(format!("engine: {text}"))),
            (Told::Ready(id), State::Agreeing { summary, preparation, agreed, .. })
                if id == *preparation && !*agreed =>
            {
                *agreed = true;
                out.push(Action::Send(with_id("AGREE", &summary.id)));
            }
            (Told::Thought(id, thought), State::Playing(game)) => game.note_thought(id, thought),
            (Told::Answer(id, answer), State::Playing(game)) => {
                game.answer(id, answer, &mut self.latency, now, out);
            }
            // That one more is gone, when all have failed, is no news.
            (Told::Failed(_), State::Playing(game)) if !game.has_player() => {}
            (Told::Failed(why), State::Playing(game)) => {
                out.push(Action::Warn(format!("the engine failed: {why}")));
                game.player_failed(&self.latency, now, out);
            }
            (Told::Failed(why), _) => self.player_failed(why, out),
            _ => {}
        }
    }

    fn player_failed(&mut self, why: String, out: &mut Vec<Action>) {
        self.failures += 1;
        if self.failures >= MOST_FAILURES {
            return self.part(Parting::Broken(why), out);
        }
        out.push(Action::Warn(format!("the engine failed: {why}")));
        out.push(Action::Restart);
        // Agreed or not: the new one knows nothing of the game.
        if let State::Agreeing { summary, preparation, .. } = &mut self.state {
            *preparation = self.career.prepare(summary, out);
        }
    }

    fn leave(&mut self, now: Instant, out: &mut Vec<Action>) {
        self.leaving = true;
        match &mut self.state {
            State::Waiting => self.log_out(Parting::Done, now, out),
            State::Agreeing { agreed: false, summary, .. } => {
                out.push(Action::Send(with_id("REJECT", &summary.id)));
                self.log_out(Parting::Done, now, out);
            }
            State::Agreeing { .. } | State::Playing(_) => {
                out.push(Action::Say("leaving after this game".into()));
            }
            // Nobody logs in again, whatever the farewell was for.
            State::LoggingOut { then: then @ (Parting::Again | Parting::Unplayable), .. } => {
                *then = Parting::Done;
            }
            State::LoggingOut { .. } | State::LoggingIn { .. } | State::Over => {}
        }
    }

    fn log_out(&mut self, then: Parting, now: Instant, out: &mut Vec<Action>) {
        out.push(Action::Send("LOGOUT".into()));
        // No game any more, were one being proposed.
        self.reader = None;
        self.state = State::LoggingOut { until: now + FAREWELL, then };
    }

    /// The server says that the game is over.
    fn finish(&mut self, result: GameResult, now: Instant, out: &mut Vec<Action>) {
        self.close_game(Some(result), out);
        self.failures = 0;
        if self.game().is_some_and(Game::has_player) {
            self.end_of_game(now, out);
        } else {
            self.log_out(nobody_plays(), now, out);
        }
    }

    /// Ends the game, if there is one. It counts as played if the server has said why it ends, or
    /// what that is for us; not if it was broken off.
    fn close_game(&mut self, result: Option<GameResult>, out: &mut Vec<Action>) {
        let State::Playing(game) = &mut self.state else { return };
        game.finish(result, out);
        self.career.next_id = game.next_id();
        let is_decided = result.is_some_and(|result| result != GameResult::Interrupted);
        let is_played = is_decided || game.reason().is_some();
        if let Some(games) = self.career.games.as_mut().filter(|_| is_played) {
            *games = games.saturating_sub(1);
        }
    }

    /// A game is over, or did not come about.
    fn end_of_game(&mut self, now: Instant, out: &mut Vec<Action>) {
        self.played = true;
        self.state = State::Waiting;
        if self.leaving || self.career.games == Some(0) {
            self.log_out(Parting::Done, now, out);
        } else if self.plan.logout {
            self.log_out(Parting::Again, now, out);
        } else {
            self.challenge(out);
        }
    }

    fn closed(&mut self, why: &str, now: Instant, out: &mut Vec<Action>) {
        let over_anyway = self.game().is_some_and(|game| game.reason().is_some());
        let alone = self.game().is_some_and(|game| !game.has_player());
        self.close_game(None, out);
        let done = self.leaving || self.career.games == Some(0);
        // Outside the extended mode shogi-server lets nobody stay who rejects a game.
        let expelled = self.rejected.is_some_and(|rejected| now < rejected + EXPULSION);
        let parting = match &self.state {
            State::LoggingOut { then, .. } => then.clone(),
            _ if alone => nobody_plays(),
            _ if done => Parting::Done,
            State::Waiting if expelled => Parting::Unplayable,
            State::Waiting if self.played => Parting::Again,
            _ if over_anyway => Parting::Again,
            _ => Parting::Retry(why.into()),
        };
        if matches!(self.state, State::Agreeing { .. }) {
            out.push(Action::Order(Order::Abandon));
        }
        self.part(parting, out);
    }

    fn check_time(&mut self, now: Instant, out: &mut Vec<Action>) {
        match &mut self.state {
            State::LoggingIn { since } if now >= *since + LOGIN_PATIENCE => {
                return self.closed("no answer to the login", now, out);
            }
            State::LoggingOut { until, then } if now >= *until => {
                let then = then.clone();
                return self.part(then, out);
            }
            State::Agreeing { summary, since, agreed: false, .. }
                if now >= *since + READY_PATIENCE =>
            {
                let id = summary.id.clone();
                self.state = State::Waiting;
                self.reject(&id, "the engine is not ready", now, out);
            }
            State::Playing(game) => game.check_time(&mut self.latency, now, out),
            _ => {}
        }
        if self.keep_alive_at().is_some_and(|at| now >= at) {
            self.keep_alive(now, out);
        }
    }

    fn keep_alive(&mut self, now: Instant, out: &mut Vec<Action>) {
        if self.echoes && self.unanswered >= MISSED_ECHOES {
            return self.closed("the server is silent", now, out);
        }
        self.unanswered += 1;
        out.push(Action::Send(String::new()));
    }
}

/// What comes of a game in which one player after the other has failed.
fn nobody_plays() -> Parting {
    Parting::Broken("it failed again and again".into())
}

/// A word with the number of a game behind it, if the game has one.
fn with_id(word: &str, id: &str) -> String {
    if id.is_empty() { word.into() } else { format!("{word} {id}") }
}

#[cfg(test)]
mod tests;
