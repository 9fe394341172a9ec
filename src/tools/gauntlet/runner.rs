//! Plays the games of a match in parallel. Each thread takes the next game of the schedule and keeps
//! its engines from game to game.

use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, bounded};
use parking_lot::Mutex;

use super::match_config::MatchConfig;
use super::match_game::{GameConditions, PlayedGame, play};
use super::match_player::MatchPlayer;
use super::schedule::{Schedule, ScheduledGame};
use crate::sys::refused_thread;
use crate::types::{ByColor, Color};
use crate::usi_client::EngineFault;

/// Starts players.
pub trait MatchPlayerFactory: Sync {
    /// Starts the engine with this index.
    ///
    /// # Errors
    /// If it fails to start.
    fn start(&self, engine: usize) -> Result<Box<dyn MatchPlayer>, StartFailure>;
}

/// A game to play.
#[derive(Clone, Debug)]
pub struct GameTask {
    pub scheduled: ScheduledGame,
    /// Options to set before this game, in addition to those of the engine's description.
    pub options: ByColor<Vec<(String, String)>>,
}

impl From<ScheduledGame> for GameTask {
    fn from(scheduled: ScheduledGame) -> GameTask {
        GameTask { scheduled, options: ByColor::default() }
    }
}

/// An engine failed to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartFailure {
    pub reason: String,
    /// Whether another attempt may succeed.
    pub retry: bool,
}

/// An event of a running match.
#[derive(Debug)]
pub enum MatchEvent {
    Game(ScheduledGame, Box<PlayedGame>),
    /// An engine failed before its game began and is restarted.
    Restart {
        engine: usize,
        reason: String,
    },
    /// No event for a while.
    Idle,
}

/// Sets the options, then plays.
fn play_with<'a>(
    conditions: GameConditions<'a>,
    mut players: ByColor<&'a mut dyn MatchPlayer>,
    options: &ByColor<Vec<(String, String)>>,
) -> Result<PlayedGame, (Color, EngineFault)> {
    for color in Color::ALL {
        players[color].set_options(&options[color]).map_err(|fault| (color, fault))?;
    }
    play(conditions, players)
}

/// An engine failed to start repeatedly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineFailure {
    pub engine: usize,
    pub reason: String,
}

/// Why a match ends early.
#[derive(Debug)]
pub enum RunError {
    Engine(EngineFailure),
    /// The system refuses a thread.
    Thread(io::Error),
}

/// How often an engine may fail before its game begins.
const ATTEMPTS: usize = 3;
/// How long to wait for an event.
const EVENT_TIMEOUT: Duration = Duration::from_millis(500);

/// Plays all games that are not in `played` and calls `on_event` for every event. When `on_event` breaks, no new
/// game begins, and games in progress are finished.
///
/// # Errors
/// The first engine that fails repeatedly, or a refused thread; games in progress are finished.
pub fn run(
    config: &MatchConfig,
    schedule: &Schedule,
    factory: &dyn MatchPlayerFactory,
    played: &HashSet<usize>,
    on_event: &mut dyn FnMut(MatchEvent) -> ControlFlow<()>,
) -> Result<(), RunError> {
    run_with(&thread::Builder::new, config, schedule, factory, played, on_event)
}

/// [`run`] with another thread builder.
pub(super) fn run_with(
    builder: &dyn Fn() -> thread::Builder,
    config: &MatchConfig,
    schedule: &Schedule,
    factory: &dyn MatchPlayerFactory,
    played: &HashSet<usize>,
    on_event: &mut dyn FnMut(MatchEvent) -> ControlFlow<()>,
) -> Result<(), RunError> {
    // An iterator, not a list: a match until a verdict may have more games than fit into memory.
    let left = (0..schedule.games()).filter(|number| !played.contains(number));
    let left = Mutex::new(left.map(|number| schedule.game(number)));
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        // A worker waits until its event is received, so no game begins long after the verdict.
        let (sender, events) = bounded(0);
        let mut started = Ok(());
        for _ in 0..config.concurrency {
            let (sender, left, stop) = (sender.clone(), &left, &stop);
            let work = move || GameWorker::new(config, factory, sender).play_all(left, stop);
            if let Err(error) = builder().spawn_scoped(scope, work) {
                stop.store(true, Ordering::Relaxed);
                started = Err(RunError::Thread(refused_thread(error)));
                break;
            }
        }
        drop(sender);
        let played = forward_events(&events, &stop, on_event);
        started.and(played.map_err(RunError::Engine))
    })
}

/// Passes events on until all workers have ended.
fn forward_events(
    events: &Receiver<Result<MatchEvent, EngineFailure>>,
    stop: &AtomicBool,
    on_event: &mut dyn FnMut(MatchEvent) -> ControlFlow<()>,
) -> Result<(), EngineFailure> {
    let mut result = Ok(());
    loop {
        let flow = match events.recv_timeout(EVENT_TIMEOUT) {
            Ok(Ok(event)) => on_event(event),
            Ok(Err(failure)) => {
                result = result.and(Err(failure));
                ControlFlow::Break(())
            }
            Err(RecvTimeoutError::Timeout) => on_event(MatchEvent::Idle),
            Err(RecvTimeoutError::Disconnected) => return result,
        };
        if flow.is_break() {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Plays games on one thread, with its own engines.
pub(in crate::tools) struct GameWorker<'a> {
    config: &'a MatchConfig,
    factory: &'a dyn MatchPlayerFactory,
    sender: Sender<Result<MatchEvent, EngineFailure>>,
    players: Vec<Option<Box<dyn MatchPlayer>>>,
}

impl<'a> GameWorker<'a> {
    pub(in crate::tools) fn new(
        config: &'a MatchConfig,
        factory: &'a dyn MatchPlayerFactory,
        sender: Sender<Result<MatchEvent, EngineFailure>>,
    ) -> GameWorker<'a> {
        let players = config.engines.iter().map(|_| None).collect();
        GameWorker { config, factory, sender, players }
    }

    fn play_all(&mut self, left: &Mutex<impl Iterator<Item = ScheduledGame>>, stop: &AtomicBool) {
        while !stop.load(Ordering::Relaxed) {
            let Some(scheduled) = left.lock().next() else { return };
            if !self.play(&scheduled.into()) {
                return;
            }
        }
    }

    /// Plays a game and sends the event. Returns false if an engine failed repeatedly, or nobody receives the event.
    pub(in crate::tools) fn play(&mut self, task: &GameTask) -> bool {
        let result =
            self.play_one(task).map(|played| MatchEvent::Game(task.scheduled, Box::new(played)));
        let is_playable = result.is_ok();
        self.sender.send(result).is_ok() && is_playable
    }

    /// Plays a game, with several attempts if an engine fails before the game begins.
    fn play_one(&mut self, task: &GameTask) -> Result<PlayedGame, EngineFailure> {
        let mut attempt = 1;
        loop {
            match self.try_game(task) {
                Ok(played) => return Ok(played),
                Err((engine, StartFailure { reason, retry })) => {
                    if !retry || attempt == ATTEMPTS {
                        return Err(EngineFailure { engine, reason });
                    }
                    let _ = self.sender.send(Ok(MatchEvent::Restart { engine, reason }));
                    attempt += 1;
                }
            }
        }
    }

    fn try_game(&mut self, task: &GameTask) -> Result<PlayedGame, (usize, StartFailure)> {
        let scheduled = task.scheduled;
        let engines = ByColor([scheduled.black, scheduled.white]);
        let mut black = self.take(scheduled.black)?;
        let mut white = self.take(scheduled.white)?;
        let conditions = GameConditions {
            opening: &self.config.openings[scheduled.opening],
            engines: ByColor(engines.0.map(|engine| &self.config.engines[engine])),
            rules: &self.config.rules,
            move_timeout: self.config.move_timeout,
        };
        let result =
            play_with(conditions, ByColor([black.as_mut(), white.as_mut()]), &task.options);
        for (color, player) in Color::ALL.into_iter().zip([black, white]) {
            if self.is_kept(engines[color], color, &result) {
                self.players[engines[color]] = Some(player);
            }
        }
        result.map_err(|(color, fault)| {
            (engines[color], StartFailure { reason: fault.to_string(), retry: true })
        })
    }

    /// Takes the engine with this index, starting it if necessary.
    fn take(&mut self, engine: usize) -> Result<Box<dyn MatchPlayer>, (usize, StartFailure)> {
        match self.players[engine].take() {
            Some(player) => Ok(player),
            None => self.factory.start(engine).map_err(|failure| (engine, failure)),
        }
    }

    /// Whether the engine process is kept for the next game.
    fn is_kept(
        &self,
        engine: usize,
        color: Color,
        result: &Result<PlayedGame, (Color, EngineFault)>,
    ) -> bool {
        let failed = match result {
            Err((failed, _)) => *failed == color,
            Ok(played) => {
                played.forfeit.as_ref().is_some_and(|forfeit| forfeit.color == color)
                    || played.late_faults.iter().any(|(late, _)| *late == color)
            }
        };
        !failed && !self.config.engines[engine].restart
    }
}
