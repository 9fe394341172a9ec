//! Asks the teacher about positions of games and keeps its answers packed.

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, unbounded};

use super::answers::{AnswerWriter, PackedAnswer, UNITS, UnitAnswers};
use super::model::TeacherPool;
use super::questions::{QuestionSource, best_legal};
use crate::sys::in_file;
use crate::tools::game_file::GameFileHeader;

/// Which questions a teacher is asked, and where the answers go.
#[derive(Debug)]
pub struct AskConfig {
    /// The file of packed answers; an existing one is continued.
    pub out: PathBuf,
    /// Threads that prepare inputs.
    pub threads: usize,
    pub questions: QuestionSource,
    pub teacher: TeacherPool,
}

/// How far the questions are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AskProgress {
    pub units: u64,
    pub all_units: u64,
    /// Answers in the file, and how many of them were there before.
    pub answers: u64,
    pub old_answers: u64,
    pub elapsed: Duration,
}

impl fmt::Display for AskProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AskProgress { units, all_units, answers, old_answers, elapsed } = self;
        let rate = (answers - old_answers) as f64 / elapsed.as_secs_f64().max(1e-9);
        write!(f, "{units} of {all_units} units, {answers} answers, {rate:.0} a second")
    }
}

impl AskConfig {
    /// Asks until all questions are answered or `stop` is set, which ends it after the units in work.
    ///
    /// # Errors
    /// The settings, the file, a game or the teacher, as text. Finished units are in the file.
    pub fn run(
        &self,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&AskProgress),
    ) -> Result<AskProgress, String> {
        self.questions.check().map_err(|error| error.to_string())?;
        let file_error = |error| in_file(&self.out, error);
        let (writer, old) = AnswerWriter::append(&self.out, &self.header()).map_err(file_error)?;
        let units = self.questions.units();
        let all_units = units.end - units.start;
        let left: Vec<u64> = units.filter(|&unit| !old.has(unit)).collect();
        let progress = AskProgress {
            units: all_units - left.len() as u64,
            all_units,
            answers: old.count(),
            old_answers: old.count(),
            elapsed: Duration::ZERO,
        };
        let shared = Shared { config: self, left: &left, next: AtomicU64::new(0), stop };
        thread::scope(|scope| {
            let (sender, answers) = unbounded();
            for _ in 0..self.threads.max(1) {
                let sender = sender.clone();
                scope.spawn(|| shared.work(sender));
            }
            drop(sender);
            let written = collect(writer, &answers, progress, &mut *report, file_error);
            // After an error the threads have nothing left to do.
            shared.next.store(left.len() as u64, Relaxed);
            written
        })
    }

    fn header(&self) -> String {
        let mut header = GameFileHeader::new();
        header.set("teacher", self.teacher.name());
        self.questions.describe(&mut header);
        header.set(UNITS, self.questions.all_units());
        header.to_string()
    }

    fn answer(&self, unit: u64) -> Result<UnitAnswers, String> {
        let (mut inputs, mut legal, mut positions) = (Vec::new(), Vec::new(), Vec::new());
        self.questions.for_each(unit, &mut |mut question| {
            inputs.push(question.input());
            legal.push(question.policy_indices());
            positions.extend(question.key().to_le_bytes());
        })?;
        let answers = self.teacher.ask(&inputs)?;
        let pairs = answers.iter().zip(&legal);
        let pack = |(answer, legal): (_, &Vec<u16>)| {
            let best = best_legal(answer, legal);
            PackedAnswer::new(answer.value, best)
        };
        Ok(UnitAnswers {
            positions: crc32fast::hash(&positions),
            answers: pairs.map(pack).collect(),
        })
    }
}

/// What the threads share.
struct Shared<'a> {
    config: &'a AskConfig,
    left: &'a [u64],
    /// Index in `left`.
    next: AtomicU64,
    stop: &'a AtomicBool,
}

type Finished = Result<(u64, UnitAnswers), String>;

impl Shared<'_> {
    fn work(&self, sender: Sender<Finished>) {
        while !self.stop.load(Relaxed)
            && let Some(&unit) = self.left.get(self.next.fetch_add(1, Relaxed) as usize)
        {
            let answers = self.config.answer(unit).map(|answers| (unit, answers));
            // The receiver is gone only after another failure.
            if answers.is_err() | sender.send(answers).is_err() {
                break;
            }
        }
    }
}

/// Writes units as they come.
fn collect(
    mut writer: AnswerWriter,
    answers: &Receiver<Finished>,
    mut progress: AskProgress,
    report: &mut dyn FnMut(&AskProgress),
    file_error: impl Fn(std::io::Error) -> String,
) -> Result<AskProgress, String> {
    const TICK: Duration = Duration::from_millis(500);
    let start = Instant::now();
    loop {
        match answers.recv_timeout(TICK) {
            Ok(Ok((unit, answers))) => {
                writer.push(unit, &answers).map_err(&file_error)?;
                progress.units += 1;
                progress.answers += answers.answers.len() as u64;
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
