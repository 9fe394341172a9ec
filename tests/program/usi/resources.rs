//! Little memory and too much of it, one thread and many.

use super::engine::Engine;
use super::game::Game;

#[test]
fn the_smallest_table_is_enough_to_play_with() {
    let mut engine = Engine::ready(&["USI_Hash=1", "Threads=2"]);
    let mut game = Game::new();
    for _ in 0..8 {
        let answer = engine.ask(&game, "go nodes 20000");
        game.play(answer.best());
    }
    engine.quit();
}

/// The program with a limit of the shell and these settings.
#[cfg(target_os = "linux")]
fn limited(ulimit: &str, settings: &[&str]) -> Engine {
    let mut command = crate::program::started_after(ulimit, env!("CARGO_BIN_EXE_kawasemi"));
    command.arg("--").args(settings);
    Engine::run(command)
}

// Without a limit, the system would grant nearly all memory of the machine.
#[cfg(target_os = "linux")]
#[test]
fn a_table_that_is_too_large_is_made_smaller_and_reported() {
    let mut engine = limited("ulimit -v 700000", &["Threads=1", "BookFile=no_book"]);
    engine.send("setoption name USI_Hash value 33554432");
    engine.send("isready");
    let (lines, _) = engine.until("readyok");
    let refused = "info string 33554432 MiB for the transposition table are more than the ";
    let told = lines.iter().any(|line| line.starts_with(refused) && line.ends_with(" MiB instead"));
    assert!(told, "{lines:?}");
    engine.ask(&Game::new(), "go nodes 5000");
    engine.send("isready");
    engine.expect("readyok");
    engine.quit();
}

#[cfg(target_os = "linux")]
#[test]
fn the_engine_continues_with_fewer_threads_if_the_system_refuses_some() {
    let mut engine = limited("ulimit -v 300000", &["Threads=1", "USI_Hash=16", "BookFile=no_book"]);
    engine.send("setoption name Threads value 64");
    engine.send("isready");
    let (lines, _) = engine.until("readyok");
    let told = |line: &String| {
        line.starts_with("info string only ") && line.contains(" threads: the system refused ")
    };
    assert!(lines.iter().any(told), "{lines:?}");
    engine.ask(&Game::new(), "go nodes 5000");
    engine.ask(&Game::new(), "go movetime 20");
    engine.quit();
}

/// Regression: one start in three ended with a panic or an abort.
#[cfg(target_os = "linux")]
#[test]
fn a_start_with_little_address_space_succeeds_or_reports_the_reason_in_one_line() {
    for kibibytes in (40_000..=240_000).step_by(10_000) {
        let mut command = std::process::Command::new("sh");
        let script = format!("ulimit -v {kibibytes} && echo usi | \"$0\" -- BookFile=no_book");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_kawasemi")]).env("LC_ALL", "C");
        let output = command.output().unwrap();
        let [stdout, stderr] =
            [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        let starts = stdout.contains("usiok") && output.status.success() && stderr.is_empty();
        let is_refused = stderr.starts_with("kawasemi: the engine cannot start: ")
            && stderr.lines().count() == 1
            && output.status.code() == Some(1);
        assert!(starts || is_refused, "{kibibytes}: {stdout}{stderr}");
        assert!(is_refused || kibibytes >= 100_000, "{kibibytes}");
        assert!(starts || kibibytes < 200_000, "{stderr}");
    }
}

/// Regression: a log that reached the limit for the size of files ended the engine.
#[cfg(target_os = "linux")]
#[test]
fn a_log_at_its_size_limit_ends_and_the_engine_continues() {
    let folder = crate::folder::Folder::new();
    let log = folder.path("log");
    let mut engine = limited("ulimit -f 8", &["Threads=1", "USI_Hash=1", "BookFile=no_book"]);
    engine.send(&format!("setoption name DebugLogFile value {log}"));
    let error_line = format!("info string cannot write the log {log}: ");
    let start = std::time::Instant::now();
    while !engine.settle().iter().any(|line| line.starts_with(&error_line)) {
        assert!(start.elapsed() < super::engine::PATIENCE, "the log has no end");
    }
    engine.ask(&Game::new(), "go nodes 1000");
    engine.quit();
    assert!(std::fs::metadata(log).unwrap().len() > 1000);
}

#[test]
fn four_threads_play_legal_games() {
    let mut engine = Engine::ready(&["Threads=4"]);
    let mut game = Game::new();
    for go in ["go nodes 20000", "go movetime 30", "go btime 0 wtime 0 byoyomi 30", "go depth 6"] {
        for _ in 0..2 {
            let answer = engine.ask(&game, go);
            game.play(answer.best());
        }
    }
    engine.send("setoption name MultiPV value 3");
    engine.ask(&game, "go nodes 20000");
    engine.send(&game.command());
    engine.send("go infinite");
    engine.until("info depth ");
    engine.stop(&game);
    engine.quit();
}

/// Regression: a thousand threads on two processors answered after seconds.
#[test]
fn more_threads_than_processors_are_reported_once_and_play() {
    let processors = std::thread::available_parallelism().unwrap().get();
    for threads in [processors + 1, 1024.max(processors + 1)] {
        let mut engine = Engine::ready(&[]);
        engine.send(&format!("setoption name Threads value {threads}"));
        engine.send("isready");
        let (lines, _) = engine.until("readyok");
        // The machine may have one.
        let mentions = |line: &&String| line.contains(&format!(" {processors} processor"));
        assert_eq!(lines.iter().filter(mentions).count(), 1, "{lines:?}");
        engine.ask(&Game::new(), "go movetime 20");
        engine.send("go infinite");
        engine.stop(&Game::new());
        engine.send("isready");
        engine.expect("readyok");
        engine.quit();
    }
}

#[test]
fn the_number_of_threads_may_change_between_moves() {
    let mut engine = Engine::ready(&[]);
    for threads in [3, 1, 2, 4, 1] {
        engine.send(&format!("setoption name Threads value {threads}"));
        engine.send(&format!("setoption name USI_Hash value {threads}"));
        engine.ask(&Game::new(), "go nodes 3000");
    }
    engine.quit();
}
