//! The cluster with a real process, and an event loop that stands still for a while.

use std::io::{self, BufRead, BufReader};
use std::thread;
use std::time::{Duration, Instant};

use crate::cluster::Cluster;
use crate::cluster::coordinator::Coordinator;
use crate::cluster::processes::WorkerProcesses;
use crate::engine::Settings;
use crate::session::{EventLoop, Protocol};
use crate::usi::PROTOCOL_MARKS;
use crate::usi_client::LaunchConfig;

/// Longer than anything takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A worker that answers every search at once.
const WORKER: &str = "while read -r line; do case $line in usi) echo usiok;; isready) echo readyok;; \
                      go*) echo info depth 1 score cp 1 pv 7g7f; echo bestmove 5g5f;; esac; done";

/// Regression: if any other line had come before the answer, the best known move was played.
#[test]
fn an_answer_that_has_come_counts_before_the_end_of_the_time() {
    let command = ["sh", "-c", WORKER].map(Into::into).into();
    let launch = LaunchConfig { command, own_group: true, ..LaunchConfig::default() };
    let mut cluster = Cluster {
        coordinator: Coordinator::new(&[true], Settings::default(), Instant::now()),
        processes: WorkerProcesses::new(vec![launch]),
        has_ended: false,
    };
    let (reader, writer) = io::pipe().unwrap();
    let mut event_loop = EventLoop::open(PROTOCOL_MARKS, writer).unwrap();
    let output = &mut event_loop.output;
    cluster.coordinator.read_line(b"isready", Instant::now());
    loop {
        cluster.advance(output);
        let event = cluster.events().recv_timeout(PATIENCE).unwrap();
        let is_ready = event.line.as_deref() == Some("readyok");
        cluster.handle_event(event, output);
        if is_ready {
            break;
        }
    }
    let go = Instant::now();
    cluster.coordinator.read_line(b"go btime 0 wtime 0 byoyomi 1000", go);
    cluster.advance(output);
    while cluster.events().len() < 2 || go.elapsed() < Duration::from_secs(1) {
        assert!(go.elapsed() < PATIENCE, "no answer of the worker");
        thread::sleep(Duration::from_millis(5));
    }
    cluster.advance(output);
    output.flush();
    let lines = BufReader::new(reader).lines().map(Result::unwrap);
    let answer = lines.inspect(|line| assert!(!line.contains("in time"), "{line}"));
    let mut answer = answer.skip_while(|line| !line.starts_with("bestmove "));
    assert_eq!(answer.next().unwrap(), "bestmove 5g5f");
}
