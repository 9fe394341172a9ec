//! Games as transcripts: all endings, all clocks, and errors of players and servers.

use super::*;
use crate::csa::player::PlayerEvent;
use crate::csa::session::SessionConfig;
use crate::csa::testing::{TestSession, config, ms, mv};
use crate::record::{EvaluationValue, NodeId, RecordFormat, write};
use crate::usi_client::EngineScore;

fn pondering() -> SessionConfig {
    SessionConfig { play: PlayOptions { ponder: true, comments: false }, ..config() }
}

/// With a margin of 200 ms per move.
fn with_margin() -> SessionConfig {
    SessionConfig { margin: ms(200), ..config() }
}

fn commenting() -> SessionConfig {
    SessionConfig { play: PlayOptions { ponder: false, comments: true }, ..config() }
}

const BYOYOMI: &str = "BEGIN Time\nTotal_Time:10\nByoyomi:5\nEND Time";

/// The clock of the last search command for this side: main time, increment, byoyomi.
fn engine_clock(session: &TestSession, color: Color) -> (u64, u64, u64) {
    let budget = session.task().clocks.net[color];
    let ms = |time: Duration| time.as_millis() as u64;
    (ms(budget.remaining), ms(budget.increment), ms(budget.byoyomi))
}

#[test]
fn a_game_is_played_move_by_move() {
    let mut session = TestSession::playing(config(), '+', "");
    assert_eq!(session.searched(), (String::new(), false));
    session.answer("7g7f ponder 3c3d");
    assert_eq!(session.sent, ["+7776FU"]);
    session.receive("+7776FU,T2\n-3334FU,T4");
    assert_eq!(session.searched(), ("7g7f 3c3d".into(), false));
    session.answer("8h2b+");
    assert_eq!(session.last_sent(), "+8822UM");
    session.receive("+8822UM,T1\n-3122GI,T0");
    session.answer("B*5e");
    assert_eq!(session.last_sent(), "+0055KA");
    assert_eq!(session.warned, [""; 0]);
}

#[test]
fn white_waits_for_black() {
    let mut session = TestSession::playing(config(), '-', "");
    assert!(!session.commands.iter().any(|order| matches!(order, PlayerCommand::Search(_))));
    session.receive("+2726FU,T0");
    session.answer("8c8d");
    assert_eq!(session.sent, ["-8384FU"]);
}

/// A game after one move of each side, and then these lines.
fn ended(sign: char, lines: &str) -> (TestSession, String) {
    let mut session = TestSession::playing(config(), sign, "");
    if sign == '+' {
        session.answer("7g7f");
    }
    session.receive("+7776FU,T1");
    if sign == '-' {
        session.answer("3c3d");
    }
    session.receive("-3334FU,T1");
    session.receive(lines);
    assert_eq!(session.saved.len(), 1, "{lines}");
    let games = [session.saved[0].game.clone()];
    let text = write(&games, RecordFormat::Csa3, crate::record::Encoding::Utf8).0;
    let last = text.lines().last().unwrap().to_owned();
    (session, last)
}

/// Regression: the record had the times of the moves only.
#[test]
fn the_time_of_a_resignation_is_recorded() {
    let (session, last) = ended('+', "%TORYO,T3\n#RESIGN\n#LOSE");
    assert_eq!(last, "T3");
    assert_eq!(session.saved[0].game.ending(), Some(&Ending::Resign));
}

/// Regression: the second line, which has no time, deleted it.
#[test]
fn the_time_of_a_declaration_that_the_server_repeats_is_recorded() {
    let (session, last) = ended('+', "%KACHI,T3\n%KACHI\n#JISHOGI\n#WIN");
    assert_eq!(last, "T3");
    assert_eq!(session.saved[0].game.ending(), Some(&Ending::Declaration));
}

#[test]
fn every_ending_is_sent_to_the_player_and_recorded() {
    use GameOver::{Draw, Lose, Win};
    // Black is to move.
    let cases = [
        ('+', "%TORYO\n#RESIGN\n#LOSE", Lose, "%TORYO"),
        ('-', "%TORYO\n#RESIGN\n#WIN", Win, "%TORYO"),
        ('+', "#TIME_UP\n#LOSE", Lose, "%TIME_UP"),
        ('-', "#TIME_UP\n#WIN", Win, "%TIME_UP"),
        ('+', "#ILLEGAL_MOVE\n#LOSE", Lose, "%ILLEGAL_MOVE"),
        ('-', "+7675xx\n#ILLEGAL_MOVE\n#WIN", Win, "%ILLEGAL_MOVE"),
        ('+', "%KACHI\n#ILLEGAL_MOVE\n#LOSE", Lose, "%ILLEGAL_MOVE"),
        ('+', "#ILLEGAL_ACTION\n#WIN", Win, "%-ILLEGAL_ACTION"),
        ('-', "#ILLEGAL_ACTION\n#LOSE", Lose, "%-ILLEGAL_ACTION"),
        ('+', "#SENNICHITE\n#DRAW", Draw, "%SENNICHITE"),
        ('+', "#OUTE_SENNICHITE\n#WIN", Win, "%-ILLEGAL_ACTION"),
        ('+', "#OUTE_SENNICHITE\n#LOSE", Lose, "%+ILLEGAL_ACTION"),
        ('+', "%KACHI\n#JISHOGI\n#WIN", Win, "%KACHI"),
        ('-', "%KACHI\n#JISHOGI\n#LOSE", Lose, "%KACHI"),
        ('+', "#MAX_MOVES\n#CENSORED", Draw, "%MAX_MOVES"),
        ('+', "#CHUDAN", Draw, "%CHUDAN"),
        ('+', "#DRAW", Draw, "%HIKIWAKE"),
        ('+', "#WIN", Win, "%CHUDAN"),
        // The side that is not to move has disconnected.
        ('+', "#RESIGN\n#WIN", Win, "%CHUDAN"),
    ];
    for (sign, lines, outcome, ending) in cases {
        let (session, last) = ended(sign, lines);
        assert_eq!(session.game_overs(), [outcome], "{lines}");
        assert_eq!(last, ending, "{lines}");
        assert!(
            session.messages.iter().any(|text| text.starts_with("the game is over: ")),
            "{lines}"
        );
        // The search is cancelled.
        let abandoned = session.commands.iter().rposition(|order| *order == PlayerCommand::Cancel);
        let searched =
            session.commands.iter().rposition(|order| matches!(order, PlayerCommand::Search(_)));
        assert!(abandoned > searched, "{lines}");
    }
}

#[test]
fn a_lost_connection_ends_the_game_without_a_result() {
    let mut session = TestSession::playing(config(), '+', "");
    session.handle(crate::csa::session::SessionInput::Closed(Message::verbatim("gone")));
    assert_eq!(session.game_overs(), [GameOver::Draw]);
    assert_eq!(session.saved[0].game.ending(), Some(&Ending::Interrupted));
}

#[test]
fn we_resign_and_declare_by_the_words_of_the_protocol() {
    let mut session = TestSession::playing(config(), '+', "");
    session.answer("resign");
    assert_eq!(session.sent, ["%TORYO"]);
    session.receive("%TORYO,T3\n#RESIGN\n#LOSE");
    assert_eq!(session.game_overs(), [GameOver::Lose]);
    let won = "BEGIN Position\n\
        P1+KI+KI+KI+KI+OU+GI+GI+GI+GI\nP2+TO+TO *  *  *  *  *  *  * \n\
        P3 *  *  *  *  *  *  *  *  * \nP4 *  *  *  *  *  *  *  *  * \n\
        P5 *  *  *  *  *  *  *  *  * \nP6 *  *  *  *  *  *  *  *  * \n\
        P7 *  *  *  *  *  *  *  *  * \nP8 *  *  *  *  *  *  *  *  * \n\
        P9 *  *  *  * -OU *  *  *  * \nP+00HI00HI00KA00FU00FU00FU\n+\nEND Position";
    let mut session = TestSession::playing(config(), '+', won);
    session.answer("win");
    assert_eq!((session.sent, session.warned), (vec!["%KACHI".to_owned()], vec![]));
}

#[test]
fn an_illegal_answer_is_replaced() {
    for wrong in ["win", "7g7e", "3c3d", "2f2f", "pass", "0000", "none", "ponder 7g7f", ""] {
        let mut session = TestSession::playing(config(), '+', "");
        session.report(EngineScore::Centipawns(1), "2g2f 8c8d");
        session.answer(wrong);
        assert_eq!(session.sent, ["+2726FU"], "{wrong}");
        assert_eq!(session.warned.len(), 1);
    }
    // Even without any results of a search.
    let mut session = TestSession::playing(config(), '+', "");
    session.answer("win");
    assert!(session.sent[0].starts_with('+'));
}

/// Regression: the first legal move was played, even if it lost a piece.
#[test]
fn without_any_results_the_best_move_without_a_search_is_played() {
    let position = "BEGIN Position\nP-51OU00HI\nP+59OU53FU00KI\n+\nEND Position";
    let mut session = TestSession::playing(config(), '+', position);
    session.answer("pass");
    assert_eq!(session.sent, ["+0052KI"], "a mate in one");
}

/// Regression: the engine was restarted, and at the third such answer the game was resigned.
#[test]
fn the_first_legal_word_of_an_answer_is_played_whatever_surrounds_it() {
    for (answer, played) in [
        ("7g7f ponder", "+7776FU"),
        ("7g7f 3c3d", "+7776FU"),
        ("7g7f ponder (null)", "+7776FU"),
        ("3c3d 7g7f", "+7776FU"),
        ("resign .", "%TORYO"),
    ] {
        let mut session = TestSession::playing(config(), '+', "");
        session.report(EngineScore::Centipawns(1), "2g2f 8c8d");
        session.answer(answer);
        assert_eq!(session.sent, [played], "{answer}");
        assert_eq!(session.warned, [""; 0], "{answer}");
    }
}

#[test]
fn an_answer_to_an_old_search_is_not_played() {
    let mut session = TestSession::playing(config(), '+', "");
    let old = session.task().id;
    session.answer("7g7f");
    session.receive("+7776FU,T1\n-3334FU,T1");
    session.answer_to(old, "2g2f");
    assert_eq!(session.sent, ["+7776FU"]);
    session.answer("2g2f");
    session.answer("2g2f");
    assert_eq!(session.sent, ["+7776FU", "+2726FU"]);
}

#[test]
fn byoyomi_and_overhead_reach_the_player() {
    let mut session = TestSession::playing(config(), '+', BYOYOMI);
    assert_eq!(engine_clock(&session, Color::Black), (10_000, 0, 5000));
    session.after(1000);
    session.answer("7g7f");
    session.after(300);
    session.receive("+7776FU,T12");
    session.receive("-3334FU,T3");
    // The server counts 12 s, of which we have seen 1.3 s; at most 3 s count as network delay.
    assert_eq!(session.task().clocks.overhead, ms(3000));
    assert_eq!(engine_clock(&session, Color::Black), (0, 0, 2000));
    assert_eq!(engine_clock(&session, Color::White), (7000, 0, 5000));
    let mut session = TestSession::playing(config(), '+', BYOYOMI);
    session.after(4000);
    session.answer("7g7f");
    session.after(200);
    session.receive("+7776FU,T4\n-3334FU,T0");
    assert_eq!(session.task().clocks.overhead, ms(200));
    assert_eq!(engine_clock(&session, Color::Black), (6000, 0, 4800));
}

#[test]
fn all_kinds_of_clocks_reach_the_player() {
    let time = |lines: &str| {
        let session =
            TestSession::playing(config(), '+', &format!("BEGIN Time\n{lines}\nEND Time"));
        engine_clock(&session, Color::Black)
    };
    assert_eq!(time("Total_Time:300\nIncrement:10"), (300_000, 10_000, 0));
    assert_eq!(time("Total_Time:600"), (600_000, 0, 0));
    assert_eq!(time("Time_Unit:1min\nTotal_Time:15\nTime_Roundup:YES"), (900_000, 0, 0));
    assert_eq!(time("Time_Unit:1min\nTotal_Time:15"), (840_000, 0, 60_000));
    assert_eq!(time("Time_Unit:10msec\nTotal_Time:100\nByoyomi:50"), (1000, 0, 500));
    assert_eq!(time("Time_Unit:1msec\nTotal_Time:1500"), (1500, 0, 0));
    assert_eq!(time("Total_Time:60\nDelay:3"), (60_000, 0, 3000));
    assert_eq!(time("Total_Time:0\nByoyomi:0"), (0, 0, 10_000));
    let sides = "BEGIN Time+\nTotal_Time:5\nEND Time+\nBEGIN Time-\nByoyomi:7\nEND Time-";
    let session = TestSession::playing(config(), '+', sides);
    assert_eq!(engine_clock(&session, Color::Black), (5000, 0, 0));
    assert_eq!(engine_clock(&session, Color::White), (0, 0, 7000));
}

#[test]
fn an_increment_is_added_at_every_move_and_fractions_of_seconds_count() {
    let time = "BEGIN Time\nTime_Unit:1msec\nTotal_Time:1000\nIncrement:500\nEND Time";
    let mut session = TestSession::playing(config(), '+', time);
    session.after(250);
    session.answer("7g7f");
    session.receive("+7776FU,T0.25\n-3334FU,T2.");
    assert_eq!(engine_clock(&session, Color::Black), (1250, 500, 0));
    assert_eq!(engine_clock(&session, Color::White), (0, 500, 0));
}

/// Regression: the record had the time in nanoseconds, and the delay was not subtracted.
#[test]
fn a_move_without_a_time_is_counted_as_the_server_would_count_it() {
    let time = "BEGIN Time\nTotal_Time:60\nDelay:3\nEND Time";
    let mut session = TestSession::playing(config(), '+', time);
    session.after(4700);
    session.answer("7g7f");
    session.receive("+7776FU\n-3334FU");
    assert_eq!(engine_clock(&session, Color::Black), (58_300, 0, 3000));
    assert!(
        session.messages.iter().any(|text| text == "1 +7776FU (1 s)"),
        "{:?}",
        session.messages
    );
    session.receive("#SENNICHITE\n#DRAW");
    let game = &session.saved[0].game;
    let times: Vec<_> = game.main_line().filter_map(|id| game.node(id).elapsed).collect();
    assert_eq!(times, [1, 0].map(Duration::from_secs));
}

#[test]
fn the_player_knows_the_least_time_and_the_unit_before_the_game() {
    let time = "Max_Moves:256\nBEGIN Time\nTotal_Time:60\nLeast_Time_Per_Move:1\nEND Time";
    let session = TestSession::playing(config(), '+', time);
    let conditions =
        GameConditions { max_moves: Some(256), unit: ms(1000), least_time_per_move: ms(1000) };
    assert!(session.commands.contains(&PlayerCommand::NewGame(1, conditions)));
}

#[test]
fn a_player_that_thinks_too_long_is_stopped_once() {
    let mut session = TestSession::playing(config(), '+', BYOYOMI);
    let stops = |session: &TestSession| {
        session.commands.iter().filter(|&order| *order == PlayerCommand::Stop).count()
    };
    assert_eq!(session.session.deadline(), Some(session.now + ms(15_000)));
    session.after(14_999);
    assert_eq!(stops(&session), 0);
    session.after(1);
    session.after(1);
    assert_eq!(stops(&session), 1);
    session.answer("7g7f");
    assert_eq!(session.sent, ["+7776FU"]);
}

#[test]
fn a_player_that_answers_late_is_given_less_time() {
    let mut session = TestSession::playing(with_margin(), '+', BYOYOMI);
    session.after(14_850);
    session.answer("7g7f");
    session.receive("+7776FU,T14\n-3334FU,T0");
    assert_eq!(session.task().clocks.overhead, ms(250));
    assert_eq!(engine_clock(&session, Color::Black), (0, 0, 4750));
}

#[test]
fn the_best_known_move_of_a_player_that_hangs_is_played() {
    let mut session = TestSession::playing(with_margin(), '+', BYOYOMI);
    let id = session.task().id;
    session.report(EngineScore::Centipawns(1), "2g2f 8c8d");
    session.after(14_800);
    assert_eq!(session.commands.last(), Some(&PlayerCommand::Stop));
    assert_eq!(session.session.deadline(), Some(session.now + ms(100)));
    session.after(99);
    assert_eq!(session.sent, [""; 0]);
    session.after(1);
    assert_eq!((session.sent.clone(), session.warned.len()), (vec!["+2726FU".to_owned()], 1));
    assert_eq!(session.commands.last(), Some(&PlayerCommand::Cancel));
    // Its later failure or answer is ignored.
    session.answer_to(id, "7g7f");
    session.player(PlayerEvent::Failed("no answer after stop".into()));
    assert_eq!((session.sent.len(), session.restarts), (1, 1));
    session.receive("+2726FU,T14\n-8384FU,T0");
    assert_eq!(session.searched(), ("2g2f 8c8d".into(), false));
    // Even without any results of a search.
    session.after(5000);
    assert!(session.last_sent().starts_with('+') && session.sent.len() == 2, "{:?}", session.sent);
}

#[test]
fn a_player_that_is_always_late_is_stopped_early_enough() {
    let mut session = TestSession::playing(with_margin(), '+', "BEGIN Time\nByoyomi:10\nEND Time");
    let mut answered = Vec::new();
    for _ in 0..6 {
        let due = session.session.deadline().unwrap() - session.now;
        session.after(due.as_millis() as u64);
        // It answers 450 ms after stop.
        (0..45).for_each(|_| session.after(10));
        answered.push(session.last_sent().is_empty());
        session.answer("7g7f");
        let line = session.last_sent().to_owned();
        session.sent.clear();
        session.receive(&format!("{line},T0"));
        let reply =
            session.session.game().unwrap().position().legal_moves().moves().next().unwrap();
        let reply = csa_move(session.session.game().unwrap().position(), reply);
        session.receive(&format!("{reply},T0"));
    }
    assert_eq!(answered, [false, false, false, false, true, true]);
}

#[test]
fn one_very_slow_echo_does_not_make_all_moves_instant() {
    let mut session = TestSession::playing(config(), '+', "BEGIN Time\nByoyomi:1\nEND Time");
    session.after(500);
    session.answer("7g7f");
    session.after(1200);
    session.receive("+7776FU,T0\n-3334FU,T0");
    assert_eq!(engine_clock(&session, Color::Black), (0, 0, 250));
    assert_eq!(session.session.deadline(), Some(session.now + ms(250)));
    session.after(249);
    assert!(!session.commands.contains(&PlayerCommand::Stop));
    // A player that uses all its time is not late.
    session.after(1);
    session.answer("2g2f");
    session.receive("+2726FU,T0\n-8384FU,T0");
    assert_eq!(session.task().clocks.overhead, ms(1200));
}

#[test]
fn pondering_continues_after_a_hit() {
    let mut session = TestSession::playing(pondering(), '+', BYOYOMI);
    session.answer("7g7f ponder 3c3d");
    session.receive("+7776FU,T1");
    assert_eq!(session.searched(), ("7g7f 3c3d".into(), true));
    let id = session.task().id;
    session.report(EngineScore::Centipawns(30), "2g2f");
    session.after(2000);
    session.receive("-3334FU,T2");
    let hit = session.commands.last().unwrap();
    assert!(matches!(hit, PlayerCommand::PonderHit { id: hit, received, .. }
        if *hit == id && *received == session.now));
    session.answer("2g2f");
    assert_eq!(session.last_sent(), "+2726FU");
}

#[test]
fn after_a_miss_another_search_begins() {
    let mut session = TestSession::playing(pondering(), '+', BYOYOMI);
    session.answer("7g7f ponder 3c3d");
    session.receive("+7776FU,T1");
    let pondered = session.task().id;
    // An answer while pondering is not played.
    session.answer("2g2f");
    session.receive("-8384FU,T2");
    assert_eq!(session.searched(), ("7g7f 8c8d".into(), false));
    assert_ne!(session.task().id, pondered);
    session.answer_to(pondered, "2g2f");
    assert_eq!(session.sent, ["+7776FU"]);
    session.answer("2g2f ponder 8d8e");
    assert_eq!(session.last_sent(), "+2726FU");
}

#[test]
fn there_is_no_pondering_without_a_legal_move_or_if_it_is_off() {
    for (config, answer) in
        [(pondering(), "7g7f"), (pondering(), "7g7f 2g2f"), (config(), "7g7f 3c3d")]
    {
        let mut session = TestSession::playing(config, '+', "");
        session.answer(answer);
        session.receive("+7776FU,T1");
        assert_eq!(session.searched(), (String::new(), false), "{answer}");
    }
}

#[test]
fn a_continued_game_begins_after_its_moves_with_less_time() {
    let position = "BEGIN Time\nTotal_Time:100\nIncrement:1\nEND Time\nBEGIN Position\nPI\n+\n\
        +7776FU,T12\n-3334FU,T6\nEND Position";
    let mut session = TestSession::playing(config(), '+', position);
    assert_eq!(session.searched(), ("7g7f 3c3d".into(), false));
    assert_eq!(engine_clock(&session, Color::Black), (89_000, 1000, 0));
    assert_eq!(engine_clock(&session, Color::White), (95_000, 1000, 0));
    session.answer("2g2f");
    session.receive("+2726FU,T1\n#CHUDAN");
    let game = &session.saved[0].game;
    assert_eq!(game.main_moves().count(), 3);
    let times: Vec<_> = game.main_line().filter_map(|id| game.node(id).elapsed).collect();
    assert_eq!(times, [12, 6, 1].map(Duration::from_secs));
    // The side to move is that of the position, although To_Move is the one before the moves.
    let position = format!("To_Move:+\n{}", position.replace("\n-3334FU,T6", ""));
    let session = TestSession::playing(config(), '-', &position);
    assert_eq!(session.searched(), ("7g7f".into(), false));
}

/// Regression: the time of its moves, one second each, was subtracted.
#[test]
fn a_game_from_a_buoy_begins_with_full_clocks() {
    let position = "Game_ID:e+buoy_n-100-10F+a+b+1\n\
        BEGIN Time\nTotal_Time:100\nIncrement:10\nEND Time\n\
        BEGIN Position\nPI\n+\n+7776FU,T1\n-3334FU,T1\nEND Position";
    let session = TestSession::playing(config(), '+', position);
    assert_eq!(session.searched(), ("7g7f 3c3d".into(), false));
    for color in Color::ALL {
        assert_eq!(engine_clock(&session, color), (100_000, 10_000, 0));
    }
}

/// Regression: all times of a buoy were ignored, so Black had 420 s more on its clock than on that of the server.
#[test]
fn a_buoy_with_a_long_time_begins_with_less_time() {
    let clocks = |times: [u64; 4]| {
        let [first, second, third, fourth] = times;
        let position = format!(
            "Game_ID:e+buoy_n-600-2F+a+b+1\n\
             BEGIN Time\nTotal_Time:600\nIncrement:2\nEND Time\nBEGIN Position\nPI\n+\n\
             +5958OU,T{first}\n-5152OU,T{second}\n+5859OU,T{third}\n-5251OU,T{fourth}\nEND Position"
        );
        let session = TestSession::playing(config(), '+', &position);
        Color::ALL.map(|color| engine_clock(&session, color).0)
    };
    assert_eq!(clocks([212, 2, 212, 2]), [180_000, 600_000]);
    assert_eq!(clocks([422, 2, 2, 2]), [180_000, 600_000]);
    // No move adds time.
    assert_eq!(clocks([0, 1, 2, 1]), [600_000, 600_000]);
}

#[test]
fn moves_are_sent_with_score_and_pv() {
    let sent = |sign: char, score, line: &str, answer: &str| {
        let mut session = TestSession::playing(commenting(), sign, "");
        if sign == '-' {
            session.receive("+7776FU,T0");
        }
        session.report(score, line);
        session.answer(answer);
        session.last_sent().to_owned()
    };
    use EngineScore::{Centipawns, Mated, Mates};
    assert_eq!(
        sent('+', Centipawns(34), "7g7f 3c3d 2g2f", "7g7f"),
        "+7776FU,'* 34 -3334FU +2726FU"
    );
    assert_eq!(sent('-', Centipawns(34), "3c3d 2g2f", "3c3d"), "-3334FU,'* -34 +2726FU");
    assert_eq!(sent('+', Centipawns(-5), "7g7f", "7g7f"), "+7776FU,'* -5");
    // The PV is of another move, so only the score is sent.
    assert_eq!(sent('+', Centipawns(5), "2g2f 3c3d", "7g7f"), "+7776FU,'* 5");
    assert_eq!(sent('-', Mates(Some(3)), "3c3d", "3c3d"), "-3334FU,'* -30000");
    assert_eq!(sent('-', Mated(None), "3c3d", "3c3d"), "-3334FU,'* 30000");
    let mut session = TestSession::playing(commenting(), '+', "");
    session.answer("7g7f");
    assert_eq!(session.sent, ["+7776FU"]);
}

#[test]
fn the_record_has_times_evaluations_and_the_opponents_comments() {
    let mut session = TestSession::playing(config(), '+', "Max_Moves:256");
    session.report(EngineScore::Centipawns(34), "7g7f 3c3d");
    session.answer("7g7f");
    session.receive("+7776FU,T2\n-3334FU,T4,'* 10 +2726FU\n%TORYO\n#RESIGN\n#LOSE");
    let game = &session.saved[0].game;
    let nodes: Vec<_> = game.main_line().map(|id| game.node(id)).collect();
    assert_eq!(
        nodes[1].evaluations,
        [Evaluation::new(EvaluationValue::Centipawns(34), vec![mv("3c3d")])]
    );
    assert_eq!(
        nodes[2].evaluations,
        [Evaluation::new(EvaluationValue::Centipawns(10), vec![mv("2g2f")])]
    );
    assert_eq!(nodes[2].elapsed, Some(ms(4000)));
    assert_eq!(game.node(NodeId::ROOT).elapsed, None);
    let head = |key| game.headers.get(&key);
    use crate::record::HeaderKey;
    assert_eq!((head(HeaderKey::Black), head(HeaderKey::White)), (Some("black"), Some("white")));
    assert_eq!((head(HeaderKey::Event), head(HeaderKey::MaxMoves)), (Some("g"), Some("256")));
    assert!(head(HeaderKey::Start).is_some() && head(HeaderKey::End).is_some());
    assert!(session.messages.iter().any(|text| text == "white says: * 10 +2726FU"));
}

#[test]
fn the_same_line_twice_is_one_move() {
    let mut session = TestSession::playing(config(), '-', "");
    session.receive("+7776FU,T1\n+7776FU,T1");
    assert_eq!(session.warned, [""; 0]);
    assert_eq!(session.searched().0, "7g7f");
}

#[test]
fn after_an_illegal_move_the_servers_ruling_is_awaited() {
    for line in ["+77", "+7775FU,T1", "-3334FU,T0", "+xxxxxx", "+"] {
        let mut session = TestSession::playing(config(), '-', "");
        session.receive(line);
        assert_eq!(session.warned.len(), 1, "{line}");
        session.receive("#ILLEGAL_MOVE\n#WIN");
        assert_eq!(session.game_overs(), [GameOver::Win]);
    }
}

/// Regression: the search was cancelled, and the game was lost on time.
#[test]
fn an_illegal_move_does_not_stop_our_search() {
    for line in ["-3334FU,T0", "+7775FU,T1", "--- a notice ---"] {
        let mut session = TestSession::playing(config(), '+', BYOYOMI);
        session.receive(line);
        assert_eq!(session.warned.len(), 1, "{line}");
        assert!(!session.commands.contains(&PlayerCommand::Cancel), "{line}");
        session.answer("7g7f");
        assert_eq!(session.sent, ["+7776FU"], "{line}");
        // The server may still end the game.
        session.receive("#ILLEGAL_ACTION\n#WIN");
        assert_eq!(session.game_overs(), [GameOver::Win], "{line}");
    }
}

#[test]
fn a_player_that_fails_is_replaced_and_searches_with_the_remaining_time() {
    let mut session = TestSession::playing(config(), '+', BYOYOMI);
    let first = session.task().id;
    session.after(3000);
    session.player(PlayerEvent::Failed("crash".into()));
    assert_eq!(session.restarts, 1);
    assert_ne!(session.task().id, first);
    assert_eq!(engine_clock(&session, Color::Black), (10_000, 0, 2000));
    session.ready();
    session.answer("7g7f");
    assert_eq!(session.sent, ["+7776FU"]);
}

#[test]
fn the_best_known_move_of_a_player_that_fails_too_late_is_played() {
    let mut session = TestSession::playing(with_margin(), '+', BYOYOMI);
    session.report(EngineScore::Centipawns(1), "2g2f 8c8d");
    session.after(14_800);
    session.player(PlayerEvent::Failed("crash".into()));
    assert_eq!((session.sent.clone(), session.restarts), (vec!["+2726FU".to_owned()], 1));
    // With a little time left another one searches, and the results of the first are kept.
    let mut session = TestSession::playing(with_margin(), '+', BYOYOMI);
    session.report(EngineScore::Centipawns(1), "2g2f 8c8d");
    session.after(14_700);
    session.player(PlayerEvent::Failed("crash".into()));
    assert_eq!((session.sent.len(), session.restarts), (0, 1));
    session.after(100);
    session.after(100);
    assert_eq!(session.sent, ["+2726FU"]);
}

#[test]
fn without_a_player_the_game_is_resigned() {
    let mut session = TestSession::playing(config(), '+', BYOYOMI);
    (0..3).for_each(|_| session.player(PlayerEvent::Failed("crash".into())));
    assert_eq!((session.restarts, session.last_sent()), (2, "%TORYO"));
    session.receive("%TORYO\n#RESIGN\n#LOSE\nLOGOUT:completed");
    let parting = session.end.unwrap();
    assert!(matches!(parting, crate::csa::action::ConnectionEnd::NoEngine(_)), "{parting:?}");
}
