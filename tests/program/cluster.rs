//! The command `cluster` over real processes: the program itself as workers, and none left behind.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, unbounded};

/// Longer than anything takes on a busy machine; only a test that fails waits so long.
const PATIENCE: Duration = Duration::from_secs(60);
const MODEST: [&str; 4] = ["Threads=1", "USI_Hash=4", "EvalDir=", "BookFile=no_book"];

struct Team {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Team {
    fn start(arguments: &[&str]) -> Team {
        Team::with_options(&[], arguments)
    }

    /// With these options besides the modest ones.
    fn with_options(options: &[&OsStr], arguments: &[&str]) -> Team {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kawasemi"));
        for option in MODEST.iter().map(OsStr::new).chain(options.iter().copied()) {
            command.arg("--usi-option").arg(option);
        }
        command.arg("cluster").args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = unbounded();
        thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let input = child.stdin.take();
        Team { child, input, lines }
    }

    /// Ready for a game of so many workers.
    fn ready(workers: &str) -> Team {
        let mut team = Team::start(&["--workers", workers]);
        team.send("usi");
        let said = team.until("usiok");
        assert!(
            said[0].starts_with("id name Kawasemi ") && said[0].ends_with(&format!(" x{workers}"))
        );
        team.send("setoption name MultiPonderTime value 20");
        team.send("isready");
        team.until("readyok");
        team.send("usinewgame");
        team
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// The lines up to the first that begins so, this included.
    fn until(&mut self, start: &str) -> Vec<String> {
        let mut said = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => said.push(line),
                Err(error) => panic!("no {start}: {error}; {said:#?}"),
            }
            if said.last().unwrap().starts_with(start) {
                return said;
            }
        }
    }

    /// The answer, before which there is none.
    fn answer(&mut self) -> String {
        self.until("bestmove ").pop().unwrap()
    }

    fn quit(mut self) {
        self.send("quit");
        let rest = self.end();
        assert!(rest.iter().all(|line| line.starts_with("info ")), "{rest:?}");
    }

    /// What is still said after the end of the input.
    fn end(&mut self) -> Vec<String> {
        self.input = None;
        let start = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            assert!(start.elapsed() < PATIENCE, "it does not end");
            thread::sleep(Duration::from_millis(1));
        }
        // Workers that lived on would keep its output open.
        self.lines.iter().collect()
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The processes that a process has started.
#[cfg(target_os = "linux")]
fn children(parent: u32) -> Vec<u32> {
    let path = format!("/proc/{parent}/task/{parent}/children");
    let of_main = std::fs::read_to_string(path).unwrap_or_default();
    of_main.split_whitespace().map(|id| id.parse().unwrap()).collect()
}

/// A worker was asked, which said that there is no such option.
#[test]
fn help_and_getoption_tell_of_the_options_that_no_worker_has() {
    let mut team = Team::ready("1");
    team.send("getoption multipondertime");
    assert_eq!(team.until("info string M"), ["info string MultiPonderTime = 20"]);
    team.send("help MultiPonderOwnTurn");
    assert!(team.until("info string M")[0].starts_with("info string MultiPonderOwnTurn: What "));
    let values = "info string values: none, majority, optimistic; default: none; now: none";
    assert_eq!(team.until("info string v"), [values]);
    team.send("help MultiPV");
    assert!(team.until("info string M")[0].starts_with("info string MultiPV (or USI_MultiPV): "));
    team.until("info string v");
    team.quit();
}

#[test]
fn a_game_is_played_through_hits_and_misses() {
    let mut team = Team::ready("2");
    let mut moves = String::from("7g7f");
    let clock = "btime 0 wtime 0 byoyomi 200";
    let answered = |answer: &str| answer.split(' ').nth(1).unwrap().to_owned();
    for guess in ["3c3d", "8c8d", "1c1d"] {
        team.send(&format!("position startpos moves {moves} {guess}"));
        team.send(&format!("go ponder {clock}"));
        team.until("info depth ");
        if guess == "8c8d" {
            // A miss, and nobody has pondered on this.
            team.send("stop");
            team.answer();
            moves += " 9c9d";
            team.send(&format!("position startpos moves {moves}"));
            team.send(&format!("go {clock}"));
        } else {
            moves += &format!(" {guess}");
            team.send("ponderhit");
        }
        let answer = team.answer();
        moves += &format!(" {}", answered(&answer));
    }
    team.send("gameover win");
    team.send("isready");
    team.until("readyok");
    team.quit();
}

#[test]
fn the_end_of_the_input_ends_all_but_leaves_no_go_without_an_answer() {
    let mut team = Team::ready("3");
    team.send("position startpos moves 7g7f 3c3d");
    team.send("go ponder btime 1000 wtime 1000 byoyomi 0");
    team.until("info depth ");
    let (answers, rest): (Vec<_>, Vec<_>) =
        team.end().into_iter().partition(|line| line.starts_with("bestmove "));
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert!(rest.iter().all(|line| line.starts_with("info ")), "{rest:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn workers_that_are_killed_cost_no_answer_and_come_back() {
    let mut team = Team::ready("2");
    let workers = children(team.child.id());
    assert_eq!(workers.len(), 2);
    team.send("position startpos");
    team.send("go btime 0 wtime 0 byoyomi 2000");
    team.until("info depth ");
    workers.iter().for_each(|&worker| crate::signal::send("KILL", worker));
    let said = team.until("bestmove ");
    let fault = |number: u32| said.iter().any(|line| line.contains(&format!("worker {number} ")));
    assert!(fault(1) && fault(2), "{said:?}");
    team.send("isready");
    team.until("readyok");
    let again = children(team.child.id());
    assert!(again.len() == 2 && again.iter().all(|id| !workers.contains(id)), "{again:?}");
    team.send("go nodes 100");
    team.answer();
    team.quit();
    assert!(again.iter().all(|id| !std::path::Path::new(&format!("/proc/{id}")).exists()));
}

#[cfg(target_os = "linux")]
#[test]
fn workers_find_files_that_the_command_line_names_in_another_encoding() {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    let folder = tempfile::tempdir().unwrap();
    // In Shift_JIS.
    let path = folder.path().join(OsString::from_vec(b"\x83\x5c".into()));
    std::fs::write(&path, "").unwrap();
    let option = [OsStr::new("EvalFile="), path.as_os_str()].join(OsStr::new(""));
    let mut team = Team::with_options(&[&option], &["--workers", "1"]);
    team.send("isready");
    let said = team.until("readyok");
    assert!(said.iter().any(|line| line.contains("is empty, not a net")), "{said:?}");
    team.quit();
}

#[test]
fn commands_that_are_none_are_refused_and_those_that_do_not_start_are_told() {
    let refused = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kawasemi"));
        let output = command.arg("cluster").args(arguments).stdin(Stdio::null()).output().unwrap();
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused(&["--worker", "'a b"]).contains("a quote is not closed"));
    assert!(refused(&["--worker", " "]).contains("must name a program"));
    assert!(refused(&["--workers", "0"]).contains("0"));
    let two_of_one = ["--workers", "1", "--worker", "a", "--worker", "b"];
    assert!(refused(&two_of_one).contains("more --worker than --workers"));
    let mut team = Team::start(&["--worker", "/there/is/no/such/engine"]);
    team.send("usi");
    let complaint =
        team.until("info string worker 1: cannot start it: /there/is/no").pop().unwrap();
    assert!(complaint.ends_with("it is started again"), "{complaint}");
    let said = team.until("info string error: no worker can be started: worker ");
    assert!(!said.contains(&"usiok".to_owned()), "{said:?}");
    assert!(!team.child.wait().unwrap().success());
}
