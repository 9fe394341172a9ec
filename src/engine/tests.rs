//! The engine with a backend that records its calls.

use std::time::Duration;

use crossbeam::channel::{Sender, unbounded};

use super::*;
use crate::nnue::Network;
use crate::search::request::{MateLimit, SearchOptions};
use crate::types::{ByColor, Score};

/// Records its calls, and never ends a search.
#[derive(Debug)]
struct Recorder(Sender<String>);

impl SearchBackend for Recorder {
    fn resize_threads(&mut self, threads: usize) -> Result<(), String> {
        self.note(format!("threads {threads}"));
        Err("one thread only".into())
    }

    fn resize_hash(&mut self, hash_mib: usize) -> Option<String> {
        if hash_mib >= 1000 {
            // Panics without a message.
            std::panic::resume_unwind(Box::new(()));
        }
        self.note(format!("hash {hash_mib}"));
        None
    }

    fn set_network(&mut self, network: Network) {
        self.note(format!("network {}", network.weights.architecture));
    }

    fn clear(&mut self) {
        self.note("clear".into());
    }

    fn go(&mut self, search_id: u64, _: Request) {
        self.note(format!("go {search_id}"));
    }

    fn stop(&self) {
        self.note("stop".into());
    }

    fn ponder_hit(&self, _: Option<Clock>, _: Instant) {
        self.note("ponderhit".into());
    }
}

impl Recorder {
    fn note(&self, text: String) {
        let _ = self.0.send(text);
    }
}

fn engine() -> (Engine<Recorder>, Receiver<String>) {
    let (sender, notes) = unbounded();
    let settings = Settings {
        threads: 2,
        hash_mib: 16,
        eval_dir: None,
        book_file: None,
        ..Settings::default()
    };
    (Engine::new(Recorder(sender), settings).unwrap(), notes)
}

/// An engine that is ready for a game.
fn ready_engine() -> (Engine<Recorder>, Receiver<String>) {
    let (mut engine, notes) = engine();
    assert!(!engine.prepare_game());
    finish_work(&mut engine);
    notes.try_iter().count();
    (engine, notes)
}

fn finish_work(engine: &mut Engine<Recorder>) -> Vec<LoadMessage> {
    let result = engine.load_results().recv_timeout(Duration::from_secs(20)).unwrap();
    engine.finish_load(result)
}

fn request(engine: &mut Engine<Recorder>) -> Request {
    engine.request(Limits { infinite: true, ..Limits::default() }, Instant::now())
}

fn all(notes: &Receiver<String>) -> Vec<String> {
    notes.try_iter().collect()
}

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

#[test]
fn the_first_preparation_sets_everything_up_and_reports_what_failed() {
    let (mut engine, notes) = engine();
    assert!(!engine.prepare_game());
    assert_eq!(finish_work(&mut engine), [LoadMessage::Note("one thread only".into())]);
    assert_eq!(all(&notes), ["threads 2", "hash 16"]);
    assert!(engine.prepare_game());
}

#[test]
fn other_rules_clear_the_backend() {
    let (mut engine, notes) = ready_engine();
    engine.set(|settings| settings.max_moves_to_draw = 320);
    assert!(engine.ensure_ready(), "there is nothing to clear");
    let request = request(&mut engine);
    let search_id = engine.go(request).unwrap();
    assert!(engine.finish_search(search_id));
    engine.set(|settings| settings.multi_pv = 3);
    assert!(engine.ensure_ready());
    engine.set(|settings| settings.max_moves_to_draw = 256);
    assert!(!engine.ensure_ready());
    finish_work(&mut engine);
    assert_eq!(all(&notes), ["go 1", "clear"]);
}

#[test]
fn a_limit_of_the_settings_does_not_replace_the_clock() {
    let (mut engine, _) = ready_engine();
    engine.set(|settings| settings.depth_limit = 200);
    let bare = engine.request(Limits::default(), Instant::now());
    assert!(bare.limits.clock.is_some());
    assert_eq!(bare.limits.depth, Some(200));
    let asked = Limits { depth: Some(9), ..Limits::default() };
    assert_eq!(engine.request(asked, Instant::now()).limits.clock, None);
}

#[test]
fn only_what_has_changed_is_prepared() {
    let (mut engine, notes) = ready_engine();
    engine.set(|settings| settings.hash_mib = 32);
    assert!(!engine.ensure_ready());
    finish_work(&mut engine);
    assert_eq!(all(&notes), ["hash 32"]);
}

/// Regression: the old table held the memory that more threads needed, so some of them were refused.
#[test]
fn a_smaller_table_is_made_before_more_threads_and_a_larger_one_after_them() {
    let (mut engine, notes) = ready_engine();
    for (threads, hash_mib, order) in
        [(3, 8, ["hash 8", "threads 3"]), (4, 32, ["threads 4", "hash 32"])]
    {
        engine.set(|settings| (settings.threads, settings.hash_mib) = (threads, hash_mib));
        assert!(!engine.ensure_ready());
        finish_work(&mut engine);
        assert_eq!(all(&notes), order);
    }
}

#[test]
fn a_new_game_clears_only_what_has_been_used() {
    let (mut engine, notes) = ready_engine();
    engine.new_game();
    assert!(engine.ensure_ready());
    let request = request(&mut engine);
    let search_id = engine.go(request).unwrap();
    assert!(engine.finish_search(search_id));
    engine.new_game();
    assert!(!engine.ensure_ready());
    finish_work(&mut engine);
    assert_eq!(all(&notes), ["go 1", "clear"]);
    assert!(engine.prepare_game());
}

#[test]
fn nothing_is_loaded_while_a_search_runs() {
    let (mut engine, notes) = ready_engine();
    let request = request(&mut engine);
    let search_id = engine.go(request.clone()).unwrap();
    let threads = Settings::default().threads + 1;
    engine.set(|settings| settings.threads = threads);
    engine.new_game();
    assert!(!engine.prepare_game());
    assert_eq!(engine.go(request), None);
    assert!(engine.finish_search(search_id));
    assert_eq!(all(&notes), ["go 1"]);
    assert!(!engine.ensure_ready());
    finish_work(&mut engine);
    assert_eq!(all(&notes), [&format!("threads {threads}"), "clear"]);
}

#[test]
fn stop_and_ponder_hit_reach_a_running_search_only() {
    let (mut engine, notes) = ready_engine();
    engine.stop();
    engine.ponder_hit(None, Instant::now());
    let request = request(&mut engine);
    let search_id = engine.go(request).unwrap();
    engine.ponder_hit(None, Instant::now());
    engine.stop();
    assert!(!engine.finish_search(search_id + 1));
    assert!(engine.finish_search(search_id));
    engine.stop();
    assert_eq!(all(&notes), ["go 1", "ponderhit", "stop"]);
}

#[test]
fn a_backend_that_panics_while_it_is_prepared_comes_back() {
    let (mut engine, _notes) = ready_engine();
    engine.set(|settings| settings.hash_mib = 1000);
    assert!(!engine.ensure_ready());
    let error = "a preparation failed; continuing with what is loaded";
    assert_eq!(finish_work(&mut engine), [LoadMessage::Error(error.into())]);
    assert!(engine.ensure_ready());
}

#[test]
fn quitting_stops_the_search() {
    let (mut engine, notes) = ready_engine();
    let request = request(&mut engine);
    engine.go(request).unwrap();
    engine.quit();
    assert_eq!(notes.iter().collect::<Vec<_>>(), ["go 1", "stop"]);
}

#[test]
fn moves_before_an_illegal_move_are_played() {
    let (mut engine, _notes) = engine();
    let start = Position::startpos();
    let refused = engine.set_position(start, &moves("7g7f 3c3d 7g7f 2g2f")).unwrap_err();
    assert_eq!((refused.number, refused.mv.to_string()), (3, "7g7f".into()));
    assert!(refused.to_string().starts_with("move 3 (7g7f) cannot be played: "));
    assert_eq!(engine.position().game_ply(), 3);
    engine.play(&moves("8h2b+")).unwrap();
    assert_eq!(engine.position().game_ply(), 4);
}

#[test]
fn an_endless_game_takes_bounded_memory() {
    let (mut engine, _notes) = engine();
    let round = moves("2h1h 8b9b 1h2h 9b8b");
    let rounds = MAX_GAME_MOVES / round.len() + 3;
    for _ in 0..rounds {
        engine.play(&round).unwrap();
    }
    assert_eq!(engine.position().game_ply() as usize, rounds * round.len() + 1);
    assert_eq!(engine.position().history().count(), 3 * round.len());
    assert_eq!(engine.position().key(), Position::startpos().key());
}

#[test]
fn a_request_keeps_the_settings_it_was_made_with() {
    let (mut engine, _notes) = engine();
    engine.set(|settings| settings.multi_pv = 3);
    let request = request(&mut engine);
    engine.set(|settings| settings.multi_pv = 5);
    assert_eq!(request.options.multi_pv, 3);
}

#[test]
fn a_limit_of_the_settings_counts_if_the_go_names_none() {
    let (mut engine, _notes) = engine();
    engine.set(|settings| {
        settings.depth_limit = 7;
        settings.nodes_limit = 900;
    });
    let asked = Limits { depth: Some(3), ..Limits::default() };
    let limits = engine.request(asked, Instant::now()).limits;
    assert_eq!((limits.depth, limits.nodes), (Some(3), Some(900)));
    assert_eq!(limits.clock, None);
    // Regression: a default time ended such a search (AobaZero's games of 200,000 nodes).
    let limits = engine.request(Limits::default(), Instant::now()).limits;
    assert_eq!((limits.nodes, limits.clock), (Some(900), None));
    // Otherwise mate problems would be unsolvable.
    let mate = Limits { mate: Some(MateLimit::Unlimited), ..Limits::default() };
    let limits = engine.request(mate, Instant::now()).limits;
    assert_eq!((limits.depth, limits.nodes), (None, None));
}

/// A limit in the `go` replaces such clocks too.
#[test]
fn clocks_at_zero_do_not_count_beside_a_limit_of_the_settings() {
    let (mut engine, _notes) = engine();
    let zeros = Limits { clock: Some(Clock::default()), ..Limits::default() };
    let limits = engine.request(zeros.clone(), Instant::now()).limits;
    assert_eq!(limits.clock, Some(Clock::default()));
    engine.set(|settings| settings.nodes_limit = 900);
    let limits = engine.request(zeros, Instant::now()).limits;
    assert_eq!((limits.clock, limits.nodes), (None, Some(900)));
    // Nor do the clocks of a ponder hit.
    let ponder = Limits { ponder: true, ..Limits::default() };
    let limits = engine.request(ponder, Instant::now()).limits;
    assert!(!limits.uses_clock(&Clock::default()));
    assert!(
        limits.uses_clock(&Clock {
            byoyomi: ByColor([Duration::from_secs(1); 2]),
            ..Clock::default()
        })
    );
}

#[test]
fn a_go_without_any_limit_gets_the_clock_of_the_game() {
    let (mut engine, _notes) = engine();
    let reported = Clock { time: ByColor([Duration::from_secs(60); 2]), ..Clock::default() };
    let first = engine.request(Limits::default(), Instant::now()).limits.clock.unwrap();
    assert!(first.byoyomi.0.iter().all(|time| !time.is_zero()));
    engine.request(Limits { clock: Some(reported), ..Limits::default() }, Instant::now());
    engine.spend_time(Color::Black, Duration::from_secs(20));
    let ponder = Limits { ponder: true, ..Limits::default() };
    let clock = engine.request(ponder, Instant::now()).limits.clock.unwrap();
    assert_eq!(clock.time, ByColor([Duration::from_secs(40), Duration::from_secs(60)]));
}

#[test]
fn root_moves_that_are_not_legal_are_left_out() {
    let (mut engine, _notes) = engine();
    let limits = Limits { search_moves: moves("7g7f 5e5d 2g2f"), ..Limits::default() };
    let request = engine.request(limits, Instant::now());
    assert_eq!(request.limits.search_moves, moves("7g7f 2g2f"));
}

#[test]
fn stochastic_ponder_searches_the_position_before_the_expected_move() {
    let (mut engine, _notes) = engine();
    let ponder = Limits { ponder: true, search_moves: moves("8c8d"), ..Limits::default() };
    engine.set_position(Position::startpos(), &moves("7g7f")).unwrap();
    let asked = engine.request(ponder.clone(), Instant::now());
    assert!(engine.stochastic_ponder(&asked).is_none());
    engine.set(|settings| {
        settings.stochastic_ponder = true;
        settings.draw_value = ByColor([-50, -30]);
    });
    let asked = Request { options: engine.settings().search_options(), ..asked };
    let before = engine.stochastic_ponder(&asked).unwrap();
    assert_eq!(before.position.to_sfen(), Position::startpos().to_sfen());
    assert!(before.limits.ponder && before.limits.search_moves.is_empty());
    let draw = before.options.draw_value[Color::Black];
    assert_eq!(draw, Score::from_centipawns(30), "what is bad for White is good for Black");
    let plain = engine.request(Limits::default(), Instant::now());
    assert!(engine.stochastic_ponder(&plain).is_none());
    let mate = Limits { mate: Some(MateLimit::Unlimited), ..ponder.clone() };
    let problem = engine.request(mate, Instant::now());
    assert!(engine.stochastic_ponder(&problem).is_none(), "its mates would be of another position");
    engine.set_position(Position::startpos(), &[]).unwrap();
    let first = engine.request(ponder, Instant::now());
    assert!(engine.stochastic_ponder(&first).is_none());
}

#[test]
fn the_book_gives_the_same_moves_from_the_same_seed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("book.db");
    let moves = "7g7f\n2g2f\n9g9f\n1g1f\n";
    std::fs::write(&file, format!("sfen {}\n{moves}", Position::startpos().to_sfen())).unwrap();
    let (mut engine, _) = ready_engine();
    let infinite = request(&mut engine);
    let request = Request { limits: Limits::default(), ..infinite.clone() };
    assert_eq!(engine.probe_book(&request), None);
    engine.set(|settings| settings.book_file = Some(file.clone()));
    assert!(!engine.ensure_ready());
    let reported = finish_work(&mut engine);
    assert!(
        matches!(&reported[0], LoadMessage::Note(text) if text.starts_with("book: ")),
        "{reported:?}"
    );
    let mut choices = |seed| {
        engine.seed_book(seed);
        [0; 32].map(|_| engine.probe_book(&request).unwrap().chosen_variation().pv[0].bits())
    };
    let first = choices(5);
    assert_eq!(choices(5), first);
    assert_ne!(choices(6), first);
    assert_eq!(engine.probe_book(&infinite), None);
    let analysis =
        engine.set(|settings| SearchOptions { analysis: true, ..settings.search_options() });
    assert_eq!(engine.probe_book(&Request { options: analysis, ..request.clone() }), None);
    let has_book = |engine: &mut Engine<Recorder>, strength| {
        let options = SearchOptions { strength: Some(strength), ..request.options.clone() };
        engine.probe_book(&Request { options, ..request.clone() }).is_some()
    };
    assert!(has_book(&mut engine, 1) && !has_book(&mut engine, -1), "a dan knows openings");
}
