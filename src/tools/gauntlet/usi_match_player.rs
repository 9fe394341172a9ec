//! A player that is a USI engine process.
//!
//! Sends `go`, waits for the answer, and measures the time. The game checks the answer and the time.

use std::time::{Duration, Instant};

use crossbeam::channel::never;

use super::engine_spec::{EngineSpec, set_option};
use super::match_player::{MatchPlayer, SearchAnswer, SearchCommand};
use super::runner::{MatchPlayerFactory, StartFailure};
use crate::usi_client::{
    EngineFault, EngineTimeouts, GameOver, LaunchConfig, StartError, UsiEngine, is_answer,
};

/// A running engine.
#[derive(Debug)]
pub struct UsiMatchPlayer {
    engine: UsiEngine,
    /// Whether a ponder search is running.
    pondering: bool,
}

impl UsiMatchPlayer {
    /// Starts the engine, waits for `usiok` and sets its options.
    ///
    /// # Errors
    /// See [`StartError`].
    pub fn start(
        spec: &EngineSpec,
        timeouts: EngineTimeouts,
    ) -> Result<UsiMatchPlayer, StartError> {
        let mut options = spec.options.clone();
        if spec.ponder {
            set_option(&mut options, "USI_Ponder", "true");
        }
        let command = spec.command.iter().map(Into::into).collect();
        let directory = spec.directory.clone();
        // Ctrl-C is for this program: it must not end the engines first, or they would lose games.
        let launch = LaunchConfig {
            command,
            directory,
            options,
            own_group: true,
            ..LaunchConfig::default()
        };
        let engine = UsiEngine::start(&launch, timeouts, None, never())?;
        Ok(UsiMatchPlayer { engine, pondering: false })
    }

    /// The answer to the `go` sent at `sent`. Sends `stop` after `timeout`.
    fn answer(&mut self, sent: Instant, timeout: Duration) -> Result<SearchAnswer, EngineFault> {
        match self.wait_for_answer(sent, sent + timeout)? {
            Some(answer) => Ok(answer),
            None => self.stop(sent),
        }
    }

    /// Sends `stop` and waits for the answer to the `go` sent at `sent`.
    fn stop(&mut self, sent: Instant) -> Result<SearchAnswer, EngineFault> {
        self.engine.send("stop")?;
        let timeout = self.engine.timeouts().stop;
        let answer = self.wait_for_answer(sent, Instant::now() + timeout)?;
        self.engine.or_timeout(answer, &format!("no answer {} ms after stop", timeout.as_millis()))
    }

    /// `None` if no answer comes before the deadline.
    fn wait_for_answer(
        &mut self,
        sent: Instant,
        deadline: Instant,
    ) -> Result<Option<SearchAnswer>, EngineFault> {
        let answer = self.engine.wait_for(deadline, |line| is_answer(&line.line))?;
        let Some(answer) = answer else { return Ok(None) };
        if answer.received < sent {
            return Err(self.engine.unexpected(&answer));
        }
        let elapsed = answer.received - sent;
        Ok(Some(SearchAnswer { line: answer.line, elapsed, info: answer.info }))
    }
}

impl MatchPlayer for UsiMatchPlayer {
    fn set_options(&mut self, options: &[(String, String)]) -> Result<(), EngineFault> {
        Ok(self.engine.set_options(options)?)
    }

    fn new_game(&mut self) -> Result<(), EngineFault> {
        match self.engine.new_game(self.engine.timeouts().ready)? {
            None => Ok(()),
            // It would play with other settings than the match is to measure.
            Some(error) => Err(EngineFault::protocol(format!(
                "it reported an error while it got ready: {error}"
            ))),
        }
    }

    fn search(&mut self, command: &SearchCommand<'_>) -> Result<SearchAnswer, EngineFault> {
        self.engine.check_no_answer()?;
        self.engine.send(command.position)?;
        let sent = Instant::now();
        self.engine.send(&command.go.to_string())?;
        self.answer(sent, command.timeout)
    }

    fn start_ponder(&mut self, command: &SearchCommand<'_>) -> Result<(), EngineFault> {
        self.engine.check_no_answer()?;
        self.engine.send(command.position)?;
        self.pondering = true;
        self.engine.send(&command.go.to_string())
    }

    fn ponder_hit(&mut self, timeout: Duration) -> Result<SearchAnswer, EngineFault> {
        self.engine.check_no_answer()?;
        self.pondering = false;
        let sent = Instant::now();
        self.engine.send("ponderhit")?;
        self.answer(sent, timeout)
    }

    fn stop_ponder(&mut self) -> Result<Duration, EngineFault> {
        self.engine.check_no_answer()?;
        self.pondering = false;
        self.stop(Instant::now()).map(|answer| answer.elapsed)
    }

    fn game_over(&mut self, outcome: GameOver) -> Result<(), EngineFault> {
        self.engine.check_no_answer()?;
        self.engine.send(&format!("gameover {outcome}"))
    }

    fn transcript(&self) -> Vec<String> {
        self.engine.transcript()
    }
}

impl Drop for UsiMatchPlayer {
    fn drop(&mut self) {
        if self.pondering {
            self.engine.kill_on_drop();
        }
    }
}

/// Starts the engines of a match.
pub(in crate::tools) struct EngineFactory<'a> {
    pub(in crate::tools) specs: &'a [EngineSpec],
    pub(in crate::tools) timeouts: EngineTimeouts,
}

impl MatchPlayerFactory for EngineFactory<'_> {
    fn start(&self, engine: usize) -> Result<Box<dyn MatchPlayer>, StartFailure> {
        match UsiMatchPlayer::start(&self.specs[engine], self.timeouts) {
            Ok(player) => Ok(Box::new(player)),
            Err(error) => {
                let retry = matches!(error, StartError::Fault(_));
                Err(StartFailure { reason: error.to_string(), retry })
            }
        }
    }
}
