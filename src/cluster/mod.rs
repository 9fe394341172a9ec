//! Several engines as one USI engine (multi-ponder): each ponders on another reply of the opponent, and
//! on our own turn the one that pondered on the played move goes on. They may also vote.
//!
//! It speaks USI to the GUI and to its workers, so a worker may be any engine, on this machine or behind
//! a command such as `ssh`. `docs/cluster.md` is the manual.

mod action;
mod coordinator;
mod game_moves;
mod go_limits;
mod go_request;
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

use crossbeam::channel::{Receiver, at, never, select, unbounded};

pub use options::check_own_option;

use action::ClusterAction;
use coordinator::Coordinator;
use processes::{WorkerEvent, WorkerProcesses};

use crate::engine::Settings;
use crate::usi::held_lines::{Held, HeldLines};
use crate::usi::log::Logs;
use crate::usi::output::UsiOutput;
use crate::usi::reader::{self, InputLine};
use crate::usi_client::LaunchConfig;

/// From the last answer after `quit` to the end of the last worker. A GUI kills the program about a
/// second after `quit`.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);
/// How long the GUI may read nothing after `quit` until the lines before it are given up.
const HELD_TIMEOUT: Duration = Duration::from_millis(500);
/// How long the output and each log may then take.
const OUTPUT_TIMEOUT: Duration = Duration::from_millis(100);

/// The command of a worker, and where it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerSpec {
    pub launch: LaunchConfig,
    /// Whether it runs on this machine, and shares its processors and memory with the others.
    pub local: bool,
}

impl WorkerSpec {
    /// A worker by its command. With the program `ssh` it is on another machine.
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
/// If the system refuses a thread, or no worker can be started.
pub fn run(
    specs: Vec<WorkerSpec>,
    settings: Settings,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let (complaints, log_errors) = unbounded();
    let mut output = UsiOutput::open(output, Logs::new(complaints))?;
    output.set_logs(&settings);
    let lines = reader::spawn(input)?;
    let local: Vec<bool> = specs.iter().map(|spec| spec.local).collect();
    let coordinator = Coordinator::new(&local, settings, Instant::now());
    let processes = WorkerProcesses::new(specs.into_iter().map(|spec| spec.launch).collect());
    let held = HeldLines::new(HELD_TIMEOUT);
    let mut cluster = EventLoop { coordinator, processes, output, held };
    cluster.coordinator.check(Instant::now());
    while cluster.perform_actions() {
        let event = cluster.wait(&lines, &log_errors);
        cluster.handle(event);
        cluster.coordinator.check(Instant::now());
    }
    let end = cluster.coordinator.quit_by.unwrap_or_else(Instant::now) + QUIT_TIMEOUT;
    cluster.processes.quit(end.saturating_duration_since(Instant::now()));
    cluster.output.close(OUTPUT_TIMEOUT, OUTPUT_TIMEOUT);
    cluster.coordinator.start_error.map_or(Ok(()), |why| Err(io::Error::other(why)))
}

/// What the loop waits for.
enum LoopEvent {
    Line(InputLine),
    /// A line that was held, in its turn.
    Held(InputLine),
    /// The lines have ended.
    EndOfInput,
    /// The GUI has read something.
    Progress,
    Worker(WorkerEvent),
    LogError(String),
    /// The output is closed, or the program must end.
    End,
    Timer,
}

/// Connects the coordinator with the GUI and the processes.
struct EventLoop {
    coordinator: Coordinator,
    processes: WorkerProcesses,
    output: UsiOutput,
    held: HeldLines,
}

impl EventLoop {
    fn wait(&mut self, lines: &Receiver<InputLine>, log_errors: &Receiver<String>) -> LoopEvent {
        // After `quit` the input is ignored; a closed channel would wake the loop again and again.
        let is_quitting = self.coordinator.quit_by.is_some();
        if !is_quitting && !self.output.is_backlogged() {
            match self.held.next() {
                Some(Held::Line(line)) => return LoopEvent::Held(line),
                Some(Held::End) => return LoopEvent::End,
                None => {}
            }
        }
        let give_up_at = self.held.give_up_at().filter(|_| !is_quitting);
        let timer = self.coordinator.due().into_iter().chain(give_up_at).min();
        let timer = timer.map_or_else(never, at);
        let (no_lines, no_end, no_progress) = (never(), never(), never());
        let lines = if is_quitting || !self.held.has_room() { &no_lines } else { lines };
        let closed = if is_quitting { &no_end } else { self.output.closed() };
        let is_holding = !is_quitting && !self.held.is_empty();
        let progress = if is_holding { self.output.progress() } else { &no_progress };
        select! {
            recv(lines) -> line => line.map_or(LoopEvent::EndOfInput, LoopEvent::Line),
            recv(progress) -> _ => LoopEvent::Progress,
            recv(self.processes.events()) -> event => {
                event.map_or(LoopEvent::End, LoopEvent::Worker)
            }
            recv(log_errors) -> text => text.map_or(LoopEvent::End, LoopEvent::LogError),
            recv(closed) -> _ => LoopEvent::End,
            recv(timer) -> _ => LoopEvent::Timer,
        }
    }

    fn handle(&mut self, event: LoopEvent) {
        let now = Instant::now();
        let must_hold = !self.held.is_empty() || self.output.is_backlogged();
        match event {
            LoopEvent::Line(line) if must_hold => {
                if self.held.hold(line, now) {
                    self.coordinator.read_line(b"stop", now);
                }
            }
            LoopEvent::Line(line) | LoopEvent::Held(line) => self.read_line(&line),
            LoopEvent::EndOfInput if must_hold => {
                self.held.hold_end(now);
                self.coordinator.read_line(b"stop", now);
            }
            LoopEvent::Progress => self.held.note_progress(now),
            LoopEvent::Worker(event) => self.read_worker(event),
            LoopEvent::LogError(text) => self.output.error(&text),
            LoopEvent::EndOfInput | LoopEvent::End => self.coordinator.quit(now),
            LoopEvent::Timer if self.held.give_up_at().is_some_and(|end| now >= end) => {
                self.coordinator.quit(now);
            }
            LoopEvent::Timer => {}
        }
    }

    fn read_line(&mut self, line: &InputLine) {
        self.output.log_input(&line.bytes);
        if line.truncated {
            return self.coordinator.read_cut_line(&line.bytes);
        }
        self.coordinator.read_line(&line.bytes, line.received);
    }

    fn read_worker(&mut self, event: WorkerEvent) {
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

    /// Does what the coordinator wants. False if the program is to end.
    fn perform_actions(&mut self) -> bool {
        let mut goes_on = true;
        loop {
            let actions = self.coordinator.take_actions();
            if actions.is_empty() {
                self.output.flush();
                return goes_on;
            }
            for action in actions {
                goes_on &= self.perform(action);
            }
        }
    }

    fn perform(&mut self, action: ClusterAction) -> bool {
        match action {
            ClusterAction::Start(id) => {
                if let Err(why) = self.processes.start(id) {
                    self.coordinator.worker_ended(id, &why, Instant::now());
                }
            }
            ClusterAction::Kill(id) => self.processes.kill(id),
            ClusterAction::Send(id, line) => {
                let text = String::from_utf8_lossy(&line);
                self.output.log_note(&format!("{} < {text}", id + 1));
                self.processes.send(id, line);
            }
            ClusterAction::Output(line) => self.output.line(&line),
            ClusterAction::Forward(_) | ClusterAction::Message(_)
                if self.output.is_backlogged() => {}
            ClusterAction::Forward(line) => self.output.line(&line),
            ClusterAction::Message(text) => self.output.error(&text),
            ClusterAction::ReopenLogs => self.output.set_logs(&self.coordinator.settings),
            ClusterAction::Exit => return false,
        }
        true
    }
}
