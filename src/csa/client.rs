//! The event loop: connects the session, the server, the player and the user, and reconnects when a
//! connection is lost. The session decides about games.

use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, after, at, never, select};

use super::action::{ConnectionEnd, FinishedGame, SessionAction};
use super::backoff::Backoff;
use super::config::Config;
use super::connection::Connection;
use super::error::ClientError;
use super::line_quota::LineQuota;
use super::password::Password;
use super::player::{CommandId, GameConditions, Player, PlayerCommand, PlayerEvent};
use super::protocol_log::ProtocolLog;
use super::record_files;
use super::redaction::Redaction;
use super::session::{CsaSession, SeriesState, SessionInput};
use super::view::{SideView, View, ViewState};
use crate::types::language::{Localized, localized};
use crate::types::message::{Message, counted, message};
use crate::types::{ByColor, Color};

/// Maximum number of bytes of messages shown in a minute: server and engine may send any number, and the output
/// may be a file.
const MESSAGE_QUOTA: usize = 32 << 10;
/// Maximum number of characters of a message.
const MAX_MESSAGE_LENGTH: usize = 1000;

/// The id of the preparation before the login. The commands of the games have the next ids.
const FIRST_COMMAND: CommandId = 0;

/// Why a player whose thread has ended cannot play.
const PLAYER_GONE: &str = "it is gone";

/// For a password that also occurs in other lines than the login, where it cannot be hidden.
const UNHIDDEN_PASSWORD: Localized = localized(
    "the password is short or an ordinary word, so it is hidden in login lines only",
    "パスワードが短いかよくある単語なので、ログインの行でだけ隠します",
);

/// Starts players: the first one, and a replacement for each that fails.
pub type CsaPlayerFactory<'a> = dyn FnMut() -> Result<Player, String> + 'a;

/// Plays all games of the configuration. The first message of `interrupts` ends the client after the
/// current game, the second at once.
///
/// # Errors
/// See [`ClientError`]. A lost connection is not an error: the client reconnects.
pub fn run(
    config: &Config,
    player_factory: &mut CsaPlayerFactory<'_>,
    interrupts: &Receiver<()>,
    view: &mut dyn View,
) -> Result<(), ClientError> {
    config.check()?;
    let password = config.server.find_password()?;
    // Problems with files must be reported before the first game.
    record_files::prepare(&config.records).map_err(|(path, error)| {
        // The error of the system only says that the path exists.
        let is_other = path.exists() && !path.is_dir();
        if is_other { ClientError::NoFolder(path) } else { ClientError::File(path, error) }
    })?;
    let log = match &config.log.file {
        Some(path) => {
            let opened = ProtocolLog::open(path);
            Some(opened.map_err(|error| ClientError::File(path.clone(), error))?)
        }
        None => None,
    };
    let player = player_factory().map_err(ClientError::Player)?;
    let redaction = password.as_ref().map(|password| Redaction::new(password, &config.server));
    if redaction.as_ref().is_some_and(Redaction::is_limited) {
        view.warn(UNHIDDEN_PASSWORD.of(view.language()));
    }
    let games = (config.play.games > 0).then_some(config.play.games);
    let mut client = CsaClient {
        config,
        password,
        redaction,
        player_factory,
        player: Some(player),
        interrupts,
        view,
        log,
        messages: LineQuota::new(MESSAGE_QUOTA),
        series: SeriesState { games, next_id: FIRST_COMMAND + 1 },
        logged_in: false,
        leaving: false,
        unsaved: 0,
    };
    if !client.prepare_player()? {
        return Ok(());
    }
    client.play()?;
    if client.unsaved > 0 { Err(ClientError::Unsaved(client.unsaved)) } else { Ok(()) }
}

struct CsaClient<'a, 'p> {
    config: &'a Config,
    password: Option<Password>,
    redaction: Option<Redaction>,
    player_factory: &'a mut CsaPlayerFactory<'p>,
    /// `None` between the end of one player and the start of the next.
    player: Option<Player>,
    interrupts: &'a Receiver<()>,
    view: &'a mut dyn View,
    log: Option<ProtocolLog>,
    messages: LineQuota,
    series: SeriesState,
    /// Whether the login succeeded on the current connection.
    logged_in: bool,
    leaving: bool,
    unsaved: u32,
}

/// An event that the loop waits for.
enum ClientEvent {
    Line(String, Instant),
    Closed(Message),
    Player(PlayerEvent),
    PlayerGone,
    Interrupt,
    Timer,
}

impl CsaClient<'_, '_> {
    /// Prepares the player once before the login, to detect an engine that cannot play. False if the user
    /// interrupts.
    fn prepare_player(&mut self) -> Result<bool, ClientError> {
        self.info(&message!("preparing the engine", "エンジンを準備しています"));
        let conditions = GameConditions {
            max_moves: None,
            unit: Duration::from_secs(1),
            least_time_per_move: Duration::ZERO,
        };
        self.command(PlayerCommand::NewGame(FIRST_COMMAND, conditions));
        let no_events = never();
        loop {
            let events = self.player.as_ref().map_or(&no_events, Player::events);
            let event = select! {
                recv(events) -> event => event,
                recv(self.interrupts) -> _ => return Ok(false),
            };
            match event {
                Ok(PlayerEvent::Ready(_)) => return Ok(true),
                Ok(PlayerEvent::Message(text)) => {
                    let message = message!("engine: {text}", "エンジン：{text}");
                    self.report(&message, |view, text| view.info(text));
                }
                Ok(PlayerEvent::Failed(why)) => return Err(ClientError::Player(why)),
                Ok(PlayerEvent::Update(..) | PlayerEvent::Answer(..)) => {}
                Err(_) => return Err(ClientError::Player(PLAYER_GONE.into())),
            }
        }
    }

    /// Plays game after game, on one connection after the other.
    fn play(&mut self) -> Result<(), ClientError> {
        let mut backoff = Backoff::new(Duration::from_secs(self.config.play.relogin_s));
        loop {
            self.logged_in = false;
            let end = match self.connect()? {
                Some(Ok(connection)) => self.run_session(connection),
                Some(Err(error)) => ConnectionEnd::Retry(Message::from(&error)),
                None => return Ok(()),
            };
            let Some(pause) = backoff.after(end, self.logged_in)? else { return Ok(()) };
            if let Some(failure) = &pause.failure {
                self.warn(failure);
            }
            if self.leaving {
                return Ok(());
            }
            if pause.failure.is_some() {
                let seconds = pause.length.as_secs();
                self.info(&message!(
                    "next attempt in {seconds} s",
                    "{seconds}秒後にもう一度接続します"
                ));
            }
            if self.is_interrupted_within(pause.length) {
                return Ok(());
            }
        }
    }

    fn is_interrupted_within(&self, wait: Duration) -> bool {
        select! {
            recv(self.interrupts) -> _ => true,
            recv(after(wait)) -> _ => false,
        }
    }

    /// Connects to the server. `None` if the user interrupts.
    fn connect(&mut self) -> Result<Option<io::Result<Connection>>, ClientError> {
        let server = &self.config.server;
        let (host, port) = (&server.host, server.port);
        self.info(&message!(
            "connecting to {host} port {port}",
            "{host}のポート{port}に接続しています"
        ));
        let connecting =
            Connection::open(&server.host, server.port).map_err(ClientError::Thread)?;
        Ok(select! {
            recv(connecting) -> connection => {
                let broken_pipe = || Err(io::ErrorKind::BrokenPipe.into());
                Some(connection.unwrap_or_else(|_| broken_pipe()))
            }
            recv(self.interrupts) -> _ => None,
        })
    }

    /// Runs a connection from the login to its end.
    fn run_session(&mut self, mut connection: Connection) -> ConnectionEnd {
        let now = Instant::now();
        let (mut session, mut actions) =
            CsaSession::open(self.config.session_config(), self.series, now);
        loop {
            if let Some(end) = self.perform(actions, &mut session, &mut connection) {
                self.series = session.series();
                return end;
            }
            self.logged_in |= session.is_logged_in();
            self.show(&session);
            let event = self.wait(&session, &connection);
            actions = self.handle(event, &mut session);
        }
    }

    fn handle(&mut self, event: ClientEvent, session: &mut CsaSession) -> Vec<SessionAction> {
        let now = Instant::now();
        match event {
            ClientEvent::Line(line, received) => {
                self.log_line('<', &line);
                session.handle(SessionInput::Line(&line), received)
            }
            ClientEvent::Closed(why) => session.handle(SessionInput::Closed(why), now),
            ClientEvent::Player(event) => session.handle(SessionInput::Player(event), now),
            ClientEvent::PlayerGone => {
                self.player = None;
                session.handle(SessionInput::Player(PlayerEvent::Failed(PLAYER_GONE.into())), now)
            }
            // The record of an unfinished game is saved too.
            ClientEvent::Interrupt if self.leaving => {
                self.command(PlayerCommand::Kill);
                let why = message!("interrupted by the user", "中断されました");
                session.handle(SessionInput::Closed(why), now)
            }
            ClientEvent::Interrupt => {
                self.leaving = true;
                session.handle(SessionInput::Leave, now)
            }
            ClientEvent::Timer => {
                let mut actions = self.handle_waiting_events(session, now);
                actions.extend(session.handle(SessionInput::Timer, now));
                actions
            }
        }
    }

    /// Handles the events that the player has already sent: after a stall, an answer that has come counts before
    /// the end of the time. Later events wait, so a player that reports without end does not delay the timer.
    fn handle_waiting_events(&self, session: &mut CsaSession, now: Instant) -> Vec<SessionAction> {
        let Some(events) = self.player.as_ref().map(Player::events) else { return Vec::new() };
        let waiting = events.try_iter().take(events.len());
        waiting.flat_map(|event| session.handle(SessionInput::Player(event), now)).collect()
    }

    fn wait(&self, session: &CsaSession, connection: &Connection) -> ClientEvent {
        let no_events = never();
        let events = self.player.as_ref().map_or(&no_events, Player::events);
        let refresh = self.view.refresh_interval().map(|interval| Instant::now() + interval);
        let deadline = session.deadline().into_iter().chain(refresh).min();
        let timer = deadline.map_or_else(never, at);
        select! {
            recv(connection.lines) -> line => match line {
                Ok(Ok((line, received))) => ClientEvent::Line(line, received),
                Ok(Err(error)) => ClientEvent::Closed(Message::from(&error)),
                Err(_) => ClientEvent::Closed(message!(
                    "the server has closed it",
                    "サーバーが接続を切りました"
                )),
            },
            recv(events) -> event => event.map_or(ClientEvent::PlayerGone, ClientEvent::Player),
            recv(self.interrupts) -> _ => ClientEvent::Interrupt,
            recv(timer) -> _ => ClientEvent::Timer,
        }
    }

    /// Performs the actions of the session. Returns how the connection ends, if it ends.
    fn perform(
        &mut self,
        actions: Vec<SessionAction>,
        session: &mut CsaSession,
        connection: &mut Connection,
    ) -> Option<ConnectionEnd> {
        let mut actions = VecDeque::from(actions);
        while let Some(action) = actions.pop_front() {
            match action {
                SessionAction::Login => {
                    let line = self.config.login_line(self.password.as_ref());
                    actions.extend(self.send(&line, session, connection));
                }
                SessionAction::Send(line) => actions.extend(self.send(&line, session, connection)),
                SessionAction::Close(end) => return Some(end),
                SessionAction::RestartPlayer => actions.extend(self.restart_player(session)),
                SessionAction::Command(command) => self.command(command),
                SessionAction::Info(message) => self.report(&message, |view, text| view.info(text)),
                SessionAction::Warn(message) => self.report(&message, |view, text| view.warn(text)),
                SessionAction::Save(game) => self.save(*game),
            }
        }
        None
    }

    /// Sends a line. Returns the actions of the session if the connection is lost.
    fn send(
        &mut self,
        line: &str,
        session: &mut CsaSession,
        connection: &mut Connection,
    ) -> Vec<SessionAction> {
        self.log_line('>', line);
        match connection.send(line) {
            Ok(()) => Vec::new(),
            Err(error) => {
                session.handle(SessionInput::Closed(Message::from(&error)), Instant::now())
            }
        }
    }

    fn command(&mut self, command: PlayerCommand) {
        if let Some(player) = &mut self.player {
            player.send(command);
        }
    }

    /// Starts a replacement of the player. Returns the actions of the session if that fails.
    fn restart_player(&mut self, session: &mut CsaSession) -> Vec<SessionAction> {
        self.player = None;
        match (self.player_factory)() {
            Ok(player) => {
                self.player = Some(player);
                Vec::new()
            }
            Err(why) => {
                session.handle(SessionInput::Player(PlayerEvent::Failed(why)), Instant::now())
            }
        }
    }

    fn save(&mut self, mut finished: FinishedGame) {
        if let Some(redaction) = &self.redaction {
            finished.id = redaction.apply(&finished.id);
            redaction.apply_to_game(&mut finished.game);
        }
        let files = record_files::save(&self.config.records, &finished);
        self.unsaved += u32::from(files.iter().any(Result::is_err));
        for file in files {
            match file {
                Ok(path) => {
                    let file = path.display();
                    self.info(&message!("saved {file}", "{file}に保存しました"));
                }
                Err((path, error)) => {
                    let file = path.display();
                    self.warn(&message!(
                        "not saved: {file}: {}",
                        "{file}に保存できません：{}";
                        Message::from(&error)
                    ));
                }
            }
        }
    }

    fn log_line(&mut self, direction: char, line: &str) {
        let Some(log) = &mut self.log else { return };
        if let Err(error) = log.write(direction, &redacted(self.redaction.as_ref(), line)) {
            self.log = None;
            self.warn(&message!("the log ends here: {}", "ログの記録をここで終えます：{}"; Message::from(&error)));
        }
    }

    /// Shows a message of the session, unless there are too many.
    fn report(&mut self, message: &Message, show: fn(&mut dyn View, &str)) {
        let text = message.of(self.view.language());
        let text = redacted_head(self.redaction.as_ref(), text);
        let Some(left_out) = self.messages.admit(text.len(), Instant::now()) else { return };
        if left_out > 0 {
            let messages = counted(left_out, "message");
            self.warn(&message!("{messages} left out", "{left_out}件のメッセージを省きました"));
        }
        show(self.view, &text);
    }

    fn info(&mut self, message: &Message) {
        let text = message.of(self.view.language());
        self.view.info(&redacted(self.redaction.as_ref(), text));
    }

    fn warn(&mut self, message: &Message) {
        let text = message.of(self.view.language());
        self.view.warn(&redacted(self.redaction.as_ref(), text));
    }

    fn show(&mut self, session: &CsaSession) {
        let now = Instant::now();
        let game = session.game();
        let names = Color::ALL.map(|color| {
            let name = game.map_or("", |game| &game.names()[color]);
            redacted(self.redaction.as_ref(), name)
        });
        let names = ByColor(names);
        let sides = game.map(|game| {
            ByColor(Color::ALL.map(|color| SideView {
                name: &names[color],
                color: game.colors()[color],
                time: game.time_left(color, now),
                is_us: color == game.us(),
            }))
        });
        self.view.show(&ViewState {
            server: &self.config.server.host,
            status: session.status(),
            network_delay: session.network_delay(),
            sides,
            position: game.map(|game| game.position()),
            last_move: game.and_then(|game| game.last_move()),
            update: game.and_then(|game| game.update()),
            pondering: game.is_some_and(|game| game.is_pondering()),
        });
    }
}

fn redacted(redaction: Option<&Redaction>, text: &str) -> String {
    redaction.map_or_else(|| text.to_owned(), |redaction| redaction.apply(text))
}

/// The first [`MAX_MESSAGE_LENGTH`] characters of the text with the password hidden. (The cut text could end in
/// a part of the password.)
fn redacted_head(redaction: Option<&Redaction>, text: &str) -> String {
    let mut text = redacted(redaction, text);
    if let Some((end, _)) = text.char_indices().nth(MAX_MESSAGE_LENGTH) {
        text.truncate(end);
    }
    text
}

#[cfg(test)]
mod tests {
    use crossbeam::channel::bounded;

    use super::*;
    use crate::csa::config::ServerConfig;
    use crate::csa::player::PlayerChannels;
    use crate::csa::view::PlainView;
    use crate::types::language::Language;

    /// Regression: an engine that sent messages without end while it got ready filled the disk.
    #[test]
    fn the_messages_of_an_engine_that_gets_ready_are_limited() {
        let text = "[server]\nhost = \"localhost\"\nname = \"kawasemi\"\ngame = \"test-60-5\"\n";
        let mut config = Config::read(text).unwrap();
        config.records.folder = None;
        let flood = |channels: PlayerChannels| {
            for _ in 0..MESSAGE_QUOTA / 10 {
                let _ = channels.events.send(PlayerEvent::Message("x".repeat(100)));
            }
            let _ = channels.events.send(PlayerEvent::Failed("no network".into()));
        };
        let mut players = || Player::spawn(flood).map_err(|error| error.to_string());
        let (_sender, interrupts) = bounded(1);
        let mut out = Vec::new();
        let mut view = PlainView::new(&mut out, Language::English);
        let error = run(&config, &mut players, &interrupts, &mut view).unwrap_err();
        assert!(matches!(error, ClientError::Player(why) if why == "no network"));
        assert!(out.len() > MESSAGE_QUOTA / 2 && out.len() < 2 * MESSAGE_QUOTA, "{}", out.len());
    }

    /// Regression: after a stall the best known move was played, although the answer had come.
    #[test]
    fn an_answer_that_has_come_counts_before_the_end_of_the_time() {
        let text = "[server]\nhost = \"localhost\"\nname = \"kawasemi\"\ngame = \"test-60-5\"\n";
        let config = Config::read(text).unwrap();
        let series = SeriesState { games: None, next_id: FIRST_COMMAND + 1 };
        let now = Instant::now();
        let (mut session, _) = CsaSession::open(config.session_config(), series, now);
        let proposal = "LOGIN:kawasemi OK\nBEGIN Game_Summary\nYour_Turn:+\nBEGIN Time\n\
                        Time_Unit:1msec\nByoyomi:1\nEND Time\nEND Game_Summary";
        for line in proposal.lines() {
            session.handle(SessionInput::Line(line), now);
        }
        session.handle(SessionInput::Player(PlayerEvent::Ready(FIRST_COMMAND + 1)), now);
        let search = |action: &SessionAction| match action {
            SessionAction::Command(PlayerCommand::Search(task)) => Some(task.id),
            _ => None,
        };
        let actions = session.handle(SessionInput::Line("START:"), now);
        let id = actions.iter().find_map(search).unwrap();
        let player = Player::spawn(move |channels: PlayerChannels| {
            let message = PlayerEvent::Message("a report".into());
            let answer = PlayerEvent::Answer(id, "bestmove 5g5f".into());
            [message, answer].into_iter().for_each(|event| channels.events.send(event).unwrap());
            // Until the player is dropped.
            channels.commands.iter().for_each(drop);
        });
        let player = player.unwrap();
        while player.events().len() < 2 || session.deadline().is_some_and(|at| Instant::now() < at)
        {
            std::thread::sleep(Duration::from_millis(1));
        }
        // The move without an answer is due 30 ms after the stop.
        std::thread::sleep(Duration::from_millis(50));
        let (_sender, interrupts) = bounded(1);
        let mut view = PlainView::new(Vec::<u8>::new(), Language::English);
        let mut players = || -> Result<Player, String> { Err("no other player".into()) };
        let mut client = CsaClient {
            config: &config,
            password: None,
            redaction: None,
            player_factory: &mut players,
            player: Some(player),
            interrupts: &interrupts,
            view: &mut view,
            log: None,
            messages: LineQuota::new(MESSAGE_QUOTA),
            series,
            logged_in: true,
            leaving: false,
            unsaved: 0,
        };
        let actions = client.handle(ClientEvent::Timer, &mut session);
        let is_warning = |action: &SessionAction| matches!(action, SessionAction::Warn(_));
        assert!(!actions.iter().any(is_warning), "{actions:?}");
        assert!(actions.contains(&SessionAction::Send("+5756FU".into())), "{actions:?}");
    }

    /// Regression: a long message was cut first, and ended in a part of the password.
    #[test]
    fn a_password_at_the_cut_of_a_long_message_is_hidden() {
        let password = Password::new("hunter2").unwrap();
        let redaction = Redaction::new(&password, &ServerConfig::default());
        let before = "x".repeat(MAX_MESSAGE_LENGTH - 3);
        let shown = redacted_head(Some(&redaction), &format!("{before}hunter2 and more"));
        assert_eq!(shown, format!("{before}***"));
    }
}
