//! Connections as transcripts: login, proposals, keep-alives, leaving, and servers gone mad.

use super::*;
use crate::csa::testing::{Table, plan};

const SECOND: u64 = 1000;

#[test]
fn a_game_is_agreed_to_when_the_player_is_ready() {
    let mut table = Table::new(plan());
    assert!(!table.session.is_logged_in());
    table.login();
    assert!(table.session.is_logged_in());
    table.hear("BEGIN Game_Summary\nGame_ID:a+b\nYour_Turn:+\nEND Game_Summary");
    assert_eq!(table.sent, [""; 0]);
    assert!(matches!(table.orders[..], [Order::Prepare(..)]));
    table.ready();
    assert_eq!(table.sent, ["AGREE a+b"]);
    table.hear("START:a+b");
    assert!(table.session.game().is_some());
}

#[test]
fn a_game_without_a_number_is_agreed_to_without_one() {
    let mut table = Table::new(plan());
    table.login();
    table.hear("BEGIN Game_Summary\nYour_Turn:+\nEND Game_Summary");
    table.ready();
    assert_eq!(table.sent, ["AGREE"]);
}

#[test]
fn a_player_that_does_not_get_ready_rejects_the_game_in_time() {
    let mut table = Table::new(Plan { keep_alive: Duration::ZERO, ..plan() });
    table.login();
    table.hear("BEGIN Game_Summary\nGame_ID:a+b\nYour_Turn:+\nEND Game_Summary");
    table.after(99 * SECOND);
    assert_eq!(table.sent, [""; 0]);
    table.after(SECOND);
    assert_eq!(table.sent, ["REJECT a+b"]);
    table.ready();
    assert_eq!(table.sent.len(), 1);
}

#[test]
fn a_proposal_that_cannot_be_played_is_rejected() {
    let mut table = Table::new(plan());
    table.login();
    table.hear("BEGIN Game_Summary\nGame_ID:a\nFormat:Go 1.0\nYour_Turn:+\nEND Game_Summary");
    assert_eq!(table.sent, ["REJECT a"]);
    assert!(table.warned[0].contains("Go 1.0"));
    table.propose('+', "");
    assert_eq!(table.last_sent(), "AGREE g");
}

#[test]
fn a_game_that_the_opponent_rejects_is_none() {
    let mut table = Table::with_games(plan(), Some(1));
    table.login();
    table.propose('+', "");
    table.hear("REJECT:g by white");
    assert!(table.said.last().unwrap().contains("by white"));
    assert_eq!(table.session.career().games, Some(1));
    table.handle(Input::Closed("gone"));
    assert_eq!(table.parting, Some(Parting::Again));
}

/// The engine was still getting ready for the first game, and the clock of the second ran.
#[test]
fn being_ready_for_a_game_that_was_rejected_agrees_to_no_other() {
    let mut table = Table::new(plan());
    table.login();
    let propose = |table: &mut Table, id: &str| {
        table.hear(&format!("BEGIN Game_Summary\nGame_ID:{id}\nYour_Turn:+\nEND Game_Summary"));
    };
    propose(&mut table, "a");
    let Some(&Order::Prepare(old, _)) = table.orders.last() else { panic!("{:?}", table.orders) };
    table.hear("REJECT:a by white");
    propose(&mut table, "b");
    table.tell(Told::Ready(old));
    assert_eq!(table.sent, [""; 0]);
    table.ready();
    assert_eq!(table.sent, ["AGREE b"]);
}

#[test]
fn a_refused_login_is_the_end() {
    let mut table = Table::new(plan());
    table.hear("LOGIN:incorrect");
    assert_eq!(table.parting, Some(Parting::Refused));
}

#[test]
fn a_server_that_does_not_answer_the_login_is_tried_again() {
    let mut table = Table::new(plan());
    assert_eq!(table.session.deadline(), Some(table.now + LOGIN_PATIENCE));
    table.after(30 * SECOND);
    assert!(matches!(table.parting, Some(Parting::Retry(_))));
}

#[test]
fn a_connection_that_breaks_before_any_game_is_tried_again_after_a_while() {
    let mut table = Table::new(plan());
    table.login();
    table.handle(Input::Closed("gone"));
    assert_eq!(table.parting, Some(Parting::Retry("gone".into())));
    let mut table = Table::playing(plan(), '+', "");
    table.handle(Input::Closed("gone"));
    assert_eq!(table.parting, Some(Parting::Retry("gone".into())));
}

#[test]
fn a_server_that_closes_after_a_game_is_logged_into_again() {
    let mut table = Table::playing(plan(), '+', "");
    table.hear("#SENNICHITE\n#DRAW");
    table.handle(Input::Closed("gone"));
    assert_eq!(table.parting, Some(Parting::Again));
    // Even if it said why and no more.
    let mut table = Table::playing(plan(), '+', "");
    table.hear("#SENNICHITE");
    table.handle(Input::Closed("gone"));
    assert_eq!(table.parting, Some(Parting::Again));
}

#[test]
fn a_server_that_stays_may_propose_the_next_game() {
    let mut table = Table::playing(plan(), '+', "");
    let first = table.ask().id;
    table.hear("#SENNICHITE\n#DRAW");
    table.propose('+', "");
    table.hear("START:g");
    assert!(table.ask().id > first);
    table.hear("#SENNICHITE\n#DRAW");
    assert_eq!(table.saved.len(), 2);
}

#[test]
fn after_the_last_game_we_log_out() {
    let mut table = Table::with_games(plan(), Some(1));
    table.login();
    table.propose('+', "");
    table.hear("START:g\n#SENNICHITE\n#DRAW");
    assert_eq!(table.last_sent(), "LOGOUT");
    table.hear("LOGOUT:completed");
    assert_eq!(table.parting, Some(Parting::Done));
}

/// It counted, and the client was gone when the game was to be played again.
#[test]
fn a_game_that_the_server_breaks_off_does_not_count() {
    let mut table = Table::with_games(Plan { logout: true, ..plan() }, Some(1));
    table.login();
    table.propose('+', "");
    table.hear("START:g\n#CHUDAN\nLOGOUT:completed");
    assert_eq!(table.saved.len(), 1);
    assert_eq!(table.session.career().games, Some(1));
    assert_eq!(table.parting, Some(Parting::Again));
}

#[test]
fn a_server_that_says_no_farewell_is_left_all_the_same() {
    for closes in [false, true] {
        let mut table = Table::with_games(plan(), Some(1));
        table.login();
        table.propose('+', "");
        table.hear("START:g\n#SENNICHITE\n#DRAW");
        if closes {
            table.handle(Input::Closed("gone"));
        } else {
            table.after(SECOND);
        }
        assert_eq!(table.parting, Some(Parting::Done));
    }
}

#[test]
fn we_log_out_after_every_game_where_that_is_wanted() {
    let mut table = Table::playing(Plan { logout: true, ..plan() }, '+', "");
    table.hear("#SENNICHITE\n#DRAW");
    assert_eq!(table.last_sent(), "LOGOUT");
    table.hear("LOGOUT:completed");
    assert_eq!(table.parting, Some(Parting::Again));
}

#[test]
fn the_extended_mode_asks_for_every_game() {
    let challenge = Some("%%GAME n-300-10F *".to_owned());
    let mut table = Table::new(Plan { challenge, ..plan() });
    table.hear("LOGIN:kawasemi OK\n##[LOGIN] +OK x1");
    assert_eq!(table.sent, ["%%GAME n-300-10F *"]);
    table.propose('-', "");
    table.hear("START:g\n##[CHAT][white] hello\n#SENNICHITE\n#DRAW");
    assert!(table.said.iter().any(|text| text == "server: [CHAT][white] hello"));
    assert_eq!(table.sent[1..], ["AGREE g", "%%GAME n-300-10F *"]);
}

/// In the extended mode, logged in.
fn challenging() -> Table {
    let challenge = Some("%%GAME n-300-10F *".to_owned());
    let mut table = Table::new(Plan { challenge, keep_alive: Duration::ZERO, ..plan() });
    table.login();
    table.sent.clear();
    table
}

const UNREADABLE: &str =
    "BEGIN Game_Summary\nGame_ID:a\nFormat:Go 1.0\nYour_Turn:+\nEND Game_Summary";

#[test]
fn a_client_that_rejects_a_game_itself_asks_for_another() {
    let mut table = challenging();
    // Nothing was rejected yet.
    table.hear("REJECT:a by kawasemi");
    table.hear(UNREADABLE);
    assert_eq!(table.sent, ["REJECT a"]);
    table.hear("REJECT:a by kawasemi");
    assert_eq!(table.sent, ["REJECT a", "%%GAME n-300-10F *"]);
    let mut table = challenging();
    table.hear("BEGIN Game_Summary\nGame_ID:a\nYour_Turn:+\nEND Game_Summary");
    table.after(100 * SECOND);
    table.hear("REJECT:a by kawasemi");
    assert_eq!(table.sent, ["REJECT a", "%%GAME n-300-10F *"]);
    table.propose('+', "");
    assert_eq!(table.last_sent(), "AGREE g");
}

#[test]
fn a_client_that_rejects_every_game_pauses() {
    let mut table = challenging();
    // Games in between begin the count again.
    for _ in 0..2 {
        table.hear(&format!("{UNREADABLE}\nREJECT:a by kawasemi"));
        table.hear(&format!("{UNREADABLE}\nREJECT:a by kawasemi"));
        assert_eq!(table.last_sent(), "%%GAME n-300-10F *");
        table.propose('+', "");
        table.hear("START:g\n#SENNICHITE\n#DRAW");
    }
    (0..3).for_each(|_| table.hear(&format!("{UNREADABLE}\nREJECT:a by kawasemi")));
    assert_eq!(table.last_sent(), "LOGOUT");
    table.after(SECOND);
    assert_eq!(table.parting, Some(Parting::Unplayable));
}

/// It came back after the first pause again and again, and after a second if it had played before.
#[test]
fn a_client_that_is_thrown_out_for_a_rejection_pauses_too() {
    for has_played in [false, true] {
        let mut table = Table::new(plan());
        table.login();
        if has_played {
            table.propose('+', "");
            table.hear("START:g\n#SENNICHITE\n#DRAW");
        }
        table.hear(&format!("{UNREADABLE}\nREJECT:a by kawasemi"));
        table.handle(Input::Closed("the server has closed it"));
        assert_eq!(table.parting, Some(Parting::Unplayable));
    }
}

/// Hours later it was still told that no game could be played, and not that the connection broke.
#[test]
fn a_connection_that_breaks_long_after_a_rejection_does_not_break_for_it() {
    let mut table = Table::new(Plan { keep_alive: Duration::ZERO, ..plan() });
    table.login();
    table.hear(&format!("{UNREADABLE}\nREJECT:a by kawasemi"));
    table.after(3600 * SECOND);
    table.handle(Input::Closed("gone"));
    assert_eq!(table.parting, Some(Parting::Retry("gone".into())));
}

/// A next attempt was announced, and never made.
#[test]
fn leaving_while_the_client_logs_out_for_a_pause_is_the_end() {
    let mut table = challenging();
    (0..3).for_each(|_| table.hear(&format!("{UNREADABLE}\nREJECT:a by kawasemi")));
    table.handle(Input::Leave);
    table.hear("LOGOUT:completed");
    assert_eq!(table.parting, Some(Parting::Done));
}

#[test]
fn leaving_waits_for_the_game_and_for_nothing_else() {
    let mut waiting = Table::new(plan());
    waiting.login();
    waiting.handle(Input::Leave);
    assert_eq!(waiting.last_sent(), "LOGOUT");
    let mut proposed = Table::new(plan());
    proposed.login();
    proposed.hear("BEGIN Game_Summary\nGame_ID:a\nYour_Turn:+\nEND Game_Summary");
    proposed.handle(Input::Leave);
    assert_eq!(proposed.sent, ["REJECT a", "LOGOUT"]);
    let mut playing = Table::playing(plan(), '+', "");
    playing.handle(Input::Leave);
    assert_eq!((playing.last_sent(), playing.session.status()), ("", "playing the last game"));
    playing.answer("7g7f");
    playing.hear("+7776FU,T1\n%TORYO\n#RESIGN\n#WIN");
    assert_eq!(playing.sent, ["+7776FU", "LOGOUT"]);
    playing.hear("LOGOUT:completed");
    assert_eq!(playing.parting, Some(Parting::Done));
    let mut early = Table::new(plan());
    early.handle(Input::Leave);
    early.login();
    assert_eq!(early.last_sent(), "LOGOUT");
}

/// The next attempt was announced, and not made.
#[test]
fn who_leaves_before_the_login_is_answered_tries_no_more() {
    let mut table = Table::new(plan());
    table.handle(Input::Leave);
    table.after(30 * SECOND);
    assert_eq!(table.parting, Some(Parting::Done));
}

#[test]
fn a_silence_is_broken_by_an_empty_line() {
    let mut table = Table::playing(plan(), '-', "");
    assert_eq!(table.session.deadline(), Some(table.now + Duration::from_secs(40)));
    table.after(39 * SECOND);
    assert_eq!(table.sent, [""; 0]);
    table.after(SECOND);
    assert_eq!(table.sent, [""]);
    // Any line, either way, begins the wait again.
    table.after(20 * SECOND);
    table.hear("+7776FU,T60");
    table.after(39 * SECOND);
    assert_eq!(table.sent.len(), 1);
    table.answer("3c3d");
    table.after(39 * SECOND);
    assert_eq!(table.sent.len(), 2);
    table.after(SECOND);
    assert_eq!(table.sent.len(), 3);
}

#[test]
fn a_server_that_no_longer_echoes_is_gone() {
    let mut table = Table::playing(plan(), '-', "");
    table.after(40 * SECOND);
    table.hear("");
    (0..3).for_each(|_| table.after(40 * SECOND));
    assert_eq!(table.parting, None);
    table.after(40 * SECOND);
    assert_eq!(table.parting, Some(Parting::Retry("the server is silent".into())));
    assert_eq!(table.saved.len(), 1);
    // One that never did may still be there.
    let mut silent = Table::playing(plan(), '-', "");
    (0..100).for_each(|_| silent.after(40 * SECOND));
    assert_eq!(silent.parting, None);
}

#[test]
fn garbage_is_told_and_passed_over() {
    let mut table = Table::new(plan());
    table.hear("\u{0}\u{1}\u{2}\nHTTP/1.1 400 Bad Request\n#WIN\n%TORYO\n+7776FU\nSTART:x\nEND x");
    table.login();
    table.hear("START:g\nREJECT:g by x\n#LOSE\n-3334FU,T1\nLOGOUT:completed\n語語語\n##[");
    assert_eq!((table.sent.len(), table.parting.clone()), (0, None));
    assert!(table.warned.len() >= 3, "{:?}", table.warned);
    table.propose('+', "BEGIN Strange\nYour_Turn:-\nEND Strange\nno colon\nKey:\n:value");
    table.hear("START:g\nBEGIN Game_Summary\n#STRANGE\n'comment\n%STRANGE\nLOGIN:x OK");
    table.answer("7g7f");
    table.hear("+7776FU,T1\n-3334FU");
    assert_eq!(table.sent, ["AGREE g", "+7776FU"]);
    (0..1000).for_each(|number| table.hear(&format!("odd {number}")));
    assert!(table.warned.len() <= MOST_ODD_LINES as usize);
    table.hear("#SENNICHITE\n#DRAW");
    assert_eq!(table.saved.len(), 1);
}

#[test]
fn a_player_that_fails_again_and_again_is_given_up() {
    let mut table = Table::new(plan());
    table.login();
    table.hear("BEGIN Game_Summary\nGame_ID:a\nYour_Turn:+\nEND Game_Summary");
    table.tell(Told::Failed("no".into()));
    table.tell(Told::Failed("no".into()));
    assert_eq!(table.restarts, 2);
    let prepares = table.orders.iter().filter(|order| matches!(order, Order::Prepare(..))).count();
    assert_eq!(prepares, 3);
    table.tell(Told::Failed("no".into()));
    assert_eq!(table.parting, Some(Parting::Broken("no".into())));
}

/// The next connection had nobody to play, and rejected game after game.
#[test]
fn a_connection_that_breaks_when_all_players_have_failed_is_the_last() {
    let mut table = Table::playing(plan(), '+', "");
    (0..3).for_each(|_| table.tell(Told::Failed("no".into())));
    assert_eq!((table.restarts, table.sent.clone()), (2, vec!["%TORYO".to_owned()]));
    // That the last one is gone was told as another failure.
    let warned = table.warned.len();
    table.tell(Told::Failed("it is gone".into()));
    assert_eq!((table.restarts, table.warned.len()), (2, warned));
    table.handle(Input::Closed("gone"));
    assert!(matches!(table.parting, Some(Parting::Broken(_))), "{:?}", table.parting);
    assert_eq!(table.saved.len(), 1);
}

#[test]
fn an_engine_that_fails_after_agreeing_is_prepared_again() {
    let mut table = Table::new(plan());
    table.login();
    table.hear("BEGIN Game_Summary\nGame_ID:a\nYour_Turn:+\nEND Game_Summary");
    table.ready();
    table.tell(Told::Failed("no".into()));
    assert_eq!(table.restarts, 1);
    assert!(matches!(table.orders[..], [Order::Prepare(..), Order::Prepare(..)]));
    table.ready();
    assert_eq!(table.sent, ["AGREE a"]);
    table.hear("START:a");
    assert!(table.session.game().is_some());
}

/// Each of its lines was complained of.
#[test]
fn a_proposal_that_crosses_our_farewell_is_passed_over() {
    let mut table = Table::new(plan());
    table.login();
    table.handle(Input::Leave);
    table.hear(
        "BEGIN Game_Summary\nProtocol_Version:1.2\nGame_ID:a\nYour_Turn:+\nBEGIN Position\n\
         P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\n+\nEND Position\nEND Game_Summary\nLOGOUT:completed",
    );
    assert_eq!((table.warned.clone(), table.orders.len()), (Vec::new(), 0));
    assert_eq!(table.parting, Some(Parting::Done));
}

#[test]
fn leaving_in_the_midst_of_a_proposal_takes_no_game() {
    let mut table = Table::new(plan());
    table.login();
    table.hear("BEGIN Game_Summary\nGame_ID:a\nYour_Turn:+");
    table.handle(Input::Leave);
    assert_eq!(table.last_sent(), "LOGOUT");
    table.hear("END Game_Summary");
    assert!(table.orders.is_empty());
    table.hear("LOGOUT:completed");
    assert_eq!(table.parting, Some(Parting::Done));
}
