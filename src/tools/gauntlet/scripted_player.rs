//! A player with scripted answers, for tests.

use std::collections::VecDeque;
use std::time::Duration;

use super::match_player::{MatchPlayer, SearchAnswer, SearchCommand};
use crate::usi_client::{EngineFault, EngineScore, GameOver, SearchInfo};

/// Gives its answers in order and then resigns. Logs the calls.
#[derive(Debug, Default)]
pub(super) struct ScriptedPlayer {
    pub(super) answers: VecDeque<Result<SearchAnswer, EngineFault>>,
    pub(super) log: Vec<String>,
    /// Returned by `new_game`.
    pub(super) ready_fault: Option<EngineFault>,
    pub(super) stop_fault: Option<EngineFault>,
    pub(super) stop_takes: Duration,
}

/// An answer after 10 ms.
pub(super) fn answer(best: &str) -> SearchAnswer {
    let elapsed = Duration::from_millis(10);
    SearchAnswer { line: format!("bestmove {best}"), elapsed, info: SearchInfo::default() }
}

pub(super) fn scored(best: &str, centipawns: i64) -> SearchAnswer {
    let score = Some(EngineScore::Centipawns(centipawns));
    SearchAnswer { info: SearchInfo { score, ..SearchInfo::default() }, ..answer(best) }
}

impl ScriptedPlayer {
    /// Plays these answers, separated by commas.
    pub(super) fn playing(answers: &str) -> ScriptedPlayer {
        ScriptedPlayer::answering(answers.split(',').map(|best| Ok(answer(best.trim()))))
    }

    pub(super) fn answering(
        answers: impl IntoIterator<Item = Result<SearchAnswer, EngineFault>>,
    ) -> ScriptedPlayer {
        ScriptedPlayer { answers: answers.into_iter().collect(), ..ScriptedPlayer::default() }
    }

    fn next(&mut self) -> Result<SearchAnswer, EngineFault> {
        self.answers.pop_front().unwrap_or_else(|| Ok(answer("resign")))
    }
}

impl MatchPlayer for ScriptedPlayer {
    fn set_options(&mut self, options: &[(String, String)]) -> Result<(), EngineFault> {
        self.log.extend(options.iter().map(|(name, value)| format!("{name}={value}")));
        Ok(())
    }

    fn new_game(&mut self) -> Result<(), EngineFault> {
        self.log.push("new game".into());
        self.ready_fault.clone().map_or(Ok(()), Err)
    }

    fn search(&mut self, command: &SearchCommand<'_>) -> Result<SearchAnswer, EngineFault> {
        self.log.push(format!("{}; {}", command.position, command.go));
        self.next()
    }

    fn start_ponder(&mut self, command: &SearchCommand<'_>) -> Result<(), EngineFault> {
        self.log.push(format!("{}; {}", command.position, command.go));
        Ok(())
    }

    fn ponder_hit(&mut self, _timeout: Duration) -> Result<SearchAnswer, EngineFault> {
        self.log.push("ponderhit".into());
        self.next()
    }

    fn stop_ponder(&mut self) -> Result<Duration, EngineFault> {
        self.log.push("stop".into());
        self.stop_fault.clone().map_or(Ok(self.stop_takes), Err)
    }

    fn game_over(&mut self, outcome: GameOver) -> Result<(), EngineFault> {
        self.log.push(format!("gameover {outcome}"));
        Ok(())
    }
}
