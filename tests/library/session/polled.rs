//! A session without threads, as a browser has it: whoever drives it runs the searches and polls.

use std::time::Instant;

use crossbeam::channel::{Receiver, unbounded};
use kawasemi::engine::{Engine, Settings, SlicedBackend, SlicedJob};
use kawasemi::position::Position;
use kawasemi::types::Move;
use kawasemi::usi::Session;

use super::harness::PATIENCE;
use crate::channel_io::ChannelWriter;

struct Page {
    session: Session<SlicedBackend>,
    jobs: Receiver<SlicedJob>,
    output: Receiver<Vec<u8>>,
}

impl Page {
    fn open() -> Page {
        let (sender, events) = unbounded();
        let (backend, jobs) = SlicedBackend::new(sender).unwrap();
        let settings = Settings {
            own_book: false,
            hash_mib: 1,
            threads: 1,
            eval_dir: None,
            ..Settings::default()
        };
        let (writer, output) = unbounded();
        let engine = Engine::new(backend, settings).unwrap();
        let session = Session::open(engine, events, ChannelWriter(writer)).unwrap();
        Page { session, jobs, output }
    }

    /// Sends a line and polls until the output has a line with this beginning; that line.
    fn ask(&mut self, line: &str, answer: &str) -> String {
        self.session.receive(line.as_bytes());
        let start = Instant::now();
        let mut written = Vec::new();
        loop {
            assert!(start.elapsed() < PATIENCE, "no {answer}");
            self.session.poll();
            written.extend(self.output.try_iter().flatten());
            let text = str::from_utf8(&written).unwrap();
            if let Some(found) = text.lines().rfind(|line| line.starts_with(answer)) {
                return found.into();
            }
        }
    }

    /// Runs the search that waits.
    fn run(&mut self) {
        self.jobs.recv_timeout(PATIENCE).unwrap().run();
    }
}

#[test]
fn a_session_without_threads_answers_the_commands_of_a_gui() {
    let mut page = Page::open();
    page.ask("usi", "usiok");
    page.ask("isready", "readyok");
    page.session.receive(b"position startpos");
    page.session.receive(b"go depth 3");
    page.run();
    let best = page.ask("", "bestmove ");
    assert!(!best.contains("resign"), "{best}");
    page.session.receive(b"position sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1");
    page.session.receive(b"go mate infinite");
    page.run();
    assert_eq!(page.ask("", "checkmate "), "checkmate G*5b");
}

#[test]
fn a_stop_before_the_search_runs_is_answered_by_a_move() {
    let mut page = Page::open();
    page.ask("isready", "readyok");
    page.session.receive(b"position startpos");
    page.session.receive(b"go infinite");
    page.session.receive(b"stop");
    page.run();
    let answer = page.ask("", "bestmove ");
    let best: Move = answer.split(' ').nth(1).unwrap().parse().unwrap();
    assert!(Position::startpos().is_legal(best), "{answer}");
}
