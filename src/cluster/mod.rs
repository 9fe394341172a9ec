//! Several engines as one USI engine: each ponders on another reply of the opponent (multi-ponder). On our
//! own turn the engine that pondered on the played move continues. By default the others join it in a shared
//! search: they exchange entries of their transposition tables and vote.
//!
//! It speaks USI to the GUI and to its workers, so a worker may be any engine, on this machine or behind
//! a command such as `ssh`. [`run`] passes lines between the GUI, the `coordinator`, which decides everything, and the
//! `processes` of the workers. `docs/cluster.md` is the manual.

mod action;
mod coordinator;
mod game_moves;
mod go_limits;
mod go_task;
mod options;
mod processes;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod vote;
mod worker;
mod worker_search;

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use crossbeam::channel::Receiver;

pub use options::check_cluster_option;

use action::ClusterAction;
use coordinator::Coordinator;
use processes::{WorkerEvent, WorkerProcesses};

use crate::engine::Settings;
use crate::session::{EventLoop, InputLine, Protocol, SessionOutput, Urgency};
use crate::usi::PROTOCOL_MARKS;
use crate::usi::command::urgency;
use crate::usi_client::LaunchConfig;

/// Maximum time from the last answer after `quit` to the end of the last worker. A GUI kills the program
/// about a second after `quit`.
const PROCESS_EXIT_TIMEOUT: Duration = Duration::from_millis(500);

/// Maximum time by which the lines of the workers delay the work that is due. A worker may send lines without end.
const MAX_DELAY: Duration = Duration::from_millis(10);

/// The command of a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerSpec {
    pub launch: LaunchConfig,
    /// Whether the worker runs on this machine, and shares its processors and memory with other workers.
    pub local: bool,
}

impl WorkerSpec {
    /// A worker with this command. With the program `ssh` it counts as running on another machine.
    pub fn new(command: Vec<OsString>) -> WorkerSpec {
        let program = command.first().map(Path::new);
        let stem = program.and_then(Path::file_stem);
        let local = stem.is_none_or(|stem| !stem.eq_ignore_ascii_case("ssh"));
        let launch = LaunchConfig { command, own_group: true, ..LaunchConfig::default() };
        WorkerSpec { launch, local }
    }
}

/// Speaks USI until `quit` or the end of the input. `settings` are the initial ones of this program
/// itself: its logs and the declaration rule.
///
/// # Errors
/// If the system refuses a thread, no worker can be started, or the output cannot be written.
pub fn run(
    specs: Vec<WorkerSpec>,
    settings: Settings,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let mut event_loop = EventLoop::open(PROTOCOL_MARKS, output)?;
    event_loop.output.set_logs(settings.debug_log.as_deref(), settings.thinking_log.as_deref());
    let local: Vec<bool> = specs.iter().map(|spec| spec.local).collect();
    let coordinator = Coordinator::new(&local, settings, Instant::now());
    let processes = WorkerProcesses::new(specs.into_iter().map(|spec| spec.launch).collect());
    let mut cluster = Cluster { coordinator, processes, has_ended: false };
    event_loop.run(&mut cluster, input)?;
    let now = Instant::now();
    let quit_by = cluster.coordinator.quit_by.unwrap_or(now).min(now + PROCESS_EXIT_TIMEOUT);
    cluster.processes.quit((quit_by + PROCESS_EXIT_TIMEOUT).saturating_duration_since(now));
    let closed = event_loop.close();
    cluster.coordinator.start_error.map_or(closed, |why| Err(io::Error::other(why)))
}

/// Connects the coordinator with the GUI and the processes.
struct Cluster {
    coordinator: Coordinator,
    processes: WorkerProcesses,
    has_ended: bool,
}

impl Protocol for Cluster {
    type Event = WorkerEvent;

    fn events(&self) -> &Receiver<WorkerEvent> {
        self.processes.events()
    }

    fn urgency(&self, line: &InputLine) -> Urgency {
        urgency(line)
    }

    fn execute_line(&mut self, line: &InputLine, _output: &mut SessionOutput) {
        if line.truncated {
            return self.coordinator.read_truncated_line(&line.bytes);
        }
        self.coordinator.read_line(&line.bytes, line.received);
    }

    fn handle_event(&mut self, event: WorkerEvent, _output: &mut SessionOutput) {
        if !self.processes.is_current(&event) {
            return;
        }
        match event.line {
            Some(line) => self.coordinator.read_worker(event.id, &line, Instant::now()),
            None => {
                let why = self.processes.exit_report(event.id);
                self.coordinator.worker_ended(event.id, &why, Instant::now());
            }
        }
    }

    fn stop(&mut self) {
        self.coordinator.read_line(b"stop", Instant::now());
    }

    fn end_input(&mut self) {
        self.coordinator.end_input(Instant::now());
    }

    fn quit(&mut self) {
        self.coordinator.quit(Instant::now());
    }

    fn advance(&mut self, output: &mut SessionOutput) {
        self.handle_waiting_events(output);
        self.coordinator.check(Instant::now());
        self.perform_actions(output);
    }

    fn due(&self) -> Option<Instant> {
        self.coordinator.due()
    }

    fn is_busy(&self) -> bool {
        self.coordinator.is_full()
    }

    fn owes_answer(&self) -> bool {
        !self.has_ended
    }

    fn has_failed(&self) -> bool {
        self.has_ended && self.coordinator.start_error.is_some()
    }
}

impl Cluster {
    /// If something is due, handles the lines that workers have already sent: after a stall, answers that have come
    /// count before the end of their time.
    fn handle_waiting_events(&mut self, output: &mut SessionOutput) {
        let now = Instant::now();
        if self.coordinator.due().is_none_or(|due| due > now) {
            return;
        }
        let events = self.processes.events().clone();
        while now.elapsed() < MAX_DELAY
            && let Ok(event) = events.try_recv()
        {
            self.handle_event(event, output);
            // Whether the next line is of a running process depends on this.
            self.perform_actions(output);
        }
    }

    /// Executes the actions of the coordinator.
    fn perform_actions(&mut self, output: &mut SessionOutput) {
        loop {
            let actions = self.coordinator.take_actions();
            if actions.is_empty() {
                return;
            }
            for action in actions {
                self.perform(action, output);
            }
        }
    }

    fn perform(&mut self, action: ClusterAction, output: &mut SessionOutput) {
        match action {
            ClusterAction::Start(id) => {
                if let Err(why) = self.processes.start(id) {
                    self.coordinator.worker_ended(id, &why, Instant::now());
                }
            }
            ClusterAction::Kill(id) => self.processes.kill(id),
            ClusterAction::Send(id, line) => {
                let text = String::from_utf8_lossy(&line);
                output.log_note(&format!("{} < {text}", id + 1));
                self.processes.send(id, line);
            }
            ClusterAction::SendEntries(id, line) => self.processes.send_entries(id, line),
            ClusterAction::Output(line) => output.write_line(&line),
            ClusterAction::Forward(_) | ClusterAction::Message(_) | ClusterAction::Error(_)
                if output.is_backlogged() => {}
            ClusterAction::Forward(line) => output.write_line(&line),
            ClusterAction::Message(text) => output.write_message(&text),
            ClusterAction::Error(text) => output.write_engine_error(&text),
            ClusterAction::ReopenLogs => {
                let settings = &self.coordinator.settings;
                output.set_logs(settings.debug_log.as_deref(), settings.thinking_log.as_deref());
            }
            ClusterAction::Exit => self.has_ended = true,
        }
    }
}
