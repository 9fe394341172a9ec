//! A coordinator at a table in memory, for tests: what the outside and the workers say is given to it,
//! and what it does is written down. Time goes only as the test says.

use std::time::{Duration, Instant};

use super::action::Action;
use super::coordinator::Coordinator;
use crate::engine::Settings;

pub(super) const CLOCK: &str = "btime 60000 wtime 60000 byoyomi 1000";

const OPTIONS: [&str; 6] = [
    "option name Threads type spin default 4 min 1 max 64",
    "option name USI_Hash type spin default 256 min 1 max 4096",
    "option name USI_Ponder type check default false",
    "option name MultiPV type spin default 1 min 1 max 600",
    "option name EvalFile type string default <empty>",
    "option name DebugLogFile type string default <empty>",
];

/// See the module's comment.
pub(super) struct Table {
    pub(super) coordinator: Coordinator,
    now: Instant,
    name: String,
    told: Vec<Vec<String>>,
    said: Vec<String>,
    pub(super) complained: Vec<String>,
    pub(super) started: Vec<usize>,
    pub(super) killed: Vec<usize>,
    pub(super) over: bool,
}

impl Table {
    /// Workers of our make, greeted, ready, and in a new game; nothing of that is kept.
    pub(super) fn playing(workers: usize) -> Table {
        Table::playing_with(workers, "Kawasemi test")
    }

    /// The same with workers of this name.
    pub(super) fn playing_with(workers: usize, name: &str) -> Table {
        let mut table = Table::new(&vec![true; workers]);
        table.name = name.into();
        for id in 0..workers {
            table.greet(id, 0);
        }
        table.outside("isready");
        for id in 0..workers {
            table.worker(id, "readyok");
        }
        table.outside("usinewgame");
        assert_eq!(table.said().last().unwrap(), "readyok");
        (0..workers).for_each(|id| _ = table.told(id));
        table.started.clear();
        table
    }

    /// A worker elsewhere, so many milliseconds away, ready to search the start position.
    pub(super) fn distant(latency_ms: u64) -> Table {
        let mut table = Table::new(&[false]);
        table.greet(0, latency_ms);
        table.outside("isready");
        table.worker(0, "readyok");
        table.outside("position startpos");
        table
    }

    /// Workers that have been started, and where they are.
    pub(super) fn new(local: &[bool]) -> Table {
        Table::with_settings(local, Settings::default())
    }

    /// The same, where the program was started with these settings.
    pub(super) fn with_settings(local: &[bool], settings: Settings) -> Table {
        let now = Instant::now();
        let mut table = Table {
            coordinator: Coordinator::new(local, settings, now),
            now,
            name: "Kawasemi test".into(),
            told: vec![Vec::new(); local.len()],
            said: Vec::new(),
            complained: Vec::new(),
            started: Vec::new(),
            killed: Vec::new(),
            over: false,
        };
        table.after(0);
        table
    }

    /// A worker says who it is, and takes so many milliseconds whenever it is asked again.
    pub(super) fn greet(&mut self, id: usize, latency_ms: u64) {
        let name = self.name.clone();
        self.worker(id, &format!("id name {name}"));
        OPTIONS.iter().for_each(|line| self.worker(id, line));
        self.worker(id, "usiok");
        for _ in 0..3 {
            self.after(latency_ms);
            self.worker(id, "usiok");
        }
    }

    /// A worker that was started again gets ready.
    pub(super) fn revive(&mut self, id: usize) {
        self.greet(id, 0);
        self.worker(id, "readyok");
    }

    pub(super) fn outside(&mut self, line: &str) {
        self.outside_bytes(line.as_bytes());
    }

    pub(super) fn outside_bytes(&mut self, line: &[u8]) {
        self.coordinator.hear(line, self.now);
        self.settle();
    }

    /// A line of which only this beginning was kept.
    pub(super) fn outside_cut(&mut self, beginning: &str) {
        self.coordinator.hear_cut(beginning.as_bytes());
        self.settle();
    }

    pub(super) fn worker(&mut self, id: usize, line: &str) {
        self.coordinator.hear_worker(id, line, self.now);
        self.settle();
    }

    /// A worker's process ends.
    pub(super) fn dies(&mut self, id: usize) {
        self.coordinator.lost_worker(id, "it died", self.now);
        self.settle();
    }

    /// Lets time go by, and whatever is due on the way happen.
    pub(super) fn after(&mut self, millis: u64) {
        let end = self.now + Duration::from_millis(millis);
        while let Some(due) = self.coordinator.due().filter(|&due| due <= end) {
            self.now = self.now.max(due);
            self.settle();
            if self.over {
                return;
            }
            if self.coordinator.due() == Some(due) {
                panic!("what is due stays due");
            }
        }
        self.now = end;
        self.settle();
    }

    /// As the loop does it.
    fn settle(&mut self) {
        self.coordinator.check(self.now);
        for action in self.coordinator.take_actions() {
            match action {
                Action::Start(id) => self.started.push(id),
                Action::Kill(id) => {
                    self.killed.push(id);
                    self.told[id].clear();
                }
                Action::Tell(id, line) => self.told[id].push(line.escape_ascii().to_string()),
                Action::Say(line) => self.said.push(line),
                Action::Complain(text) => self.complained.push(text),
                Action::Follow => {}
                Action::Leave => self.over = true,
            }
        }
    }

    /// What a worker was told since it was asked last, one line behind the other, with bytes that
    /// are no ASCII as `\x83`.
    pub(super) fn told(&mut self, id: usize) -> String {
        std::mem::take(&mut self.told[id]).join("; ")
    }

    /// What was said outside since it was asked last.
    pub(super) fn said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    /// Lets the leader of three (or fewer) ponder on 3c3d after 7g7f, and the others on what another
    /// one finds to be likely: 8c8d, 4a3b.
    pub(super) fn ponder(&mut self) {
        self.outside("position startpos moves 7g7f 3c3d");
        self.outside(&format!("go ponder {CLOCK}"));
        self.rank("8c8d 3c3d 4a3b");
    }

    /// The worker that ranks finds this.
    pub(super) fn rank(&mut self, moves: &str) {
        let ranks = |line: &String| line.starts_with("go movetime ");
        let ranking = (0..self.told.len()).find(|&id| self.told[id].iter().any(ranks)).unwrap();
        self.told[ranking].clear();
        for (rank, mv) in moves.split(' ').enumerate() {
            let line = format!("info depth 5 multipv {} score cp 10 pv {mv} 2g2f", rank + 1);
            self.worker(ranking, &line);
        }
        self.worker(ranking, "bestmove 8c8d");
    }

    /// The last line a worker was told, the others being forgotten.
    pub(super) fn last_told(&mut self, id: usize) -> String {
        let line = self.told[id].last().cloned().unwrap_or_default();
        self.told[id].clear();
        line
    }
}
