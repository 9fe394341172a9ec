//! The command `cluster` with real processes: the program itself as workers, all of which must end.

use std::ffi::OsStr;
#[cfg(target_os = "linux")]
use std::thread;
#[cfg(target_os = "linux")]
use std::time::{Duration, Instant};

#[cfg(unix)]
use crate::folder::Folder;
use crate::kawasemi::{command, stderr_of};
use crate::usi::engine::Engine;

const TEST_OPTIONS: [&str; 4] = ["Threads=1", "USI_Hash=4", "EvalDir=", "BookFile=no_book"];

fn start(arguments: &[&str]) -> Engine {
    start_with_options(&[], arguments)
}

/// With these options in addition to [`TEST_OPTIONS`].
fn start_with_options(options: &[&OsStr], arguments: &[&str]) -> Engine {
    let mut command = command(&[]);
    for option in TEST_OPTIONS.iter().map(OsStr::new).chain(options.iter().copied()) {
        command.arg("--usi-option").arg(option);
    }
    command.arg("cluster").args(arguments);
    Engine::run(command)
}

/// This number of workers, ready for a game.
fn ready(workers: &str) -> Engine {
    let mut cluster = start(&["--workers", workers]);
    cluster.send("usi");
    let (lines, _) = cluster.until("usiok");
    assert!(
        lines[0].starts_with("id name Kawasemi ") && lines[0].ends_with(&format!(" x{workers}"))
    );
    cluster.send("setoption name MultiPonderTime value 20");
    cluster.send("isready");
    cluster.until("readyok");
    cluster.send("usinewgame");
    cluster
}

/// The next answer.
fn answer(cluster: &mut Engine) -> String {
    cluster.until("bestmove ").0.pop().unwrap()
}

/// The remaining output after the end of the input.
fn end(cluster: &mut Engine) -> Vec<String> {
    cluster.end_input();
    cluster.wait();
    cluster.rest()
}

/// Ends the cluster, which may still report what it searches.
fn quit(mut cluster: Engine) {
    cluster.send("quit");
    let rest = end(&mut cluster);
    assert!(rest.iter().all(|line| line.starts_with("info ")), "{rest:?}");
}

/// The child processes of a process, whichever of its threads has started them.
#[cfg(target_os = "linux")]
fn children(parent: u32) -> Vec<u32> {
    let threads = std::fs::read_dir(format!("/proc/{parent}/task")).unwrap();
    let of_thread = |thread: std::io::Result<std::fs::DirEntry>| {
        std::fs::read_to_string(thread.unwrap().path().join("children")).unwrap_or_default()
    };
    let all: Vec<String> = threads.map(of_thread).collect();
    all.join(" ").split_whitespace().map(|id| id.parse().unwrap()).collect()
}

/// Regression: the question went to a worker, which answered that there is no such option.
#[test]
fn help_and_getoption_know_the_options_of_the_cluster_itself() {
    let mut cluster = ready("1");
    cluster.send("getoption multipondertime");
    assert_eq!(cluster.until("info string M").0, ["info string MultiPonderTime = 20"]);
    cluster.send("help MultiPonderOwnTurn");
    assert!(
        cluster.until("info string M").0[0].starts_with("info string MultiPonderOwnTurn: What ")
    );
    let values =
        "info string values: none, majority, optimistic, shared; default: shared; now: shared";
    assert_eq!(cluster.until("info string v").0, [values]);
    cluster.send("help MultiPV");
    assert!(
        cluster.until("info string M").0[0].starts_with("info string MultiPV (or USI_MultiPV): ")
    );
    cluster.until("info string v");
    quit(cluster);
}

/// Regression: they were dropped, because the worker had not started.
#[test]
fn commands_through_a_pipe_are_answered() {
    let mut cluster = start(&["--workers", "1"]);
    ["getoption USI_Hash", "d", "quit"].iter().for_each(|line| cluster.send(line));
    let output = end(&mut cluster);
    assert!(output.contains(&"info string USI_Hash = 4".to_owned()), "{output:?}");
    assert!(output.iter().any(|line| line.starts_with("+---")), "{output:?}");
}

#[test]
fn a_game_is_played_through_hits_and_misses() {
    let mut cluster = ready("2");
    let mut moves = String::from("7g7f");
    let clock = "btime 0 wtime 0 byoyomi 200";
    let answered = |answer: &str| answer.split(' ').nth(1).unwrap().to_owned();
    for guess in ["3c3d", "8c8d", "1c1d"] {
        cluster.send(&format!("position startpos moves {moves} {guess}"));
        cluster.send(&format!("go ponder {clock}"));
        cluster.until("info depth ");
        if guess == "8c8d" {
            // No worker has pondered on the move played.
            cluster.send("stop");
            answer(&mut cluster);
            moves += " 9c9d";
            cluster.send(&format!("position startpos moves {moves}"));
            cluster.send(&format!("go {clock}"));
        } else {
            moves += &format!(" {guess}");
            cluster.send("ponderhit");
        }
        moves += &format!(" {}", answered(&answer(&mut cluster)));
    }
    cluster.send("gameover win");
    cluster.send("isready");
    cluster.until("readyok");
    quit(cluster);
}

#[test]
fn the_end_of_the_input_ends_all_processes_after_the_answer_to_go() {
    let mut cluster = ready("3");
    cluster.send("position startpos moves 7g7f 3c3d");
    cluster.send("go ponder btime 1000 wtime 1000 byoyomi 0");
    cluster.until("info depth ");
    let (answers, rest): (Vec<_>, Vec<_>) =
        end(&mut cluster).into_iter().partition(|line| line.starts_with("bestmove "));
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert!(rest.iter().all(|line| line.starts_with("info ")), "{rest:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn workers_that_are_killed_are_replaced_and_restarted() {
    let mut cluster = ready("2");
    let workers = children(cluster.id());
    assert_eq!(workers.len(), 2);
    cluster.send("position startpos");
    cluster.send("go btime 0 wtime 0 byoyomi 2000");
    cluster.until("info depth ");
    workers.iter().for_each(|&worker| crate::signal::send("KILL", worker));
    let (lines, _) = cluster.until("bestmove ");
    let is_reported =
        |number: u32| lines.iter().any(|line| line.contains(&format!("worker {number} ")));
    assert!(is_reported(1) && is_reported(2), "{lines:?}");
    cluster.send("isready");
    cluster.until("readyok");
    let again = children(cluster.id());
    assert!(again.len() == 2 && again.iter().all(|id| !workers.contains(id)), "{again:?}");
    cluster.send("go nodes 100");
    answer(&mut cluster);
    quit(cluster);
    assert!(again.iter().all(|id| !std::path::Path::new(&format!("/proc/{id}")).exists()));
}

/// A worker command for this shell script.
#[cfg(unix)]
fn script_worker(folder: &Folder, script: &str) -> String {
    format!("sh '{}'", folder.write("worker.sh", script))
}

/// Regression: a worker could hide a second line behind a CR, and send escape sequences to the terminal.
#[cfg(unix)]
#[test]
fn each_line_of_a_worker_is_one_line_for_the_gui() {
    let script = r#"while read -r line; do case $line in
        usi) printf 'id name A\033[2JB\nusiok\n';;
        isready) printf 'info string a\rbestmove 1a1b\033c\nreadyok\n';;
        quit) exit;; esac; done"#;
    let folder = Folder::new();
    let worker = script_worker(&folder, script);
    let mut cluster = start(&["--workers", "1", "--worker", &worker]);
    cluster.send("usi");
    assert_eq!(cluster.until("usiok").0[0], "id name A?[2JB x1");
    cluster.send("isready");
    let (lines, _) = cluster.until("readyok");
    assert!(lines.contains(&"info string a?bestmove 1a1b?c".to_owned()), "{lines:?}");
    quit(cluster);
}

/// Regression: a worker that ignores the end of its input outlived a cluster that was killed.
#[cfg(target_os = "linux")]
#[test]
fn no_worker_outlives_a_cluster_that_is_killed() {
    let script =
        "while :; do read -r line || exec sleep 1000; [ \"$line\" = usi ] && echo usiok; done";
    let folder = Folder::new();
    let worker = script_worker(&folder, script);
    let mut cluster = start(&["--workers", "2", "--worker", &worker]);
    cluster.send("usi");
    cluster.until("usiok");
    let workers = children(cluster.id());
    assert_eq!(workers.len(), 2);
    crate::signal::send("KILL", cluster.id());
    cluster.wait();
    let start = Instant::now();
    let runs = |id: &u32| {
        let status = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        !status.is_empty() && !status.contains(") Z ")
    };
    while workers.iter().any(runs) {
        assert!(start.elapsed() < crate::usi::engine::PATIENCE, "{workers:?}");
        thread::sleep(Duration::from_millis(1));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn workers_find_files_whose_names_are_in_another_encoding() {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    let folder = tempfile::tempdir().unwrap();
    // In Shift_JIS.
    let path = folder.path().join(OsString::from_vec(b"\x83\x5c".into()));
    std::fs::write(&path, "").unwrap();
    let option = [OsStr::new("EvalFile="), path.as_os_str()].join(OsStr::new(""));
    let mut cluster = start_with_options(&[&option], &["--workers", "1"]);
    cluster.send("isready");
    let (lines, _) = cluster.until("readyok");
    assert!(lines.iter().any(|line| line.contains("is empty, not a network")), "{lines:?}");
    quit(cluster);
}

#[test]
fn invalid_commands_are_refused_and_failed_starts_reported() {
    let refused = |arguments: &[&str]| stderr_of(&[&["cluster"], arguments].concat());
    assert!(refused(&["--worker", "'a b"]).contains("a quote is not closed"));
    assert!(refused(&["--worker", " "]).contains("must name a program"));
    assert!(refused(&["--workers", "0"]).contains("from 1 to 256"));
    let two_of_one = ["--workers", "1", "--worker", "a", "--worker", "b"];
    assert!(refused(&two_of_one).contains("more --worker commands than --workers"));
    let mut cluster = start(&["--worker", "/there/is/no/such/engine"]);
    cluster.send("usi");
    let complaint =
        cluster.until("info string worker 1: cannot start it: /there/is/no").0.pop().unwrap();
    assert!(complaint.ends_with("restarting it"), "{complaint}");
    let (lines, _) = cluster.until("info string error: no worker can be started: worker ");
    assert!(!lines.contains(&"usiok".to_owned()), "{lines:?}");
    assert!(!cluster.wait().0.success());
}
