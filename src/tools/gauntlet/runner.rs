//! Games side by side: threads that each take the next game of the schedule, with engines of their
//! own that live from game to game.
//!
//! It knows how players are started only through [`Starter`], and hands every finished game on.

use std::collections::HashSet;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, bounded};
use parking_lot::Mutex;

use super::game::{GamePlan, Played, play};
use super::player::{EngineFault, Player};
use super::schedule::{Fixture, Schedule};
use super::spec::EngineSpec;
use crate::tools::opening::Opening;
use crate::tools::referee::Rules;
use crate::types::{ByColor, Color};

/// Brings engines to life.
pub trait Starter: Sync {
    /// A player that is the engine of this index.
    ///
    /// # Errors
    /// When it does not come up.
    fn start(&self, engine: usize) -> Result<Box<dyn Player>, NoStart>;
}

/// One game to be played.
#[derive(Clone, Debug)]
pub struct Job {
    pub fixture: Fixture,
    /// Options that the engine of each side is set before this game, beside those of its
    /// description.
    pub options: ByColor<Vec<(String, String)>>,
}

impl From<Fixture> for Job {
    fn from(fixture: Fixture) -> Job {
        Job { fixture, options: ByColor::default() }
    }
}

/// An engine that did not come up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoStart {
    pub reason: String,
    /// Whether another attempt may fare better.
    pub retry: bool,
}

/// What the games of a match share.
#[derive(Clone, Copy, Debug)]
pub struct Hall<'a> {
    pub schedule: &'a Schedule,
    pub engines: &'a [EngineSpec],
    pub openings: &'a [Opening],
    pub rules: &'a Rules,
    pub longest_move: Duration,
    pub concurrency: usize,
}

/// What happens while games are played.
#[derive(Debug)]
pub enum News {
    Game(Fixture, Box<Played>),
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
    plan: GamePlan<'a>,
    mut players: ByColor<&'a mut dyn Player>,
    options: &ByColor<Vec<(String, String)>>,
) -> Result<Played, (Color, EngineFault)> {
    for color in Color::ALL {
        players[color].set_options(&options[color]).map_err(|fault| (color, fault))?;
    }
    play(plan, players)
}

/// An engine that does not come up, again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unplayable {
    pub engine: usize,
    pub reason: String,
}

impl fmt::Display for Unplayable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "engine {}: {}", self.engine + 1, self.reason)
    }
}

impl std::error::Error for Unplayable {}

/// How often an engine may fail before its game has begun.
const ATTEMPTS: usize = 3;
/// How long to wait for news before there is none.
const QUIET: Duration = Duration::from_millis(500);

/// Plays all games that are not yet played. Every piece of news goes to `tell`; when that breaks
/// off, games in progress are finished and told, and no new one begins.
///
/// # Errors
/// The first engine that is [`Unplayable`]; games in progress are finished all the same.
pub fn run(
    hall: &Hall<'_>,
    starter: &dyn Starter,
    played: &HashSet<usize>,
    tell: &mut dyn FnMut(News) -> ControlFlow<()>,
) -> Result<(), Unplayable> {
    // Counted, not listed: whoever waits for a verdict may ask for more games than memory holds.
    let left = (0..hall.schedule.games()).filter(|number| !played.contains(number));
    let left = Mutex::new(left);
    let stop = AtomicBool::new(false);
    // A table waits until its news is taken: no game begins far behind the verdict that ends all.
    let (sender, news) = bounded(0);
    thread::scope(|scope| {
        for _ in 0..hall.concurrency {
            let (sender, left, stop) = (sender.clone(), &left, &stop);
            scope.spawn(move || Table::new(hall, starter, sender).play_all(left, stop));
        }
        drop(sender);
        listen(&news, &stop, tell)
    })
}

/// Passes the news on until every table is empty.
fn listen(
    news: &Receiver<Result<News, Unplayable>>,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(News) -> ControlFlow<()>,
) -> Result<(), Unplayable> {
    let mut result = Ok(());
    loop {
        let flow = match news.recv_timeout(QUIET) {
            Ok(Ok(piece)) => tell(piece),
            Ok(Err(unplayable)) => {
                result = result.and(Err(unplayable));
                ControlFlow::Break(())
            }
            Err(RecvTimeoutError::Timeout) => tell(News::Quiet),
            Err(RecvTimeoutError::Disconnected) => return result,
        };
        if flow.is_break() {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

/// One thread's place to play, with its engines.
pub(in crate::tools) struct Table<'a> {
    hall: &'a Hall<'a>,
    starter: &'a dyn Starter,
    sender: Sender<Result<News, Unplayable>>,
    players: Vec<Option<Box<dyn Player>>>,
}

impl<'a> Table<'a> {
    pub(in crate::tools) fn new(
        hall: &'a Hall<'a>,
        starter: &'a dyn Starter,
        sender: Sender<Result<News, Unplayable>>,
    ) -> Table<'a> {
        let players = hall.engines.iter().map(|_| None).collect();
        Table { hall, starter, sender, players }
    }

    fn play_all(&mut self, left: &Mutex<impl Iterator<Item = usize>>, stop: &AtomicBool) {
        while !stop.load(Ordering::Relaxed) {
            let Some(number) = left.lock().next() else { return };
            if !self.play(&self.hall.schedule.fixture(number).into()) {
                return;
            }
        }
    }

    /// Plays a game and sends the news of it. False if an engine is unplayable.
    pub(in crate::tools) fn play(&mut self, job: &Job) -> bool {
        let result = self.play_one(job).map(|played| News::Game(job.fixture, Box::new(played)));
        let goes_on = result.is_ok();
        // When nobody listens any more, what is left of the match is of no interest.
        let _ = self.sender.send(result);
        goes_on
    }

    /// Plays a game; an engine that fails before it begins gets new chances.
    fn play_one(&mut self, job: &Job) -> Result<Played, Unplayable> {
        let mut attempt = 1;
        loop {
            match self.try_game(job) {
                Ok(played) => return Ok(played),
                Err((engine, NoStart { reason, retry })) => {
                    if !retry || attempt == ATTEMPTS {
                        return Err(Unplayable { engine, reason });
                    }
                    let _ = self.sender.send(Ok(News::Restart { engine, reason }));
                    attempt += 1;
                }
            }
        }
    }

    fn try_game(&mut self, job: &Job) -> Result<Played, (usize, NoStart)> {
        let fixture = job.fixture;
        let seats = ByColor([fixture.black, fixture.white]);
        let mut black = self.take(fixture.black)?;
        let mut white = self.take(fixture.white)?;
        let plan = GamePlan {
            opening: &self.hall.openings[fixture.opening],
            seats: ByColor(seats.0.map(|engine| &self.hall.engines[engine])),
            rules: self.hall.rules,
            longest_move: self.hall.longest_move,
        };
        let result = play_with(plan, ByColor([black.as_mut(), white.as_mut()]), &job.options);
        for (color, player) in Color::ALL.into_iter().zip([black, white]) {
            if self.goes_on(seats[color], color, &result) {
                self.players[seats[color]] = Some(player);
            }
        }
        result.map_err(|(color, fault)| {
            (seats[color], NoStart { reason: fault.to_string(), retry: true })
        })
    }

    /// The engine of this index, started if it does not run.
    fn take(&mut self, engine: usize) -> Result<Box<dyn Player>, (usize, NoStart)> {
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
        result: &Result<Played, (Color, EngineFault)>,
    ) -> bool {
        let failed = match result {
            Err((failed, _)) => *failed == color,
            Ok(played) => {
                played.blame.as_ref().is_some_and(|blame| blame.color == color)
                    || played.late_faults.iter().any(|(late, _)| *late == color)
            }
        };
        !failed && !self.hall.engines[engine].restart
    }
}
