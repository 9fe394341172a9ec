//! Whole matches between scripted players.

use std::fs;

use parking_lot::Mutex;
use tempfile::tempdir;

use super::elo::{Pentanomial, Wdl};
use super::match_config::MatchConfig;
use super::match_config::tests::config;
use super::match_file::{MatchFile, read_match_file};
use super::match_player::MatchPlayer;
use super::match_results::MatchResults;
use super::play_match::play_match_with;
use super::runner::{MatchPlayerFactory, StartFailure};
use super::scripted_player::{ScriptedPlayer, answer};
use super::sprt::{Sprt, SprtVerdict};
use super::*;
use crate::tools::opening::read_openings;
use crate::tools::referee::{GameEndReason, GameOutcome};
use crate::usi_client::{EngineFault, EngineFaultKind};

/// Starts players by the index of their engine, and counts them.
struct FactoryFn<F> {
    make: F,
    started: Mutex<Vec<usize>>,
}

impl<F: Fn(usize, usize) -> Result<ScriptedPlayer, StartFailure> + Sync> MatchPlayerFactory
    for FactoryFn<F>
{
    fn start(&self, engine: usize) -> Result<Box<dyn MatchPlayer>, StartFailure> {
        let mut started = self.started.lock();
        started.push(engine);
        let player = (self.make)(engine, started.len())?;
        Ok(Box::new(player))
    }
}

fn makers<F: Fn(usize, usize) -> Result<ScriptedPlayer, StartFailure> + Sync>(
    make: F,
) -> FactoryFn<F> {
    FactoryFn { make, started: Mutex::default() }
}

/// Records the events.
#[derive(Default)]
struct Listener {
    games: Vec<u64>,
    warnings: Vec<String>,
}

impl MatchObserver for Listener {
    fn progress(&mut self, results: &MatchResults, _games: usize) {
        self.games.push(results.games());
    }

    fn warn(&mut self, text: &str) {
        self.warnings.push(text.into());
    }
}

/// Engine `a` answers this forever; engine `b` resigns.
fn a_answers(
    best: &'static str,
) -> FactoryFn<impl Fn(usize, usize) -> Result<ScriptedPlayer, StartFailure>> {
    makers(move |engine, _| {
        let count = if engine == 0 { 10_000 } else { 0 };
        Ok(ScriptedPlayer::answering((0..count).map(|_| Ok(answer(best)))))
    })
}

fn a_resigns() -> FactoryFn<impl Fn(usize, usize) -> Result<ScriptedPlayer, StartFailure>> {
    a_answers("resign")
}

fn play(config: &MatchConfig, factory: &dyn MatchPlayerFactory) -> (MatchEnd, Listener) {
    let mut listener = Listener::default();
    let end = play_match_with(config, factory, &mut listener).unwrap();
    (end, listener)
}

#[test]
fn every_pair_is_played_and_the_engines_are_reused() {
    // Whoever moves first resigns: in line 1 that is Black, in line 2 White.
    let factory = a_resigns();
    let (end, listener) = play(&config(), &factory);
    assert!(matches!(end.reason, MatchEndReason::AllPlayed));
    assert_eq!(end.results.pairings[0].pairs, Pentanomial([0, 0, 2, 0, 0]));
    assert_eq!(listener.games, [1, 2, 3, 4]);
    assert_eq!(*factory.started.lock(), [0, 1]);
}

#[test]
fn parallel_games_have_their_own_engines() {
    let factory = a_resigns();
    let config = MatchConfig { concurrency: 3, pairs: 20, ..config() };
    let (end, _) = play(&config, &factory);
    assert_eq!(end.results.games(), 40);
    assert!(factory.started.lock().len() <= 6);
}

#[test]
fn pairs_that_were_played_elsewhere_are_counted_and_not_played_again() {
    let factory = a_resigns();
    let folder = tempdir().unwrap();
    let path = folder.path().join("match");
    let mut config = MatchConfig { pairs: 4, ..config() };
    config.earlier_pairs = Pentanomial([1, 0, 0, 0, 1]);
    config.files.match_file = Some(path.clone());
    let (end, _) = play(&config, &factory);
    assert!(matches!(end.reason, MatchEndReason::AllPlayed));
    assert_eq!(end.results.games(), 4);
    assert_eq!(end.results.pairings[0].pairs, Pentanomial([1, 0, 2, 0, 1]));
    // Regression: a report on the file did not count them.
    let record = read_match_file(&fs::read_to_string(path).unwrap()).unwrap();
    let reported = MatchResults::of_record(&record, None);
    assert_eq!(reported.pairings[0].pairs, Pentanomial([1, 0, 2, 0, 1]));
}

#[test]
fn an_engine_that_violates_the_protocol_is_restarted_and_the_violation_is_recorded() {
    let mut config = config();
    let folder = tempdir().unwrap();
    config.files.faults = Some(folder.path().join("faults"));
    let factory = a_answers("1a1a");
    let (end, listener) = play(&config, &factory);
    assert_eq!(end.results.pairings[0].total(), Wdl { wins: 2, draws: 0, losses: 2 });
    assert_eq!(
        end.results.engines[0].forfeits[&GameEndReason::Fault(EngineFaultKind::Protocol)],
        2
    );
    assert_eq!(factory.started.lock().iter().filter(|&&engine| engine == 0).count(), 2);
    assert_eq!(listener.warnings.len(), 2);
    let text = fs::read_to_string(config.files.faults.unwrap()).unwrap();
    assert!(text.contains("a (black) lost by protocol_error: bestmove 1a1a"), "{text}");
}

#[test]
fn an_engine_that_fails_before_a_game_is_restarted() {
    let factory = makers(|engine, count| {
        let ready_fault = (engine == 1 && count < 4).then(|| EngineFault::hang("no readyok"));
        Ok(ScriptedPlayer { ready_fault, ..ScriptedPlayer::default() })
    });
    let (end, listener) = play(&config(), &factory);
    assert!(matches!(end.reason, MatchEndReason::AllPlayed));
    assert_eq!(end.results.games(), 4);
    assert_eq!(listener.warnings, ["b is restarted: hang: no readyok"; 2]);
}

#[test]
fn an_engine_that_never_starts_ends_the_match() {
    for (retry, attempts) in [(true, 3), (false, 1)] {
        let factory = makers(move |engine, _| match engine {
            0 => Ok(ScriptedPlayer::default()),
            _ => Err(StartFailure { reason: "no such file".into(), retry }),
        });
        let (end, _) = play(&config(), &factory);
        let MatchEndReason::Failure(MatchError::Engine { name, reason }) = end.reason else {
            panic!("{:?}", end.reason)
        };
        assert_eq!((name.as_str(), reason.as_str()), ("b", "no such file"));
        assert_eq!(factory.started.lock().iter().filter(|&&engine| engine == 1).count(), attempts);
    }
}

/// Regression: the tool panicked, and then waited without end for a thread whose game nobody received.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[test]
fn a_refused_thread_ends_the_match_after_the_games_in_progress() {
    use std::collections::HashSet;
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread::Builder;

    use super::runner::{MatchEvent, RunError, run_with};

    let config = MatchConfig { concurrency: 3, pairs: 20, ..config() };
    let (schedule, factory, asked) = (config.schedule(), a_resigns(), AtomicUsize::new(0));
    // All but the first thread would need more memory than a process can address.
    let builder = || match asked.fetch_add(1, Ordering::Relaxed) {
        0 => Builder::new(),
        _ => Builder::new().stack_size(1 << 60),
    };
    let mut games = 0;
    let mut on_event = |event: MatchEvent| {
        games += usize::from(matches!(event, MatchEvent::Game(..)));
        ControlFlow::Continue(())
    };
    let played = HashSet::new();
    let result = run_with(&builder, &config, &schedule, &factory, &played, &mut on_event);
    let Err(RunError::Thread(error)) = result else { panic!("{result:?}") };
    assert!(error.to_string().contains("too many threads"), "{error}");
    assert!(games <= 1, "{games}");
}

/// Regression: the tool waited without end for threads whose games nobody received.
#[test]
fn a_panic_of_the_observer_ends_the_match() {
    use std::collections::HashSet;
    use std::ops::ControlFlow;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::time::Duration;

    use crossbeam::channel::bounded;

    use super::runner::{MatchEvent, run};

    let (ended, end) = bounded(1);
    std::thread::spawn(move || {
        let config = MatchConfig { concurrency: 3, pairs: 20, ..config() };
        let (schedule, factory) = (config.schedule(), a_resigns());
        let mut on_event = |event: MatchEvent| match event {
            MatchEvent::Idle => ControlFlow::Continue(()),
            _ => panic!("the observer fails"),
        };
        let played = HashSet::new();
        let play_all = || run(&config, &schedule, &factory, &played, &mut on_event);
        let _ = ended.send(catch_unwind(AssertUnwindSafe(play_all)).is_err());
    });
    assert_eq!(end.recv_timeout(Duration::from_secs(60)), Ok(true));
}

/// A match with a sequential test that ends soon if a answers `G*5b`.
fn clear_test(pairs: usize) -> MatchConfig {
    let sprt = Sprt::new(0.0, 100.0, 0.05, 0.05).ok();
    // Black to move has a mate; a plays it and b resigns, so a wins with both colours.
    let openings = read_openings("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
    MatchConfig { pairs, sprt, openings, ..config() }
}

#[test]
fn a_clear_test_ends_the_match_early_however_fast_the_games_are() {
    let (end, listener) = play(&clear_test(10_000), &a_answers("G*5b"));
    assert!(matches!(end.reason, MatchEndReason::Verdict));
    assert_eq!(end.results.verdict(), Some(SprtVerdict::AcceptH1));
    assert_eq!(end.results.pairings[0].total().losses, 0);
    assert!(listener.games.len() < 200, "{}", listener.games.len());
}

/// Regression: there was no memory for the numbers of all its games, or their number was 0.
#[test]
fn a_match_may_have_any_number_of_games() {
    let (end, _) = play(&clear_test(usize::MAX), &a_answers("G*5b"));
    assert!(matches!(end.reason, MatchEndReason::Verdict));
}

#[test]
fn a_match_resumes_without_playing_a_game_twice() {
    let mut config = config();
    let folder = tempdir().unwrap();
    let match_file = folder.path().join("match");
    config.files.match_file = Some(match_file.clone());
    config.pairs = 1;
    play(&config, &a_resigns());
    config.pairs = 3;
    config.concurrency = 2;
    let (end, listener) = play(&config, &a_resigns());
    assert_eq!(end.results.games(), 6);
    assert_eq!(listener.games, [3, 4, 5, 6]);
    let (_, games) = MatchFile::open(&match_file, &config.header()).unwrap();
    let mut numbers: Vec<usize> = games.iter().map(|game| game.number).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [0, 1, 2, 3, 4, 5]);
    assert_eq!(games[0].end.outcome, GameOutcome::Win(crate::types::Color::White));
    config.rules.max_moves = 100;
    let mut listener = Listener::default();
    let error = play_match_with(&config, &a_resigns(), &mut listener).unwrap_err();
    assert!(matches!(error, MatchError::MatchFile(..)), "{error}");
}

#[test]
fn the_stop_file_ends_the_match_and_is_removed() {
    let mut config = config();
    let folder = tempdir().unwrap();
    let stop = folder.path().join("stop");
    fs::write(&stop, "").unwrap();
    config.files.stop = Some(stop.clone());
    let (end, _) = play(&config, &a_resigns());
    assert!(matches!(end.reason, MatchEndReason::StopFile));
    assert_eq!(end.results.games(), 0);
    assert!(!stop.exists());
    let (end, _) = play(&config, &a_resigns());
    assert_eq!(end.results.games(), 4);
}

#[test]
fn every_game_gets_its_csa_file() {
    let mut config = config();
    let folder = tempdir().unwrap();
    let directory = folder.path().join("csa");
    config.files.csa = Some(directory.clone());
    play(&config, &a_resigns());
    let text = fs::read_to_string(directory.join("00003-b-a.csa")).unwrap();
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 4);
    assert!(text.contains("N+b\nN-a\nPI\n+\n+7776FU\n%TORYO\n"), "{text}");
}

/// Regression: they were overwritten.
#[test]
fn a_second_match_leaves_the_csa_files_of_the_first_as_they_are() {
    let mut config = MatchConfig { pairs: 1, ..config() };
    let folder = tempdir().unwrap();
    config.files.csa = Some(folder.path().into());
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    play(&config, &a_resigns());
    let first = read("00000-a-b.csa");
    play(&config, &a_answers("2g2f"));
    assert_eq!(read("00000-a-b.csa"), first);
    assert!(read("00000-a-b-2.csa").contains("\n+2726FU\n"));
    play(&config, &a_resigns());
    assert_eq!(read("00000-a-b-3.csa"), first);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 6);
}

/// Regression: its game was already in the file, so that it was never played again.
#[test]
fn a_csa_file_that_could_not_be_written_is_written_at_the_next_attempt() {
    let mut config = config();
    let folder = tempdir().unwrap();
    let directory = folder.path().join("csa");
    config.files.csa = Some(directory.clone());
    config.files.match_file = Some(folder.path().join("match"));
    let path = directory.join("00001-b-a.csa");
    fs::create_dir_all(&path).unwrap();
    let (end, _) = play(&config, &a_resigns());
    assert!(matches!(end.reason, MatchEndReason::Failure(MatchError::File(..))));
    fs::remove_dir(&path).unwrap();
    let (end, _) = play(&config, &a_resigns());
    assert!(matches!(end.reason, MatchEndReason::AllPlayed));
    assert_eq!(end.results.games(), 4);
    assert!(path.is_file() && fs::read_dir(&directory).unwrap().count() == 4);
}
