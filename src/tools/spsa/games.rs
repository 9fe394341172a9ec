//! Trials as games: tables of the match tool, each with an engine for either side that lives from
//! game to game and gets its values as options.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::thread::Scope;

use crossbeam::channel::{Receiver, Sender, bounded, unbounded};

use super::climb::{Contest, Trial};
use super::config::TuneConfig;
use super::{Observer, TuneError, Unplayable};
use crate::tools::gauntlet::game::Played;
use crate::tools::gauntlet::runner::{Hall, Job, News, Starter, Table};
use crate::tools::gauntlet::schedule::Fixture;
use crate::types::{ByColor, Color};

/// Index of the engine that plays with the values of `plus`.
const PLUS: usize = 0;

/// The tables of a tuning. When it is dropped, they end with the game they are at.
pub(super) struct Games<'a> {
    config: &'a TuneConfig,
    hall: &'a Hall<'a>,
    jobs: Sender<Job>,
    /// The jobs that no table has taken yet.
    waiting: Receiver<Job>,
    news: Receiver<Result<News, Unplayable>>,
}

impl<'a> Games<'a> {
    /// Opens the tables, each on a thread of its own.
    pub(super) fn open<'scope>(
        scope: &'scope Scope<'scope, '_>,
        config: &'a TuneConfig,
        hall: &'a Hall<'a>,
        starter: &'a dyn Starter,
    ) -> Games<'a>
    where
        'a: 'scope,
    {
        let (jobs, waiting) = unbounded::<Job>();
        let (sender, news) = bounded(0);
        for _ in 0..hall.concurrency {
            let (waiting, sender) = (waiting.clone(), sender.clone());
            scope.spawn(move || {
                let mut table = Table::new(hall, starter, sender);
                while waiting.recv().is_ok_and(|job| table.play(&job)) {}
            });
        }
        Games { config, hall, jobs, waiting, news }
    }

    /// Both games of a trial.
    fn jobs_of(&self, trial: &Trial) -> io::Result<[Job; 2]> {
        let TuneConfig { subject, numbers, files, .. } = self.config;
        let options = |values, side| {
            let folder = files.nets.join(format!("{}-{side}", trial.pair));
            subject.options(numbers, values, &folder)
        };
        let (plus, minus) = (options(&trial.plus, "plus")?, options(&trial.minus, "minus")?);
        let first = 2 * (trial.pair - 1);
        Ok([first, first + 1].map(|number| {
            let fixture = self.hall.schedule.fixture(number);
            let options = [fixture.black, fixture.white]
                .map(|engine| if engine == PLUS { plus.clone() } else { minus.clone() });
            Job { fixture, options: ByColor(options) }
        }))
    }

    /// Removes the networks of games that are over, and those that another run has left. Where the
    /// system keeps files in use, the last ones stay until the next time.
    fn tidy(&self) {
        let _ = fs::remove_dir_all(&self.config.files.nets);
    }
}

impl Contest for Games<'_> {
    fn play(
        &mut self,
        trials: &[Trial],
        observer: &mut dyn Observer,
    ) -> Result<Vec<i32>, TuneError> {
        let jobs: io::Result<Vec<_>> = trials.iter().map(|trial| self.jobs_of(trial)).collect();
        let jobs = jobs.map_err(|error| TuneError::File(self.config.files.nets.clone(), error))?;
        for job in jobs.into_iter().flatten() {
            // There is a receiver: this.
            let _ = self.jobs.send(job);
        }
        let mut left = 2 * trials.len();
        let mut results: HashMap<usize, i32> = HashMap::new();
        while left > 0 {
            let news = self.news.recv().expect("the tables stay as long as their jobs may come");
            match news.map_err(TuneError::Engine)? {
                News::Game(fixture, played) => {
                    tell_offences(fixture, &played, observer);
                    *results.entry(fixture.number / 2 + 1).or_default() += result(fixture, &played);
                    left -= 1;
                }
                News::Restart { engine, reason } => {
                    let name = &self.hall.engines[engine].name;
                    observer.trouble(&format!("{name} is started anew: {reason}"));
                }
                News::Quiet => {}
            }
        }
        self.tidy();
        Ok(trials.iter().map(|trial| results[&trial.pair]).collect())
    }
}

impl Drop for Games<'_> {
    fn drop(&mut self) {
        // What nobody has begun shall not be played.
        while self.waiting.try_recv().is_ok() {}
        self.tidy();
    }
}

/// What a game counts for `plus`.
fn result(fixture: Fixture, played: &Played) -> i32 {
    let plus = if fixture.black == PLUS { Color::Black } else { Color::White };
    played.end.outcome.for_side(plus).into()
}

/// Tells of what no sound engine does. It counts as lost all the same: values under which the
/// engine fails are bad.
fn tell_offences(fixture: Fixture, played: &Played, observer: &mut dyn Observer) {
    let number = fixture.number;
    if let Some(blame) = &played.blame {
        observer.trouble(&format!(
            "game {number}: lost by {}: {}\n{}\n    {}",
            played.end.ending,
            blame.detail,
            blame.position,
            blame.transcript.join("\n    ")
        ));
    }
    for (_, fault) in &played.late_faults {
        observer.trouble(&format!("game {number}: after the end: {fault}"));
    }
}
