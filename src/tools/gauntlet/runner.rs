//! Games side by side: threads that each take the next game of the schedule, with engines of their
//! own that live from game to game.
//!
//! It knows how players are started only through [`PlayerFactory`], and hands every finished game on.

use std::collections::HashSet;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, bounded};
use parking_lot::Mutex;

use super::engine_spec::EngineSpec;
use super::match_game::{GameSetup, PlayedGame, play};
use super::match_player::{EngineFault, MatchPlayer};
use super::schedule::{Schedule, ScheduledGame};
use crate::tools::opening::Opening;
use crate::tools::referee::GameRules;
use crate::types::{ByColor, Color};

/// Brings engines to life.
pub trait PlayerFactory: Sync {
    /// A player that is the engine of this index.
    ///
    /// # Errors
    /// When it does not come up.
    fn start(&self, engine: usize) -> Result<Box<dyn MatchPlayer>, StartFailure>;
}

/// One game to be played.
#[derive(Clone, Debug)]
pub struct GameTask {
    pub fixture: ScheduledGame,
    /// Options that the engine of each side is set before this game, beside those of its
    /// description.
    pub options: ByColor<Vec<(String, String)>>,
}

impl From<ScheduledGame> for GameTask {
    fn from(fixture: ScheduledGame) -> GameTask {
        GameTask { fixture, options: ByColor::default() }
    }
}

/// An engine that did not come up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartFailure {
    pub reason: String,
    /// Whether another attempt may fare better.
    pub retry: bool,
}

/// What the games of a match share.
#[derive(Clone, Copy, Debug)]
pub struct MatchSetup<'a> {
    pub schedule: &'a Schedule,
    pub engines: &'a [EngineSpec],
    pub openings: &'a [Opening],
    pub rules: &'a GameRules,
    pub longest_move: Duration,
    pub concurrency: usize,
}

/// What happens while games are played.
#[derive(Debug)]
pub enum MatchEvent {
    Game(ScheduledGame, Box<PlayedGame>),
    /// An engine failed before its game had begun, and is started anew.
    Restart {
        engine: usize,
        reason: String,
    },
    /// Nothing for a while.
    Quiet,
}

/// Sets the options, then plays.
fn play_with<'a>(
    plan: GameSetup<'a>,
    mut players: ByColor<&'a mut dyn MatchPlayer>,
    options: &ByColor<Vec<(String, String)>>,
) -> Result<PlayedGame, (Color, EngineFault)> {
    for color in Color::ALL {
        players[color].set_options(&options[color]).map_err(|fault| (color, fault))?;
    }
    play(plan, players)
}

/// An engine that does not come up, again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineFailure {
    pub engine: usize,
    pub reason: String,
}

impl fmt::Display for EngineFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "engine {}: {}", self.engine + 1, self.reason)
    }
}

impl std::error::Error for EngineFailure {}

/// How often an engine may fail before its game has begun.
const ATTEMPTS: usize = 3;
/// How long to wait for news before there is none.
const QUIET: Duration = Duration::from_millis(500);

/// Plays all games that are not yet played. Every piece of news goes to `tell`; when that breaks
/// off, games in progress are finished and told, and no new one begins.
///
/// # Errors
/// The first engine that is [`EngineFailure`]; games in progress are finished all the same.
pub fn run(
    setup: &MatchSetup<'_>,
    starter: &dyn PlayerFactory,
    played: &HashSet<usize>,
    tell: &mut dyn FnMut(MatchEvent) -> ControlFlow<()>,
) -> Result<(), EngineFailure> {
    // Counted, not listed: whoever waits for a verdict may ask for more games than memory holds.
    let left = (0..setup.schedule.games()).filter(|number| !played.contains(number));
    let left = Mutex::new(left);
    let stop = AtomicBool::new(false);
    // A table waits until its news is taken: no game begins far behind the verdict that ends all.
    let (sender, news) = bounded(0);
    thread::scope(|scope| {
        for _ in 0..setup.concurrency {
            let (sender, left, stop) = (sender.clone(), &left, &stop);
            scope.spawn(move || GameWorker::new(setup, starter, sender).play_all(left, stop));
        }
        drop(sender);
        listen(&news, &stop, tell)
    })
}

/// Passes the news on until every table is empty.
fn listen(
    news: &Receiver<Result<MatchEvent, EngineFailure>>,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(MatchEvent) -> ControlFlow<()>,
) -> Result<(), EngineFailure> {
    let mut result = Ok(());
    loop {
        let flow = match news.recv_timeout(QUIET) {
            Ok(Ok(piece)) => tell(piece),
            Ok(Err(unplayable)) => {
                result = result.and(Err(unplayable));
                ControlFlow::Break(())
            }
            Err(RecvTimeoutError::Timeout) => tell(MatchEvent::Quiet),
            Err(RecvTimeoutError::Disconnected) => return result,
        };
        if flow.is_break() {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

/// One thread's place to play, with its engines.
pub(in crate::tools) struct GameWorker<'a> {
    setup: &'a MatchSetup<'a>,
    starter: &'a dyn PlayerFactory,
    sender: Sender<Result<MatchEvent, EngineFailure>>,
    players: Vec<Option<Box<dyn MatchPlayer>>>,
}

impl<'a> GameWorker<'a> {
    pub(in crate::tools) fn new(
        setup: &'a MatchSetup<'a>,
        starter: &'a dyn PlayerFactory,
        sender: Sender<Result<MatchEvent, EngineFailure>>,
    ) -> GameWorker<'a> {
        let players = setup.engines.iter().map(|_| None).collect();
        GameWorker { setup, starter, sender, players }
    }

    fn play_all(&mut self, left: &Mutex<impl Iterator<Item = usize>>, stop: &AtomicBool) {
        while !stop.load(Ordering::Relaxed) {
            let Some(number) = left.lock().next() else { return };
            if !self.play(&self.setup.schedule.fixture(number).into()) {
                return;
            }
        }
    }

    /// Plays a game and sends the news of it. False if an engine is unplayable.
    pub(in crate::tools) fn play(&mut self, job: &GameTask) -> bool {
        let result =
            self.play_one(job).map(|played| MatchEvent::Game(job.fixture, Box::new(played)));
        let goes_on = result.is_ok();
        // When nobody listens any more, what is left of the match is of no interest.
        let _ = self.sender.send(result);
        goes_on
    }

    /// Plays a game; an engine that fails before it begins gets new chances.
    fn play_one(&mut self, job: &GameTask) -> Result<PlayedGame, EngineFailure> {
        let mut attempt = 1;
        loop {
            match self.try_game(job) {
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

    fn try_game(&mut self, job: &GameTask) -> Result<PlayedGame, (usize, StartFailure)> {
        let fixture = job.fixture;
        let seats = ByColor([fixture.black, fixture.white]);
        let mut black = self.take(fixture.black)?;
        let mut white = self.take(fixture.white)?;
        let plan = GameSetup {
            opening: &self.setup.openings[fixture.opening],
            seats: ByColor(seats.0.map(|engine| &self.setup.engines[engine])),
            rules: self.setup.rules,
            longest_move: self.setup.longest_move,
        };
        let result = play_with(plan, ByColor([black.as_mut(), white.as_mut()]), &job.options);
        for (color, player) in Color::ALL.into_iter().zip([black, white]) {
            if self.goes_on(seats[color], color, &result) {
                self.players[seats[color]] = Some(player);
            }
        }
        result.map_err(|(color, fault)| {
            (seats[color], StartFailure { reason: fault.to_string(), retry: true })
        })
    }

    /// The engine of this index, started if it does not run.
    fn take(&mut self, engine: usize) -> Result<Box<dyn MatchPlayer>, (usize, StartFailure)> {
        match self.players[engine].take() {
            Some(player) => Ok(player),
            None => self.starter.start(engine).map_err(|failure| (engine, failure)),
        }
    }

    /// Whether an engine is fit for the next game, and shall not be started anew for it.
    fn goes_on(
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
        !failed && !self.setup.engines[engine].restart
    }
}
