//! Random sessions: no input causes a panic or a hang, and each `go` gets exactly one answer.

use std::io::{Cursor, Read};
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{Sender, unbounded};
use kawasemi::engine::{Engine, SearchBackend, Settings};
use kawasemi::nnue::Network;
use kawasemi::search::request::{Answer, Clock, Event, MateAnswer, Report, Request, SearchOutcome};
use kawasemi::types::Move;
use kawasemi::usi::{Session, SessionTimeouts};
use proptest::prelude::*;

use super::harness::{RunningSession, variation, whole_output};
use crate::channel_io::{ChannelReader, ChannelWriter};

/// A backend with random behaviour: it answers at once, when told to, or from a thread, and sometimes
/// wrongly.
struct RandomBackend {
    events: Sender<Event>,
    behaviours: Vec<u8>,
    running: Mutex<Option<(u64, Answer)>>,
}

impl RandomBackend {
    fn behaviour(&self, search_id: u64) -> u8 {
        self.behaviours[search_id as usize % self.behaviours.len()]
    }

    fn finish(&self) {
        if let Some((search_id, answer)) = self.running.lock().unwrap().take() {
            done(&self.events, search_id, answer);
        }
    }
}

fn done(events: &Sender<Event>, search_id: u64, answer: Answer) {
    let elapsed = Duration::from_millis(1);
    let outcome = SearchOutcome { answer, lines: Vec::new(), nodes: 5, elapsed, planned_end: None };
    let _ = events.send(Event { search_id, report: Report::Done(outcome) });
}

/// The answer of a behaviour, which may be wrong.
fn answer_of(behaviour: u8, request: &Request) -> Answer {
    let moves: Vec<Move> = request.position.legal_moves().moves().collect();
    match (behaviour >> 4, moves.first()) {
        (_, None) | (0, _) => Answer::Resign,
        (1, _) => Answer::DeclareWin,
        (2, _) => Answer::Mate(MateAnswer::NoMate),
        (3, Some(&best)) => Answer::Mate(MateAnswer::Mate(vec![best])),
        (4, Some(&best)) => Answer::Move { best, ponder: Some(best) },
        (5, _) => Answer::Move { best: Move::NULL, ponder: Some(Move::NONE) },
        (_, Some(&best)) => Answer::Move { best, ponder: None },
    }
}

impl SearchBackend for RandomBackend {
    fn resize_threads(&mut self, threads: usize) -> Result<(), String> {
        if threads > 500 { Err("too many threads".into()) } else { Ok(()) }
    }

    fn resize_hash(&mut self, hash_mib: usize) -> Option<String> {
        if hash_mib > 5000 {
            // Panics without a message.
            resume_unwind(Box::new(()));
        }
        None
    }

    fn set_network(&mut self, _: Network) {}

    fn clear(&mut self) {}

    fn go(&mut self, search_id: u64, request: Request) {
        let behaviour = self.behaviour(search_id);
        let answer = answer_of(behaviour, &request);
        let lines = vec![variation(1, 5, "7g7f 3c3d"), variation(2, 9, "7g7f 5e5d")];
        let _ = self.events.send(Event { search_id, report: Report::Lines(lines) });
        let waits = request.limits.infinite || request.limits.ponder;
        match behaviour % 3 {
            0 if waits => *self.running.get_mut().unwrap() = Some((search_id, answer)),
            1 => {
                let events = self.events.clone();
                thread::spawn(move || {
                    thread::sleep(Duration::from_micros(u64::from(behaviour) * 10));
                    done(&events, search_id, answer);
                });
            }
            _ => done(&self.events, search_id, answer),
        }
    }

    fn stop(&self) {
        self.finish();
    }

    fn ponder_hit(&self, _: Option<Clock>, _: Instant) {
        self.finish();
    }
}

/// Runs a whole session with this input. Returns its output, or fails if it does not end.
fn run(input: impl Read + Send + 'static, behaviours: Vec<u8>) -> Vec<String> {
    let (events, event_receiver) = unbounded();
    let (writer, output) = unbounded();
    let backend = RandomBackend { events, behaviours, running: Mutex::default() };
    let settings = Settings { eval_dir: None, book_file: None, ..Settings::default() };
    let engine = Engine::new(backend, settings).unwrap();
    // A busy machine may take long for many answers at the end.
    let timeouts = SessionTimeouts { quit: Duration::from_secs(30), ..SessionTimeouts::default() };
    let session = Session::open(engine, event_receiver, ChannelWriter(writer)).unwrap();
    let session = session.with_timeouts(timeouts);
    RunningSession::spawn(move || session.run(input)).join();
    whole_output(&output).lines().map(str::to_owned).collect()
}

fn count(lines: &[String], start: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(start)).count()
}

fn sfen() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "startpos",
        "startpos moves 7g7f",
        "startpos moves 7g7f 3c3d 2g2f 8c8d",
        "startpos moves 7g7f 7g7f",
        "sfen 4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1",
        "sfen 4k4/9/4G4/9/9/9/9/9/9 b G 1",
        "sfen 8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
        "sfen 4k4/9/9/9/9/9/9/9/4K4 b - 4294967295 moves 5i5h 5a5b",
        "sfen 9/9/9 b - 1",
        "",
    ])
}

/// A command that is answered by `bestmove`.
fn question() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "ponder",
        "infinite",
        "btime 1000",
        "wtime 1000",
        "byoyomi 0",
        "binc 1",
        "winc 1",
        "depth 3",
        "nodes 18446744073709551615",
        "movetime 0",
        "rtime 1",
        "movestogo 0",
        "searchmoves 7g7f 9z",
        "depth -5",
        "btime x",
        "stray",
    ]);
    prop::collection::vec(words, 0..4).prop_map(|words| format!("go {}", words.join(" ")))
}

fn line() -> impl Strategy<Value = String> {
    let other = prop::sample::select(vec![
        "usi",
        "isready",
        "usinewgame",
        "stop",
        "stop",
        "ponderhit",
        "ponderhit btime 1 wtime 1",
        "gameover win",
        "gameover",
        "debug on",
        "debug off",
        "setoption name MultiPV value 3",
        "setoption name Stochastic_Ponder value true",
        "setoption name USI_Hash value 9999",
        "setoption name Threads value 600",
        "setoption name Threads value x",
        "setoption",
        "getoption",
        "help",
        "help go",
        "register later",
        "moves",
        "d",
        "key",
        "side",
        "eval",
        "compiler",
        "posdiff 7g7f",
        "joho isready",
        "oops",
        "setoption name ConsiderationMode value true",
    ]);
    prop_oneof![
        3 => question(),
        1 => prop::sample::select(vec!["go mate 10", "go mate infinite", "go mate ponder"])
            .prop_map(str::to_owned),
        1 => Just("go perft 2".to_owned()),
        2 => sfen().prop_map(|sfen| format!("position {sfen}")),
        6 => other.prop_map(str::to_owned),
    ]
}

fn behaviours() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 1..8)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn every_go_of_a_random_session_is_answered_exactly_once(
        lines in prop::collection::vec(line(), 0..60),
        behaviours in behaviours(),
        quit in any::<bool>(),
    ) {
        let mut input = lines.join("\n");
        input += if quit { "\nquit\n" } else { "" };
        let output = run(Cursor::new(input), behaviours);
        let asked = |start| count(&lines, start);
        prop_assert_eq!(count(&output, "checkmate "), asked("go mate"));
        prop_assert_eq!(count(&output, "perft "), asked("go perft"));
        let moves = asked("go ") - asked("go mate") - asked("go perft");
        prop_assert_eq!(count(&output, "bestmove "), moves);
        prop_assert_eq!(count(&output, "readyok"), asked("isready") + asked("joho isready"));
        prop_assert_eq!(count(&output, "usiok"), lines.iter().filter(|line| *line == "usi").count());
    }

    #[test]
    fn random_bytes_cause_no_panic(
        input in prop::collection::vec(any::<u8>(), 0..2000),
        behaviours in behaviours(),
    ) {
        run(Cursor::new(input), behaviours);
    }

    #[test]
    fn random_keywords_of_the_protocol_cause_no_panic(
        words in prop::collection::vec(
            prop_oneof![
                prop::sample::select(vec![
                    "go", "position", "startpos", "sfen", "moves", "7g7f", "P*5e", "stop", "ponder",
                    "ponderhit", "infinite", "mate", "setoption", "name", "value", "MultiPV", "perft",
                    "1", "-1", "99999999999999999999", "b", "-", "lnsgkgsnl", "isready", "usi", "\n",
                    "\n", "\r", "quit", "debug", "on", "posdiff", "searchmoves", "getoption", "k8/9",
                ]).prop_map(str::to_owned),
                "[ -~]{0,6}",
            ],
            0..200,
        ),
        behaviours in behaviours(),
    ) {
        // Without a limit, a perft could not be told from a hang.
        let text = words.join(" ").replace("perft", "perft 1 ");
        let asked = text.matches("go").count();
        let output = run(Cursor::new(text), behaviours);
        prop_assert!(count(&output, "bestmove ") + count(&output, "checkmate ") <= asked);
    }
}

#[test]
fn input_may_arrive_one_byte_at_a_time() {
    let (sender, receiver) = unbounded();
    for byte in b"isready\ngo infinite\nstop\nquit\n" {
        sender.send(vec![*byte]).unwrap();
    }
    drop(sender);
    let output = run(ChannelReader::new(receiver), vec![0xf0]);
    assert_eq!(output[0], "readyok");
    assert_eq!(count(&output, "bestmove "), 1, "{output:?}");
}
