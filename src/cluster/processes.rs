//! The processes of the workers: started, told lines, heard, ended.
//!
//! Nobody waits for a worker: each has a thread that writes and one that reads. Every start is
//! numbered, and what an earlier process still says is dropped.

use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender, bounded};

use crate::usi::background_writer::BackgroundWriter;
use crate::usi_client::{ChildProcess, LaunchConfig};

/// Lines of all workers that may wait; beyond it their readers do.
const WAITING: usize = 4096;

/// How long a process that has closed its output may take to end before nobody asks why it did:
/// the others wait meanwhile.
const CLEAR: Duration = Duration::from_millis(20);

/// What a worker says, or that it has closed its output.
#[derive(Debug)]
pub(super) struct WorkerEvent {
    pub(super) id: usize,
    start: u64,
    pub(super) line: Option<String>,
}

/// See the module's comment.
#[derive(Debug)]
pub(super) struct WorkerProcesses {
    launches: Vec<LaunchConfig>,
    members: Vec<Option<Member>>,
    starts: u64,
    sender: Sender<WorkerEvent>,
    events: Receiver<WorkerEvent>,
}

#[derive(Debug)]
struct Member {
    start: u64,
    pipes: ChildProcess,
    writer: BackgroundWriter,
}

/// Says that the output is closed, when the thread that reads it ends.
struct Ear {
    id: usize,
    start: u64,
    sender: Sender<WorkerEvent>,
}

impl Ear {
    fn say(&self, line: Option<String>) {
        // Nobody listens any more at the very end.
        let _ = self.sender.send(WorkerEvent { id: self.id, start: self.start, line });
    }
}

impl Drop for Ear {
    fn drop(&mut self) {
        self.say(None);
    }
}

impl WorkerProcesses {
    pub(super) fn new(launches: Vec<LaunchConfig>) -> WorkerProcesses {
        let (sender, events) = bounded(WAITING);
        let members = launches.iter().map(|_| None).collect();
        WorkerProcesses { launches, members, starts: 0, sender, events }
    }

    /// Where workers are heard.
    pub(super) fn events(&self) -> &Receiver<WorkerEvent> {
        &self.events
    }

    /// Whether this comes from the process that runs now.
    pub(super) fn is_current(&self, event: &WorkerEvent) -> bool {
        self.members[event.id].as_ref().is_some_and(|member| member.start == event.start)
    }

    /// Starts a worker's process.
    ///
    /// # Errors
    /// Why the system cannot, in words.
    pub(super) fn start(&mut self, id: usize) -> Result<(), String> {
        self.starts += 1;
        let start = self.starts;
        let launch = &self.launches[id];
        let command = launch.to_command().ok_or("its command is empty")?;
        let ear = Ear { id, start, sender: self.sender.clone() };
        let take = move |line: &str| ear.say(Some(line.to_owned()));
        let mut pipes = ChildProcess::spawn(command, launch.own_group, take)
            .map_err(|error| launch.refusal(&error))?;
        let input = pipes.take_input().ok_or("it has no input")?;
        let writer = BackgroundWriter::spawn("cluster-writer", || Ok(input), |_| ())
            .map_err(|error| format!("no thread: {error}"))?;
        self.members[id] = Some(Member { start, pipes, writer });
        Ok(())
    }

    /// Sends a line; that a worker no longer reads shows by its end.
    pub(super) fn tell(&self, id: usize, mut line: Vec<u8>) {
        if let Some(member) = &self.members[id] {
            line.push(b'\n');
            member.writer.write(line);
        }
    }

    /// Ends a worker's process at once.
    pub(super) fn kill(&mut self, id: usize) {
        if let Some(mut member) = self.members[id].take() {
            member.pipes.strike();
            // The system may take its time to be rid of it. Where it refuses a thread, that is waited
            // for here.
            let _ = thread::Builder::new().spawn(move || drop(member));
        }
    }

    /// How a process ended that has closed its output, in words.
    pub(super) fn exit_report(&mut self, id: usize) -> String {
        self.members[id].as_mut().map(|member| member.pipes.exit_report(CLEAR)).unwrap_or_default()
    }

    /// Lets all quit, and ends those that have not after this time.
    pub(super) fn quit(mut self, patience: Duration) {
        (0..self.members.len()).for_each(|id| self.tell(id, b"quit".into()));
        let deadline = Instant::now() + patience;
        let left = || deadline.saturating_duration_since(Instant::now());
        // All inputs first, so that all end at the same time.
        let pipes: Vec<ChildProcess> = (self.members.drain(..).flatten())
            .map(|member| {
                member.writer.close(left());
                member.pipes
            })
            .collect();
        // Whoever reads for them must not wait for us.
        drop(self.events);
        pipes.into_iter().for_each(|mut pipes| pipes.close(left()));
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::cluster::WorkerSpec;

    #[test]
    fn what_a_worker_has_started_is_ended_with_it() {
        let script = "sleep 1000 & echo started; wait";
        let spec = WorkerSpec::new(["sh", "-c", script].map(Into::into).into());
        let mut processes = WorkerProcesses::new(vec![spec.launch]);
        processes.start(0).unwrap();
        let events = processes.events().clone();
        let next = || events.recv_timeout(Duration::from_secs(60)).unwrap().line;
        assert_eq!(next().as_deref(), Some("started"));
        processes.kill(0);
        assert_eq!(next(), None, "as long as anybody holds its output it is not closed");
    }
}
