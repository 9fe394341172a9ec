//! The UOI session: executes the commands of the GUI. Searches run on the search thread, which owns the
//! transposition table.

use std::io::{self, Read, Write};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::Receiver;
use kawasemi::session::{
    EventLoop, InputLine, Protocol, ProtocolMarks, SearchControl, SearchEvent, SearchMessage,
    SearchThread, SessionOutput, Urgency, line_too_long,
};

use crate::engine::board::{Square, squares_of};
use crate::engine::clock::Go;
use crate::engine::command::{Command, Parsed, parse};
use crate::engine::ofen::{Position, square_name};
use crate::engine::options::{self, Settings};
use crate::engine::search::{Limits, Line, best_line};
use crate::engine::table::Table;

/// Messages are comments, which GUIs ignore.
const PROTOCOL_MARKS: ProtocolMarks = ProtocolMarks { name: "uoi", message_prefix: "# " };
/// Interval at which a search of `go infinite` that has ended checks for `stop`.
const STOP_POLL: Duration = Duration::from_millis(2);
const POSITION_UNKNOWN: &str = "no search, because the last position was refused";
const NO_MOVE: &str = "no move here, and the protocol has no answer that passes";

/// A search for the search thread.
#[derive(Debug)]
struct Job {
    position: Option<Position>,
    limits: Limits,
    /// Whether the answer waits for `stop`.
    is_infinite: bool,
    /// Replaces the transposition table.
    table: Option<Table>,
}

/// The best line; `None` if the side to move has no move.
type Answer = Option<Line>;

/// Speaks UOI until `quit` or the end of the input.
///
/// # Errors
/// If the system refuses a thread, or the output cannot be written.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let mut event_loop = EventLoop::open(PROTOCOL_MARKS, output)?;
    event_loop.run(&mut Session::new()?, input)?;
    event_loop.close()
}

struct Session {
    settings: Settings,
    /// `None` after a position that was refused.
    position: Option<Position>,
    /// The transposition table of the next search, if that begins with an empty one.
    table: Option<Table>,
    /// The context of an answer is the position of its search.
    search: SearchThread<Job, Line, Answer, Option<Position>>,
}

impl Session {
    fn new() -> io::Result<Session> {
        let settings = Settings::default();
        let table = Table::try_new(settings.hash_mib)?;
        let search = SearchThread::spawn(searcher(table))?;
        Ok(Session { settings, position: Some(Position::START), table: None, search })
    }

    fn execute(&mut self, command: Command, received: Instant, output: &mut SessionOutput) {
        match command {
            Command::Uoi => identify(output),
            Command::NewGame => {
                self.replace_table(output);
                self.position = Some(Position::START);
            }
            Command::SetOption { name, value } => self.set_option(&name, &value, output),
            Command::ScoreType => output.write_line("scoretype stone min -64 max 64"),
            Command::IsReady => output.write_line("readyok"),
            Command::Position(position) => self.position = position,
            Command::Go(go) => self.go(&go, received),
            Command::Pass(position) => {
                let job = self.job(Some(position), Limits::default(), false);
                self.search.begin_silent(job);
            }
            Command::Stop | Command::GameOver | Command::Quit => self.search.stop(),
        }
    }

    fn set_option(&mut self, name: &str, value: &str, output: &mut SessionOutput) {
        let hash_mib = self.settings.hash_mib;
        match options::set(&mut self.settings, name, value) {
            Ok(()) => output.set_logs(None, self.settings.thinking_log.as_deref()),
            Err(error) => output.write_error(&error),
        }
        if self.settings.hash_mib != hash_mib {
            self.replace_table(output);
        }
    }

    fn replace_table(&mut self, output: &mut SessionOutput) {
        match Table::try_new(self.settings.hash_mib) {
            Ok(table) => self.table = Some(table),
            Err(error) => output.write_error(&format!("{error}; the table stays as it is")),
        }
    }

    /// Searches the last position. If that was refused, nothing is searched, but the `go` is still answered in its
    /// turn.
    fn go(&mut self, go: &Go, received: Instant) {
        let clock = self.position.map(|position| go.limits(position, received));
        let depth = Some(self.settings.max_depth).filter(|&depth| depth > 0);
        let limits = Limits { depth, ..clock.unwrap_or_default() };
        let job = self.job(self.position, limits, go.is_infinite);
        self.search.begin(job, self.position);
    }

    fn job(&mut self, position: Option<Position>, limits: Limits, is_infinite: bool) -> Job {
        Job { position, limits, is_infinite, table: self.table.take() }
    }
}

impl Protocol for Session {
    type Event = SearchEvent<Line, Answer>;

    fn events(&self) -> &Receiver<Self::Event> {
        self.search.events()
    }

    fn urgency(&self, line: &InputLine) -> Urgency {
        match parse(&line.bytes).command.filter(|_| !line.truncated) {
            Some(Command::Stop | Command::GameOver) => Urgency::Stop,
            Some(Command::Quit) => Urgency::Quit,
            _ => Urgency::InTurn,
        }
    }

    fn execute_line(&mut self, line: &InputLine, output: &mut SessionOutput) {
        let Parsed { command, error } = parse(&line.bytes);
        if line.truncated {
            // The position of the GUI is then unknown, too.
            if matches!(command, Some(Command::Position(_))) {
                self.position = None;
            }
            return output.write_error(&line_too_long());
        }
        if let Some(error) = error {
            output.write_error(&error);
        }
        if let Some(command) = command {
            self.execute(command, line.received, output);
        }
    }

    fn handle_event(&mut self, event: Self::Event, output: &mut SessionOutput) {
        match self.search.accept(event) {
            Some(SearchMessage::Report(_)) if output.is_backlogged() => {}
            Some(SearchMessage::Report(line)) => output.write_line(&info(&line)),
            Some(SearchMessage::Ended { found: Some(best), context }) => {
                answer(best.map(|line| line.moves[0]), context, output);
            }
            Some(SearchMessage::Ended { found: None, context }) => {
                output.write_error("the search has failed; this move is any legal one");
                answer(
                    context.and_then(|position| squares_of(position.board.moves()).next()),
                    context,
                    output,
                );
            }
            None => {}
        }
    }

    fn stop(&mut self) {
        self.search.stop();
    }

    fn is_busy(&self) -> bool {
        self.search.is_full()
    }

    fn owes_answer(&self) -> bool {
        self.search.owes_answer()
    }
}

fn identify(output: &mut SessionOutput) {
    output.write_line(concat!("id name Kawasemi Othello ", env!("CARGO_PKG_VERSION")));
    output.write_line("id author the Kawasemi developers");
    for declaration in options::declarations() {
        output.write_line(&declaration);
    }
    output.write_line("uoiok");
}

/// Answers a `go` in this position.
fn answer(best: Option<Square>, position: Option<Position>, output: &mut SessionOutput) {
    if let Some(square) = best {
        return output.write_line(&format!("bestmove {}", square_name(square)));
    }
    // The draft defines no other answer without a move.
    output.write_error(if position.is_none() { POSITION_UNKNOWN } else { NO_MOVE });
    output.write_line("bestmove resign");
}

/// `info score 4 pv c4 c3`, in discs.
fn info(line: &Line) -> String {
    let score = (line.score + 50).div_euclid(100);
    let moves: String =
        line.moves.iter().map(|&square| format!(" {}", square_name(square))).collect();
    format!("info score {score} pv{moves}")
}

/// The function of the search thread, which keeps the transposition table from search to search.
fn searcher(mut table: Table) -> impl FnMut(Job, &SearchControl<Line, Answer>) -> Answer + Send {
    move |job, control| {
        if let Some(new) = job.table {
            table = new;
        }
        let board =
            job.position.map(|position| position.board).filter(|board| board.moves() != 0)?;
        let is_stopped = || control.is_stopped();
        let mut report = |line: &Line| control.report(line.clone());
        let best = best_line(board, job.limits, &mut table, &is_stopped, &mut report);
        while job.is_infinite && !control.is_stopped() {
            thread::sleep(STOP_POLL);
        }
        Some(best)
    }
}
