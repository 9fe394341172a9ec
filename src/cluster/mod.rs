//! Several engines as one: each ponders on another reply of the opponent, and on the own turn the one
//! that has been pondering on what was played goes on (multi-ponder). They may also vote.
//!
//! To the outside it is a USI engine like any other, and it speaks USI with those inside, so any
//! engine will do, in this machine or behind a command that reaches another. `docs/cluster.md` is the
//! manual.

mod action;
mod ask;
mod coordinator;
mod game;
mod go;
mod job;
mod options;
mod processes;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod vote;
mod worker;

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, at, never, select, unbounded};

use action::Action;
use coordinator::Coordinator;
use processes::{WorkerEvent, WorkerProcesses};

use crate::engine::Settings;
use crate::usi::log::Logs;
use crate::usi::output::UsiOutput;
use crate::usi::reader::{self, InputLine};
use crate::usi_client::LaunchConfig;

/// From the latest answer after `quit` to the end of the last worker: a GUI kills a second after it.
const FAREWELL: Duration = Duration::from_millis(500);
/// What the output and each log may take after that.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// A worker, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerSpec {
    pub launch: LaunchConfig,
    /// On this machine, whose processors and memory it shares with the others.
    pub local: bool,
}

impl WorkerSpec {
    /// A worker by its command. One that is reached by `ssh` is on another machine.
    pub fn new(command: Vec<OsString>) -> WorkerSpec {
        let program = command.first().map(std::path::Path::new);
        let stem = program.and_then(|program| program.file_stem());
        let local = stem.is_none_or(|stem| !stem.eq_ignore_ascii_case("ssh"));
        WorkerSpec {
            launch: LaunchConfig { command, own_group: true, ..LaunchConfig::default() },
            local,
        }
    }
}

/// What woke the loop.
enum Wake {
    Line(InputLine),
    WorkerEvent(WorkerEvent),
    Notice(String),
    /// Of the input, or of those who read.
    End,
    Timer,
}

/// Speaks USI until told to quit or until the input ends, by these workers. Settings are what this
/// program itself goes by at first: its logs, and the rule of declarations.
///
/// # Errors
/// If the system refuses a thread, or no worker can be started.
pub fn run(
    specs: Vec<WorkerSpec>,
    settings: Settings,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let (complaints, notices) = unbounded();
    let mut output = UsiOutput::open(output, Logs::new(complaints))?;
    output.set_logs(&settings);
    let lines = reader::spawn(input)?;
    let local: Vec<bool> = specs.iter().map(|spec| spec.local).collect();
    let coordinator = Coordinator::new(&local, settings, Instant::now());
    let processes = WorkerProcesses::new(specs.into_iter().map(|spec| spec.launch).collect());
    let mut room = Room { coordinator, processes, output };
    room.coordinator.check(Instant::now());
    while room.act() {
        match room.wait(&lines, &notices) {
            Wake::Line(line) => room.hear(&line),
            Wake::WorkerEvent(event) => room.listen(event),
            Wake::Notice(text) => room.output.error(&text),
            Wake::End => room.coordinator.leave(Instant::now()),
            Wake::Timer => {}
        }
        room.coordinator.check(Instant::now());
    }
    let end = room.coordinator.leaving.unwrap_or_else(Instant::now) + FAREWELL;
    room.processes.quit(end.saturating_duration_since(Instant::now()));
    room.output.close(LAST_WORDS, LAST_WORDS);
    room.coordinator.in_vain.map_or(Ok(()), |why| Err(io::Error::other(why)))
}

struct Room {
    coordinator: Coordinator,
    processes: WorkerProcesses,
    output: UsiOutput,
}

impl Room {
    fn wait(&self, lines: &Receiver<InputLine>, notices: &Receiver<String>) -> Wake {
        let timer = self.coordinator.due().map_or_else(never, at);
        // Who leaves hears nothing more, and an end that has come would wake again and again.
        let staying = self.coordinator.leaving.is_none();
        let (nothing_said, nothing_closed) = (never(), never());
        let lines = if staying { lines } else { &nothing_said };
        let closed = if staying { self.output.closed() } else { &nothing_closed };
        select! {
            recv(lines) -> line => line.map_or(Wake::End, Wake::Line),
            recv(self.processes.events()) -> event => event.map_or(Wake::End, Wake::WorkerEvent),
            recv(notices) -> notice => notice.map_or(Wake::End, Wake::Notice),
            recv(closed) -> _ => Wake::End,
            recv(timer) -> _ => Wake::Timer,
        }
    }

    fn hear(&mut self, line: &InputLine) {
        self.output.log_input(&line.bytes);
        if line.truncated {
            return self.coordinator.hear_cut(&line.bytes);
        }
        self.coordinator.hear(&line.bytes, line.received);
    }

    fn listen(&mut self, event: WorkerEvent) {
        if !self.processes.is_current(&event) {
            return;
        }
        match event.line {
            Some(line) => self.coordinator.hear_worker(event.id, &line, Instant::now()),
            None => {
                let why = self.processes.exit_report(event.id);
                self.coordinator.lost_worker(event.id, &why, Instant::now());
            }
        }
    }

    /// Does what the coordinator wants; false if it wants an end.
    fn act(&mut self) -> bool {
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

    fn perform(&mut self, action: Action) -> bool {
        match action {
            Action::Start(id) => {
                if let Err(why) = self.processes.start(id) {
                    self.coordinator.lost_worker(id, &why, Instant::now());
                }
            }
            Action::Kill(id) => self.processes.kill(id),
            Action::Tell(id, line) => {
                let text = String::from_utf8_lossy(&line);
                self.output.log_note(&format!("{} < {text}", id + 1));
                self.processes.tell(id, line);
            }
            Action::Say(line) => self.output.line(&line),
            Action::Complain(text) => self.output.error(&text),
            Action::Follow => self.output.set_logs(&self.coordinator.settings),
            Action::Leave => return false,
        }
        true
    }
}
