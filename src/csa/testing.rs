//! A session in memory, for tests, which send it the lines of the server and the events of the player, read
//! its actions, and set the clock.

use std::time::{Duration, Instant};

use super::action::{ConnectionEnd, FinishedGame, SessionAction};
use super::game::PlayOptions;
use super::player::{CommandId, PlayerCommand, PlayerEvent, SearchTask, SearchUpdate};
use super::session::{CsaSession, SeriesState, SessionConfig, SessionInput};
use crate::types::Move;
use crate::types::message::Message;
use crate::usi_client::{EngineScore, GameOver};

pub(super) fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

pub(super) fn config() -> SessionConfig {
    SessionConfig {
        play: PlayOptions { ponder: false, comments: false },
        challenge: None,
        logout: false,
        keep_alive: Duration::from_secs(40),
        margin: Duration::ZERO,
    }
}

/// A session with a record of its actions.
pub(super) struct TestSession {
    pub(super) session: CsaSession,
    pub(super) now: Instant,
    pub(super) sent: Vec<String>,
    pub(super) commands: Vec<PlayerCommand>,
    pub(super) messages: Vec<String>,
    pub(super) warned: Vec<String>,
    pub(super) saved: Vec<FinishedGame>,
    pub(super) restarts: usize,
    pub(super) end: Option<ConnectionEnd>,
}

impl TestSession {
    pub(super) fn new(config: SessionConfig) -> TestSession {
        TestSession::with_games(config, None)
    }

    pub(super) fn with_games(config: SessionConfig, games: Option<u32>) -> TestSession {
        let now = Instant::now();
        let (session, actions) = CsaSession::open(config, SeriesState { games, next_id: 1 }, now);
        assert_eq!(actions, [SessionAction::Login]);
        TestSession {
            session,
            now,
            sent: Vec::new(),
            commands: Vec::new(),
            messages: Vec::new(),
            warned: Vec::new(),
            saved: Vec::new(),
            restarts: 0,
            end: None,
        }
    }

    /// In a game that has just begun, with these lines in the proposal.
    pub(super) fn playing(config: SessionConfig, sign: char, lines: &str) -> TestSession {
        let mut session = TestSession::new(config);
        session.login();
        session.propose(sign, lines);
        session.receive("START:g");
        session.sent.clear();
        session
    }

    pub(super) fn login(&mut self) {
        self.receive("LOGIN:kawasemi OK");
    }

    /// The server proposes a game, and the player gets ready.
    pub(super) fn propose(&mut self, sign: char, lines: &str) {
        self.receive(&format!(
            "BEGIN Game_Summary\nGame_ID:g\nName+:black\nName-:white\nYour_Turn:{sign}\n{lines}\n\
             END Game_Summary"
        ));
        self.ready();
    }

    /// The player is ready for the last `NewGame`.
    pub(super) fn ready(&mut self) {
        let id = |command: &PlayerCommand| match command {
            PlayerCommand::NewGame(id, _) => Some(*id),
            _ => None,
        };
        let id = self.commands.iter().rev().find_map(id).expect("a NewGame command");
        self.player(PlayerEvent::Ready(id));
    }

    pub(super) fn receive(&mut self, lines: &str) {
        for line in lines.split('\n') {
            self.handle(SessionInput::Line(line));
        }
    }

    pub(super) fn player(&mut self, event: PlayerEvent) {
        self.handle(SessionInput::Player(event));
    }

    /// Lets this time pass.
    pub(super) fn after(&mut self, millis: u64) {
        self.now += ms(millis);
        self.handle(SessionInput::Timer);
    }

    pub(super) fn handle(&mut self, input: SessionInput<'_>) {
        assert_eq!(self.end, None, "{input:?} comes too late");
        for action in self.session.handle(input, self.now) {
            match action {
                SessionAction::Login => panic!("a second login"),
                SessionAction::Send(line) => self.sent.push(line),
                SessionAction::Command(order) => self.commands.push(order),
                SessionAction::RestartPlayer => self.restarts += 1,
                SessionAction::Info(message) => self.messages.push(english(message)),
                SessionAction::Warn(message) => self.warned.push(english(message)),
                SessionAction::Save(finished) => self.saved.push(*finished),
                SessionAction::Close(end) => self.end = Some(end),
            }
        }
    }

    /// The last search command.
    pub(super) fn task(&self) -> &SearchTask {
        let search = |command: &'_ PlayerCommand| matches!(command, PlayerCommand::Search(_));
        match self.commands.iter().rev().find(|command| search(command)) {
            Some(PlayerCommand::Search(task)) => task,
            _ => panic!("no search in {:?}", self.commands),
        }
    }

    /// The moves of that search as text, and whether it ponders.
    pub(super) fn searched(&self) -> (String, bool) {
        let moves: Vec<String> = self.task().moves.iter().map(|mv| mv.to_string()).collect();
        (moves.join(" "), self.task().ponder)
    }

    /// The player answers its last search: `7g7f`, `7g7f ponder 3c3d`, `resign` or `win`.
    pub(super) fn answer(&mut self, text: &str) {
        let id = self.task().id;
        self.answer_to(id, text);
    }

    pub(super) fn answer_to(&mut self, id: CommandId, text: &str) {
        self.player(PlayerEvent::Answer(id, format!("bestmove {text}")));
    }

    /// The player reports results of its last search.
    pub(super) fn report(&mut self, score: EngineScore, pv: &str) {
        let pv: Vec<Move> = pv.split_whitespace().map(mv).collect();
        let best = pv.first().copied();
        let update = SearchUpdate { depth: Some(9), nodes: Some(99), score: Some(score), pv, best };
        self.player(PlayerEvent::Update(self.task().id, update));
    }

    /// The results that were sent to the player.
    pub(super) fn game_overs(&self) -> Vec<GameOver> {
        let over = |command: &PlayerCommand| match command {
            PlayerCommand::GameOver(outcome) => Some(*outcome),
            _ => None,
        };
        self.commands.iter().filter_map(over).collect()
    }

    pub(super) fn last_sent(&self) -> &str {
        self.sent.last().map_or("", String::as_str)
    }
}

pub(super) fn mv(text: &str) -> Move {
    text.parse().unwrap_or_else(|_| panic!("{text} is no move"))
}

/// The English text of an event, which has a Japanese one too.
fn english(message: Message) -> String {
    assert!(!message.ja.is_ascii(), "no Japanese: {message}");
    message.en
}
