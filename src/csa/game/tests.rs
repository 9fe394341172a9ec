//! Games as transcripts: every ending, every clock, and what players and servers do wrong.

use super::*;
use crate::csa::player::Told;
use crate::csa::session::Plan;
use crate::csa::testing::{Table, ms, mv, plan};
use crate::record::{EvaluationValue, NodeId, RecordFormat, write};
use crate::usi_client::EngineScore;

fn pondering() -> Plan {
    Plan { manner: Manner { ponder: true, comments: false }, ..plan() }
}

/// 200 ms of each move's time are kept back.
fn with_margin() -> Plan {
    Plan { margin: ms(200), ..plan() }
}

fn commenting() -> Plan {
    Plan { manner: Manner { ponder: false, comments: true }, ..plan() }
}

const BYOYOMI: &str = "BEGIN Time\nTotal_Time:10\nByoyomi:5\nEND Time";

/// The budget of the side that has just been asked for a move: rest, increment, byoyomi.
fn told(table: &Table, color: Color) -> (u64, u64, u64) {
    let budget = table.ask().clocks.sides[color];
    let ms = |time: Duration| time.as_millis() as u64;
    (ms(budget.rest), ms(budget.increment), ms(budget.byoyomi))
}

#[test]
fn a_game_is_played_move_by_move() {
    let mut table = Table::playing(plan(), '+', "");
    assert_eq!(table.asked(), (String::new(), false));
    table.answer("7g7f 3c3d");
    assert_eq!(table.sent, ["+7776FU"]);
    table.hear("+7776FU,T2\n-3334FU,T4");
    assert_eq!(table.asked(), ("7g7f 3c3d".into(), false));
    table.answer("8h2b+");
    assert_eq!(table.last_sent(), "+8822UM");
    table.hear("+8822UM,T1\n-3122GI,T0");
    table.answer("B*5e");
    assert_eq!(table.last_sent(), "+0055KA");
    assert_eq!(table.warned, [""; 0]);
}

#[test]
fn white_waits_for_black() {
    let mut table = Table::playing(plan(), '-', "");
    assert!(!table.orders.iter().any(|order| matches!(order, Order::Search(_))));
    table.hear("+2726FU,T0");
    table.answer("8c8d");
    assert_eq!(table.sent, ["-8384FU"]);
}

/// A game of one move each, after which we are to move; then these lines.
fn ended(sign: char, lines: &str) -> (Table, String) {
    let mut table = Table::playing(plan(), sign, "");
    if sign == '+' {
        table.answer("7g7f");
    }
    table.hear("+7776FU,T1");
    if sign == '-' {
        table.answer("3c3d");
    }
    table.hear("-3334FU,T1");
    table.hear(lines);
    assert_eq!(table.saved.len(), 1, "{lines}");
    let games = [table.saved[0].game.clone()];
    let text = write(&games, RecordFormat::Csa3, crate::record::Encoding::Utf8).0;
    let last = text.lines().last().unwrap().to_owned();
    (table, last)
}

#[test]
fn every_ending_is_told_to_the_player_and_recorded() {
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
        // The side that is not to move is gone.
        ('+', "#RESIGN\n#WIN", Win, "%CHUDAN"),
    ];
    for (sign, lines, outcome, special) in cases {
        let (table, last) = ended(sign, lines);
        assert_eq!(table.game_overs(), [outcome], "{lines}");
        assert_eq!(last, special, "{lines}");
        assert!(table.said.iter().any(|text| text.starts_with("the game is over: ")), "{lines}");
        // Whatever was being searched, nobody wants it.
        let abandoned = table.orders.iter().rposition(|order| *order == Order::Abandon);
        let searched = table.orders.iter().rposition(|order| matches!(order, Order::Search(_)));
        assert!(abandoned > searched, "{lines}");
    }
}

#[test]
fn a_broken_connection_ends_the_game_without_a_result() {
    let mut table = Table::playing(plan(), '+', "");
    table.handle(crate::csa::session::Input::Closed("gone"));
    assert_eq!(table.game_overs(), [GameOver::Draw]);
    assert_eq!(table.saved[0].game.ending(), Some(&SpecialMove::Interrupted));
}

#[test]
fn we_resign_and_declare_by_the_words_of_the_protocol() {
    let mut table = Table::playing(plan(), '+', "");
    table.answer("resign");
    assert_eq!(table.sent, ["%TORYO"]);
    table.hear("%TORYO,T3\n#RESIGN\n#LOSE");
    assert_eq!(table.game_overs(), [GameOver::Lose]);
    let won = "BEGIN Position\n\
        P1+KI+KI+KI+KI+OU+GI+GI+GI+GI\nP2+TO+TO *  *  *  *  *  *  * \n\
        P3 *  *  *  *  *  *  *  *  * \nP4 *  *  *  *  *  *  *  *  * \n\
        P5 *  *  *  *  *  *  *  *  * \nP6 *  *  *  *  *  *  *  *  * \n\
        P7 *  *  *  *  *  *  *  *  * \nP8 *  *  *  *  *  *  *  *  * \n\
        P9 *  *  *  * -OU *  *  *  * \nP+00HI00HI00KA00FU00FU00FU\n+\nEND Position";
    let mut table = Table::playing(plan(), '+', won);
    table.answer("win");
    assert_eq!((table.sent, table.warned), (vec!["%KACHI".to_owned()], vec![]));
}

#[test]
fn a_player_that_errs_does_not_lose_the_game_at_once() {
    for wrong in ["win", "7g7e", "3c3d"] {
        let mut table = Table::playing(plan(), '+', "");
        table.think(EngineScore::Centipawns(1), "2g2f 8c8d");
        table.answer(wrong);
        assert_eq!(table.sent, ["+2726FU"], "{wrong}");
        assert_eq!(table.warned.len(), 1);
    }
    // Even without any thought.
    let mut table = Table::playing(plan(), '+', "");
    table.answer("win");
    assert!(table.sent[0].starts_with('+'));
}

#[test]
fn an_answer_to_an_old_search_is_not_played() {
    let mut table = Table::playing(plan(), '+', "");
    let old = table.ask().id;
    table.answer("7g7f");
    table.hear("+7776FU,T1\n-3334FU,T1");
    table.answer_to(old, "2g2f");
    assert_eq!(table.sent, ["+7776FU"]);
    table.answer("2g2f");
    table.answer("2g2f");
    assert_eq!(table.sent, ["+7776FU", "+2726FU"]);
}

#[test]
fn byoyomi_and_latency_reach_the_player() {
    let mut table = Table::playing(plan(), '+', BYOYOMI);
    assert_eq!(told(&table, Color::Black), (10_000, 0, 5000));
    table.after(1000);
    table.answer("7g7f");
    table.after(300);
    table.hear("+7776FU,T12");
    table.hear("-3334FU,T3");
    // 12 s are gone, though we have seen 1.3 s of them; no more than 3 s of that are believed.
    assert_eq!(table.ask().clocks.overhead, ms(3000));
    assert_eq!(told(&table, Color::Black), (0, 0, 2000));
    assert_eq!(told(&table, Color::White), (7000, 0, 5000));
    let mut table = Table::playing(plan(), '+', BYOYOMI);
    table.after(4000);
    table.answer("7g7f");
    table.after(200);
    table.hear("+7776FU,T4\n-3334FU,T0");
    assert_eq!(table.ask().clocks.overhead, ms(200));
    assert_eq!(told(&table, Color::Black), (6000, 0, 4800));
}

#[test]
fn clocks_of_every_kind_reach_the_player() {
    let time = |lines: &str| {
        let table = Table::playing(plan(), '+', &format!("BEGIN Time\n{lines}\nEND Time"));
        told(&table, Color::Black)
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
    let table = Table::playing(plan(), '+', sides);
    assert_eq!(told(&table, Color::Black), (5000, 0, 0));
    assert_eq!(told(&table, Color::White), (0, 0, 7000));
}

#[test]
fn an_increment_is_added_at_every_move_and_parts_of_seconds_count() {
    let time = "BEGIN Time\nTime_Unit:1msec\nTotal_Time:1000\nIncrement:500\nEND Time";
    let mut table = Table::playing(plan(), '+', time);
    table.after(250);
    table.answer("7g7f");
    table.hear("+7776FU,T0.25\n-3334FU,T2.");
    assert_eq!(told(&table, Color::Black), (1250, 500, 0));
    assert_eq!(told(&table, Color::White), (0, 500, 0));
}

/// The time went into the record to the last nanosecond, and the delay was not taken off.
#[test]
fn a_move_without_a_time_is_counted_as_the_server_would_count_it() {
    let time = "BEGIN Time\nTotal_Time:60\nDelay:3\nEND Time";
    let mut table = Table::playing(plan(), '+', time);
    table.after(4700);
    table.answer("7g7f");
    table.hear("+7776FU\n-3334FU");
    assert_eq!(told(&table, Color::Black), (58_300, 0, 3000));
    assert!(table.said.iter().any(|text| text == "1 +7776FU (1 s)"), "{:?}", table.said);
    table.hear("#SENNICHITE\n#DRAW");
    let game = &table.saved[0].game;
    let times: Vec<_> = game.main_line().filter_map(|id| game.node(id).elapsed).collect();
    assert_eq!(times, [1, 0].map(Duration::from_secs));
}

#[test]
fn the_least_time_and_the_unit_are_told_before_the_game() {
    let time = "Max_Moves:256\nBEGIN Time\nTotal_Time:60\nLeast_Time_Per_Move:1\nEND Time";
    let table = Table::playing(plan(), '+', time);
    let terms = Terms { max_moves: Some(256), unit: ms(1000), least: ms(1000) };
    assert!(table.orders.contains(&Order::Prepare(1, terms)));
}

#[test]
fn a_player_that_thinks_too_long_is_told_to_stop_once() {
    let mut table = Table::playing(plan(), '+', BYOYOMI);
    let stops = |table: &Table| table.orders.iter().filter(|&order| *order == Order::Stop).count();
    assert_eq!(table.session.deadline(), Some(table.now + ms(15_000)));
    table.after(14_999);
    assert_eq!(stops(&table), 0);
    table.after(1);
    table.after(1);
    assert_eq!(stops(&table), 1);
    table.answer("7g7f");
    assert_eq!(table.sent, ["+7776FU"]);
}

#[test]
fn a_player_that_answers_late_is_given_less_time() {
    let mut table = Table::playing(with_margin(), '+', BYOYOMI);
    table.after(14_850);
    table.answer("7g7f");
    table.hear("+7776FU,T14\n-3334FU,T0");
    assert_eq!(table.ask().clocks.overhead, ms(250));
    assert_eq!(told(&table, Color::Black), (0, 0, 4750));
}

#[test]
fn a_player_that_hangs_loses_no_game_whose_move_is_known() {
    let mut table = Table::playing(with_margin(), '+', BYOYOMI);
    let id = table.ask().id;
    table.think(EngineScore::Centipawns(1), "2g2f 8c8d");
    table.after(14_800);
    assert_eq!(table.orders.last(), Some(&Order::Stop));
    assert_eq!(table.session.deadline(), Some(table.now + ms(100)));
    table.after(99);
    assert_eq!(table.sent, [""; 0]);
    table.after(1);
    assert_eq!((table.sent.clone(), table.warned.len()), (vec!["+2726FU".to_owned()], 1));
    assert_eq!(table.orders.last(), Some(&Order::Abandon));
    // It fails later, when nothing depends on it; and should it answer, nobody hears it.
    table.answer_to(id, "7g7f");
    table.tell(Told::Failed("no answer after stop".into()));
    assert_eq!((table.sent.len(), table.restarts), (1, 1));
    table.hear("+2726FU,T14\n-8384FU,T0");
    assert_eq!(table.asked(), ("2g2f 8c8d".into(), false));
    // Even without any thought.
    table.after(5000);
    assert!(table.last_sent().starts_with('+') && table.sent.len() == 2, "{:?}", table.sent);
}

#[test]
fn a_player_that_is_always_late_is_waited_for_in_the_end() {
    let mut table = Table::playing(with_margin(), '+', "BEGIN Time\nByoyomi:10\nEND Time");
    let mut answered = Vec::new();
    for _ in 0..6 {
        let due = table.session.deadline().unwrap() - table.now;
        table.after(due.as_millis() as u64);
        // It takes 450 ms from the word to stop.
        (0..45).for_each(|_| table.after(10));
        answered.push(table.last_sent().is_empty());
        table.answer("7g7f");
        let line = table.last_sent().to_owned();
        table.sent.clear();
        table.hear(&format!("{line},T0"));
        let reply = table.session.game().unwrap().position().legal_moves().moves().next().unwrap();
        let reply = csa_move(table.session.game().unwrap().position(), reply);
        table.hear(&format!("{reply},T0"));
    }
    assert_eq!(answered, [false, false, false, false, true, true]);
}

#[test]
fn one_echo_that_took_longer_than_a_move_may_does_not_make_every_move_instant() {
    let mut table = Table::playing(plan(), '+', "BEGIN Time\nByoyomi:1\nEND Time");
    table.after(500);
    table.answer("7g7f");
    table.after(1200);
    table.hear("+7776FU,T0\n-3334FU,T0");
    assert_eq!(told(&table, Color::Black), (0, 0, 250));
    assert_eq!(table.session.deadline(), Some(table.now + ms(250)));
    table.after(249);
    assert!(!table.orders.contains(&Order::Stop));
    // A player that uses what it was told is not late.
    table.after(1);
    table.answer("2g2f");
    table.hear("+2726FU,T0\n-8384FU,T0");
    assert_eq!(table.ask().clocks.overhead, ms(1200));
}

#[test]
fn pondering_goes_on_when_the_guess_was_right() {
    let mut table = Table::playing(pondering(), '+', BYOYOMI);
    table.answer("7g7f 3c3d");
    table.hear("+7776FU,T1");
    assert_eq!(table.asked(), ("7g7f 3c3d".into(), true));
    let id = table.ask().id;
    table.think(EngineScore::Centipawns(30), "2g2f");
    table.after(2000);
    table.hear("-3334FU,T2");
    let hit = table.orders.last().unwrap();
    assert!(matches!(hit, Order::PonderHit { id: hit, received, .. }
        if *hit == id && *received == table.now));
    table.answer("2g2f");
    assert_eq!(table.last_sent(), "+2726FU");
}

#[test]
fn another_move_than_guessed_begins_another_search() {
    let mut table = Table::playing(pondering(), '+', BYOYOMI);
    table.answer("7g7f 3c3d");
    table.hear("+7776FU,T1");
    let pondered = table.ask().id;
    // No engine answers while pondering, but should it, it is not played.
    table.answer("2g2f");
    table.hear("-8384FU,T2");
    assert_eq!(table.asked(), ("7g7f 8c8d".into(), false));
    assert_ne!(table.ask().id, pondered);
    table.answer_to(pondered, "2g2f");
    assert_eq!(table.sent, ["+7776FU"]);
    table.answer("2g2f 8d8e");
    assert_eq!(table.last_sent(), "+2726FU");
}

#[test]
fn nothing_is_pondered_without_a_legal_guess_or_against_the_users_wish() {
    for (plan, answer) in [(pondering(), "7g7f"), (pondering(), "7g7f 2g2f"), (plan(), "7g7f 3c3d")]
    {
        let mut table = Table::playing(plan, '+', "");
        table.answer(answer);
        table.hear("+7776FU,T1");
        assert_eq!(table.asked(), (String::new(), false), "{answer}");
    }
}

#[test]
fn a_game_that_goes_on_begins_where_it_was_left_with_less_time() {
    let position = "BEGIN Time\nTotal_Time:100\nIncrement:1\nEND Time\nBEGIN Position\nPI\n+\n\
        +7776FU,T12\n-3334FU,T6\nEND Position";
    let mut table = Table::playing(plan(), '+', position);
    assert_eq!(table.asked(), ("7g7f 3c3d".into(), false));
    assert_eq!(told(&table, Color::Black), (89_000, 1000, 0));
    assert_eq!(told(&table, Color::White), (95_000, 1000, 0));
    table.answer("2g2f");
    table.hear("+2726FU,T1\n#CHUDAN");
    let game = &table.saved[0].game;
    assert_eq!(game.main_moves().count(), 3);
    let times: Vec<_> = game.main_line().filter_map(|id| game.node(id).elapsed).collect();
    assert_eq!(times, [12, 6, 1].map(Duration::from_secs));
    // The side to move is the position's, though To_Move names the one before the moves.
    let position = format!("To_Move:+\n{}", position.replace("\n-3334FU,T6", ""));
    let table = Table::playing(plan(), '-', &position);
    assert_eq!(table.asked(), ("7g7f".into(), false));
}

/// Each of its moves comes with one second, so it was given the increments less that.
#[test]
fn a_game_from_a_buoy_begins_with_full_clocks() {
    let position = "Game_ID:e+buoy_n-100-10F+a+b+1\n\
        BEGIN Time\nTotal_Time:100\nIncrement:10\nEND Time\n\
        BEGIN Position\nPI\n+\n+7776FU,T1\n-3334FU,T1\nEND Position";
    let table = Table::playing(plan(), '+', position);
    assert_eq!(table.asked(), ("7g7f 3c3d".into(), false));
    for color in Color::ALL {
        assert_eq!(told(&table, color), (100_000, 10_000, 0));
    }
}

#[test]
fn moves_are_sent_with_what_was_thought_of_them() {
    let sent = |sign: char, score, line: &str, answer: &str| {
        let mut table = Table::playing(commenting(), sign, "");
        if sign == '-' {
            table.hear("+7776FU,T0");
        }
        table.think(score, line);
        table.answer(answer);
        table.last_sent().to_owned()
    };
    use EngineScore::{Centipawns, Mated, Mates};
    assert_eq!(
        sent('+', Centipawns(34), "7g7f 3c3d 2g2f", "7g7f"),
        "+7776FU,'* 34 -3334FU +2726FU"
    );
    assert_eq!(sent('-', Centipawns(34), "3c3d 2g2f", "3c3d"), "-3334FU,'* -34 +2726FU");
    assert_eq!(sent('+', Centipawns(-5), "7g7f", "7g7f"), "+7776FU,'* -5");
    // Of another move, so only the score is worth something.
    assert_eq!(sent('+', Centipawns(5), "2g2f 3c3d", "7g7f"), "+7776FU,'* 5");
    assert_eq!(sent('-', Mates(Some(3)), "3c3d", "3c3d"), "-3334FU,'* -30000");
    assert_eq!(sent('-', Mated(None), "3c3d", "3c3d"), "-3334FU,'* 30000");
    let mut table = Table::playing(commenting(), '+', "");
    table.answer("7g7f");
    assert_eq!(table.sent, ["+7776FU"]);
}

#[test]
fn the_record_has_times_evaluations_and_the_opponents_comments() {
    let mut table = Table::playing(plan(), '+', "Max_Moves:256");
    table.think(EngineScore::Centipawns(34), "7g7f 3c3d");
    table.answer("7g7f");
    table.hear("+7776FU,T2\n-3334FU,T4,'* 10 +2726FU\n%TORYO\n#RESIGN\n#LOSE");
    let game = &table.saved[0].game;
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
    assert!(table.said.iter().any(|text| text == "white says: * 10 +2726FU"));
}

#[test]
fn the_same_line_twice_is_one_move() {
    let mut table = Table::playing(plan(), '-', "");
    table.hear("+7776FU,T1\n+7776FU,T1");
    assert_eq!(table.warned, [""; 0]);
    assert_eq!(table.asked().0, "7g7f");
}

#[test]
fn a_line_that_is_no_move_waits_for_the_servers_verdict() {
    for line in ["+77", "+7775FU,T1", "-3334FU,T0", "+xxxxxx", "+"] {
        let mut table = Table::playing(plan(), '-', "");
        table.hear(line);
        assert_eq!(table.warned.len(), 1, "{line}");
        table.hear("#ILLEGAL_MOVE\n#WIN");
        assert_eq!(table.game_overs(), [GameOver::Win]);
    }
}

/// The search was given up, and nobody moved until the time was over.
#[test]
fn a_line_that_is_no_move_keeps_nobody_from_moving() {
    for line in ["-3334FU,T0", "+7775FU,T1", "--- a notice ---"] {
        let mut table = Table::playing(plan(), '+', BYOYOMI);
        table.hear(line);
        assert_eq!(table.warned.len(), 1, "{line}");
        assert!(!table.orders.contains(&Order::Abandon), "{line}");
        table.answer("7g7f");
        assert_eq!(table.sent, ["+7776FU"], "{line}");
        // The server may have a verdict all the same.
        table.hear("#ILLEGAL_ACTION\n#WIN");
        assert_eq!(table.game_overs(), [GameOver::Win], "{line}");
    }
}

#[test]
fn a_player_that_fails_is_replaced_and_goes_on_with_what_is_left_of_the_time() {
    let mut table = Table::playing(plan(), '+', BYOYOMI);
    let first = table.ask().id;
    table.after(3000);
    table.tell(Told::Failed("crash".into()));
    assert_eq!(table.restarts, 1);
    assert_ne!(table.ask().id, first);
    assert_eq!(told(&table, Color::Black), (10_000, 0, 2000));
    table.ready();
    table.answer("7g7f");
    assert_eq!(table.sent, ["+7776FU"]);
}

#[test]
fn a_player_that_fails_when_its_time_is_over_leaves_its_move() {
    let mut table = Table::playing(with_margin(), '+', BYOYOMI);
    table.think(EngineScore::Centipawns(1), "2g2f 8c8d");
    table.after(14_800);
    table.tell(Told::Failed("crash".into()));
    assert_eq!((table.sent.clone(), table.restarts), (vec!["+2726FU".to_owned()], 1));
    // With a little time left another one thinks, and what the first has found is not lost.
    let mut table = Table::playing(with_margin(), '+', BYOYOMI);
    table.think(EngineScore::Centipawns(1), "2g2f 8c8d");
    table.after(14_700);
    table.tell(Told::Failed("crash".into()));
    assert_eq!((table.sent.len(), table.restarts), (0, 1));
    table.after(100);
    table.after(100);
    assert_eq!(table.sent, ["+2726FU"]);
}

#[test]
fn without_any_player_left_the_game_is_resigned() {
    let mut table = Table::playing(plan(), '+', BYOYOMI);
    (0..3).for_each(|_| table.tell(Told::Failed("crash".into())));
    assert_eq!((table.restarts, table.last_sent()), (2, "%TORYO"));
    table.hear("%TORYO\n#RESIGN\n#LOSE\nLOGOUT:completed");
    let parting = table.parting.unwrap();
    assert!(matches!(parting, crate::csa::action::Parting::Broken(_)), "{parting:?}");
}
