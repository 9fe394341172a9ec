//! The loop that ties a session to its connection, the player and the user, and that connects again
//! when the connection is gone. It decides nothing about games.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, after, at, never, select};

use super::action::{Action, Finished, Parting};
use super::archive;
use super::config::{Config, ConfigError};
use super::connection::Connection;
use super::player::{Order, OrderId, Player, Terms, Told};
use super::secret::Secret;
use super::session::{Career, Input, Session};
use super::traffic::Traffic;
use super::view::{Face, Glance, View};
use crate::types::{ByColor, Color};

/// After a game that ended as games do.
const SHORT_PAUSE: Duration = Duration::from_secs(1);
/// The longest time between two attempts to connect.
const LONGEST_PAUSE: Duration = Duration::from_secs(300);
/// The number of the order to get ready before the login. Those of games follow.
const FIRST_ORDER: OrderId = 0;

/// Why the client plays no more, where that was not the user's wish.
#[derive(Debug)]
pub enum ClientError {
    Config(ConfigError),
    /// The file for the log, or the folder for the records.
    Place(PathBuf, io::Error),
    /// What is to be the folder for the records is something else.
    NoFolder(PathBuf),
    /// The server does not take name and password.
    Refused,
    /// There is no player, and why.
    Player(String),
    /// The system refuses a thread.
    Thread(io::Error),
    /// So many games were played, and could not be written whole.
    Unsaved(u32),
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClientError::Config(error) => error.fmt(f),
            ClientError::Place(path, error) => write!(f, "{}: {error}", path.display()),
            ClientError::NoFolder(path) => {
                write!(f, "the folder for records, {}, is not a folder", path.display())
            }
            ClientError::Refused => f.write_str(
                "the server refuses this name and password; it may be that the name is still logged in",
            ),
            ClientError::Player(why) => write!(f, "the engine cannot play: {why}"),
            ClientError::Thread(error) => write!(f, "no thread: {error}"),
            ClientError::Unsaved(games) => write!(f, "games that could not be saved: {games}"),
        }
    }
}

impl std::error::Error for ClientError {}

impl From<ConfigError> for ClientError {
    fn from(error: ConfigError) -> ClientError {
        ClientError::Config(error)
    }
}

/// Makes players: the first, and another one for each that fails.
pub type Players<'a> = dyn FnMut() -> Result<Box<dyn Player>, String> + 'a;

/// Plays until the games are played, or until told to stop: after the game that is being played at
/// the first message of `interrupts`, at once at the second.
///
/// # Errors
/// See [`ClientError`]. A connection that fails is none: it is tried again.
pub fn run(
    config: &Config,
    players: &mut Players<'_>,
    interrupts: &Receiver<()>,
    view: &mut dyn View,
) -> Result<(), ClientError> {
    config.check()?;
    let secret = Secret::of(&config.server)?;
    // What cannot be kept is said before the first game, not after it.
    archive::prepare(&config.records).map_err(|(path, error)| {
        // The system says only that it exists.
        let is_other = path.exists() && !path.is_dir();
        if is_other { ClientError::NoFolder(path) } else { ClientError::Place(path, error) }
    })?;
    let traffic = match &config.log.file {
        Some(path) => Some(Traffic::open(path).map_err(|e| ClientError::Place(path.clone(), e))?),
        None => None,
    };
    let mut player = players().map_err(ClientError::Player)?;
    let say = |text: &str| view.say(&hidden(secret.as_ref(), text));
    if !gets_ready(player.as_mut(), interrupts, say)? {
        return Ok(());
    }
    let games = (config.play.games > 0).then_some(config.play.games);
    let mut client = Client {
        config,
        secret,
        players,
        player: Some(player),
        interrupts,
        view,
        traffic,
        career: Career { games, next_id: FIRST_ORDER + 1 },
        logged_in: false,
        logged_in_once: false,
        leaving: false,
        unsaved: 0,
    };
    client.play()?;
    if client.unsaved > 0 { Err(ClientError::Unsaved(client.unsaved)) } else { Ok(()) }
}

/// Has the player get ready once, for no game yet: an engine that cannot start, or what it lacks, is
/// said before the login, not after it. False if the user does not want to wait.
fn gets_ready(
    player: &mut dyn Player,
    interrupts: &Receiver<()>,
    mut say: impl FnMut(&str),
) -> Result<bool, ClientError> {
    say("getting the engine ready");
    let terms = Terms { max_moves: None, unit: Duration::from_secs(1), least: Duration::ZERO };
    player.obey(Order::Prepare(FIRST_ORDER, terms));
    loop {
        let told = select! {
            recv(player.told()) -> told => Some(told),
            recv(interrupts) -> _ => None,
        };
        match told {
            None => return Ok(false),
            Some(Ok(Told::Ready(_))) => return Ok(true),
            Some(Ok(Told::Remark(text))) => say(&format!("engine: {text}")),
            Some(Ok(Told::Failed(why))) => return Err(ClientError::Player(why)),
            Some(Ok(Told::Started | Told::Thought(..) | Told::Answer(..))) => {}
            Some(Err(_)) => return Err(ClientError::Player("it is gone".into())),
        }
    }
}

struct Client<'a, 'p> {
    config: &'a Config,
    secret: Option<Secret>,
    players: &'a mut Players<'p>,
    /// `None` once it is gone, until there is another one.
    player: Option<Box<dyn Player>>,
    interrupts: &'a Receiver<()>,
    view: &'a mut dyn View,
    traffic: Option<Traffic>,
    career: Career,
    /// Whether name and password were right on the last connection, and once.
    logged_in: bool,
    logged_in_once: bool,
    leaving: bool,
    unsaved: u32,
}

/// What woke the loop.
enum Wake {
    Line(String, Instant),
    Closed(String),
    Told(Told),
    PlayerGone,
    Interrupt,
    Time,
}

impl Client<'_, '_> {
    fn play(&mut self) -> Result<(), ClientError> {
        let first_pause = Duration::from_secs(self.config.play.relogin_s);
        let mut pause = first_pause;
        loop {
            let parting = match self.connect()? {
                Some(Ok(connection)) => self.converse(connection),
                Some(Err(error)) => Parting::Retry(error.to_string()),
                None => return Ok(()),
            };
            // A login that leads to nothing but rejections is one more failure.
            if std::mem::take(&mut self.logged_in) && parting != Parting::Unplayable {
                pause = first_pause;
            }
            let wait = match parting {
                Parting::Done => return Ok(()),
                Parting::Broken(why) => return Err(ClientError::Player(why)),
                Parting::Refused if !self.logged_in_once => return Err(ClientError::Refused),
                Parting::Again => SHORT_PAUSE,
                // A duplicate login is refused like a wrong one, until the server has missed us.
                Parting::Refused => self.failed("the server refuses the login", &mut pause),
                Parting::Retry(why) => self.failed(&format!("no connection: {why}"), &mut pause),
                Parting::Unplayable => {
                    self.failed("no game that was proposed could be played", &mut pause)
                }
            };
            if self.leaving || self.is_interrupted_within(wait) {
                return Ok(());
            }
        }
    }

    /// How long to wait after this failure. After the next one it is twice as long.
    fn failed(&mut self, why: &str, pause: &mut Duration) -> Duration {
        self.warn(why);
        self.say(&format!("next attempt in {} s", pause.as_secs()));
        let longer = (*pause * 2).min(LONGEST_PAUSE.max(*pause));
        std::mem::replace(pause, longer)
    }

    fn is_interrupted_within(&self, wait: Duration) -> bool {
        select! {
            recv(self.interrupts) -> _ => true,
            recv(after(wait)) -> _ => false,
        }
    }

    /// `None` if the user does not want to wait for it.
    fn connect(&mut self) -> Result<Option<io::Result<Connection>>, ClientError> {
        let server = &self.config.server;
        self.say(&format!("connecting to {} port {}", server.host, server.port));
        let connecting =
            Connection::open(&server.host, server.port).map_err(ClientError::Thread)?;
        Ok(select! {
            recv(connecting) -> connection => {
                let gone = || Err(io::ErrorKind::BrokenPipe.into());
                Some(connection.unwrap_or_else(|_| gone()))
            }
            recv(self.interrupts) -> _ => None,
        })
    }

    /// Everything between the login and the end of a connection.
    fn converse(&mut self, mut connection: Connection) -> Parting {
        let now = Instant::now();
        let (mut session, mut actions) = Session::open(self.config.plan(), self.career, now);
        loop {
            if let Some(parting) = self.act(actions, &mut session, &mut connection) {
                self.career = session.career();
                return parting;
            }
            self.logged_in |= session.is_logged_in();
            self.logged_in_once |= self.logged_in;
            self.show(&session);
            let wake = self.wait(&session, &connection);
            actions = self.heed(wake, &mut session);
        }
    }

    /// What the session makes of it.
    fn heed(&mut self, wake: Wake, session: &mut Session) -> Vec<Action> {
        let now = Instant::now();
        match wake {
            Wake::Line(line, at) => {
                self.note('<', &line);
                session.handle(Input::Line(&line), at)
            }
            Wake::Closed(why) => session.handle(Input::Closed(&why), now),
            Wake::Told(told) => session.handle(Input::Told(told), now),
            Wake::PlayerGone => {
                self.player = None;
                session.handle(Input::Told(Told::Failed("it is gone".into())), now)
            }
            // The record of a game is kept, whatever becomes of the game.
            Wake::Interrupt if self.leaving => {
                self.order(Order::GiveUp);
                session.handle(Input::Closed("the user has had enough"), now)
            }
            Wake::Interrupt => {
                self.leaving = true;
                session.handle(Input::Leave, now)
            }
            Wake::Time => session.handle(Input::Time, now),
        }
    }

    fn wait(&self, session: &Session, connection: &Connection) -> Wake {
        let nobody = never();
        let told = self.player.as_ref().map_or(&nobody, |player| player.told());
        let tick = self.view.pace().map(|pace| Instant::now() + pace);
        let deadline = session.deadline().into_iter().chain(tick).min();
        let time = deadline.map_or_else(never, at);
        select! {
            recv(connection.lines) -> heard => match heard {
                Ok(Ok((line, at))) => Wake::Line(line, at),
                Ok(Err(error)) => Wake::Closed(error.to_string()),
                Err(_) => Wake::Closed("the server has closed it".into()),
            },
            recv(told) -> told => told.map_or(Wake::PlayerGone, Wake::Told),
            recv(self.interrupts) -> _ => Wake::Interrupt,
            recv(time) -> _ => Wake::Time,
        }
    }

    /// Does what the session wants; how the connection ends, if it does.
    fn act(
        &mut self,
        actions: Vec<Action>,
        session: &mut Session,
        connection: &mut Connection,
    ) -> Option<Parting> {
        let mut actions = VecDeque::from(actions);
        while let Some(action) = actions.pop_front() {
            let failure = match action {
                Action::Login => self.send_login(connection).err(),
                Action::Send(line) => {
                    self.note('>', &line);
                    connection.send(&line).err()
                }
                Action::Order(order) => {
                    self.order(order);
                    None
                }
                Action::Restart => {
                    // What went wrong now comes behind what is to be done already.
                    actions.extend(self.restart(session));
                    None
                }
                Action::Say(text) => {
                    self.say(&text);
                    None
                }
                Action::Warn(text) => {
                    self.warn(&text);
                    None
                }
                Action::Save(finished) => {
                    self.save(&finished);
                    None
                }
                Action::Part(parting) => return Some(parting),
            };
            if let Some(error) = failure {
                actions.extend(session.handle(Input::Closed(&error.to_string()), Instant::now()));
            }
        }
        None
    }

    fn send_login(&mut self, connection: &mut Connection) -> io::Result<()> {
        let line = self.config.login_line(self.secret.as_ref());
        self.note('>', &line);
        connection.send(&line)
    }

    fn order(&mut self, order: Order) {
        if let Some(player) = &mut self.player {
            player.obey(order);
        }
    }

    /// Puts another player in the place of the last; what comes of it if there is none.
    fn restart(&mut self, session: &mut Session) -> Vec<Action> {
        self.player = None;
        match (self.players)() {
            Ok(player) => {
                self.player = Some(player);
                Vec::new()
            }
            Err(why) => session.handle(Input::Told(Told::Failed(why)), Instant::now()),
        }
    }

    fn save(&mut self, finished: &Finished) {
        let files = archive::save(&self.config.records, finished);
        self.unsaved += u32::from(files.iter().any(Result::is_err));
        for file in files {
            match file {
                Ok(path) => self.say(&format!("saved {}", path.display())),
                Err((path, error)) => {
                    self.warn(&format!("not saved: {}: {error}", path.display()));
                }
            }
        }
    }

    /// For the log of lines.
    fn note(&mut self, mark: char, line: &str) {
        let Some(traffic) = &mut self.traffic else { return };
        let line = hidden(self.secret.as_ref(), line);
        if let Err(error) = traffic.note(mark, &line) {
            self.traffic = None;
            self.warn(&format!("the log ends here: {error}"));
        }
    }

    fn say(&mut self, text: &str) {
        self.view.say(&hidden(self.secret.as_ref(), text));
    }

    fn warn(&mut self, text: &str) {
        self.view.warn(&hidden(self.secret.as_ref(), text));
    }

    fn show(&mut self, session: &Session) {
        let now = Instant::now();
        let faces = session.game().map(|game| {
            ByColor(Color::ALL.map(|color| Face {
                name: &game.names()[color],
                time: game.time_left(color, now),
                is_ours: color == game.us(),
            }))
        });
        self.view.show(&Glance {
            server: &self.config.server.host,
            status: session.status(),
            latency: session.latency(),
            faces,
            position: session.game().map(|game| game.position()),
            last_move: session.game().and_then(|game| game.last_move()),
            thought: session.game().and_then(|game| game.thought()),
            pondering: session.game().is_some_and(|game| game.is_pondering()),
        });
    }
}

fn hidden(secret: Option<&Secret>, text: &str) -> String {
    secret.map_or_else(|| text.to_owned(), |secret| secret.hide(text))
}
