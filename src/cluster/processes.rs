//! The processes of the workers.
//!
//! Each process has a thread that reads and one that writes, so that nothing waits for a slow worker. Every
//! start has a number; output of an earlier process of the same worker is dropped.

use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender, bounded};

use crate::sys::BackgroundWriter;
use crate::usi::MAX_UNREAD_FOR_ENTRIES;
use crate::usi_client::{ChildProcess, LaunchConfig};

/// Capacity of the queue of lines of all workers; when it is full, the reader threads block.
const EVENT_QUEUE: usize = 4096;
/// Maximum number of bytes that a worker may leave unread before it is killed.
const MAX_UNREAD: usize = 16 << 20;
/// Maximum wait for the exit status of a process that has closed its output. Meanwhile the other workers
/// wait.
const EXIT_TIMEOUT: Duration = Duration::from_millis(20);

/// A line of a worker, or the end of its output.
#[derive(Debug)]
pub(super) struct WorkerEvent {
    pub(super) id: usize,
    start_number: u64,
    /// `None` when the output is closed.
    pub(super) line: Option<String>,
}

/// The processes, by the numbers of their workers.
#[derive(Debug)]
pub(super) struct WorkerProcesses {
    launches: Vec<LaunchConfig>,
    running: Vec<Option<WorkerProcess>>,
    starts: u64,
    sender: Sender<WorkerEvent>,
    events: Receiver<WorkerEvent>,
}

#[derive(Debug)]
struct WorkerProcess {
    start_number: u64,
    process: ChildProcess,
    writer: BackgroundWriter,
}

impl WorkerProcesses {
    pub(super) fn new(launches: Vec<LaunchConfig>) -> WorkerProcesses {
        let (sender, events) = bounded(EVENT_QUEUE);
        let running = launches.iter().map(|_| None).collect();
        WorkerProcesses { launches, running, starts: 0, sender, events }
    }

    /// The output of all workers.
    pub(super) fn events(&self) -> &Receiver<WorkerEvent> {
        &self.events
    }

    /// Whether an event comes from the process that runs now.
    pub(super) fn is_current(&self, event: &WorkerEvent) -> bool {
        self.running[event.id]
            .as_ref()
            .is_some_and(|worker| worker.start_number == event.start_number)
    }

    /// Starts the process of a worker.
    ///
    /// # Errors
    /// Why it cannot be started, as a message.
    pub(super) fn start(&mut self, id: usize) -> Result<(), String> {
        self.starts += 1;
        let start_number = self.starts;
        let sender = self.sender.clone();
        let mut process = self.launches[id].spawn(move |line| {
            let line = line.map(str::to_owned);
            // The receiver is gone when the program ends.
            let _ = sender.send(WorkerEvent { id, start_number, line });
        })?;
        let input = process.take_input().ok_or("it has no input")?;
        let writer = BackgroundWriter::spawn("cluster-writer", || Ok(input), |_| ())
            .map_err(|error| error.to_string())?;
        self.running[id] = Some(WorkerProcess { start_number, process, writer });
        Ok(())
    }

    /// Sends a line. A worker that has ended is detected by the end of its output.
    pub(super) fn send(&mut self, id: usize, mut line: Vec<u8>) {
        if let Some(worker) = &mut self.running[id] {
            line.push(b'\n');
            if worker.writer.backlog() < MAX_UNREAD {
                worker.writer.write(line);
            } else {
                worker.process.start_kill();
            }
        }
    }

    /// Sends table entries, unless the worker has not read the lines before them.
    pub(super) fn send_entries(&mut self, id: usize, line: Vec<u8>) {
        let worker = self.running[id].as_ref();
        if worker.is_some_and(|worker| worker.writer.backlog() < MAX_UNREAD_FOR_ENTRIES) {
            self.send(id, line);
        }
    }

    /// Kills the process of a worker.
    pub(super) fn kill(&mut self, id: usize) {
        if let Some(mut worker) = self.running[id].take() {
            worker.process.start_kill();
            // The system may be slow to remove the process. If the thread is refused, this thread waits.
            let _ = thread::Builder::new().spawn(move || drop(worker));
        }
    }

    /// How the process of a worker ended that has closed its output.
    pub(super) fn exit_report(&mut self, id: usize) -> String {
        let worker = self.running[id].as_mut();
        worker.map(|worker| worker.process.exit_report(EXIT_TIMEOUT)).unwrap_or_default()
    }

    /// Sends `quit` to all workers, and kills those that still run after this time.
    pub(super) fn quit(mut self, timeout: Duration) {
        (0..self.running.len()).for_each(|id| self.send(id, b"quit".into()));
        // The reader threads must not block on a full channel: a worker that cannot write does not read either.
        drop(self.events);
        let deadline = Instant::now() + timeout;
        let left = || deadline.saturating_duration_since(Instant::now());
        // All inputs are closed first, so that the processes end in parallel.
        let processes: Vec<ChildProcess> = (self.running.drain(..).flatten())
            .map(|worker| {
                worker.writer.close(left());
                worker.process
            })
            .collect();
        processes.into_iter().for_each(|mut process| process.close(left()));
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Regression: lines that a worker did not read accumulated without limit.
    #[test]
    fn a_worker_that_reads_nothing_is_killed() {
        let command = ["sleep", "1000"].map(Into::into).into();
        let launch = LaunchConfig { command, own_group: true, ..LaunchConfig::default() };
        let mut processes = WorkerProcesses::new(vec![launch]);
        processes.start(0).unwrap();
        let events = processes.events().clone();
        for _ in 0..=MAX_UNREAD >> 20 {
            assert!(events.try_recv().is_err());
            processes.send(0, vec![b'x'; 1 << 20]);
        }
        assert_eq!(events.recv_timeout(Duration::from_secs(60)).unwrap().line, None);
    }

    /// Regression: a worker behind a slow connection got `stop` seconds late, and was killed in the end.
    #[test]
    fn entries_that_a_worker_does_not_read_are_dropped() {
        let command = ["sleep", "1000"].map(Into::into).into();
        let launch = LaunchConfig { command, own_group: true, ..LaunchConfig::default() };
        let mut processes = WorkerProcesses::new(vec![launch]);
        processes.start(0).unwrap();
        for _ in 0..=MAX_UNREAD >> 14 {
            processes.send_entries(0, vec![b'x'; 1 << 14]);
        }
        let backlog = processes.running[0].as_ref().unwrap().writer.backlog();
        assert!((1..MAX_UNREAD_FOR_ENTRIES + (1 << 15)).contains(&backlog), "{backlog}");
    }

    /// Regression: the start sent an event, and so waited for itself if other workers had filled the queue.
    #[test]
    fn a_worker_that_cannot_be_started_is_an_error_while_the_queue_is_full() {
        let (sender, failed) = bounded(1);
        thread::spawn(move || {
            let command = vec!["/no/such/engine".into()];
            let launch = LaunchConfig { command, ..LaunchConfig::default() };
            let mut processes = WorkerProcesses::new(vec![launch]);
            for _ in 0..EVENT_QUEUE {
                let event = WorkerEvent { id: 0, start_number: 0, line: Some("noise".into()) };
                processes.sender.send(event).unwrap();
            }
            sender.send(processes.start(0).is_err())
        });
        assert_eq!(failed.recv_timeout(Duration::from_secs(60)), Ok(true));
    }

    /// Regression: such a worker was waited for to the end of the time, and then killed together with all others.
    #[test]
    fn a_worker_whose_output_was_not_read_quits_in_time() {
        let command = ["sh", "-c", "while read -r line; do echo \"$line\"; done"];
        let command = command.map(Into::into).into();
        let launch = LaunchConfig { command, own_group: true, ..LaunchConfig::default() };
        let mut processes = WorkerProcesses::new(vec![launch]);
        processes.start(0).unwrap();
        // More than the queue and the pipes hold.
        (0..2 * EVENT_QUEUE).for_each(|_| processes.send(0, vec![b'x'; 100]));
        let start = Instant::now();
        processes.quit(Duration::from_secs(60));
        assert!(start.elapsed() < Duration::from_secs(50));
    }

    #[test]
    fn child_processes_of_a_worker_are_killed_with_it() {
        let script = "sleep 1000 & echo started; wait";
        let command = ["sh", "-c", script].map(Into::into).into();
        let launch = LaunchConfig { command, own_group: true, ..LaunchConfig::default() };
        let mut processes = WorkerProcesses::new(vec![launch]);
        processes.start(0).unwrap();
        let events = processes.events().clone();
        let next = || events.recv_timeout(Duration::from_secs(60)).unwrap().line;
        assert_eq!(next().as_deref(), Some("started"));
        processes.kill(0);
        assert_eq!(next(), None, "the output stays open as long as any process has it");
    }
}
