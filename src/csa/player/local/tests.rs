//! The player with a searcher that answers at once, or when it is told.

use std::cell::Cell;

use super::*;
use crate::csa::clock::{Budget, GameClocks, TimeRule};
use crate::nnue::Network;
use crate::position::Setup;
use crate::search::request::{Answer as Found, Request};
use crate::types::Move;

/// Finds the first legal move. A search that ponders ends when it is stopped or hit.
struct Searching {
    events: Sender<Event>,
    requests: Sender<Request>,
    pondering: Cell<Option<(u64, Move)>>,
}

impl Searching {
    fn report(&self, generation: u64, report: Report) {
        let _ = self.events.send(Event { generation, report });
    }

    fn finish(&self, generation: u64, best: Move, lines: Vec<PvLine>) {
        let answer = Found::Move { best, ponder: None };
        let elapsed = Duration::from_millis(3);
        let outcome = SearchOutcome { answer, lines, nodes: 70, elapsed };
        self.report(generation, Report::Done(outcome));
    }

    fn end_pondering(&self) {
        if let Some((generation, best)) = self.pondering.take() {
            self.finish(generation, best, Vec::new());
        }
    }
}

impl SearchBackend for Searching {
    fn resize_threads(&mut self, _: usize) -> Result<(), String> {
        Ok(())
    }

    fn resize_hash(&mut self, _: usize) -> Option<String> {
        Some("little memory".into())
    }

    fn set_network(&mut self, _: Network) {}

    fn clear(&mut self) {}

    fn go(&mut self, generation: u64, request: Request) {
        let best = request.position.legal_moves().moves().next().unwrap();
        let line = PvLine {
            depth: 7,
            selective_depth: 9,
            multi_pv: 1,
            score: Score(90),
            bound: Bound::Exact,
            elapsed: Duration::from_millis(2),
            nodes: 60,
            hashfull_permille: 0,
            pv: vec![best],
            ending: None,
        };
        if request.limits.ponder {
            self.report(generation, Report::Lines(vec![line]));
            self.pondering.set(Some((generation, best)));
        } else {
            self.finish(generation, best, vec![line]);
        }
        let _ = self.requests.send(request);
    }

    fn stop(&self) {
        self.end_pondering();
    }

    fn ponder_hit(&self, _: Option<Clock>, _: Instant) {
        self.end_pondering();
    }
}

/// Long enough for the busiest machine; nothing here takes it.
const PATIENCE: Duration = Duration::from_secs(60);

fn clocks() -> Clocks {
    let sides = ByColor([Budget { byoyomi: Duration::from_secs(5), ..Budget::default() }; 2]);
    Clocks { sides, whole: sides, overhead: Duration::from_millis(120) }
}

fn ask(id: OrderId, moves: &str, ponder: bool) -> Order {
    let moves: Vec<Move> = moves.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
    let (start, received) = (Setup::startpos(), Instant::now());
    Order::Search(Box::new(Ask { id, start, moves, clocks: clocks(), ponder, received }))
}

/// For tests of what is not in a book: that of the project lies where they run.
fn without_book() -> Settings {
    Settings { own_book: false, ..Settings::default() }
}

/// A player that is ready for a game with these terms, and what its searcher is asked.
fn player(settings: Settings) -> (LocalPlayer, Receiver<Request>) {
    let (sender, events) = unbounded();
    let (requests, asked) = unbounded();
    let searcher = Searching { events: sender, requests, pondering: Cell::new(None) };
    let settings = Settings { eval_dir: None, ..settings };
    let mut player = LocalPlayer::with(searcher, events, settings).unwrap();
    assert_eq!(tell(&player), Told::Started);
    let (unit, least) = (Duration::from_secs(1), Duration::from_secs(1));
    player.obey(Order::Prepare(0, Terms { max_moves: Some(256), unit, least }));
    assert_eq!(tell(&player), Told::Remark("little memory".into()));
    while tell(&player) != Told::Ready(0) {}
    (player, asked)
}

fn tell(player: &LocalPlayer) -> Told {
    player.told().recv_timeout(PATIENCE).unwrap()
}

/// The number of the search that is answered next.
fn answered(player: &LocalPlayer) -> OrderId {
    loop {
        match tell(player) {
            Told::Answer(id, BestMove::Move { .. }) => return id,
            Told::Thought(..) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_search_is_answered_with_what_it_has_found() {
    let (mut player, _) = player(without_book());
    player.obey(ask(1, "7g7f", false));
    let Told::Thought(1, first) = tell(&player) else { panic!("no thought") };
    assert_eq!((first.depth, first.score), (Some(7), Some(EngineScore::Centipawns(100))));
    let Told::Thought(1, last) = tell(&player) else { panic!("no last thought") };
    assert_eq!(last.nodes, Some(70));
    let Told::Answer(1, BestMove::Move { best, .. }) = tell(&player) else { panic!("no answer") };
    assert_eq!(last.line, [best]);
}

#[test]
fn the_settings_suit_the_game_and_the_network() {
    let (mut player, asked) = player(without_book());
    player.obey(ask(1, "7g7f", false));
    let options = asked.recv_timeout(PATIENCE).unwrap().options;
    assert_eq!(options.max_moves, Some(256));
    assert!(options.time.round_up_to_full_second);
    assert_eq!(options.time.network_delay, Duration::from_millis(120));
    assert_eq!(options.time.minimum_thinking, Duration::from_millis(880));
}

#[test]
fn the_increment_of_the_move_is_time_that_is_there() {
    let (mut player, asked) = player(without_book());
    let s = Duration::from_secs;
    let sides = ByColor([Budget { rest: s(3), increment: s(2), byoyomi: s(0) }; 2]);
    let clocks = Clocks { sides, whole: sides, overhead: s(0) };
    let (start, received) = (Setup::startpos(), Instant::now());
    let ask = Ask { id: 1, start, moves: Vec::new(), clocks, ponder: false, received };
    player.obey(Order::Search(Box::new(ask)));
    let request = asked.recv_timeout(PATIENCE).unwrap();
    assert_eq!(request.received, received);
    assert_eq!(request.limits.clock.unwrap().time, ByColor([s(5), s(3)]));
}

/// What the engine is told of the side to move with these rules, in milliseconds of time, increment
/// and byoyomi, 300 of which are lost with each move. Then what it has left when it takes these off
/// by itself, and what the client allows.
fn told(total: u64, increment: u64, byoyomi: u64) -> ([u64; 3], u64, u64) {
    let [total, increment, byoyomi] = [total, increment, byoyomi].map(Duration::from_millis);
    let rule = TimeRule { total, increment, byoyomi, ..TimeRule::default() };
    let clocks = GameClocks::new(ByColor([rule; 2]));
    let overhead = Duration::from_millis(300);
    let told = clocks.told(Color::White, overhead, Duration::ZERO);
    let clock = engine_clock(&told, Color::White);
    let ms = |time: Duration| time.as_millis() as u64;
    let times = [clock.time, clock.increment, clock.byoyomi].map(|times| ms(times[Color::White]));
    // What the increment adds is within the time.
    let left = times[0] + times[2] - ms(overhead);
    (times, left, ms(clocks.allowed(Color::White, overhead).unwrap()))
}

#[test]
fn an_engine_is_told_the_time_that_it_takes_the_network_off() {
    for (rules, times) in [
        ((60_000, 2000, 0), [61_970, 2000, 0]),
        ((60_000, 0, 2000), [59_970, 0, 2000]),
        ((60_000, 0, 0), [59_970, 0, 0]),
        // With less main time than is lost.
        ((100, 2000, 0), [2070, 2000, 0]),
        ((100, 0, 2000), [70, 0, 2000]),
        // Increments of which not all can be lost.
        ((60_000, 200, 0), [60_170, 200, 0]),
    ] {
        let (total, increment, byoyomi) = rules;
        let (told, left, allowed) = told(total, increment, byoyomi);
        assert_eq!(told, times, "{rules:?}");
        assert_eq!(left + OWN_RESERVE_MS, allowed, "{rules:?}");
    }
}

#[test]
fn the_network_is_taken_off_a_move_of_byoyomi_once() {
    let (times, left, allowed) = told(0, 0, 1000);
    assert_eq!((times, left, allowed), ([0, 0, 970], 670, 700));
    // No more is told than there is, where nearly all is lost.
    assert_eq!(told(0, 0, 320).0, [0, 0, 320]);
}

#[test]
fn a_search_that_ponders_answers_only_after_the_hit() {
    for stochastic_ponder in [false, true] {
        let settings = Settings { stochastic_ponder, ..without_book() };
        let (mut player, asked) = player(settings);
        player.obey(ask(1, "7g7f 3c3d", true));
        let request = asked.recv_timeout(PATIENCE).unwrap();
        assert!(request.limits.ponder);
        // What is thought of another position than that which was asked for is not told.
        if !stochastic_ponder {
            assert!(matches!(tell(&player), Told::Thought(1, _)));
        }
        let early = player.told().recv_timeout(Duration::from_millis(20));
        assert!(early.is_err(), "{early:?}");
        player.obey(Order::PonderHit { id: 1, clocks: clocks(), received: Instant::now() });
        assert_eq!(answered(&player), 1);
        if stochastic_ponder {
            let request = asked.recv_timeout(PATIENCE).unwrap();
            assert_eq!((request.position.ply(), request.limits.ponder), (3, false));
        }
    }
}

#[test]
fn a_search_in_place_of_another_is_the_only_one_that_is_answered() {
    let (mut player, _) = player(without_book());
    player.obey(ask(1, "7g7f 3c3d", true));
    player.obey(ask(2, "7g7f 8c8d", false));
    assert_eq!(answered(&player), 2);
    player.obey(ask(3, "7g7f 8c8d", true));
    player.obey(Order::Abandon);
    player.obey(ask(4, "7g7f 8c8d", true));
    player.obey(Order::Stop);
    assert_eq!(answered(&player), 4);
    player.obey(Order::Stop);
    player.obey(Order::PonderHit { id: 4, clocks: clocks(), received: Instant::now() });
    player.obey(ask(5, "", false));
    assert_eq!(answered(&player), 5);
}

#[test]
fn the_next_game_may_be_prepared_while_a_search_still_ends() {
    let (mut player, _) = player(without_book());
    player.obey(ask(1, "7g7f 3c3d", true));
    player.obey(Order::GameOver(crate::usi_client::GameOver::Win));
    let (unit, least) = (Duration::from_millis(1), Duration::ZERO);
    player.obey(Order::Prepare(2, Terms { max_moves: None, unit, least }));
    loop {
        match tell(&player) {
            Told::Ready(2) => break,
            Told::Thought(..) | Told::Remark(_) => {}
            other => panic!("{other:?}"),
        }
    }
    player.obey(ask(3, "", false));
    assert_eq!(answered(&player), 3);
}

#[test]
fn what_the_book_knows_is_played_without_a_search() {
    let folder = tempfile::tempdir().unwrap();
    let book = "#YANEURAOU-DB2016 1.00\nsfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/\
                LNSGKGSNL b - 1\n9g9f 1c1d 12 20 1\n";
    std::fs::write(folder.path().join("a.db"), book).unwrap();
    let (book_file, book_dir) = (Some("a.db".into()), Some(folder.path().into()));
    let settings = Settings { book_file, book_dir, ..Settings::default() };
    let (mut player, asked) = player(settings);
    player.obey(ask(1, "", false));
    let thought = loop {
        match tell(&player) {
            Told::Thought(1, thought) if thought.depth == Some(20) => break thought,
            Told::Thought(..) | Told::Remark(_) => {}
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(thought.score, Some(EngineScore::Centipawns(12)));
    assert_eq!(answered(&player), 1);
    assert!(asked.is_empty());
}
