//! Plays a whole match.

use super::match_config::MatchConfig;
use super::match_controller::MatchController;
use super::match_end::{MatchEnd, MatchEndReason, MatchError, MatchObserver};
use super::runner::{self, EngineFailure, MatchPlayerFactory, RunError};
use super::usi_match_player::EngineFactory;

/// Plays a match, or the rest of one.
///
/// # Errors
/// If the match cannot begin. The reason for an early end is part of the result.
pub fn play_match(
    config: &MatchConfig,
    observer: &mut dyn MatchObserver,
) -> Result<MatchEnd, MatchError> {
    let factory = EngineFactory { specs: &config.engines, timeouts: config.timeouts };
    play_match_with(config, &factory, observer)
}

/// [`play_match`] with any kind of players.
pub(super) fn play_match_with(
    config: &MatchConfig,
    factory: &dyn MatchPlayerFactory,
    observer: &mut dyn MatchObserver,
) -> Result<MatchEnd, MatchError> {
    config.check().map_err(MatchError::Config)?;
    let schedule = config.schedule();
    let mut controller = MatchController::open(config, &schedule, observer)?;
    let played = controller.take_played();
    if controller.check_end().is_continue() {
        let mut on_event = |event| controller.handle(event);
        if let Err(error) = runner::run(config, &schedule, factory, &played, &mut on_event) {
            controller.end(MatchEndReason::Failure(match error {
                RunError::Engine(EngineFailure { engine, reason }) => {
                    MatchError::Engine { name: config.engines[engine].name.clone(), reason }
                }
                RunError::Thread(error) => MatchError::Thread(error),
            }));
        }
    }
    Ok(controller.close())
}
