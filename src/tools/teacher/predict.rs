//! Runs the teacher on positions of games and writes its packed predictions.

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, bounded};

use super::model::{Prediction, TeacherPool};
use super::predictions::{PackedPrediction, PredictionWriter, UNITS, UnitPredictions};
use super::selection::{PositionSelection, best_legal_move};
use super::wrong_values::WrongValues;
use crate::sys::{in_file, refused_thread};
use crate::tools::game_file::GameFileHeader;

/// Which positions the teacher evaluates, and where its predictions go.
#[derive(Debug)]
pub struct PredictConfig {
    /// The file of packed predictions; an existing one is continued.
    pub out: PathBuf,
    /// Threads that prepare inputs.
    pub threads: usize,
    pub selection: PositionSelection,
    pub teacher: TeacherPool,
    /// What this run has found wrong; empty at first.
    pub wrong_values: WrongValues,
}

/// How far the run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PredictProgress {
    pub units: u64,
    pub all_units: u64,
    /// Predictions in the file, and how many of them were there before.
    pub predictions: u64,
    pub old_predictions: u64,
    pub elapsed: Duration,
}

impl fmt::Display for PredictProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PredictProgress { units, all_units, predictions, old_predictions, elapsed } = self;
        let rate = (predictions - old_predictions) as f64 / elapsed.as_secs_f64().max(1e-9);
        write!(f, "{units} of {all_units} units, {predictions} predictions, {rate:.0} per second")
    }
}

impl PredictConfig {
    /// Runs until all positions are done or `stop` is set, which ends it after the units in progress.
    ///
    /// # Errors
    /// If the settings, the file, a game or the teacher is at fault, or the system refuses a thread. Finished units
    /// are in the file.
    pub fn run(
        &self,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&PredictProgress),
    ) -> Result<PredictProgress, String> {
        self.run_with(&thread::Builder::new, stop, report)
    }

    /// [`PredictConfig::run`] with another thread builder.
    pub(super) fn run_with(
        &self,
        builder: &dyn Fn() -> thread::Builder,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&PredictProgress),
    ) -> Result<PredictProgress, String> {
        self.selection.check().map_err(|error| error.to_string())?;
        let file_error = |error| in_file(&self.out, error);
        let (writer, old) =
            PredictionWriter::append(&self.out, &self.header()).map_err(file_error)?;
        let units = self.selection.units();
        let all_units = units.end - units.start;
        let remaining: Vec<u64> = units.filter(|&unit| !old.has(unit)).collect();
        let progress = PredictProgress {
            units: all_units - remaining.len() as u64,
            all_units,
            predictions: old.count(),
            old_predictions: old.count(),
            elapsed: Duration::ZERO,
        };
        let shared = Shared { config: self, remaining: &remaining, next: AtomicU64::new(0), stop };
        thread::scope(|scope| {
            let threads = self.threads.max(1);
            // Bounded, so that the threads do not run ahead of a slow disk.
            let (sender, predictions) = bounded(threads);
            let mut started = Ok(());
            for _ in 0..threads {
                let (sender, shared) = (sender.clone(), &shared);
                if let Err(error) = builder().spawn_scoped(scope, move || shared.work(sender)) {
                    shared.end();
                    started = Err(refused_thread(error).to_string());
                    break;
                }
            }
            drop(sender);
            let written = collect(writer, &predictions, progress, &mut *report, file_error);
            // After an error the threads have nothing left to do.
            shared.end();
            started.and(written)
        })
    }

    fn header(&self) -> String {
        let mut header = GameFileHeader::new();
        header.set("teacher", self.teacher.name());
        self.selection.describe(&mut header);
        header.set(UNITS, self.selection.all_units());
        header.to_string()
    }

    fn predict(&self, unit: u64) -> Result<UnitPredictions, String> {
        let (mut inputs, mut legal, mut positions) = (Vec::new(), Vec::new(), Vec::new());
        self.selection.for_each(unit, &mut |mut position| {
            inputs.push(position.input());
            legal.push(position.policy_indices());
            positions.extend(position.key().to_le_bytes());
        })?;
        let predictions = self.teacher.predict(&inputs)?;
        let is_wrong = |prediction: &Prediction| !prediction.value.is_finite();
        if predictions.iter().any(is_wrong) {
            let mut starts = Vec::new();
            self.selection
                .for_each(unit, &mut |position| starts.push(position.unlabelled().start))?;
            for (start, prediction) in starts.iter().zip(&predictions) {
                self.wrong_values.check(start, prediction.value)?;
            }
        }
        let pairs = predictions.iter().zip(&legal);
        let pack = |(prediction, legal): (_, &Vec<u16>)| {
            let best = best_legal_move(prediction, legal);
            PackedPrediction::new(prediction.value, best)
        };
        Ok(UnitPredictions {
            positions_checksum: crc32fast::hash(&positions),
            predictions: pairs.map(pack).collect(),
        })
    }
}

/// What the threads share.
struct Shared<'a> {
    config: &'a PredictConfig,
    /// The units that are not in the file.
    remaining: &'a [u64],
    /// Index in `remaining`.
    next: AtomicU64,
    stop: &'a AtomicBool,
}

type Finished = Result<(u64, UnitPredictions), String>;

impl Shared<'_> {
    /// Leaves no further unit to the threads.
    fn end(&self) {
        self.next.store(self.remaining.len() as u64, Relaxed);
    }

    fn work(&self, sender: Sender<Finished>) {
        while !self.stop.load(Relaxed)
            && let Some(&unit) = self.remaining.get(self.next.fetch_add(1, Relaxed) as usize)
        {
            let predictions = self.config.predict(unit).map(|predictions| (unit, predictions));
            let has_failed = predictions.is_err();
            // The receiver is gone only after another failure.
            if sender.send(predictions).is_err() || has_failed {
                break;
            }
        }
    }
}

/// Writes units as they come.
fn collect(
    mut writer: PredictionWriter,
    predictions: &Receiver<Finished>,
    mut progress: PredictProgress,
    report: &mut dyn FnMut(&PredictProgress),
    file_error: impl Fn(std::io::Error) -> String,
) -> Result<PredictProgress, String> {
    const TICK: Duration = Duration::from_millis(500);
    let start = Instant::now();
    loop {
        match predictions.recv_timeout(TICK) {
            Ok(Ok((unit, predictions))) => {
                writer.push(unit, &predictions).map_err(&file_error)?;
                progress.units += 1;
                progress.predictions += predictions.predictions.len() as u64;
            }
            Ok(Err(error)) => {
                writer.finish().map_err(&file_error)?;
                return Err(error);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        progress.elapsed = start.elapsed();
        report(&progress);
    }
    writer.finish().map_err(&file_error)?;
    Ok(progress)
}
