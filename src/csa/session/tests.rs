//! Connections as transcripts: login, proposals, keep-alives, logout, and faulty servers.

use super::*;
use crate::csa::testing::{TestSession, config};

fn retry(why: &str) -> ConnectionEnd {
    ConnectionEnd::Retry(Message::verbatim(why))
}

const SECOND: u64 = 1000;

#[test]
fn a_game_is_agreed_to_when_the_player_is_ready() {
    let mut session = TestSession::new(config());
    assert!(!session.session.is_logged_in());
    session.login();
    assert!(session.session.is_logged_in());
    session.receive("BEGIN Game_Summary\nGame_ID:a+b\nYour_Turn:+\nEND Game_Summary");
    assert_eq!(session.sent, [""; 0]);
    assert!(matches!(session.commands[..], [PlayerCommand::NewGame(..)]));
    session.ready();
    assert_eq!(session.sent, ["AGREE a+b"]);
    session.receive("START:a+b");
    assert!(session.session.game().is_some());
}

#[test]
fn a_game_without_a_number_is_agreed_to_without_one() {
    let mut session = TestSession::new(config());
    session.login();
    session.receive("BEGIN Game_Summary\nYour_Turn:+\nEND Game_Summary");
    session.ready();
    assert_eq!(session.sent, ["AGREE"]);
}

/// Regression: the client did not end while the server kept sending other lines.
#[test]
fn a_user_who_leaves_does_not_wait_for_a_server_that_neither_continues_nor_ends_the_game() {
    let clock = "BEGIN Time\nTotal_Time:300\nByoyomi:10\nEND Time";
    let mut session = TestSession::playing(config(), '-', clock);
    session.handle(SessionInput::Leave);
    let until_close = |session: &mut TestSession| {
        (1..).find(|_| {
            session.receive("##[junk] again");
            session.after(10 * SECOND);
            session.end.is_some()
        })
    };
    assert_eq!(until_close(&mut session), Some(37), "370 s");
    assert_eq!((session.end, session.saved.len()), (Some(ConnectionEnd::Done), 1));
    let mut agreed = TestSession::new(config());
    agreed.login();
    agreed.propose('+', "");
    agreed.handle(SessionInput::Leave);
    assert_eq!(until_close(&mut agreed), Some(12), "120 s");
    assert_eq!(agreed.end, Some(ConnectionEnd::Done));
}

/// Each move restarts the wait.
#[test]
fn a_user_who_leaves_waits_for_the_end_of_a_game_that_continues() {
    let clock = "BEGIN Time\nTotal_Time:300\nByoyomi:10\nEND Time";
    let mut session = TestSession::playing(config(), '-', clock);
    session.handle(SessionInput::Leave);
    session.after(360 * SECOND);
    session.receive("+7776FU,T300");
    session.after(60 * SECOND);
    assert_eq!(session.end, None);
}

#[test]
fn a_player_that_does_not_get_ready_rejects_the_game_in_time() {
    let mut session = TestSession::new(SessionConfig { keep_alive: Duration::ZERO, ..config() });
    session.login();
    session.receive("BEGIN Game_Summary\nGame_ID:a+b\nYour_Turn:+\nEND Game_Summary");
    session.after(99 * SECOND);
    assert_eq!(session.sent, [""; 0]);
    session.after(SECOND);
    assert_eq!(session.sent, ["REJECT a+b"]);
    session.ready();
    assert_eq!(session.sent.len(), 1);
}

#[test]
fn a_proposal_that_cannot_be_played_is_rejected() {
    let mut session = TestSession::new(config());
    session.login();
    session.receive("BEGIN Game_Summary\nGame_ID:a\nFormat:Go 1.0\nYour_Turn:+\nEND Game_Summary");
    assert_eq!(session.sent, ["REJECT a"]);
    assert!(session.warned[0].contains("Go 1.0"));
    session.propose('+', "");
    assert_eq!(session.last_sent(), "AGREE g");
}

#[test]
fn a_game_that_the_opponent_rejects_does_not_count() {
    let mut session = TestSession::with_games(config(), Some(1));
    session.login();
    session.propose('+', "");
    session.receive("REJECT:g by white");
    assert!(session.messages.last().unwrap().contains("by white"));
    assert_eq!(session.session.series().games, Some(1));
    session.handle(SessionInput::Closed(Message::verbatim("gone")));
    assert_eq!(session.end, Some(ConnectionEnd::Unplayable));
}

/// Regression: on an open connection the client logged in again every two seconds, endlessly.
#[test]
fn a_client_whose_opponent_rejects_every_game_pauses() {
    let mut session = TestSession::new(SessionConfig { logout: true, ..config() });
    session.login();
    session.propose('+', "");
    session.receive("REJECT:g by white");
    assert_eq!(session.last_sent(), "LOGOUT");
    session.receive("LOGOUT:completed");
    assert_eq!(session.end, Some(ConnectionEnd::Unplayable));
    // On a connection that goes on: after the third in a row.
    let mut session = challenging();
    for last in ["%%GAME n-300-10F *", "%%GAME n-300-10F *", "LOGOUT"] {
        session.propose('+', "");
        session.receive("REJECT:g by white");
        assert_eq!(session.last_sent(), last);
    }
}

/// Regression: the engine was still getting ready for the first game while the clock of the second ran.
#[test]
fn ready_for_a_rejected_game_agrees_to_no_other() {
    let mut session = TestSession::new(config());
    session.login();
    let propose = |session: &mut TestSession, id: &str| {
        session
            .receive(&format!("BEGIN Game_Summary\nGame_ID:{id}\nYour_Turn:+\nEND Game_Summary"));
    };
    propose(&mut session, "a");
    let Some(&PlayerCommand::NewGame(old, _)) = session.commands.last() else {
        panic!("{:?}", session.commands)
    };
    session.receive("REJECT:a by white");
    propose(&mut session, "b");
    session.player(PlayerEvent::Ready(old));
    assert_eq!(session.sent, [""; 0]);
    session.ready();
    assert_eq!(session.sent, ["AGREE b"]);
}

#[test]
fn a_refused_login_is_the_end() {
    let mut session = TestSession::new(config());
    session.receive("LOGIN:incorrect");
    assert_eq!(session.end, Some(ConnectionEnd::LoginRefused));
}

#[test]
fn an_unanswered_login_is_tried_again() {
    let mut session = TestSession::new(config());
    assert_eq!(session.session.deadline(), Some(session.now + LOGIN_TIMEOUT));
    session.after(30 * SECOND);
    assert!(matches!(session.end, Some(ConnectionEnd::Retry(_))));
}

#[test]
fn a_connection_lost_before_any_game_is_tried_again_after_a_pause() {
    let mut session = TestSession::new(config());
    session.login();
    session.handle(SessionInput::Closed(Message::verbatim("gone")));
    assert_eq!(session.end, Some(retry("gone")));
    let mut session = TestSession::playing(config(), '+', "");
    session.handle(SessionInput::Closed(Message::verbatim("gone")));
    assert_eq!(session.end, Some(retry("gone")));
}

#[test]
fn a_connection_closed_after_a_game_is_opened_again() {
    let mut session = TestSession::playing(config(), '+', "");
    session.receive("#SENNICHITE\n#DRAW");
    session.handle(SessionInput::Closed(Message::verbatim("gone")));
    assert_eq!(session.end, Some(ConnectionEnd::Reconnect));
    // Even if the server has only sent the reason.
    let mut session = TestSession::playing(config(), '+', "");
    session.receive("#SENNICHITE");
    session.handle(SessionInput::Closed(Message::verbatim("gone")));
    assert_eq!(session.end, Some(ConnectionEnd::Reconnect));
}

#[test]
fn the_server_may_propose_the_next_game_on_the_same_connection() {
    let mut session = TestSession::playing(config(), '+', "");
    let first = session.task().id;
    session.receive("#SENNICHITE\n#DRAW");
    session.propose('+', "");
    session.receive("START:g");
    assert!(session.task().id > first);
    session.receive("#SENNICHITE\n#DRAW");
    assert_eq!(session.saved.len(), 2);
}

#[test]
fn after_the_last_game_we_log_out() {
    let mut session = TestSession::with_games(config(), Some(1));
    session.login();
    session.propose('+', "");
    session.receive("START:g\n#SENNICHITE\n#DRAW");
    assert_eq!(session.last_sent(), "LOGOUT");
    session.receive("LOGOUT:completed");
    assert_eq!(session.end, Some(ConnectionEnd::Done));
}

/// Regression: such a game counted, and the client was gone when the game was repeated.
#[test]
fn a_game_that_the_server_breaks_off_does_not_count() {
    let mut session = TestSession::with_games(SessionConfig { logout: true, ..config() }, Some(1));
    session.login();
    session.propose('+', "");
    session.receive("START:g\n#CHUDAN\nLOGOUT:completed");
    assert_eq!(session.saved.len(), 1);
    assert_eq!(session.session.series().games, Some(1));
    assert_eq!(session.end, Some(ConnectionEnd::Reconnect));
}

#[test]
fn an_unanswered_logout_ends_the_connection_too() {
    for closes in [false, true] {
        let mut session = TestSession::with_games(config(), Some(1));
        session.login();
        session.propose('+', "");
        session.receive("START:g\n#SENNICHITE\n#DRAW");
        if closes {
            session.handle(SessionInput::Closed(Message::verbatim("gone")));
        } else {
            session.after(SECOND);
        }
        assert_eq!(session.end, Some(ConnectionEnd::Done));
    }
}

#[test]
fn the_client_logs_out_after_every_game_if_configured() {
    let mut session = TestSession::playing(SessionConfig { logout: true, ..config() }, '+', "");
    session.receive("#SENNICHITE\n#DRAW");
    assert_eq!(session.last_sent(), "LOGOUT");
    session.receive("LOGOUT:completed");
    assert_eq!(session.end, Some(ConnectionEnd::Reconnect));
}

#[test]
fn in_the_extended_mode_every_game_is_requested() {
    let challenge = Some("%%GAME n-300-10F *".to_owned());
    let mut session = TestSession::new(SessionConfig { challenge, ..config() });
    session.receive("LOGIN:kawasemi OK\n##[LOGIN] +OK x1");
    assert_eq!(session.sent, ["%%GAME n-300-10F *"]);
    session.propose('-', "");
    session.receive("START:g\n##[CHAT][white] hello\n#SENNICHITE\n#DRAW");
    assert!(session.messages.iter().any(|text| text == "server: [CHAT][white] hello"));
    assert_eq!(session.sent[1..], ["AGREE g", "%%GAME n-300-10F *"]);
}

/// Logged in to the extended mode.
fn challenging() -> TestSession {
    let challenge = Some("%%GAME n-300-10F *".to_owned());
    let mut session =
        TestSession::new(SessionConfig { challenge, keep_alive: Duration::ZERO, ..config() });
    session.login();
    session.sent.clear();
    session
}

const UNREADABLE: &str =
    "BEGIN Game_Summary\nGame_ID:a\nFormat:Go 1.0\nYour_Turn:+\nEND Game_Summary";

#[test]
fn a_client_that_rejects_a_game_requests_another() {
    let mut session = challenging();
    // No rejection yet.
    session.receive("REJECT:a by kawasemi");
    session.receive(UNREADABLE);
    assert_eq!(session.sent, ["REJECT a"]);
    session.receive("REJECT:a by kawasemi");
    assert_eq!(session.sent, ["REJECT a", "%%GAME n-300-10F *"]);
    let mut session = challenging();
    session.receive("BEGIN Game_Summary\nGame_ID:a\nYour_Turn:+\nEND Game_Summary");
    session.after(100 * SECOND);
    session.receive("REJECT:a by kawasemi");
    assert_eq!(session.sent, ["REJECT a", "%%GAME n-300-10F *"]);
    session.propose('+', "");
    assert_eq!(session.last_sent(), "AGREE g");
}

#[test]
fn a_client_that_rejects_every_game_pauses() {
    let mut session = challenging();
    // A game in between resets the count.
    for _ in 0..2 {
        session.receive(&format!("{UNREADABLE}\nREJECT:a by kawasemi"));
        session.receive(&format!("{UNREADABLE}\nREJECT:a by kawasemi"));
        assert_eq!(session.last_sent(), "%%GAME n-300-10F *");
        session.propose('+', "");
        session.receive("START:g\n#SENNICHITE\n#DRAW");
    }
    (0..3).for_each(|_| session.receive(&format!("{UNREADABLE}\nREJECT:a by kawasemi")));
    assert_eq!(session.last_sent(), "LOGOUT");
    session.after(SECOND);
    assert_eq!(session.end, Some(ConnectionEnd::Unplayable));
}

/// Regression: the client always reconnected after the first pause, or after a second if it had played
/// before.
#[test]
fn a_connection_closed_for_a_rejection_causes_a_pause_too() {
    for has_played in [false, true] {
        let mut session = TestSession::new(config());
        session.login();
        if has_played {
            session.propose('+', "");
            session.receive("START:g\n#SENNICHITE\n#DRAW");
        }
        session.receive(&format!("{UNREADABLE}\nREJECT:a by kawasemi"));
        session.handle(SessionInput::Closed(Message::verbatim("the server has closed it")));
        assert_eq!(session.end, Some(ConnectionEnd::Unplayable));
    }
}

/// Regression: hours later the message still said that no game could be played.
#[test]
fn a_connection_lost_long_after_a_rejection_is_not_blamed_on_it() {
    let mut session = TestSession::new(SessionConfig { keep_alive: Duration::ZERO, ..config() });
    session.login();
    session.receive(&format!("{UNREADABLE}\nREJECT:a by kawasemi"));
    session.after(3600 * SECOND);
    session.handle(SessionInput::Closed(Message::verbatim("gone")));
    assert_eq!(session.end, Some(retry("gone")));
}

/// Regression: the next attempt was announced but never made.
#[test]
fn leaving_during_the_logout_before_a_pause_is_the_end() {
    let mut session = challenging();
    (0..3).for_each(|_| session.receive(&format!("{UNREADABLE}\nREJECT:a by kawasemi")));
    session.handle(SessionInput::Leave);
    session.receive("LOGOUT:completed");
    assert_eq!(session.end, Some(ConnectionEnd::Done));
}

#[test]
fn leaving_waits_only_for_the_game() {
    let mut waiting = TestSession::new(config());
    waiting.login();
    waiting.handle(SessionInput::Leave);
    assert_eq!(waiting.last_sent(), "LOGOUT");
    let mut proposed = TestSession::new(config());
    proposed.login();
    proposed.receive("BEGIN Game_Summary\nGame_ID:a\nYour_Turn:+\nEND Game_Summary");
    proposed.handle(SessionInput::Leave);
    assert_eq!(proposed.sent, ["REJECT a", "LOGOUT"]);
    let mut playing = TestSession::playing(config(), '+', "");
    playing.handle(SessionInput::Leave);
    assert_eq!((playing.last_sent(), playing.session.status().en), ("", "playing the last game"));
    playing.answer("7g7f");
    playing.receive("+7776FU,T1\n%TORYO\n#RESIGN\n#WIN");
    assert_eq!(playing.sent, ["+7776FU", "LOGOUT"]);
    playing.receive("LOGOUT:completed");
    assert_eq!(playing.end, Some(ConnectionEnd::Done));
    let mut early = TestSession::new(config());
    early.handle(SessionInput::Leave);
    early.login();
    assert_eq!(early.last_sent(), "LOGOUT");
}

/// Regression: the client requested a game and logged out at once.
#[test]
fn a_client_that_leaves_before_the_login_is_answered_requests_no_game() {
    let challenge = Some("%%GAME n-300-10F *".into());
    let mut session = TestSession::new(SessionConfig { challenge, ..config() });
    session.handle(SessionInput::Leave);
    session.login();
    assert_eq!(session.sent, ["LOGOUT"]);
}

/// Regression: the next attempt was announced but not made.
#[test]
fn leaving_before_the_login_is_answered_is_the_end() {
    let mut session = TestSession::new(config());
    session.handle(SessionInput::Leave);
    session.after(30 * SECOND);
    assert_eq!(session.end, Some(ConnectionEnd::Done));
}

#[test]
fn after_a_silence_an_empty_line_is_sent() {
    let mut session = TestSession::playing(config(), '-', "");
    assert_eq!(session.session.deadline(), Some(session.now + Duration::from_secs(40)));
    session.after(39 * SECOND);
    assert_eq!(session.sent, [""; 0]);
    session.after(SECOND);
    assert_eq!(session.sent, [""]);
    // Any line in either direction restarts the wait.
    session.after(20 * SECOND);
    session.receive("+7776FU,T60");
    session.after(39 * SECOND);
    assert_eq!(session.sent.len(), 1);
    session.answer("3c3d");
    session.after(39 * SECOND);
    assert_eq!(session.sent.len(), 2);
    session.after(SECOND);
    assert_eq!(session.sent.len(), 3);
}

#[test]
fn a_server_that_no_longer_echoes_is_gone() {
    let mut session = TestSession::playing(config(), '-', "");
    session.after(40 * SECOND);
    session.receive("");
    (0..3).for_each(|_| session.after(40 * SECOND));
    assert_eq!(session.end, None);
    session.after(40 * SECOND);
    assert_eq!(
        session.end,
        Some(ConnectionEnd::Retry(message!("the server is silent", "サーバーの応答がありません")))
    );
    assert_eq!(session.saved.len(), 1);
    // One that never echoed may still be there.
    let mut silent = TestSession::playing(config(), '-', "");
    (0..100).for_each(|_| silent.after(40 * SECOND));
    assert_eq!(silent.end, None);
}

#[test]
fn unknown_lines_are_reported_and_ignored() {
    let mut session = TestSession::new(config());
    session.receive(
        "\u{0}\u{1}\u{2}\nHTTP/1.1 400 Bad Request\n#WIN\n%TORYO\n+7776FU\nSTART:x\nEND x",
    );
    session.login();
    session.receive("START:g\nREJECT:g by x\n#LOSE\n-3334FU,T1\nLOGOUT:completed\n語語語\n##[");
    assert_eq!((session.sent.len(), session.end.clone()), (0, None));
    assert!(session.warned.len() >= 3, "{:?}", session.warned);
    session.propose('+', "BEGIN Strange\nYour_Turn:-\nEND Strange\nno colon\nKey:\n:value");
    session.receive("START:g\nBEGIN Game_Summary\n#STRANGE\n'comment\n%STRANGE\nLOGIN:x OK");
    session.answer("7g7f");
    session.receive("+7776FU,T1\n-3334FU");
    assert_eq!(session.sent, ["AGREE g", "+7776FU"]);
    (0..1000).for_each(|number| session.receive(&format!("odd {number}")));
    assert!(session.warned.len() <= MAX_UNKNOWN_LINES as usize);
    session.receive("#SENNICHITE\n#DRAW");
    assert_eq!(session.saved.len(), 1);
}

#[test]
fn a_player_that_keeps_failing_is_given_up() {
    let mut session = TestSession::new(config());
    session.login();
    session.receive("BEGIN Game_Summary\nGame_ID:a\nYour_Turn:+\nEND Game_Summary");
    session.player(PlayerEvent::Failed("no".into()));
    session.player(PlayerEvent::Failed("no".into()));
    assert_eq!(session.restarts, 2);
    let prepares =
        session.commands.iter().filter(|order| matches!(order, PlayerCommand::NewGame(..))).count();
    assert_eq!(prepares, 3);
    session.player(PlayerEvent::Failed("no".into()));
    assert_eq!(session.end, Some(ConnectionEnd::NoEngine("no".into())));
}

/// Regression: the next connection had no player, and rejected game after game.
#[test]
fn a_connection_lost_after_all_players_have_failed_is_the_last() {
    let mut session = TestSession::playing(config(), '+', "");
    (0..3).for_each(|_| session.player(PlayerEvent::Failed("no".into())));
    assert_eq!((session.restarts, session.sent.clone()), (2, vec!["%TORYO".to_owned()]));
    // Regression: the end of the last player was reported as another failure.
    let warned = session.warned.len();
    session.player(PlayerEvent::Failed("it is gone".into()));
    assert_eq!((session.restarts, session.warned.len()), (2, warned));
    session.handle(SessionInput::Closed(Message::verbatim("gone")));
    assert!(matches!(session.end, Some(ConnectionEnd::NoEngine(_))), "{:?}", session.end);
    assert_eq!(session.saved.len(), 1);
}

#[test]
fn an_engine_that_fails_after_agreeing_is_prepared_again() {
    let mut session = TestSession::new(config());
    session.login();
    session.receive("BEGIN Game_Summary\nGame_ID:a\nYour_Turn:+\nEND Game_Summary");
    session.ready();
    session.player(PlayerEvent::Failed("no".into()));
    assert_eq!(session.restarts, 1);
    assert!(matches!(
        session.commands[..],
        [PlayerCommand::NewGame(..), PlayerCommand::NewGame(..)]
    ));
    session.ready();
    assert_eq!(session.sent, ["AGREE a"]);
    session.receive("START:a");
    assert!(session.session.game().is_some());
}

/// Regression: each line of the proposal was reported.
#[test]
fn a_proposal_that_crosses_our_logout_is_ignored() {
    let mut session = TestSession::new(config());
    session.login();
    session.handle(SessionInput::Leave);
    session.receive(
        "BEGIN Game_Summary\nProtocol_Version:1.2\nGame_ID:a\nYour_Turn:+\nBEGIN Position\n\
         P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\n+\nEND Position\nEND Game_Summary\nLOGOUT:completed",
    );
    assert_eq!((session.warned.clone(), session.commands.len()), (Vec::new(), 0));
    assert_eq!(session.end, Some(ConnectionEnd::Done));
}

#[test]
fn leaving_during_a_proposal_accepts_no_game() {
    let mut session = TestSession::new(config());
    session.login();
    session.receive("BEGIN Game_Summary\nGame_ID:a\nYour_Turn:+");
    session.handle(SessionInput::Leave);
    assert_eq!(session.last_sent(), "LOGOUT");
    session.receive("END Game_Summary");
    assert!(session.commands.is_empty());
    session.receive("LOGOUT:completed");
    assert_eq!(session.end, Some(ConnectionEnd::Done));
}
