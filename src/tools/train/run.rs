//! Runs a training from games to a network, or resumes one. The folder of a training contains:
//!
//! - `checkpoint`: the complete state,
//! - `checkpoint-unquantized`: the state before the quantisation,
//! - `log.tsv` and `curves.svg`: the reports,
//! - `best.bin`: the network with the smallest validation loss,
//! - `net.bin`: the final network.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::adam::AdamRate;
use super::checkpoint::{self, Checkpoint, CheckpointError, TrainingProgress};
use super::clipped_stacks::clipped_stacks;
use super::error::TrainError;
use super::export::{self, AccumulatorRange, ExportError, QuantizationError};
use super::initial::initial;
use super::log::{self, LogRow};
use super::plot;
use super::quantize::{dequantized, quantized};
use super::recipe::Recipe;
use super::rng_streams::ORDER;
use super::sample::SampleRef;
use super::scales::QuantScales;
use super::schedule::{QuantizationPhase, learning_rate};
use super::tensor_layout::TensorLayout;
use super::tensors::NetworkTensors;
use super::trainer::{self, Trainer};
use super::training_data::{self, TrainingData, fitted_scale};
use super::validation::ValidationReport;
use crate::nnue::file::{self, LoadOptions};
use crate::nnue::{Architecture, NetworkParameters, NetworkWeights};
use crate::tools::files::FileLock;
use crate::types::Random;
use crate::types::message::counted;

/// The configuration of a training.
#[derive(Clone, Debug)]
pub struct TrainingConfig {
    pub games: Vec<PathBuf>,
    /// Game files for validation, instead of a share of `games`.
    pub validation: Vec<PathBuf>,
    pub folder: PathBuf,
    pub recipe: Recipe,
    pub threads: usize,
    /// Interval between checkpoints; one more is written at the end.
    pub checkpoint_every: Duration,
    /// Maximum number of training positions in memory.
    pub max_positions: u32,
}

/// Receives the events of a training.
pub trait TrainingObserver {
    /// A message for the user.
    fn message(&mut self, text: &str);

    /// After each step.
    fn progress(&mut self, status: &TrainingStatus);

    /// After each report.
    fn report(&mut self, row: &LogRow, is_best: bool);
}

/// The status of a training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingStatus {
    pub steps: u64,
    pub all_steps: u64,
    pub epoch: f64,
    pub learning_rate: f64,
    /// Mean loss since the last report.
    pub loss: f64,
    pub positions_per_second: f64,
    pub remaining: Duration,
}

/// Why a training is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// All steps are made, or early stopping has skipped some.
    Done,
    /// Stopped by the user.
    Stopped,
}

/// The outcome of a training.
#[derive(Clone, Debug)]
pub struct TrainingOutcome {
    pub reason: StopReason,
    pub last: Option<LogRow>,
    /// The network that was written, unless training was stopped.
    pub network: Option<WrittenNetwork>,
}

/// A written network with its checks.
#[derive(Clone, Debug)]
pub struct WrittenNetwork {
    pub path: PathBuf,
    pub accumulators: AccumulatorRange,
    /// On held-out positions, if there are any.
    pub quantization_error: Option<QuantizationError>,
}

/// Trains a network, or resumes a training if the folder has a checkpoint. When `stop` is set, training
/// ends after the current step with a checkpoint.
///
/// # Errors
/// See [`TrainError`]. The last checkpoint stays valid.
pub fn run(
    config: &TrainingConfig,
    stop: &AtomicBool,
    observer: &mut dyn TrainingObserver,
) -> Result<TrainingOutcome, TrainError> {
    let TrainingConfig { games, validation, folder, recipe, threads, max_positions, .. } = config;
    let (architecture, buckets) = recipe.architecture().map_err(TrainError::Recipe)?;
    let old = open_checkpoint(config)?;
    fs::create_dir_all(folder).map_err(TrainError::io(folder))?;
    let _lock = FileLock::take(folder.join("lock")).map_err(TrainError::io(folder))?;
    // Before the games are read, which may take minutes, so that errors are shown early.
    let (mut trainer, old_progress) = match old {
        Some(old) => {
            let progress = old.progress.clone();
            let at_path = |error| TrainError::Checkpoint(config.checkpoint(), error);
            (old.trainer(*threads).map_err(at_path)?, Some(progress))
        }
        None => {
            let layout = TensorLayout::new(architecture, recipe.factorizer);
            let weights = initial_weights(&layout, recipe, *threads)?;
            let trainer =
                Trainer::new(layout, weights, recipe.scales(), recipe.ema_decay, *threads);
            (trainer.map_err(TrainError::Memory)?, None)
        }
    };
    let data = training_data::read(games, validation, recipe, &buckets, *threads, *max_positions)
        .map_err(TrainError::Data)?;
    report_data(&data, observer);
    let are_single_positions = data.counts.games == data.counts.positions;
    if are_single_positions && validation.is_empty() && !data.held_out.is_empty() {
        observer.message(
            "every game has one position, such as a label: held-out positions may be of the same \
             games as the others; --validation names files of other games",
        );
    }
    if data.training.is_empty() {
        return Err(TrainError::NoTrainingPositions);
    }
    if data.held_out.is_empty() && !validation.is_empty() {
        return Err(TrainError::NoValidationPositions(data.counts));
    }
    let fresh = TrainingProgress::new(data.training.len(), data.fingerprint);
    let progress = match old_progress {
        Some(progress) => {
            if (progress.training_positions, progress.fingerprint)
                != (fresh.training_positions, fresh.fingerprint)
            {
                return Err(TrainError::OtherData {
                    then: progress.training_positions,
                    now: fresh.training_positions,
                });
            }
            observer.message(&format!("resumes after step {}", progress.steps));
            progress
        }
        None => fresh,
    };
    trainer.ranking = recipe.ranking(buckets);
    let rows = log::begin(&config.log(), progress.steps).map_err(TrainError::Log)?;
    let now = Instant::now();
    let training = TrainingRun {
        config,
        data,
        trainer,
        progress,
        last: rows.last().copied(),
        order: Vec::new(),
        shuffled_epoch: None,
        started: now,
        positions: 0,
        saved: now,
    };
    observer.message(&training.plan());
    training.train(stop, observer)
}

fn report_data(data: &TrainingData, observer: &mut dyn TrainingObserver) {
    data.warnings.iter().for_each(|warning| observer.message(warning));
    observer.message(&data.counts.to_string());
    let (training, held_out) = (data.training.len(), data.held_out.len());
    observer.message(&format!(
        "{} to train on, {held_out} held out",
        counted(training as u64, "position")
    ));
    if let Some(scale) = fitted_scale(&data.training) {
        observer.message(&format!("a scale of {scale:.0} fits the results of these scores best"));
    }
}

fn open_checkpoint(config: &TrainingConfig) -> Result<Option<Checkpoint>, TrainError> {
    let path = config.checkpoint();
    if !path.exists() {
        return Ok(None);
    }
    let checkpoint =
        Checkpoint::open(&path).map_err(|error| TrainError::Checkpoint(path.clone(), error))?;
    let differences = config.recipe.differences(&checkpoint.recipe);
    if differences.is_empty() {
        Ok(Some(checkpoint))
    } else {
        Err(TrainError::OtherRecipe { path, differences })
    }
}

/// The initial weights: random, or of a network file or a checkpoint.
fn initial_weights(
    layout: &TensorLayout,
    recipe: &Recipe,
    threads: usize,
) -> Result<NetworkTensors, TrainError> {
    let Some(path) = &recipe.init else {
        return initial(layout, recipe.seed).map_err(TrainError::Memory);
    };
    match Checkpoint::open(path) {
        Ok(checkpoint) => weights_of_checkpoint(path, checkpoint, layout, recipe, threads),
        Err(CheckpointError::NotACheckpoint | CheckpointError::Io(_)) => {
            weights_of_file(path, layout, recipe)
        }
        Err(error) => Err(TrainError::Checkpoint(path.clone(), error)),
    }
}

fn weights_of_file(
    path: &Path,
    layout: &TensorLayout,
    recipe: &Recipe,
) -> Result<NetworkTensors, TrainError> {
    let net = file::load(path, &load_options(recipe)).map_err(TrainError::Load)?;
    check_initial_architecture(path, net.architecture, layout)?;
    let scales = QuantScales::new(recipe.sigmoid_scale, net.fv_scale.unwrap_or(recipe.fv_scale));
    dequantized(layout, &net.parameters(), &scales).map_err(TrainError::Memory)
}

/// The EMA of the weights in a checkpoint, with the same scores as its network in a file.
fn weights_of_checkpoint(
    path: &Path,
    checkpoint: Checkpoint,
    layout: &TensorLayout,
    recipe: &Recipe,
    threads: usize,
) -> Result<NetworkTensors, TrainError> {
    if checkpoint.recipe.bucket_mode != recipe.bucket_mode {
        let mode = |recipe: &Recipe| recipe.bucket_mode.clone().unwrap_or_else(|| "none".into());
        let (has, needs) = (mode(&checkpoint.recipe), mode(recipe));
        return Err(TrainError::OtherBucketMode { path: path.into(), has, needs });
    }
    let (from, score_unit) = (checkpoint.layout, checkpoint.recipe.score_unit());
    check_initial_architecture(path, from.architecture, layout)?;
    let trainer = checkpoint.trainer(threads);
    let trainer = trainer.map_err(|error| TrainError::Checkpoint(path.to_owned(), error))?;
    let mut weights = NetworkTensors::converted(layout, &from, trainer.ema_weights())
        .map_err(TrainError::Memory)?;
    let factor = score_unit / recipe.sigmoid_scale;
    weights.stacks.iter_mut().for_each(|stack| stack.scale_output(layout, factor));
    Ok(weights)
}

fn check_initial_architecture(
    path: &Path,
    has: Architecture,
    layout: &TensorLayout,
) -> Result<(), TrainError> {
    if layout.can_start_from(has) {
        Ok(())
    } else {
        Err(TrainError::OtherNetwork { path: path.into(), has, needs: layout.architecture })
    }
}

/// The options to load a network of this recipe.
pub(super) fn load_options(recipe: &Recipe) -> LoadOptions {
    let bucket_mode = recipe.bucket_mode.clone().filter(|mode| mode != "one");
    LoadOptions { bucket_mode, ..LoadOptions::default() }
}

impl TrainingConfig {
    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn checkpoint(&self) -> PathBuf {
        self.file("checkpoint")
    }

    fn log(&self) -> PathBuf {
        self.file("log.tsv")
    }
}

/// With fewer steps the weights stay near their initial values.
const FEW_STEPS: u64 = 2000;

/// A training in progress.
struct TrainingRun<'a> {
    config: &'a TrainingConfig,
    data: TrainingData,
    trainer: Trainer,
    progress: TrainingProgress,
    /// The last report.
    last: Option<LogRow>,
    /// The samples in the order of the current epoch.
    order: Vec<SampleRef>,
    shuffled_epoch: Option<u64>,
    started: Instant,
    /// Positions processed since then.
    positions: u64,
    saved: Instant,
}

impl<'a> TrainingRun<'a> {
    fn recipe(&self) -> &'a Recipe {
        &self.config.recipe
    }

    fn steps_of_epoch(&self) -> u64 {
        self.data.training.len().div_ceil(self.recipe().batch) as u64
    }

    fn all_steps(&self) -> u64 {
        self.steps_of_epoch() * u64::from(self.recipe().epochs)
    }

    fn plan(&self) -> String {
        let (steps, batch) = (self.all_steps(), self.recipe().batch);
        let hint = if steps < FEW_STEPS {
            "; this is too few to train a network well, use a smaller batch or more epochs"
        } else {
            ""
        };
        format!("{} of {}{hint}", counted(steps, "step"), counted(batch as u64, "position"))
    }

    /// Makes all steps, saves the checkpoint and writes the network.
    fn train(
        mut self,
        stop: &AtomicBool,
        observer: &mut dyn TrainingObserver,
    ) -> Result<TrainingOutcome, TrainError> {
        let reason = self.train_to_end(stop, observer)?;
        self.save()?;
        let last = self.last;
        if reason == StopReason::Stopped {
            return Ok(TrainingOutcome { reason, last, network: None });
        }
        let network = Some(self.write_network()?);
        self.report_clipped_stacks(observer);
        Ok(TrainingOutcome { reason, last, network })
    }

    /// Makes steps until the training ends.
    fn train_to_end(
        &mut self,
        stop: &AtomicBool,
        observer: &mut dyn TrainingObserver,
    ) -> Result<StopReason, TrainError> {
        while self.progress.steps < self.all_steps() {
            if self.stops_early() {
                let begin = self.quantization_phase().begin;
                observer.message(
                    "early stopping, because the validation loss has not improved for too long",
                );
                if begin == self.all_steps() {
                    return Ok(StopReason::Done);
                }
                self.trainer.skip_to(begin);
                self.progress.steps = begin;
            }
            if stop.load(Ordering::Relaxed) {
                return Ok(StopReason::Stopped);
            }
            if self.progress.steps == self.quantization_phase().begin {
                // The weights of later checkpoints are rounded.
                self.write_checkpoint(&self.config.file("checkpoint-unquantized"))?;
            }
            let rate = self.step();
            observer.progress(&self.status(rate));
            if self.is_report_due() {
                self.report(rate, observer)?;
            }
            if self.saved.elapsed() >= self.config.checkpoint_every {
                self.save()?;
            }
        }
        Ok(StopReason::Done)
    }

    /// Whether early stopping applies; the quantisation is always completed.
    fn stops_early(&self) -> bool {
        let patience = self.recipe().patience;
        let (since, step) = (self.progress.since_best, self.progress.steps);
        patience > 0 && since >= patience && step < self.quantization_phase().begin
    }

    fn quantization_phase(&self) -> QuantizationPhase {
        QuantizationPhase::new(
            self.recipe().quantize_share,
            self.all_steps(),
            trainer::QUANTIZED_PARTS,
        )
    }

    /// Makes a step; returns its learning rate.
    fn step(&mut self) -> f32 {
        let (recipe, step) = (self.recipe(), self.progress.steps);
        let (of_epoch, all) = (self.steps_of_epoch(), self.all_steps());
        self.shuffle(step / of_epoch);
        // The index at which the batch of a step of the epoch begins.
        let batch_start = |step: u64| (step * self.order.len() as u64 / of_epoch) as usize;
        let batch = &self.order[batch_start(step % of_epoch)..batch_start(step % of_epoch + 1)];
        let objective = recipe.objective(step as f32 / all as f32);
        let phase = self.quantization_phase();
        let learning = if step < phase.begin {
            learning_rate(
                recipe.learning_rate,
                recipe.lr_schedule,
                recipe.warm_up,
                step,
                phase.begin,
            )
        } else {
            phase.learning_rate(recipe.learning_rate, step)
        };
        let rate = AdamRate { learning, decay: learning * recipe.weight_decay };
        // Not in the checkpoint, because it follows from the step.
        self.trainer.quantized_parts =
            step.checked_sub(1).map_or(0, |before| phase.quantized_parts(before));
        while self.trainer.quantized_parts < phase.quantized_parts(step) {
            self.trainer.quantize_next_part();
        }
        self.progress.loss_sum += self.trainer.step(&self.data.training, batch, &objective, rate);
        self.progress.loss_positions += batch.len() as u64;
        self.positions += batch.len() as u64;
        self.progress.steps = self.trainer.steps;
        self.progress.updates = self.trainer.ema.updates;
        learning
    }

    /// Shuffles the samples for an epoch.
    fn shuffle(&mut self, epoch: u64) {
        if self.shuffled_epoch != Some(epoch) {
            self.order.clear();
            let (count, mirror) = (self.data.training.len() as u32, self.recipe().mirror);
            self.order.extend((0..count).map(|sample| SampleRef::of_epoch(sample, epoch, mirror)));
            Random::of_part(self.recipe().seed, ORDER ^ epoch).shuffle(&mut self.order);
            self.shuffled_epoch = Some(epoch);
        }
    }

    fn status(&self, learning_rate: f32) -> TrainingStatus {
        let (steps, all_steps) = (self.progress.steps, self.all_steps());
        let speed = self.positions as f64 / self.started.elapsed().as_secs_f64().max(1e-9);
        let left = (all_steps - steps) as f64 / self.steps_of_epoch() as f64;
        let left = left * self.data.training.len() as f64 / speed.max(1e-9);
        TrainingStatus {
            steps,
            all_steps,
            epoch: self.epoch(),
            learning_rate: f64::from(learning_rate),
            loss: self.progress.mean_loss(),
            positions_per_second: speed,
            remaining: Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX),
        }
    }

    fn epoch(&self) -> f64 {
        self.progress.steps as f64 / self.steps_of_epoch() as f64
    }

    /// Whether a report is due after the last step.
    fn is_report_due(&self) -> bool {
        let reports = |steps: u64| steps * u64::from(self.recipe().reports) / self.all_steps();
        reports(self.progress.steps) > reports(self.progress.steps - 1)
    }

    fn report(&mut self, rate: f32, observer: &mut dyn TrainingObserver) -> Result<(), TrainError> {
        self.check_numbers()?;
        let train_loss = self.progress.mean_loss();
        (self.progress.loss_sum, self.progress.loss_positions) = (0.0, 0);
        let report = self.validate()?;
        let is_best = report.is_some_and(|report| report.loss < self.progress.best_loss);
        let of = |value: fn(&ValidationReport) -> f64| report.as_ref().map_or(f64::NAN, value);
        let row = LogRow {
            step: self.progress.steps,
            epoch: self.epoch(),
            learning_rate: f64::from(rate),
            train_loss,
            loss: of(|report| report.loss),
            mean_square_error: of(|report| report.mean_square_error),
            outcome_accuracy: of(|report| report.outcome_accuracy),
            move_agreement: of(|report| report.move_agreement),
            seconds: self.started.elapsed().as_secs_f64(),
        };
        self.last = Some(row);
        let log = self.config.log();
        log::append(&log, &row).map_err(TrainError::Log)?;
        // From the log, so that `plot` draws the same curves from its rounded numbers.
        let rows = log::read(&log).map_err(TrainError::Log)?;
        let curves = self.config.file("curves.svg");
        fs::write(&curves, plot::svg(&rows)).map_err(TrainError::io(&curves))?;
        observer.report(&row, is_best);
        if !is_best {
            // Without held-out positions nothing can improve.
            self.progress.since_best += u32::from(report.is_some());
            return Ok(());
        }
        (self.progress.best_loss, self.progress.since_best) = (row.loss, 0);
        match self.write_file("best.bin") {
            Err(TrainError::Export(ExportError::Overflow(range))) => {
                observer
                    .message(&format!("best.bin is not written: accumulators may reach {range}"));
                Ok(())
            }
            result => result.map(|_| ()),
        }
    }

    /// Evaluates the EMA of the weights, quantised, on the held-out positions; `None` if there
    /// are none.
    fn validate(&self) -> Result<Option<ValidationReport>, TrainError> {
        let (held_out, threads) = (&self.data.held_out, self.config.threads);
        if held_out.is_empty() {
            return Ok(None);
        }
        let net = self.packed_ema()?;
        Ok(Some(ValidationReport::of_network(&net, self.recipe(), held_out, threads)))
    }

    /// NaN becomes 0 where it is clipped and in files, so the loss does not reveal it.
    fn check_numbers(&self) -> Result<(), TrainError> {
        if self.trainer.weights.are_finite() {
            Ok(())
        } else {
            Err(TrainError::Diverged(self.progress.steps))
        }
    }

    fn save(&mut self) -> Result<(), TrainError> {
        self.write_checkpoint(&self.config.checkpoint())?;
        self.saved = Instant::now();
        Ok(())
    }

    fn write_checkpoint(&self, path: &Path) -> Result<(), TrainError> {
        self.check_numbers()?;
        checkpoint::write(path, self.recipe(), &self.progress, &self.trainer)
            .map_err(TrainError::io(path))
    }

    /// Writes the EMA of the weights as a network.
    fn write_file(&self, name: &str) -> Result<(PathBuf, AccumulatorRange), TrainError> {
        let path = self.config.file(name);
        let Recipe { bucket_mode, fv_scale, .. } = self.recipe();
        let written =
            export::write(&path, &self.quantized_ema(), bucket_mode.as_deref(), *fv_scale);
        written.map(|accumulators| (path, accumulators)).map_err(TrainError::Export)
    }

    /// The EMA of the weights, quantised.
    fn quantized_ema(&self) -> NetworkParameters {
        quantized(&self.trainer.layout, self.trainer.ema_weights(), &self.recipe().scales())
    }

    /// The same for the evaluator of the engine.
    fn packed_ema(&self) -> Result<Arc<NetworkWeights>, TrainError> {
        let (_, buckets) = self.recipe().architecture().map_err(TrainError::Recipe)?;
        Ok(Arc::new(self.quantized_ema().packed(buckets).map_err(TrainError::Memory)?))
    }

    /// Names the layer stacks that training hardly changes.
    fn report_clipped_stacks(&self, observer: &mut dyn TrainingObserver) {
        let TrainingData { training, held_out, .. } = &self.data;
        let samples = if held_out.is_empty() { training } else { held_out };
        let samples = &samples[..samples.len().min(self.recipe().held_out_positions)];
        let (layout, weights) = (&self.trainer.layout, self.trainer.ema_weights());
        for stack in clipped_stacks(layout, weights, samples) {
            observer.message(&stack.message());
        }
    }

    fn write_network(&self) -> Result<WrittenNetwork, TrainError> {
        let (path, accumulators) = self.write_file("net.bin")?;
        let (held_out, threads) = (&self.data.held_out, self.config.threads);
        let quantization_error = if held_out.is_empty() {
            None
        } else {
            let (layout, weights) = (&self.trainer.layout, self.trainer.ema_weights());
            let net = self.packed_ema()?;
            let recipe = self.recipe();
            Some(export::quantization_error(layout, weights, &net, recipe, held_out, threads))
        };
        Ok(WrittenNetwork { path, accumulators, quantization_error })
    }
}

/// Writes the network of a checkpoint.
///
/// # Errors
/// See [`TrainError`].
pub fn export_checkpoint(
    checkpoint: &Path,
    to: &Path,
    which: WeightChoice,
    threads: usize,
) -> Result<(Recipe, TrainingProgress, AccumulatorRange), TrainError> {
    let at_path = |error| TrainError::Checkpoint(checkpoint.into(), error);
    let opened = Checkpoint::open(checkpoint).map_err(at_path)?;
    let (recipe, progress) = (opened.recipe.clone(), opened.progress.clone());
    let trainer = opened.trainer(threads).map_err(at_path)?;
    let weights = match which {
        WeightChoice::Ema => trainer.ema_weights(),
        WeightChoice::Last => &trainer.weights,
    };
    let file = quantized(&trainer.layout, weights, &recipe.scales());
    let written = export::write(to, &file, recipe.bucket_mode.as_deref(), recipe.fv_scale);
    let accumulators = written.map_err(TrainError::Export)?;
    Ok((recipe, progress, accumulators))
}

/// Which weights of a training are exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightChoice {
    /// Their exponential moving average.
    Ema,
    /// Those of the last step.
    Last,
}
