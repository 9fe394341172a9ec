//! The `go`s from their beginning to their end: one runs, those behind it wait for it, as does an
//! `isready` that came when they were ending.

use std::io;
use std::panic::catch_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use super::{Counter, Session};
use crate::engine::go_task::{GoStep, GoTask};
use crate::engine::{Perft, SearchBackend, perft};
use crate::position::Position;
use crate::search::request::{Answer, Clock, Limits, MateAnswer};
use crate::usi::complaint;

/// Something that was asked for by `go`, or is to be done when all of that is over.
#[derive(Debug)]
pub(super) enum Task {
    Search(Box<GoTask>),
    Count(Box<Count>),
    /// An `isready` behind tasks that have been told to end.
    GetReady,
}

impl Task {
    /// Whether it is over soon: it has been told to end.
    pub(super) fn is_ending(&self) -> bool {
        match self {
            Task::Search(turn) => turn.is_stopping(),
            Task::Count(count) => count.stop.load(Ordering::Relaxed),
            Task::GetReady => true,
        }
    }
}

/// A `go perft`.
#[derive(Debug)]
pub(super) struct Count {
    /// Taken when it begins.
    position: Option<Position>,
    depth: u32,
    stop: Arc<AtomicBool>,
}

impl<S: SearchBackend> Session<S> {
    /// A `go`, which ends the one before it.
    pub(super) fn go(&mut self, limits: Limits, received: Instant) {
        if !self.is_astray {
            self.check_search_moves(&limits);
            self.check_move_limit(&limits);
        }
        let asked = self.engine.request(limits, received);
        let instead = self.engine.stochastic_ponder(&asked).filter(|_| !self.is_astray);
        let mut turn = GoTask::new(asked, instead);
        if self.is_astray {
            // What is found of one position says nothing of another, and its move may be illegal.
            self.output.complain(complaint::NO_SEARCH);
            let is_for_mate = turn.request.limits.mate.is_some();
            let unknown = Answer::Mate(MateAnswer::Unknown);
            turn.preset_answer = Some(if is_for_mate { unknown } else { Answer::Resign });
        }
        self.begin_task(Task::Search(Box::new(turn)));
    }

    fn check_search_moves(&mut self, limits: &Limits) {
        let moves = &limits.search_moves;
        if limits.mate.is_some() && !moves.is_empty() {
            return self.output.complain("go mate tries all moves, not searchmoves alone");
        }
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

    /// Who analyses a long game by a limit that another game has left may wonder at its scores.
    fn check_move_limit(&mut self, limits: &Limits) {
        let most = self.engine.settings().max_moves_to_draw;
        if limits.mate.is_none() && most > 0 && self.engine.position().ply() > most {
            let text = format!("by MaxMovesToDraw the game was a draw after {most} moves");
            self.output.message(&text);
        }
    }

    pub(super) fn count(&mut self, depth: u32) {
        if self.is_astray {
            self.output.complain(complaint::NO_SEARCH);
        }
        let position = Some(self.engine.position().clone());
        // The count of another position would be taken for that of the GUI's.
        let stop = Arc::new(AtomicBool::new(self.is_astray));
        let count = Count { position, depth, stop };
        self.begin_task(Task::Count(Box::new(count)));
    }

    fn begin_task(&mut self, task: Task) {
        self.release();
        self.tasks.push_back(task);
        self.advance();
    }

    /// Begins the first task if it can begin.
    pub(super) fn advance(&mut self) {
        match self.tasks.front_mut() {
            Some(Task::Search(turn)) if turn.is_waiting() => {
                if let Some(answer) = turn.preset_answer.take() {
                    let step = turn.answer(answer);
                    return self.take(step);
                }
                if !self.engine.ensure_ready() {
                    return;
                }
                // What is searched instead while pondering is nothing that a book could answer.
                let asked = Some(&turn.request).filter(|_| !turn.is_stochastic_ponder());
                if let Some(advice) = asked.and_then(|request| self.engine.probe_book(request)) {
                    self.answer_from_book(&advice);
                } else if let Some(generation) = self.engine.go(turn.request.clone()) {
                    let ply = turn.request.position.ply();
                    let step = turn.begin();
                    self.note(&format!("search {generation} begins before move {ply}"));
                    self.take(step);
                }
            }
            Some(Task::Count(count)) => {
                if let Some(position) = count.position.take() {
                    if count.stop.load(Ordering::Relaxed) {
                        return self.counted(&Perft::default());
                    }
                    let started = self.counter.start(position, count.depth, &count.stop);
                    if let Err(error) = started {
                        self.output.complain(&format!("cannot count: {error}"));
                        self.finish_task();
                    }
                }
            }
            Some(Task::GetReady) => {
                self.tasks.pop_front();
                self.prepare();
                self.advance();
            }
            _ => {}
        }
    }

    /// Tells the last task to end. All before it have been told when it came.
    pub(super) fn release(&mut self) {
        match self.tasks.back_mut() {
            Some(Task::Search(turn)) => {
                let step = turn.stop();
                self.take(step);
            }
            Some(Task::Count(count)) => count.stop.store(true, Ordering::Relaxed),
            Some(Task::GetReady) | None => {}
        }
    }

    pub(super) fn ponder_hit(&mut self, clock: Option<Clock>, received: Instant) {
        let Some(Task::Search(turn)) = self.tasks.back_mut() else { return };
        let clock = clock.filter(|clock| turn.request.limits.heeds(clock));
        let step = turn.ponder_hit(clock, received);
        // Before a held answer is given, which is charged to it.
        if let Some(clock) = clock {
            self.engine.set_clock(clock);
        }
        match step {
            GoStep::TellPonderHit => self.engine.ponder_hit(clock, received),
            step => self.take(step),
        }
    }

    pub(super) fn take(&mut self, step: GoStep) {
        match step {
            GoStep::Nothing | GoStep::TellPonderHit => {}
            GoStep::Begin => self.advance(),
            GoStep::Stop => self.engine.stop(),
            GoStep::Answer(outcome) => self.answer(outcome),
        }
    }

    pub(super) fn counted(&mut self, count: &Perft) {
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
}

impl Counter {
    fn start(&self, position: Position, depth: u32, stop: &Arc<AtomicBool>) -> io::Result<()> {
        let (sender, stop) = (self.sender.clone(), Arc::clone(stop));
        thread::Builder::new().name("perft".into()).spawn(move || {
            let counted = catch_unwind(|| perft(position, depth, &stop));
            // Nobody waits for it if the session has ended meanwhile.
            let _ = sender.send(counted.unwrap_or_default());
        })?;
        Ok(())
    }
}
