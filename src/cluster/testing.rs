//! A cluster in memory, for tests, which send the coordinator lines of the GUI and of the workers, read its
//! actions, and set the clock.

use std::time::{Duration, Instant};

use super::action::ClusterAction;
use super::coordinator::Coordinator;
use crate::engine::Settings;

pub(super) const CLOCK: &str = "btime 60000 wtime 60000 byoyomi 1000";

const OPTIONS: [&str; 7] = [
    "option name Threads type spin default 4 min 1 max 64",
    "option name USI_Hash type spin default 256 min 1 max 4096",
    "option name USI_Ponder type check default false",
    "option name MultiPV type spin default 1 min 1 max 600",
    "option name EvalFile type string default <empty>",
    "option name DebugLogFile type string default <empty>",
    "option name ClusterWorker type spin default 0 min 0 max 1024",
];

/// A coordinator with a record of its actions.
pub(super) struct TestCluster {
    pub(super) coordinator: Coordinator,
    now: Instant,
    name: String,
    /// Lines sent to each worker.
    sent: Vec<Vec<String>>,
    output: Vec<String>,
    pub(super) messages: Vec<String>,
    pub(super) errors: Vec<String>,
    pub(super) started: Vec<usize>,
    pub(super) killed: Vec<usize>,
    pub(super) over: bool,
}

impl TestCluster {
    /// Kawasemi workers that are ready and in a new game. All lines so far are forgotten.
    pub(super) fn playing(workers: usize) -> TestCluster {
        TestCluster::playing_with(workers, "Kawasemi test")
    }

    /// [`TestCluster::playing`] with engines of this name.
    pub(super) fn playing_with(workers: usize, name: &str) -> TestCluster {
        let mut cluster = TestCluster::new(&vec![true; workers]);
        cluster.name = name.into();
        for id in 0..workers {
            cluster.finish_handshake(id, 0);
        }
        cluster.gui("isready");
        for id in 0..workers {
            cluster.worker(id, "readyok");
        }
        cluster.gui("usinewgame");
        assert_eq!(cluster.output().last().unwrap(), "readyok");
        (0..workers).for_each(|id| _ = cluster.sent_to(id));
        cluster.started.clear();
        cluster
    }

    /// A worker on another machine with this latency, ready to search the initial position.
    pub(super) fn distant(latency_ms: u64) -> TestCluster {
        let mut cluster = TestCluster::new(&[false]);
        cluster.finish_handshake(0, latency_ms);
        cluster.gui("isready");
        cluster.worker(0, "readyok");
        cluster.gui("position startpos");
        cluster
    }

    /// Workers that have been started. `local` says for each whether it is on this machine.
    pub(super) fn new(local: &[bool]) -> TestCluster {
        TestCluster::with_settings(local, Settings::default())
    }

    /// [`TestCluster::new`] with these initial settings.
    pub(super) fn with_settings(local: &[bool], settings: Settings) -> TestCluster {
        let now = Instant::now();
        let mut cluster = TestCluster {
            coordinator: Coordinator::new(local, settings, now),
            now,
            name: "Kawasemi test".into(),
            sent: vec![Vec::new(); local.len()],
            output: Vec::new(),
            messages: Vec::new(),
            errors: Vec::new(),
            started: Vec::new(),
            killed: Vec::new(),
            over: false,
        };
        cluster.after(0);
        // Most tests are about one worker at a time.
        cluster.gui("setoption name MultiPonderOwnTurn value none");
        cluster
    }

    /// A worker answers `usi`, and each latency measurement after this time.
    pub(super) fn finish_handshake(&mut self, id: usize, latency_ms: u64) {
        let name = self.name.clone();
        self.worker(id, &format!("id name {name}"));
        OPTIONS.iter().for_each(|line| self.worker(id, line));
        self.worker(id, "usiok");
        for _ in 0..3 {
            self.after(latency_ms);
            self.worker(id, "usiok");
        }
    }

    /// A restarted worker gets ready.
    pub(super) fn revive(&mut self, id: usize) {
        self.finish_handshake(id, 0);
        self.worker(id, "readyok");
    }

    pub(super) fn gui(&mut self, line: &str) {
        self.gui_bytes(line.as_bytes());
    }

    pub(super) fn gui_bytes(&mut self, line: &[u8]) {
        self.coordinator.read_line(line, self.now);
        self.flush();
    }

    /// A line of the GUI that was cut to this beginning.
    pub(super) fn gui_cut(&mut self, beginning: &str) {
        self.coordinator.read_truncated_line(beginning.as_bytes());
        self.flush();
    }

    /// The GUI closes its end without `quit`.
    pub(super) fn end_input(&mut self) {
        self.coordinator.end_input(self.now);
        self.flush();
    }

    pub(super) fn worker(&mut self, id: usize, line: &str) {
        self.coordinator.read_worker(id, line, self.now);
        self.flush();
    }

    /// The process of a worker ends.
    pub(super) fn ends(&mut self, id: usize) {
        self.coordinator.worker_ended(id, "it died", self.now);
        self.flush();
    }

    /// Lets this time pass, with everything that is due meanwhile.
    pub(super) fn after(&mut self, millis: u64) {
        let end = self.now + Duration::from_millis(millis);
        while let Some(due) = self.coordinator.due().filter(|&due| due <= end) {
            self.now = self.now.max(due);
            self.flush();
            if self.over {
                return;
            }
            if self.coordinator.due() == Some(due) {
                panic!("what is due stays due");
            }
        }
        self.now = end;
        self.flush();
    }

    /// Executes the actions, as the event loop does.
    fn flush(&mut self) {
        self.coordinator.check(self.now);
        for action in self.coordinator.take_actions() {
            match action {
                ClusterAction::Start(id) => self.started.push(id),
                ClusterAction::Kill(id) => {
                    self.killed.push(id);
                    self.sent[id].clear();
                }
                ClusterAction::Send(id, line) | ClusterAction::SendEntries(id, line) => {
                    self.sent[id].push(line.escape_ascii().to_string())
                }
                ClusterAction::Output(line) | ClusterAction::Forward(line) => {
                    self.output.push(line)
                }
                ClusterAction::Message(text) => self.messages.push(text),
                ClusterAction::Error(text) => self.errors.push(text),
                ClusterAction::ReopenLogs => {}
                ClusterAction::Exit => self.over = true,
            }
        }
    }

    /// The lines sent to a worker since the last call, joined. Bytes that are not ASCII are shown as
    /// `\x83`.
    pub(super) fn sent_to(&mut self, id: usize) -> String {
        std::mem::take(&mut self.sent[id]).join("; ")
    }

    /// The lines sent to the GUI since the last call.
    pub(super) fn output(&mut self) -> Vec<String> {
        std::mem::take(&mut self.output)
    }

    /// Lets the leader of at most three workers ponder on 3c3d after 7g7f, and the others on 8c8d and
    /// 4a3b, by the ranking.
    pub(super) fn ponder(&mut self) {
        self.gui("position startpos moves 7g7f 3c3d");
        self.gui(&format!("go ponder {CLOCK}"));
        self.rank("8c8d 3c3d 4a3b");
    }

    /// The result of the worker that ranks.
    pub(super) fn rank(&mut self, moves: &str) {
        let ranks = |line: &String| line.starts_with("go movetime ");
        let ranking = (0..self.sent.len()).find(|&id| self.sent[id].iter().any(ranks)).unwrap();
        self.sent[ranking].clear();
        for (rank, mv) in moves.split(' ').enumerate() {
            let line = format!("info depth 5 multipv {} score cp 10 pv {mv} 2g2f", rank + 1);
            self.worker(ranking, &line);
        }
        self.worker(ranking, "bestmove 8c8d");
    }

    /// The last line sent to a worker. The others are forgotten.
    pub(super) fn last_sent_to(&mut self, id: usize) -> String {
        let line = self.sent[id].last().cloned().unwrap_or_default();
        self.sent[id].clear();
        line
    }
}
