//! A GUI and a backend around a session, both controlled by the test.

use std::fmt;
use std::io::{self, Write};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};
use kawasemi::engine::{Engine, SearchBackend, Settings};
use kawasemi::nnue::Network;
use kawasemi::search::request::{Answer, Clock, Event, PvLine, Report, Request, SearchOutcome};
use kawasemi::types::{Bound, Move, Score};
use kawasemi::usi::{Session, SessionTimeouts};

use crate::channel_io::{ChannelReader, ChannelWriter};

/// Longer than anything takes on a busy machine; only a failing test waits so long.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// The timeout of `quit` where the session must not wait for the test; elsewhere it is [`PATIENCE`].
pub const QUIT: Duration = Duration::from_millis(500);

/// A call of the backend.
pub enum Call {
    Threads(usize),
    Hash(usize),
    /// The shape and the divisor of the network.
    Network(String, u32),
    Clear,
    Go(u64, Box<Request>),
    Stop,
    PonderHit(Option<Clock>),
}

impl fmt::Debug for Call {
    /// Without the request, which is very long.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Call::Threads(threads) => write!(f, "Threads({threads})"),
            Call::Hash(hash_mib) => write!(f, "Hash({hash_mib})"),
            Call::Network(shape, fv_scale) => write!(f, "Network({shape}, {fv_scale})"),
            Call::Clear => f.write_str("Clear"),
            Call::Go(search_id, _) => write!(f, "Go({search_id})"),
            Call::Stop => f.write_str("Stop"),
            Call::PonderHit(clock) => write!(f, "PonderHit({clock:?})"),
        }
    }
}

/// A backend that reports its calls to the test, and lets the test answer.
struct ScriptedBackend {
    calls: Sender<Call>,
    /// Each slow call waits for one message, or for the end of the channel.
    gate: Option<Receiver<()>>,
}

impl ScriptedBackend {
    fn work(&self, call: Call) {
        let _ = self.calls.send(call);
        if let Some(gate) = &self.gate {
            let _ = gate.recv();
        }
    }
}

impl SearchBackend for ScriptedBackend {
    fn resize_threads(&mut self, threads: usize) -> Result<(), String> {
        self.work(Call::Threads(threads));
        Ok(())
    }

    fn resize_hash(&mut self, hash_mib: usize) -> Option<String> {
        self.work(Call::Hash(hash_mib));
        (hash_mib > 4096).then(|| "only 4096 MiB of table".into())
    }

    fn set_network(&mut self, network: Network) {
        let shape = network.weights.architecture.to_string();
        self.work(Call::Network(shape, network.fv_scale.get()));
    }

    fn clear(&mut self) {
        self.work(Call::Clear);
    }

    fn go(&mut self, search_id: u64, request: Request) {
        let _ = self.calls.send(Call::Go(search_id, Box::new(request)));
    }

    fn stop(&self) {
        let _ = self.calls.send(Call::Stop);
    }

    fn ponder_hit(&self, clock: Option<Clock>, _: Instant) {
        let _ = self.calls.send(Call::PonderHit(clock));
    }
}

/// A session on its own thread.
pub struct RunningSession {
    thread: JoinHandle<io::Result<()>>,
    /// Disconnects when the session has ended.
    ended: Receiver<()>,
}

impl RunningSession {
    pub fn spawn(run: impl FnOnce() -> io::Result<()> + Send + 'static) -> RunningSession {
        let (alive, ended) = bounded(0);
        let thread = thread::spawn(move || {
            let _alive: Sender<()> = alive;
            run()
        });
        RunningSession { thread, ended }
    }

    /// Waits for the end of the session.
    #[track_caller]
    pub fn join(self) {
        let ended = self.ended.recv_timeout(4 * PATIENCE);
        assert_eq!(ended, Err(RecvTimeoutError::Disconnected), "the session does not end");
        self.thread.join().expect("the session panicked").unwrap();
    }
}

/// The GUI's end of the pipes, and control of the backend.
pub struct Gui {
    input: Option<Sender<Vec<u8>>>,
    /// The output of the session, one item for each write.
    output: Receiver<Vec<u8>>,
    /// Lines that were received but not read yet.
    lines: std::collections::VecDeque<String>,
    partial: Vec<u8>,
    calls: Receiver<Call>,
    events: Sender<Event>,
    gate: Option<Sender<()>>,
    session: RunningSession,
}

impl Gui {
    /// A session whose backend is ready for a game.
    pub fn ready() -> Gui {
        let mut gui = Gui::start();
        gui.send("isready");
        gui.expect("readyok");
        gui.forget_calls();
        gui
    }

    /// A session before its first line.
    pub fn start() -> Gui {
        let (writer, output) = unbounded();
        Gui::ungated(ChannelWriter(writer), output, QUIT)
    }

    /// A session whose slow calls wait for [`Gui::let_work`].
    pub fn gated() -> Gui {
        Gui::gated_with(QUIT)
    }

    /// As [`Gui::gated`], with this timeout of `quit`.
    pub fn gated_with(quit: Duration) -> Gui {
        let (writer, output) = unbounded();
        let timeouts = SessionTimeouts { keep_alive: Duration::from_millis(20), quit };
        Gui::over(ChannelWriter(writer), output, Some(unbounded()), timeouts)
    }

    fn ungated(
        writer: impl Write + Send + 'static,
        output: Receiver<Vec<u8>>,
        quit: Duration,
    ) -> Gui {
        Gui::over(writer, output, None, SessionTimeouts { quit, ..SessionTimeouts::default() })
    }

    /// A session whose output waits until the test reads it, with this timeout of `quit`.
    pub fn unread(quit: Duration) -> Gui {
        let (writer, output) = bounded(0);
        Gui::ungated(ChannelWriter(writer), output, quit)
    }

    /// A session with another output and this timeout of `quit`.
    pub fn with_output(writer: impl Write + Send + 'static, quit: Duration) -> Gui {
        Gui::ungated(writer, unbounded().1, quit)
    }

    fn over(
        writer: impl Write + Send + 'static,
        output: Receiver<Vec<u8>>,
        gate: Option<(Sender<()>, Receiver<()>)>,
        timeouts: SessionTimeouts,
    ) -> Gui {
        let (input, reader) = unbounded();
        let (call_sender, calls) = unbounded();
        let (events, event_receiver) = unbounded();
        let (gate, gate_receiver) = gate.unzip();
        let backend = ScriptedBackend { calls: call_sender, gate: gate_receiver };
        // Independent of the files in the folder where tests run.
        let settings = Settings { eval_dir: None, book_file: None, ..Settings::default() };
        let engine = Engine::new(backend, settings).unwrap();
        let session =
            Session::open(engine, event_receiver, writer).unwrap().with_timeouts(timeouts);
        let session = RunningSession::spawn(move || session.run(ChannelReader::new(reader)));
        let input = Some(input);
        let (lines, partial) = Default::default();
        Gui { input, output, lines, partial, calls, events, gate, session }
    }

    /// Sends one line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sets an option.
    pub fn set(&mut self, option: &str, value: &str) {
        self.send(&format!("setoption name {option} value {value}"));
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.input.as_ref().unwrap().send(bytes.to_vec()).unwrap();
    }

    /// The next line of output.
    pub fn line(&mut self) -> String {
        while self.lines.is_empty() {
            let bytes = self.output.recv_timeout(PATIENCE).expect("the session says nothing");
            self.cut(&bytes);
        }
        self.lines.pop_front().unwrap()
    }

    /// The lines that the session sends in its next write.
    pub fn lines_at_once(&mut self) -> Vec<String> {
        assert!(self.lines.is_empty());
        let bytes = self.output.recv_timeout(PATIENCE).expect("the session says nothing");
        self.cut(&bytes);
        self.lines.drain(..).collect()
    }

    fn cut(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            match byte {
                b'\n' => {
                    let line = String::from_utf8(std::mem::take(&mut self.partial)).unwrap();
                    assert!(is_clean(&line), "{line:?}");
                    self.lines.push_back(line);
                }
                byte => self.partial.push(byte),
            }
        }
    }

    #[track_caller]
    pub fn expect(&mut self, line: &str) {
        assert_eq!(self.line(), line);
    }

    /// The next line, which must begin with this.
    #[track_caller]
    pub fn expect_start(&mut self, start: &str) -> String {
        let line = self.line();
        assert!(line.starts_with(start), "{line:?} does not begin with {start:?}");
        line
    }

    /// The answer to a `go`: a line on the search, then this move, perhaps with a ponder move.
    #[track_caller]
    pub fn expect_move(&mut self, answer: &str) {
        self.expect_start("info ");
        self.expect(&format!("bestmove {answer}"));
    }

    /// All lines so far have been handled, without any output.
    #[track_caller]
    pub fn expect_silence(&mut self) {
        self.send("getoption PvInterval");
        self.expect("info string PvInterval = 300");
    }

    /// Waits until the session has handled all lines so far. Returns its output meanwhile.
    pub fn settle(&mut self) -> Vec<String> {
        self.send("getoption PvInterval");
        let mut lines = Vec::new();
        loop {
            match self.line() {
                line if line == "info string PvInterval = 300" => return lines,
                line => lines.push(line),
            }
        }
    }

    /// The next call of the backend.
    pub fn call(&mut self) -> Call {
        self.calls.recv_timeout(PATIENCE).expect("the backend was told nothing")
    }

    pub fn forget_calls(&mut self) {
        while self.calls.try_recv().is_ok() {}
    }

    #[track_caller]
    pub fn expect_no_call(&mut self) {
        if let Ok(call) = self.calls.try_recv() {
            panic!("the backend was told {call:?}");
        }
    }

    /// The search that has started.
    #[track_caller]
    pub fn search(&mut self) -> Search {
        match self.call() {
            Call::Go(search_id, request) => self.search_of(search_id, request),
            call => panic!("no go but {call:?}"),
        }
    }

    /// The search that has started, after calls that prepare the backend.
    pub fn search_after_preparation(&mut self) -> Search {
        loop {
            if let Call::Go(search_id, request) = self.call() {
                return self.search_of(search_id, request);
            }
        }
    }

    fn search_of(&self, search_id: u64, request: Box<Request>) -> Search {
        Search { search_id, request, events: self.events.clone() }
    }

    #[track_caller]
    pub fn expect_stop(&mut self) {
        let call = self.call();
        assert!(matches!(call, Call::Stop), "{call:?}");
    }

    /// Stops the search, which plays this move.
    #[track_caller]
    pub fn stop_search(&mut self, search: &Search, mv: &str) {
        self.send("stop");
        self.expect_stop();
        search.plays(mv);
        self.expect_move(mv);
    }

    #[track_caller]
    pub fn ponder_hit(&mut self) -> Option<Clock> {
        match self.call() {
            Call::PonderHit(clock) => clock,
            call => panic!("no ponder hit but {call:?}"),
        }
    }

    /// Lets this many slow calls finish.
    pub fn let_work(&mut self, count: usize) {
        for _ in 0..count {
            self.gate.as_ref().unwrap().send(()).unwrap();
        }
    }

    /// The GUI closes its end without `quit`.
    pub fn end_input(&mut self) {
        self.input = None;
    }

    /// The GUI stops reading.
    pub fn stop_reading(&mut self) {
        self.output = unbounded().1;
    }

    /// The session ends, whatever it is doing.
    #[track_caller]
    pub fn expect_end(self) {
        self.session.join();
    }

    /// Ends the session, which must have no more output.
    #[track_caller]
    pub fn quit(mut self) {
        self.send("quit");
        self.quit_silently();
    }

    /// The session, which has been told to quit, ends without more output.
    #[track_caller]
    pub fn quit_silently(mut self) {
        while let Ok(bytes) = self.output.recv_timeout(PATIENCE) {
            self.cut(&bytes);
        }
        assert_eq!(self.lines, Vec::<String>::new());
        self.expect_end();
    }
}

/// A search that the session has started.
pub struct Search {
    pub search_id: u64,
    pub request: Box<Request>,
    events: Sender<Event>,
}

impl Search {
    pub fn report(&self, report: Report) {
        let _ = self.events.send(Event { search_id: self.search_id, report });
    }

    pub fn done(&self, answer: Answer) {
        self.done_with(answer, Vec::new());
    }

    /// Ends with this answer and these lines.
    pub fn done_with(&self, answer: Answer, lines: Vec<PvLine>) {
        let elapsed = Duration::from_millis(20);
        self.report(Report::Done(SearchOutcome {
            answer,
            lines,
            nodes: 400,
            elapsed,
            planned_end: None,
        }));
    }

    /// Ends with this move and, if given, the expected reply.
    pub fn plays(&self, text: &str) {
        let found = moves(text);
        self.done(Answer::Move { best: found[0], ponder: found.get(1).copied() });
    }

    pub fn reports(&self, lines: &[PvLine]) {
        self.report(Report::Lines(lines.to_vec()));
    }
}

pub fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

/// A variation with this score in centipawns.
pub fn variation(rank: usize, centipawns: i32, pv: &str) -> PvLine {
    PvLine {
        depth: 4,
        selective_depth: 6,
        rank,
        score: Score::from_centipawns(centipawns),
        bound: Bound::Exact,
        elapsed: Duration::from_millis(10),
        nodes: 300,
        hashfull_permille: 5,
        pv: moves(pv),
        ending: None,
    }
}

/// All output of a session that has ended, every line of which must be clean.
pub fn whole_output(output: &Receiver<Vec<u8>>) -> String {
    let bytes: Vec<u8> = output.try_iter().flatten().collect();
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.split('\n').all(is_clean), "{text}");
    text
}

/// Whether every client can read the line: only messages to the user may have more than ASCII.
fn is_clean(line: &str) -> bool {
    !line.contains(char::is_control) && (line.is_ascii() || line.starts_with("info string "))
}
