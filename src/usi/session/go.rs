//! `go`, `stop` and `ponderhit`, by a queue of tasks: the first runs, the others wait for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::state::Session;
use super::tasks::{PerftTask, QueuedTask};
use crate::engine::go_task::{GoStep, GoTask};
use crate::engine::{Perft, SearchBackend};
use crate::search::request::{Answer, Clock, Limits, MateAnswer, Request};
use crate::sys::Instant;
use crate::usi::messages;

impl<B: SearchBackend> Session<B> {
    /// Executes `go`, which stops the task before it.
    pub(super) fn go(&mut self, limits: Limits, received: Instant) {
        if !self.is_position_unknown {
            self.check_search_moves(&limits);
            self.check_move_limit(&limits);
        }
        let request = self.timed_request(limits, received);
        let stochastic =
            self.engine.stochastic_ponder(&request).filter(|_| !self.is_position_unknown);
        let mut task = GoTask::new(request, stochastic);
        if self.is_position_unknown {
            // A result for another position would be wrong, and its move perhaps illegal.
            self.output.write_error(messages::NO_SEARCH);
            let is_for_mate = task.request.limits.mate.is_some();
            let unknown = Answer::Mate(MateAnswer::Unknown);
            task.preset_answer = Some(if is_for_mate { unknown } else { Answer::Resign });
        }
        self.begin_task(QueuedTask::Search(Box::new(task)));
    }

    /// The request for a search, planned with the expected lateness.
    fn timed_request(&mut self, limits: Limits, received: Instant) -> Request {
        self.lateness.record_line_delay(received.elapsed());
        let passed = self.lateness.begin_move();
        let mut request = self.engine.request(limits, received);
        request.options.time.lateness = self.lateness.expected();
        let side = request.position.side_to_move();
        if let Some(clock) = request.limits.clock.as_mut().filter(|_| !request.limits.ponder) {
            *clock = clock.after(side, passed);
        }
        request
    }

    fn check_search_moves(&mut self, limits: &Limits) {
        let moves = &limits.search_moves;
        if limits.mate.is_some() && !moves.is_empty() {
            return self.output.write_error("go mate tries all moves, not searchmoves alone");
        }
        let position = self.engine.position();
        let illegal: Vec<String> =
            moves.iter().filter(|&&mv| !position.is_legal(mv)).map(|mv| mv.to_string()).collect();
        if !illegal.is_empty() {
            let rest =
                if illegal.len() == moves.len() { ", so all moves are searched" } else { "" };
            let shown = illegal.get(..8).unwrap_or(&illegal).join(" ");
            self.output.write_error(&format!("searchmoves not legal here: {shown}{rest}"));
        }
    }

    /// Warns that a limit of moves, left from another game, turns scores into draws.
    fn check_move_limit(&mut self, limits: &Limits) {
        let max_moves = self.engine.settings().max_moves_to_draw;
        if limits.mate.is_none() && max_moves > 0 && self.engine.position().game_ply() > max_moves {
            let text = format!("by MaxMovesToDraw the game was a draw after {max_moves} moves");
            self.output.write_message(&text);
        }
    }

    pub(super) fn perft(&mut self, depth: u32) {
        if self.is_position_unknown {
            self.output.write_error(messages::NO_SEARCH);
        }
        let position = Some(self.engine.position().clone());
        // A count for another position would be wrong.
        let stop = Arc::new(AtomicBool::new(self.is_position_unknown));
        let perft = PerftTask { position, depth, stop };
        self.begin_task(QueuedTask::Perft(Box::new(perft)));
    }

    fn begin_task(&mut self, task: QueuedTask) {
        self.stop_last_task();
        self.tasks.push_back(task);
        self.advance();
    }

    /// Starts the first task if it is waiting.
    pub(super) fn advance(&mut self) {
        match self.tasks.front_mut() {
            Some(QueuedTask::Search(task)) if task.is_waiting() => {
                if let Some(answer) = task.preset_answer.take() {
                    let step = task.answer(answer);
                    return self.apply(step);
                }
                if !self.engine.ensure_ready() {
                    return;
                }
                // A book cannot answer the substitute search of stochastic pondering.
                let original = Some(&task.request).filter(|_| !task.is_stochastic_ponder());
                if let Some(hit) = original.and_then(|request| self.engine.probe_book(request)) {
                    self.answer_from_book(&hit);
                } else if let Some(search_id) = self.engine.go(task.request.clone()) {
                    let ply = task.request.position.game_ply();
                    let step = task.begin();
                    self.note(&format!("search {search_id} begins before move {ply}"));
                    self.apply(step);
                }
            }
            Some(QueuedTask::Perft(perft)) => {
                if let Some(position) = perft.position.take() {
                    if perft.stop.load(Ordering::Relaxed) {
                        return self.finish_perft(&Perft::default());
                    }
                    let started = self.perft_runner.start(position, perft.depth, &perft.stop);
                    if let Err(error) = started {
                        self.output.write_error(&format!("cannot start perft: {error}"));
                        self.finish_task();
                    }
                }
            }
            Some(QueuedTask::IsReady) => {
                self.tasks.pop_front();
                self.prepare();
                self.advance();
            }
            _ => {}
        }
    }

    /// Stops the last task. The others are already stopping.
    pub(super) fn stop_last_task(&mut self) {
        match self.tasks.back_mut() {
            Some(QueuedTask::Search(task)) => {
                let step = task.stop();
                self.apply(step);
            }
            Some(QueuedTask::Perft(perft)) => perft.stop.store(true, Ordering::Relaxed),
            Some(QueuedTask::IsReady) | None => {}
        }
    }

    /// Executes `stop`.
    pub(super) fn stop(&mut self, received: Instant) {
        if let Some(QueuedTask::Search(task)) = self.tasks.back()
            && task.request.limits.ponder
            && !task.is_stopping()
        {
            self.lateness.record_ponder_miss(received);
        }
        self.stop_last_task();
    }

    pub(super) fn ponder_hit(&mut self, clock: Option<Clock>, received: Instant) {
        let Some(QueuedTask::Search(task)) = self.tasks.back_mut() else { return };
        self.lateness.record_line_delay(received.elapsed());
        let clock = clock.filter(|clock| task.request.limits.uses_clock(clock));
        let step = task.ponder_hit(clock, received);
        // Before the task ends: the time of an answer that was held back is charged to this clock.
        if let Some(clock) = clock {
            self.engine.set_clock(clock);
        }
        self.apply(step);
    }

    pub(super) fn apply(&mut self, step: GoStep) {
        match step {
            GoStep::Nothing => {}
            GoStep::Begin => self.advance(),
            GoStep::Stop => self.engine.stop(),
            GoStep::SendPonderHit { clock, received } => self.engine.ponder_hit(clock, received),
            GoStep::Answer(outcome) => self.answer(outcome),
        }
    }

    pub(super) fn finish_perft(&mut self, perft: &Perft) {
        for (mv, leaves) in &perft.moves {
            self.output.write_line(&format!("{mv}: {leaves}"));
        }
        let millis = perft.elapsed.as_millis();
        let end = if perft.complete { "" } else { ", stopped before the end" };
        self.output.write_line(&format!("perft {} in {millis} ms{end}", perft.total()));
        self.finish_task();
    }

    /// Removes the first task, which is done, and starts the next.
    fn finish_task(&mut self) {
        self.tasks.pop_front();
        self.advance();
    }
}
