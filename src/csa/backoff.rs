//! Decides whether and when the client reconnects after a connection has ended.

use std::time::Duration;

use super::action::ConnectionEnd;
use super::error::ClientError;
use crate::types::message::{Message, message};

/// The pause after a game that ended normally.
const SHORT_PAUSE: Duration = Duration::from_secs(1);
/// Maximum pause between two attempts.
const MAX_PAUSE: Duration = Duration::from_secs(300);

/// The pause before the next attempt.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Pause {
    pub(super) length: Duration,
    /// The error, if any.
    pub(super) failure: Option<Message>,
}

/// Exponential backoff: each failure doubles the pause, and a login resets it.
#[derive(Debug)]
pub(super) struct Backoff {
    first: Duration,
    next: Duration,
    ever_logged_in: bool,
}

impl Backoff {
    pub(super) fn new(first: Duration) -> Backoff {
        Backoff { first, next: first, ever_logged_in: false }
    }

    /// The pause after a connection with this end. `None` if all games are played.
    ///
    /// # Errors
    /// If another attempt is useless.
    pub(super) fn after(
        &mut self,
        end: ConnectionEnd,
        logged_in: bool,
    ) -> Result<Option<Pause>, ClientError> {
        self.ever_logged_in |= logged_in;
        // A login after which all games are rejected, by either side, counts as one more failure.
        if logged_in && end != ConnectionEnd::Unplayable {
            self.next = self.first;
        }
        let failure = match end {
            ConnectionEnd::Done => return Ok(None),
            ConnectionEnd::NoEngine(why) => return Err(ClientError::Player(why)),
            ConnectionEnd::LoginRefused if !self.ever_logged_in => {
                return Err(ClientError::Refused);
            }
            ConnectionEnd::Reconnect => {
                return Ok(Some(Pause { length: SHORT_PAUSE, failure: None }));
            }
            // The server refuses a duplicate login until it notices that our old connection is gone.
            ConnectionEnd::LoginRefused => {
                message!("the server refuses the login", "サーバーにログインを拒否されました")
            }
            ConnectionEnd::Retry(why) => message!("no connection: {}", "接続していません：{}"; why),
            ConnectionEnd::Unplayable => message!(
                "no proposed game was accepted",
                "提案された対局がどれも成立しませんでした"
            ),
        };
        let longer = (self.next * 2).min(MAX_PAUSE.max(self.next));
        let length = std::mem::replace(&mut self.next, longer);
        Ok(Some(Pause { length, failure: Some(failure) }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pauses in seconds after these connections, each with whether the login succeeded.
    fn pauses(first: u64, ends: Vec<(ConnectionEnd, bool)>) -> Vec<u64> {
        let mut backoff = Backoff::new(Duration::from_secs(first));
        let pause = |(end, logged_in)| backoff.after(end, logged_in).unwrap().unwrap();
        ends.into_iter().map(pause).map(|pause| pause.length.as_secs()).collect()
    }

    fn lost() -> ConnectionEnd {
        ConnectionEnd::Retry(Message::verbatim("gone"))
    }

    #[test]
    fn pauses_double_up_to_five_minutes_until_a_login() {
        let mut ends = vec![(lost(), false); 10];
        ends.push((lost(), true));
        assert_eq!(pauses(1, ends), [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 1]);
        assert_eq!(pauses(400, vec![(lost(), false); 3]), [400, 400, 400]);
        let games = vec![(lost(), false), (ConnectionEnd::Reconnect, true), (lost(), false)];
        assert_eq!(pauses(10, games), [10, 1, 10]);
    }

    /// Regression: each such login reset the pause.
    #[test]
    fn a_login_after_which_all_games_are_rejected_is_a_failure() {
        let ends = vec![(ConnectionEnd::Unplayable, true); 3];
        assert_eq!(pauses(1, ends), [1, 2, 4]);
        let mut backoff = Backoff::new(SHORT_PAUSE);
        let pause = backoff.after(ConnectionEnd::Unplayable, true).unwrap().unwrap();
        assert_eq!(pause.failure.unwrap().en, "no proposed game was accepted");
    }

    #[test]
    fn a_refused_login_is_final_unless_another_has_succeeded() {
        let mut backoff = Backoff::new(SHORT_PAUSE);
        let refused = backoff.after(ConnectionEnd::LoginRefused, false);
        assert!(matches!(refused, Err(ClientError::Refused)));
        assert_eq!(pauses(9, vec![(lost(), true), (ConnectionEnd::LoginRefused, false)]), [9, 18]);
    }

    #[test]
    fn there_is_no_next_attempt_without_games_or_engine() {
        let mut backoff = Backoff::new(SHORT_PAUSE);
        assert!(matches!(backoff.after(ConnectionEnd::Done, true), Ok(None)));
        let no_engine = backoff.after(ConnectionEnd::NoEngine("why".into()), true);
        assert!(matches!(no_engine, Err(ClientError::Player(_))));
    }
}
