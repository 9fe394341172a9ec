//! The session with a GUI: one loop that hears lines and events, and is the only one to write.
//!
//! It is idle, or it has turns: accepted `go`s, of which the first is being searched or holds its
//! result back, and all but the last have been told to end. Each turn gets exactly one answer.
//! Whatever takes long (searching, preparing, counting, reading, logging) happens on other threads,
//! so a line is obeyed as soon as it comes. Knows what may be said when; how it is spelled is
//! `line`'s, what a turn does is `turn`'s.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender, at, never, select, unbounded};

use super::command::{Command, Parsed, Start, parse};
use super::line;
use super::log::Logs;
use super::options;
use super::output::Output;
use super::reader::{self, InputLine};
use super::turn::{Step, Turn};
use super::verdict::{self, Verdict};
use crate::engine::{AUTHOR, Engine, NAME, Perft, Prepared, Searcher, Settings, perft};
use crate::position::{Position, SfenError};
use crate::search::request::{Clock, Event, Limits, Line, Outcome, Report};
use crate::types::Move;

/// How long each log may take to be written then.
const LAST_WORDS: Duration = Duration::from_millis(100);
/// Before this, what is being searched changes too fast to be read.
const QUIET_START: Duration = Duration::from_secs(1);
/// With so many turns open, further lines wait. All but the last are ending, so it is not for long.
const MOST_TURNS: usize = 64;

/// How long the session takes over things.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Between two blank lines that tell a GUI that `readyok` is still to come.
    pub keep_alive: Duration,
    /// At most from `quit` to the end, for what is still owed to the GUI.
    pub farewell: Duration,
}

impl Default for Pace {
    /// A GUI may give up after 30 s without a line, and kills a second after `quit`.
    fn default() -> Pace {
        Pace { keep_alive: Duration::from_secs(5), farewell: Duration::from_millis(500) }
    }
}

/// See the module's comment.
#[derive(Debug)]
pub struct Session<S, W> {
    engine: Engine<S>,
    /// The settings at the start, which are declared as defaults.
    initial: Settings,
    output: Output<W>,
    events: Receiver<Event>,
    /// What the logs have to say.
    notices: Receiver<String>,
    counter: Counter,
    tasks: VecDeque<Task>,
    /// How many `isready` wait for their answer, and when the next blank line is due.
    awaiting_ready: usize,
    next_blank: Instant,
    pace: Pace,
    debug: bool,
    /// Set once the session is to end: when, at the latest.
    leaving: Option<Instant>,
}

/// Something that was asked for by `go`.
#[derive(Debug)]
enum Task {
    Search(Box<Turn>),
    Count(Box<Count>),
}

/// A `go perft`.
#[derive(Debug)]
struct Count {
    /// Taken when it begins.
    position: Option<Position>,
    depth: u32,
    stop: Arc<AtomicBool>,
}

/// Where counts come back from their threads.
#[derive(Debug)]
struct Counter {
    sender: Sender<Perft>,
    counts: Receiver<Perft>,
}

/// What woke the session.
enum Wake<S> {
    Line(InputLine),
    EndOfInput,
    Event(Event),
    Prepared(Prepared<S>),
    Count(Perft),
    Notice(String),
    Timer,
}

impl<S: Searcher, W: Write> Session<S, W> {
    /// A session that drives this engine, whose searcher sends its events to `events`.
    pub fn new(engine: Engine<S>, events: Receiver<Event>, output: W) -> Session<S, W> {
        let (complaints, notices) = unbounded();
        let (sender, counts) = unbounded();
        let mut output = Output::new(output, Logs::new(complaints));
        output.follow(engine.settings());
        Session {
            initial: engine.settings().clone(),
            engine,
            output,
            events,
            notices,
            counter: Counter { sender, counts },
            tasks: VecDeque::new(),
            awaiting_ready: 0,
            next_blank: Instant::now(),
            pace: Pace::default(),
            debug: false,
            leaving: None,
        }
    }

    /// The same session at another pace.
    pub fn with_pace(self, pace: Pace) -> Session<S, W> {
        Session { pace, ..self }
    }

    /// Serves until `quit`, the end of the input, or until nobody reads the output.
    ///
    /// # Errors
    /// Only if there is no thread to read the input with.
    pub fn run(mut self, input: impl Read + Send + 'static) -> io::Result<()> {
        let lines = reader::spawn(input)?;
        while !self.is_over() {
            let wake = self.wait(&lines);
            self.handle(wake);
            self.output.flush();
            if self.output.is_closed() {
                self.leave();
            }
        }
        self.engine.quit();
        self.output.close(LAST_WORDS);
        Ok(())
    }

    fn is_over(&self) -> bool {
        let owing = !self.tasks.is_empty() || self.awaiting_ready > 0;
        self.leaving.is_some_and(|deadline| !owing || Instant::now() >= deadline)
    }

    fn wait(&self, lines: &Receiver<InputLine>) -> Wake<S> {
        let deaf = never();
        let listening = self.leaving.is_none() && self.tasks.len() < MOST_TURNS;
        let lines = if listening { lines } else { &deaf };
        let timer = self.timer();
        select! {
            recv(lines) -> line => line.map_or(Wake::EndOfInput, Wake::Line),
            // A searcher that is gone sends nothing more; the timer ends the session then.
            recv(self.events) -> event => event.map_or(Wake::EndOfInput, Wake::Event),
            recv(self.engine.prepared()) -> searcher => {
                searcher.map_or(Wake::EndOfInput, Wake::Prepared)
            }
            recv(self.counter.counts) -> count => count.map_or(Wake::EndOfInput, Wake::Count),
            recv(self.notices) -> notice => notice.map_or(Wake::EndOfInput, Wake::Notice),
            recv(timer) -> _ => Wake::Timer,
        }
    }

    fn timer(&self) -> Receiver<Instant> {
        match self.leaving {
            Some(deadline) => at(deadline),
            None if self.awaiting_ready > 0 => at(self.next_blank),
            None => never(),
        }
    }

    fn handle(&mut self, wake: Wake<S>) {
        match wake {
            Wake::Line(line) => self.hear(&line),
            Wake::EndOfInput => self.leave(),
            Wake::Event(event) => self.report(event),
            Wake::Prepared(searcher) => self.take_back(searcher),
            Wake::Count(count) => self.counted(&count),
            Wake::Notice(text) => self.output.complain(&text),
            Wake::Timer if self.leaving.is_none() => {
                self.output.line("");
                self.next_blank += self.pace.keep_alive;
            }
            Wake::Timer => {}
        }
    }

    fn hear(&mut self, line: &InputLine) {
        self.output.heard(&line.bytes);
        if line.cut {
            self.output.complain("a line of more than 16 MiB was ignored");
            return;
        }
        let Parsed { command, errors } = parse(&line.bytes);
        for error in errors {
            self.output.complain(&error.to_string());
        }
        if let Some(command) = command {
            self.obey(command, line.received);
        }
    }

    fn obey(&mut self, command: Command, received: Instant) {
        match command {
            Command::Usi => self.introduce(),
            Command::Debug(on) => self.debug = on,
            Command::IsReady => self.get_ready(),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::GetOption(name) => self.show_options(name.as_deref()),
            Command::Register => {
                self.output.line("registration checking");
                self.output.line("registration ok");
            }
            Command::NewGame => self.engine.new_game(),
            Command::Position { start, moves } => self.set_position(&start, &moves),
            Command::PosDiff(moves) => self.play(&moves),
            Command::Go(limits) => self.go(*limits, received),
            Command::Perft(depth) => self.count(depth),
            Command::PonderHit(clock) => self.ponder_hit(clock, received),
            Command::Stop | Command::GameOver => self.release(),
            Command::Quit => self.leave(),
            Command::Moves => self.show_moves(),
            Command::Display => self.show_board(),
            Command::Key => self.output.line(&format!("{:016x}", self.engine.position().key())),
        }
    }

    fn introduce(&mut self) {
        self.output.line(&format!("id name {NAME}"));
        self.output.line(&format!("id author {AUTHOR}"));
        for declaration in options::declarations(&self.initial) {
            self.output.line(&declaration);
        }
        self.output.line("usiok");
    }

    /// Answered at once, unless there is work to do and nothing else going on.
    fn get_ready(&mut self) {
        let busy = match self.tasks.front() {
            Some(Task::Search(turn)) => !turn.is_waiting(),
            Some(Task::Count(_)) => true,
            None => self.engine.ready(),
        };
        if busy {
            self.output.line("readyok");
            return;
        }
        if self.awaiting_ready == 0 {
            self.next_blank = Instant::now() + self.pace.keep_alive;
        }
        self.awaiting_ready += 1;
    }

    fn take_back(&mut self, searcher: Prepared<S>) {
        for message in self.engine.accept(searcher) {
            self.output.complain(&message);
        }
        for _ in 0..std::mem::take(&mut self.awaiting_ready) {
            self.output.line("readyok");
        }
        self.advance();
    }

    fn set_option(&mut self, name: &[u8], value: Option<&[u8]>) {
        match self.engine.set(|settings| options::set(settings, name, value)) {
            Ok(_) => self.output.follow(self.engine.settings()),
            Err(error) => self.output.complain(&error.to_string()),
        }
    }

    fn show_options(&mut self, name: Option<&[u8]>) {
        let wanted = name.map(options::find);
        if wanted.is_some_and(|row| row.is_none()) {
            self.output.complain("no option has this name");
            return;
        }
        let wanted = wanted.flatten().map(|row| row.name);
        for row in options::ROWS.iter().filter(|row| wanted.is_none_or(|name| name == row.name)) {
            let value = row.value(self.engine.settings());
            self.output.message(&format!("{} = {value}", row.name));
        }
    }

    fn set_position(&mut self, start: &Start, moves: &[Move]) {
        match start_of(start) {
            Ok(position) => {
                let result = self.engine.set_position(position, moves);
                self.complain_of(result.err());
            }
            Err(error) => self.complain_of(Some(format!("position refused: {error}"))),
        }
    }

    fn play(&mut self, moves: &[Move]) {
        let result = self.engine.play(moves);
        self.complain_of(result.err());
    }

    fn complain_of(&mut self, error: Option<impl ToString>) {
        if let Some(error) = error {
            let text = format!("{}; the position before stands", error.to_string());
            self.output.complain(&text);
        }
    }

    /// A `go`, which ends the one before it.
    fn go(&mut self, limits: Limits, received: Instant) {
        self.check_search_moves(&limits.search_moves);
        let asked = self.engine.request(limits, received);
        let instead = self.engine.stochastic(&asked);
        self.begin_task(Task::Search(Box::new(Turn::new(asked, instead))));
    }

    fn check_search_moves(&mut self, moves: &[Move]) {
        let position = self.engine.position();
        let illegal: Vec<String> =
            moves.iter().filter(|&&mv| !position.is_legal(mv)).map(|mv| mv.to_string()).collect();
        if !illegal.is_empty() {
            let rest =
                if illegal.len() == moves.len() { ", so all moves are searched" } else { "" };
            let shown = illegal.get(..8).unwrap_or(&illegal).join(" ");
            self.output.complain(&format!("searchmoves not legal here: {shown}{rest}"));
        }
    }

    fn count(&mut self, depth: u32) {
        let position = Some(self.engine.position().clone());
        let count = Count { position, depth, stop: Arc::default() };
        self.begin_task(Task::Count(Box::new(count)));
    }

    fn begin_task(&mut self, task: Task) {
        self.release();
        self.tasks.push_back(task);
        self.advance();
    }

    /// Begins the first task if it can begin.
    fn advance(&mut self) {
        match self.tasks.front_mut() {
            Some(Task::Search(turn)) if turn.is_waiting() => {
                if self.engine.settle()
                    && let Some(generation) = self.engine.go(turn.request.clone())
                {
                    let ply = turn.request.position.ply();
                    let step = turn.begin();
                    self.note(&format!("search {generation} begins before move {ply}"));
                    self.take(step);
                }
            }
            Some(Task::Count(count)) => {
                if let Some(position) = count.position.take() {
                    let started = self.counter.start(position, count.depth, &count.stop);
                    if let Err(error) = started {
                        self.output.complain(&format!("cannot count: {error}"));
                        self.finish_task();
                    }
                }
            }
            _ => {}
        }
    }

    /// Tells the last task to end. All before it have been told when it came.
    fn release(&mut self) {
        match self.tasks.back_mut() {
            Some(Task::Search(turn)) => {
                let step = turn.release();
                self.take(step);
            }
            Some(Task::Count(count)) => count.stop.store(true, Ordering::Relaxed),
            None => {}
        }
    }

    fn ponder_hit(&mut self, clock: Option<Clock>, received: Instant) {
        let Some(Task::Search(turn)) = self.tasks.back_mut() else { return };
        match turn.ponder_hit(clock, received) {
            Step::TellPonderHit => self.engine.ponder_hit(clock, received),
            step => self.take(step),
        }
        if let Some(clock) = clock {
            self.engine.tell_clock(clock);
        }
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Nothing | Step::TellPonderHit => {}
            Step::Begin => self.advance(),
            Step::Stop => self.engine.stop(),
            Step::Answer(outcome) => self.answer(outcome),
        }
    }

    /// What the search tells. What an older one tells is dropped.
    fn report(&mut self, event: Event) {
        if !self.engine.is_running(event.generation) {
            return;
        }
        let Some(Task::Search(turn)) = self.tasks.front_mut() else { return };
        match event.report {
            Report::Done(outcome) => {
                self.engine.finished(event.generation);
                let millis = outcome.elapsed.as_millis();
                let step = turn.done(outcome);
                self.note(&format!("search {} ended after {millis} ms", event.generation));
                self.take(step);
            }
            report if turn.wants_reports() => self.relay(report),
            _ => {}
        }
    }

    /// Passes a report on to the GUI, as far as it wants it.
    fn relay(&mut self, report: Report) {
        let Some(Task::Search(turn)) = self.tasks.front() else { return };
        let options = &turn.request.options;
        let readable = turn.request.received.elapsed() >= QUIET_START && !turn.is_substitute();
        let current = readable && (options.show_current_line || self.debug);
        match report {
            Report::Lines(lines) => self.show_lines(lines),
            Report::Message(text) => self.output.message(&text),
            Report::CurrentMove { depth, mv, number } if current => {
                self.output.line(&line::current_move(depth, mv, number));
            }
            Report::CurrentLine(moves) if current => self.output.line(&line::current_line(&moves)),
            Report::Refutation(moves) if readable && options.show_refutations => {
                self.output.line(&line::refutation(&moves));
            }
            _ => {}
        }
    }

    fn show_lines(&mut self, lines: Vec<Line>) {
        let Some(Task::Search(turn)) = self.tasks.front_mut() else { return };
        let mut lines = line::in_order(lines);
        for line in &mut lines {
            verdict::keep_legal(&mut turn.request.position, line);
        }
        let endings = turn.request.options.consideration;
        // The GUI would take the moves for moves of its own position, and the score for its side's.
        let shown: Vec<String> = if turn.is_substitute() {
            lines.first().map(line::progress).into_iter().collect()
        } else {
            lines.iter().map(|line| line::variation(line, endings)).collect()
        };
        turn.lines = lines;
        for text in shown {
            self.output.line(&text);
        }
    }

    /// Gives the first task, a search, its one answer.
    fn answer(&mut self, outcome: Outcome) {
        let Some(Task::Search(turn)) = self.tasks.pop_front() else { return };
        let mut turn = *turn;
        self.note_time(&turn);
        let text = if turn.request.limits.mate.is_some() {
            self.mate_answer(&mut turn, outcome)
        } else {
            self.move_answer(&mut turn, &outcome)
        };
        self.output.line(&text);
        self.advance();
    }

    fn note_time(&mut self, turn: &Turn) {
        let limits = &turn.request.limits;
        if limits.clock.is_some() && !limits.ponder {
            let side = turn.request.position.side_to_move();
            self.engine.spend(side, turn.request.received.elapsed());
        }
    }

    fn mate_answer(&mut self, turn: &mut Turn, outcome: Outcome) -> String {
        let (answer, complaint) = verdict::of_mate_search(&mut turn.request.position, outcome);
        self.complain(complaint);
        line::checkmate(&answer)
    }

    fn move_answer(&mut self, turn: &mut Turn, outcome: &Outcome) -> String {
        let allowed = &turn.request.limits.search_moves;
        let position = &mut turn.request.position;
        let (verdict, complaint) = verdict::of_move_search(position, allowed, &turn.lines, outcome);
        self.complain(complaint);
        let best = match verdict {
            Verdict::Move { best, .. } => Some(best),
            Verdict::Resign | Verdict::Win => None,
        };
        // Some clients take score and variation from the line directly before the answer.
        if let Some(last) = verdict::last_line(&turn.lines, best, outcome) {
            let endings = turn.request.options.consideration;
            self.output.line_unless_last(&line::variation(&last, endings));
        }
        line::best_move(&verdict)
    }

    fn complain(&mut self, complaint: Option<&str>) {
        if let Some(text) = complaint {
            self.output.complain(text);
        }
    }

    fn counted(&mut self, count: &Perft) {
        for (mv, leaves) in &count.moves {
            self.output.line(&format!("{mv}: {leaves}"));
        }
        let millis = count.elapsed.as_millis();
        let end = if count.complete { "" } else { ", stopped before the end" };
        self.output.line(&format!("perft {} in {millis} ms{end}", count.total()));
        self.finish_task();
    }

    /// The first task is over without a search to answer.
    fn finish_task(&mut self) {
        self.tasks.pop_front();
        self.advance();
    }

    fn show_moves(&mut self) {
        let moves: Vec<String> =
            self.engine.position().legal_moves().moves().map(|mv| mv.to_string()).collect();
        if moves.is_empty() {
            self.output.message("there is no legal move");
        } else {
            self.output.line(&moves.join(" "));
        }
    }

    fn show_board(&mut self) {
        for line in self.engine.position().to_string().lines() {
            self.output.line(line);
        }
    }

    /// A remark for the log, and for the user who has asked for such.
    fn note(&mut self, text: &str) {
        self.output.note(text);
        if self.debug {
            self.output.message(text);
        }
    }

    /// The session ends as soon as nothing more is owed to the GUI.
    fn leave(&mut self) {
        if self.leaving.is_none() {
            self.leaving = Some(Instant::now() + self.pace.farewell);
            self.release();
        }
    }
}

impl Counter {
    fn start(&self, position: Position, depth: u32, stop: &Arc<AtomicBool>) -> io::Result<()> {
        let (sender, stop) = (self.sender.clone(), Arc::clone(stop));
        thread::Builder::new().name("perft".into()).spawn(move || {
            // Nobody waits for it if the session has ended meanwhile.
            let _ = sender.send(perft(position, depth, &stop));
        })?;
        Ok(())
    }
}

fn start_of(start: &Start) -> Result<Position, SfenError> {
    match start {
        Start::Startpos => Ok(Position::startpos()),
        Start::Sfen(text) => Position::from_sfen(text),
    }
}
