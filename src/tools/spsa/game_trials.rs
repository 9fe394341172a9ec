//! Plays trials as games, with the workers of the match tool. Engines stay alive from game to game and
//! get their values as options.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::thread::{self, Scope};

use crossbeam::channel::{Receiver, Sender, bounded, unbounded};

use super::optimizer::{Trial, TrialError, TrialRunner};
use super::tune_config::TuneConfig;
use super::tune_observer::TuneObserver;
use crate::sys::refused_thread;
use crate::tools::gauntlet::match_game::PlayedGame;
use crate::tools::gauntlet::runner::{
    EngineFailure, GameTask, GameWorker, MatchEvent, MatchPlayerFactory,
};
use crate::tools::gauntlet::schedule::{Schedule, ScheduledGame};
use crate::types::{ByColor, Color};

/// Index of the engine with the values of `plus`.
const PLUS: usize = 0;

/// The workers of a tuning. When it is dropped, they end after their current game.
pub(super) struct GameTrials<'a> {
    config: &'a TuneConfig,
    schedule: Schedule,
    tasks: Sender<GameTask>,
    /// The tasks that no worker has taken yet.
    waiting: Receiver<GameTask>,
    events: Receiver<Result<MatchEvent, EngineFailure>>,
}

impl<'a> GameTrials<'a> {
    /// Starts the workers, each on its own thread.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub(super) fn open<'scope>(
        scope: &'scope Scope<'scope, '_>,
        builder: fn() -> thread::Builder,
        config: &'a TuneConfig,
        factory: &'a dyn MatchPlayerFactory,
    ) -> io::Result<GameTrials<'a>>
    where
        'a: 'scope,
    {
        let (tasks, waiting) = unbounded::<GameTask>();
        let (sender, events) = bounded(0);
        let games = &config.games;
        for _ in 0..games.concurrency {
            let (waiting, sender) = (waiting.clone(), sender.clone());
            let work = move || {
                let mut worker = GameWorker::new(games, factory, sender);
                while waiting.recv().is_ok_and(|task| worker.play(&task)) {}
            };
            builder().spawn_scoped(scope, work).map_err(refused_thread)?;
        }
        Ok(GameTrials { config, schedule: games.schedule(), tasks, waiting, events })
    }

    /// The two games of a trial.
    fn tasks_of(&self, trial: &Trial) -> io::Result<[GameTask; 2]> {
        let TuneConfig { target, parameters, files, .. } = self.config;
        let options = |values, side| {
            let folder = files.networks.join(format!("{}-{side}", trial.pair));
            target.options(parameters, values, &folder)
        };
        let (plus, minus) = (options(&trial.plus, "plus")?, options(&trial.minus, "minus")?);
        let first = 2 * (trial.pair - 1);
        Ok([first, first + 1].map(|number| {
            let scheduled = self.schedule.game(number);
            let options = [scheduled.black, scheduled.white]
                .map(|engine| if engine == PLUS { plus.clone() } else { minus.clone() });
            GameTask { scheduled, options: ByColor(options) }
        }))
    }

    /// Removes the network files of finished games and of earlier runs. Where the system cannot remove
    /// files in use, the last ones stay until the next call.
    fn remove_old_networks(&self) {
        let _ = fs::remove_dir_all(&self.config.files.networks);
    }
}

impl TrialRunner for GameTrials<'_> {
    fn play(
        &mut self,
        trials: &[Trial],
        observer: &mut dyn TuneObserver,
    ) -> Result<Vec<i32>, TrialError> {
        let tasks: io::Result<Vec<_>> = trials.iter().map(|trial| self.tasks_of(trial)).collect();
        let tasks =
            tasks.map_err(|error| TrialError::File(self.config.files.networks.clone(), error))?;
        for task in tasks.into_iter().flatten() {
            // `self` holds a receiver.
            let _ = self.tasks.send(task);
        }
        let mut left = 2 * trials.len();
        let mut results: HashMap<usize, i32> = HashMap::new();
        while left > 0 {
            let event = self.events.recv().expect("the workers run as long as they have games");
            match event.map_err(TrialError::Engine)? {
                MatchEvent::Game(scheduled, played) => {
                    report_forfeit(scheduled, &played, observer);
                    *results.entry(scheduled.number / 2 + 1).or_default() +=
                        result(scheduled, &played);
                    left -= 1;
                }
                MatchEvent::Restart { engine, reason } => {
                    let name = &self.config.games.engines[engine].name;
                    observer.warn(&format!("{name} is restarted: {reason}"));
                }
                MatchEvent::Idle => {}
            }
        }
        self.remove_old_networks();
        Ok(trials.iter().map(|trial| results[&trial.pair]).collect())
    }
}

impl Drop for GameTrials<'_> {
    fn drop(&mut self) {
        // Drops the tasks that have not begun.
        while self.waiting.try_recv().is_ok() {}
        self.remove_old_networks();
    }
}

/// The result of a game for `plus`.
fn result(scheduled: ScheduledGame, played: &PlayedGame) -> i32 {
    let plus = if scheduled.black == PLUS { Color::Black } else { Color::White };
    played.end.outcome.for_side(plus).into()
}

/// Reports faults. The game counts as lost all the same: values with which the engine fails are bad.
fn report_forfeit(scheduled: ScheduledGame, played: &PlayedGame, observer: &mut dyn TuneObserver) {
    let number = scheduled.number;
    if let Some(forfeit) = &played.forfeit {
        observer.warn(&format!(
            "game {number}: lost by {}: {}\n{}\n    {}",
            played.end.reason,
            forfeit.detail,
            forfeit.position,
            forfeit.transcript.join("\n    ")
        ));
    }
    for (_, fault) in &played.late_faults {
        observer.warn(&format!("game {number}: after the end: {fault}"));
    }
}
