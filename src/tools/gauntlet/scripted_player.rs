//! A player with scripted replies, for tests.

use std::collections::VecDeque;
use std::time::Duration;

use super::match_player::{EngineFault, GameOver, MatchPlayer, SearchCommand, SearchReply};
use crate::usi_client::{EngineScore, SearchInfo};

/// Gives its replies in order and then resigns. Logs the calls.
#[derive(Debug, Default)]
pub(super) struct ScriptedPlayer {
    pub(super) replies: VecDeque<Result<SearchReply, EngineFault>>,
    pub(super) log: Vec<String>,
    /// Returned by `new_game`.
    pub(super) ready_fault: Option<EngineFault>,
    pub(super) stop_fault: Option<EngineFault>,
    pub(super) stop_takes: Duration,
}

/// An answer after 10 ms.
pub(super) fn reply(answer: &str) -> SearchReply {
    let elapsed = Duration::from_millis(10);
    SearchReply { line: format!("bestmove {answer}"), elapsed, info: SearchInfo::default() }
}

pub(super) fn scored(answer: &str, centipawns: i64) -> SearchReply {
    let score = Some(EngineScore::Centipawns(centipawns));
    SearchReply { info: SearchInfo { score, ..SearchInfo::default() }, ..reply(answer) }
}

impl ScriptedPlayer {
    /// Plays these answers, separated by commas.
    pub(super) fn playing(answers: &str) -> ScriptedPlayer {
        ScriptedPlayer::replying(answers.split(',').map(|answer| Ok(reply(answer.trim()))))
    }

    pub(super) fn replying(
        replies: impl IntoIterator<Item = Result<SearchReply, EngineFault>>,
    ) -> ScriptedPlayer {
        ScriptedPlayer { replies: replies.into_iter().collect(), ..ScriptedPlayer::default() }
    }

    fn next(&mut self) -> Result<SearchReply, EngineFault> {
        self.replies.pop_front().unwrap_or_else(|| Ok(reply("resign")))
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

    fn search(&mut self, command: &SearchCommand<'_>) -> Result<SearchReply, EngineFault> {
        self.log.push(format!("{}; {}", command.position, command.go));
        self.next()
    }

    fn start_ponder(&mut self, command: &SearchCommand<'_>) -> Result<(), EngineFault> {
        self.log.push(format!("{}; {}", command.position, command.go));
        Ok(())
    }

    fn ponder_hit(&mut self, _timeout: Duration) -> Result<SearchReply, EngineFault> {
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
