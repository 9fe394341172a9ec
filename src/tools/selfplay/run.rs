//! Runs a job on many threads and writes its games in the order of their numbers.

use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, bounded};

use super::config_error::SelfplayConfigError;
use super::job::{GameFailure, GameJob, RunTarget};
use super::stop::{StopSignal, StopState};
use crate::search::STACK_BYTES;
use crate::sys::{in_processor_group, refused_thread};
use crate::tools::fingerprint;
use crate::tools::game_file::{ExistingGames, GameFileWriter, GameWriteError, ScoredGame};

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SelfplayProgress {
    /// Games in the file or about to be written.
    pub games: u64,
    /// Scored positions of these games.
    pub positions: u64,
    /// Number of the first unit that is not complete.
    pub next_unit: u64,
    /// `positions` and `next_unit` when the run began.
    pub old_positions: u64,
    pub first_unit: u64,
    /// The goals of the run: positions, and the number after the last unit.
    pub all_positions: Option<u64>,
    pub end_unit: Option<u64>,
    /// Since the run began.
    pub elapsed: Duration,
}

impl SelfplayProgress {
    /// Scored positions per second; 0 before the first.
    pub fn rate(&self) -> f64 {
        let done = (self.positions - self.old_positions) as f64;
        done / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// The estimated time until the first goal is reached; `None` while there is no estimate.
    pub fn remaining_time(&self) -> Option<Duration> {
        let estimate = |goal: Option<u64>, now: u64, old: u64| {
            let (remaining, done) = (goal?.saturating_sub(now) as f64, (now - old) as f64);
            Duration::try_from_secs_f64(remaining / done * self.elapsed.as_secs_f64()).ok()
        };
        let by_units = estimate(self.end_unit, self.next_unit, self.first_unit);
        let by_positions = estimate(self.all_positions, self.positions, self.old_positions);
        by_units.into_iter().chain(by_positions).min()
    }

    /// Whether a goal of the run is reached. Every job has at least one.
    pub fn is_done(&self) -> bool {
        let reached = |goal: Option<u64>, now: u64| goal.is_some_and(|goal| now >= goal);
        self.has_all_units() || reached(self.all_positions, self.positions)
    }

    fn has_all_units(&self) -> bool {
        self.end_unit.is_some_and(|end| self.next_unit >= end)
    }
}

/// Why a run failed.
#[derive(Debug)]
pub enum SelfplayError {
    Config(SelfplayConfigError),
    File(PathBuf, GameWriteError),
    /// This unit cannot be made.
    Unit {
        name: String,
        reason: String,
    },
    /// The file cannot be continued.
    Resume(PathBuf, String),
    Thread(String),
    /// A thread cannot get what it works with, such as memory.
    Worker(String),
}

impl fmt::Display for SelfplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SelfplayError::Config(error) => error.fmt(f),
            SelfplayError::File(path, error) => write!(f, "{}: {error}", path.display()),
            SelfplayError::Unit { name, reason } => write!(f, "{name}: {reason}"),
            SelfplayError::Resume(path, reason) => write!(f, "{}: {reason}", path.display()),
            SelfplayError::Thread(reason) => write!(f, "cannot start a thread: {reason}"),
            SelfplayError::Worker(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for SelfplayError {}

/// A message from a thread.
enum WorkerMessage {
    Unit(u64, Vec<ScoredGame>),
    Failure(SelfplayError),
}

/// Receives reports on a run.
pub trait SelfplayObserver {
    /// The file was opened and has these contents.
    fn opened(&mut self, existing: &ExistingGames);

    /// Games were finished, or some time has passed.
    fn progress(&mut self, progress: &SelfplayProgress);
}

/// Plays games until the goals of the job are reached or the run is stopped.
///
/// Units are written in their order, so the file holds the same games for any number of threads and
/// after any number of interruptions.
///
/// # Errors
/// The reason why a run cannot start or continue. Finished games are in the file.
pub fn run<J: GameJob>(
    job: &J,
    signal: &StopSignal,
    observer: &mut dyn SelfplayObserver,
) -> Result<SelfplayProgress, SelfplayError> {
    job.check().map_err(SelfplayError::Config)?;
    let RunTarget { out, positions: all_positions, .. } = job.target();
    let file_error = |error| SelfplayError::File(out.to_path_buf(), error);
    let mut positions = 0;
    let count = &mut |game: &ScoredGame| positions += game.scored() as u64;
    let header = job.header(&program_fingerprint());
    let (writer, existing) = GameFileWriter::append(out, &header, count).map_err(file_error)?;
    let games = existing.games;
    let resume_error = |reason| SelfplayError::Resume(out.to_path_buf(), reason);
    let (first, written) = job.unit_after(games).map_err(resume_error)?;
    let progress = SelfplayProgress {
        games,
        positions,
        next_unit: first,
        old_positions: positions,
        first_unit: first,
        all_positions,
        end_unit: job.end_unit(),
        elapsed: Duration::ZERO,
    };
    observer.opened(&existing);
    let (start, early) = (Instant::now(), BTreeMap::new());
    let mut output = OrderedOutput { job, writer, progress, written, start, early };
    let result = if progress.is_done() { Ok(()) } else { play_all(&mut output, signal, observer) };
    let OrderedOutput { writer, progress, .. } = output;
    let finished = if progress.has_all_units() { writer.complete() } else { writer.finish() };
    finished.map_err(|error| file_error(GameWriteError::Io(error)))?;
    result.map(|()| progress)
}

/// The fingerprint of the running program.
fn program_fingerprint() -> String {
    let fingerprint = std::env::current_exe().and_then(|path| fingerprint::of_file(&path));
    fingerprint.unwrap_or_else(|_| "unknown".into())
}

/// Writes finished units in order.
struct OrderedOutput<'a, J> {
    job: &'a J,
    writer: GameFileWriter,
    progress: SelfplayProgress,
    /// Games of the next unit that are in the file already.
    written: usize,
    start: Instant,
    /// Units that were finished before one of a lower number.
    early: BTreeMap<u64, Vec<ScoredGame>>,
}

impl<J: GameJob> OrderedOutput<'_, J> {
    fn add(&mut self, number: u64, games: Vec<ScoredGame>) -> Result<(), SelfplayError> {
        self.early.insert(number, games);
        while !self.progress.is_done()
            && let Some(games) = self.early.remove(&self.progress.next_unit)
        {
            for game in games.into_iter().skip(std::mem::take(&mut self.written)) {
                let written = self.writer.push(&game);
                let out = || self.job.target().out.to_path_buf();
                written.map_err(|error| SelfplayError::File(out(), error))?;
                self.progress.games += 1;
                self.progress.positions += game.scored() as u64;
            }
            self.progress.next_unit += 1;
        }
        Ok(())
    }
}

/// The state that the threads share.
struct Workers<'a, J> {
    job: &'a J,
    stop: &'a StopState<'a>,
    /// Number of the next unit.
    next: AtomicU64,
}

fn play_all<J: GameJob>(
    output: &mut OrderedOutput<'_, J>,
    signal: &StopSignal,
    observer: &mut dyn SelfplayObserver,
) -> Result<(), SelfplayError> {
    let job = output.job;
    let stop = StopState::new(signal);
    let workers = Workers { job, stop: &stop, next: AtomicU64::new(output.progress.next_unit) };
    thread::scope(|scope| {
        // Bounded, so that the threads do not run ahead of a stop, or of a slow disk, by many units.
        let (sender, messages) = bounded(job.target().threads);
        let mut threads = 0..job.target().threads;
        let started = threads.try_for_each(|id| workers.spawn(scope, id, sender.clone()));
        drop(sender);
        let result = started.and_then(|()| collect(output, &messages, observer));
        stop.set_over();
        result
    })
}

/// Writes finished units until the goal is reached or all threads have ended.
fn collect<J: GameJob>(
    output: &mut OrderedOutput<'_, J>,
    messages: &Receiver<WorkerMessage>,
    observer: &mut dyn SelfplayObserver,
) -> Result<(), SelfplayError> {
    const TICK: Duration = Duration::from_millis(500);
    while !output.progress.is_done() {
        match messages.recv_timeout(TICK) {
            Ok(WorkerMessage::Unit(number, games)) => output.add(number, games)?,
            Ok(WorkerMessage::Failure(error)) => return Err(error),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        output.progress.elapsed = output.start.elapsed();
        observer.progress(&output.progress);
    }
    Ok(())
}

impl<J: GameJob> Workers<'_, J> {
    fn spawn<'scope, 'env>(
        &'env self,
        scope: &'scope Scope<'scope, 'env>,
        id: usize,
        sender: Sender<WorkerMessage>,
    ) -> Result<(), SelfplayError> {
        let builder = thread::Builder::new().name(format!("play-{id}")).stack_size(STACK_BYTES);
        let work = in_processor_group(id, move || {
            if let Err(error) = self.play_units(&sender) {
                // The receiver is gone only after another failure.
                let _ = sender.send(WorkerMessage::Failure(error));
            }
        });
        let started = builder.spawn_scoped(scope, work);
        started.map(drop).map_err(|error| SelfplayError::Thread(refused_thread(error).to_string()))
    }

    fn play_units(&self, sender: &Sender<WorkerMessage>) -> Result<(), SelfplayError> {
        let mut worker = self.job.worker(self.stop).map_err(SelfplayError::Worker)?;
        while !self.stop.must_finish() {
            let number = self.next.fetch_add(1, Relaxed);
            if self.job.end_unit().is_some_and(|end| number >= end) {
                break;
            }
            let failure = |reason| SelfplayError::Unit { name: self.job.unit_name(number), reason };
            match catch_unwind(AssertUnwindSafe(|| self.job.play_unit(number, &mut worker))) {
                Ok(Ok(games)) => {
                    // The receiver is gone only after a failure.
                    if sender.send(WorkerMessage::Unit(number, games)).is_err() {
                        break;
                    }
                }
                Ok(Err(GameFailure::Abandoned)) => break,
                Ok(Err(GameFailure::Impossible(reason))) => return Err(failure(reason)),
                Err(_) => return Err(failure("the search panicked".into())),
            }
        }
        Ok(())
    }
}
