//! Reports and results of a search, sent to the GUI.

use std::mem;
use std::time::Duration;

use super::state::Session;
use super::tasks::QueuedTask;
use crate::book::BookHit;
use crate::engine::go_task::GoTask;
use crate::engine::{SearchBackend, answer_check};
use crate::mate::{SolverProgress, is_mate};
use crate::search::request::{Event, MateAnswer, PvLine, Report, SearchOutcome};
use crate::types::message::counted;
use crate::usi::{MAX_UNREAD_FOR_ENTRIES, format};

/// For a mate search with the side to move in check: the user may mean a mate by the other side.
const DEFENDER_TO_MOVE: &str = "the side to move has no mate; an ordinary search (go infinite) \
                                shows whether it is mated itself";

/// For an analysis, which shows the best line as well.
const DECLARATION: &str = "the side to move wins by declaration";

impl<B: SearchBackend> Session<B> {
    /// Handles an event of the search. Events of older searches are dropped.
    pub(super) fn handle_search_event(&mut self, event: Event) {
        if !self.engine.is_running(event.search_id) {
            return;
        }
        let Some(QueuedTask::Search(task)) = self.tasks.front() else { return };
        let is_wanted = task.wants_reports();
        match event.report {
            Report::Done(mut outcome) => {
                self.engine.finish_search(event.search_id);
                let lines = mem::take(&mut outcome.lines);
                if is_wanted {
                    self.show_lines(lines);
                }
                self.finish_search(event.search_id, outcome);
            }
            report if is_wanted => self.send_report(report),
            _ => {}
        }
    }

    /// The search of the first task has ended.
    fn finish_search(&mut self, search_id: u64, outcome: SearchOutcome) {
        let Some(QueuedTask::Search(task)) = self.tasks.front_mut() else { return };
        let millis = outcome.elapsed.as_millis();
        let step = task.finish(outcome);
        self.note(&format!("search {search_id} ended after {millis} ms"));
        self.apply(step);
    }

    /// Sends a report to the GUI, without the moves of a substitute position. If the GUI is not reading, only
    /// errors are sent.
    fn send_report(&mut self, report: Report) {
        let Some(QueuedTask::Search(task)) = self.tasks.front() else { return };
        let shows_moves = !task.is_stochastic_ponder() && !self.output.is_backlogged();
        match report {
            Report::Lines(lines) => self.show_lines(lines),
            Report::Error(text) => self.output.write_engine_error(&text),
            Report::CurrentMove { depth, mv, number } if shows_moves => {
                self.output.write_line(&format::current_move(depth, mv, number));
            }
            Report::CurrentLine(moves) if shows_moves => {
                self.output.write_line(&format::current_line(&moves));
            }
            Report::Refutation(moves) if shows_moves => {
                self.output.write_line(&format::refutation(&moves))
            }
            Report::Entries(entries) if self.output.backlog() < MAX_UNREAD_FOR_ENTRIES => {
                self.output.write_line(&format::entries(&entries));
            }
            Report::Mate { progress, elapsed } => self.show_mate(&progress, elapsed),
            _ => {}
        }
    }

    /// The progress of a mate search, with the best mate if there is one.
    fn show_mate(&mut self, progress: &SolverProgress, elapsed: Duration) {
        let Some(QueuedTask::Search(task)) = self.tasks.front() else { return };
        if self.output.is_backlogged() {
            return;
        }
        let position = &task.request.position;
        let mate = Some(&progress.mate[..]).filter(|mate| is_mate(position, mate));
        let text = format::mate_search(progress, elapsed, mate);
        // Some clients expect score and PV directly before the answer.
        self.output.write_message(&format::mate_numbers(progress));
        self.output.write_line(&text);
    }

    fn show_lines(&mut self, lines: Vec<PvLine>) {
        let Some(QueuedTask::Search(task)) = self.tasks.front_mut() else { return };
        if lines.is_empty() {
            return;
        }
        let mut lines = format::sorted_lines(lines);
        for line in &mut lines {
            answer_check::truncate_pv(&mut task.request.position, line);
        }
        // The final report of a search often repeats the last one.
        if is_repetition(&lines, &task.lines) {
            return;
        }
        let multi_pv = task.request.options.multi_pv;
        let consideration = self.engine.settings().consideration;
        let is_first = task.lines.is_empty();
        // The GUI would apply moves and score of a substitute position to its own position.
        let shown: Vec<String> = if task.is_stochastic_ponder() {
            lines.first().map(format::line_without_moves).into_iter().collect()
        } else {
            let wanted = format::wanted_lines(&lines, multi_pv);
            wanted.iter().map(|line| format::pv_line(line, consideration)).collect()
        };
        let is_left_out = format::leaves_out_declaration(&lines, multi_pv);
        task.lines = lines;
        if is_left_out && is_first {
            self.output.write_message(DECLARATION);
        }
        if !self.output.is_backlogged() {
            shown.iter().for_each(|text| self.output.write_line(text));
        }
    }

    /// Answers the first task, a search.
    pub(super) fn answer(&mut self, outcome: SearchOutcome) {
        let Some(QueuedTask::Search(task)) = self.tasks.pop_front() else { return };
        let mut task = *task;
        self.record_time(&task);
        let planned_end = outcome.planned_end;
        let text = if task.request.limits.mate.is_some() {
            self.mate_answer(&task, outcome)
        } else {
            self.move_answer(&mut task, &outcome)
        };
        let written = self.output.write_stamped_line(&text);
        self.lateness.record_answer(planned_end, written);
        self.advance();
    }

    /// Shows the book moves, and answers the first task, a search that has not begun.
    pub(super) fn answer_from_book(&mut self, hit: &BookHit) {
        let Some(QueuedTask::Search(task)) = self.tasks.front_mut() else { return };
        let step = task.answer_from_book(hit);
        let (best, count) =
            (hit.chosen_variation().pv[0], counted(hit.variations.len() as u64, "move"));
        let book = hit.book.display();
        self.output.write_message(&format!("book: {best}, of {count} in \"{book}\""));
        for (index, candidate) in hit.variations.iter().enumerate() {
            self.output.write_line(&format::book_move(index + 1, candidate));
        }
        self.apply(step);
    }

    fn record_time(&mut self, task: &GoTask) {
        let limits = &task.request.limits;
        if limits.clock.is_some() && !limits.ponder {
            let side = task.request.position.side_to_move();
            self.engine.spend_time(side, task.request.received.elapsed());
        }
    }

    fn mate_answer(&mut self, task: &GoTask, outcome: SearchOutcome) -> String {
        let position = &task.request.position;
        let (answer, error) = answer_check::check_mate(position, outcome);
        self.report_error(error);
        if answer == MateAnswer::NoMate && position.in_check() && position.has_legal_move() {
            self.output.write_message(DEFENDER_TO_MOVE);
        }
        format::checkmate(&answer)
    }

    fn move_answer(&mut self, task: &mut GoTask, outcome: &SearchOutcome) -> String {
        let limits = &task.request.limits;
        let position = &mut task.request.position;
        let (answer, error) = answer_check::check_move(position, limits, &task.lines, outcome);
        self.report_error(error);
        let consideration = self.engine.settings().consideration;
        // Some clients take score and PV from the line directly before the answer.
        let last = || {
            let last = answer_check::final_line(&task.lines, answer, outcome)?;
            Some(format::pv_line(&last, consideration))
        };
        let book = task.book_move.as_ref().map(|book| format::book_move(1, book));
        if let Some(last) = book.or_else(last) {
            self.output.write_line_unless_repeated(&last);
        }
        format::best_move(&answer)
    }

    fn report_error(&mut self, error: Option<&str>) {
        if let Some(text) = error {
            self.output.write_error(text);
        }
    }
}

/// Whether the lines are the same as before, apart from the time.
fn is_repetition(lines: &[PvLine], before: &[PvLine]) -> bool {
    let untimed = |line: &PvLine| PvLine { elapsed: Duration::ZERO, ..line.clone() };
    lines.iter().map(untimed).eq(before.iter().map(untimed))
}
