//! What a search tells, and what of it the GUI is told.

use std::mem;
use std::time::Duration;

use super::Session;
use super::tasks::Task;
use crate::book::BookHit;
use crate::engine::go_task::GoTask;
use crate::engine::{SearchBackend, answer_check};
use crate::mate::SolverProgress;
use crate::search::request::{Event, MateAnswer, PvLine, Report, SearchOutcome};
use crate::usi::line;

/// Of a search for a mate where the side to move is in check: whoever asks may have the other side's
/// mate in mind.
const DEFENDER_TO_MOVE: &str = "the side to move has no mate to give; whether it is mated itself, \
                                an ordinary search (go infinite) tells";

impl<S: SearchBackend> Session<S> {
    /// What the search tells. What an older one tells is dropped.
    pub(super) fn report(&mut self, event: Event) {
        if !self.engine.is_running(event.generation) {
            return;
        }
        let Some(Task::Search(turn)) = self.tasks.front() else { return };
        let is_heard = turn.wants_reports();
        match event.report {
            Report::Done(mut outcome) => {
                self.engine.search_finished(event.generation);
                let lines = mem::take(&mut outcome.lines);
                if is_heard {
                    self.relay(Report::Lines(lines));
                }
                self.end(event.generation, outcome);
            }
            report if is_heard => self.relay(report),
            _ => {}
        }
    }

    /// The search of the first task is over.
    fn end(&mut self, generation: u64, outcome: SearchOutcome) {
        let Some(Task::Search(turn)) = self.tasks.front_mut() else { return };
        let millis = outcome.elapsed.as_millis();
        let step = turn.done(outcome);
        self.note(&format!("search {generation} ended after {millis} ms"));
        self.take(step);
    }

    /// Passes a report on to the GUI, which knows nothing of moves in another position than its own.
    fn relay(&mut self, report: Report) {
        let Some(Task::Search(turn)) = self.tasks.front() else { return };
        let is_of_gui = !turn.is_stochastic_ponder();
        match report {
            Report::Lines(lines) if !lines.is_empty() => self.show_lines(lines),
            Report::Message(text) => self.output.message(&text),
            Report::CurrentMove { depth, mv, number } if is_of_gui => {
                self.output.line(&line::current_move(depth, mv, number));
            }
            Report::CurrentLine(moves) if is_of_gui => {
                self.output.line(&line::current_line(&moves));
            }
            Report::Refutation(moves) if is_of_gui => self.output.line(&line::refutation(&moves)),
            Report::Mate { progress, elapsed } => self.show_mate(&progress, elapsed),
            _ => {}
        }
    }

    /// How far the search for a mate is; the best mate, if there is one.
    fn show_mate(&mut self, progress: &SolverProgress, elapsed: Duration) {
        let Some(Task::Search(turn)) = self.tasks.front_mut() else { return };
        if self.output.is_far_behind() {
            return;
        }
        let position = &mut turn.request.position;
        let mate = Some(&progress.mate[..]).filter(|mate| answer_check::is_mate(position, mate));
        let text = line::mate_search(progress, elapsed, mate);
        // Some clients look for score and variation directly before the answer.
        self.output.message(&line::mate_numbers(progress));
        self.output.line(&text);
    }

    fn show_lines(&mut self, lines: Vec<PvLine>) {
        let Some(Task::Search(turn)) = self.tasks.front_mut() else { return };
        let mut lines = line::in_order(lines);
        for line in &mut lines {
            answer_check::truncate_pv(&mut turn.request.position, line);
        }
        // When a search ends it tells what it knows, which often is what it has told before.
        if has_been_told(&lines, &turn.lines) {
            return;
        }
        let options = &turn.request.options;
        // The GUI would take the moves for moves of its own position, and the score for its side's.
        let shown: Vec<String> = if turn.is_stochastic_ponder() {
            lines.first().map(line::progress).into_iter().collect()
        } else {
            lines.iter().map(|line| line::variation(line, options)).collect()
        };
        turn.lines = lines;
        if !self.output.is_far_behind() {
            shown.iter().for_each(|text| self.output.line(text));
        }
    }

    /// Gives the first task, a search, its one answer.
    pub(super) fn answer(&mut self, outcome: SearchOutcome) {
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

    /// Shows what the book says, and gives its move as the result of the first task, a search that
    /// has not begun.
    pub(super) fn answer_from_book(&mut self, advice: &BookHit) {
        let Some(Task::Search(turn)) = self.tasks.front_mut() else { return };
        let step = turn.answer_from_book(advice);
        let (best, count) = (advice.best().pv[0], advice.variations.len());
        let book = advice.book.display();
        self.output.message(&format!("book: {best}, of {count} moves in \"{book}\""));
        for (index, candidate) in advice.variations.iter().enumerate() {
            self.output.line(&line::book_move(index + 1, candidate));
        }
        self.take(step);
    }

    fn note_time(&mut self, turn: &GoTask) {
        let limits = &turn.request.limits;
        if limits.clock.is_some() && !limits.ponder {
            let side = turn.request.position.side_to_move();
            self.engine.spend_time(side, turn.request.received.elapsed());
        }
    }

    fn mate_answer(&mut self, turn: &mut GoTask, outcome: SearchOutcome) -> String {
        let (answer, complaint) = answer_check::check_mate(&mut turn.request.position, outcome);
        self.complain(complaint);
        let position = &turn.request.position;
        if answer == MateAnswer::NoMate && position.in_check() && position.has_legal_move() {
            self.output.message(DEFENDER_TO_MOVE);
        }
        line::checkmate(&answer)
    }

    fn move_answer(&mut self, turn: &mut GoTask, outcome: &SearchOutcome) -> String {
        let allowed = &turn.request.limits.search_moves;
        let position = &mut turn.request.position;
        let (verdict, complaint) =
            answer_check::check_move(position, allowed, &turn.lines, outcome);
        self.complain(complaint);
        // Some clients take score and variation from the line directly before the answer.
        let last = || {
            let last = answer_check::final_line(&turn.lines, verdict, outcome)?;
            Some(line::variation(&last, &turn.request.options))
        };
        let book = turn.book_move.as_ref().map(|book| line::book_move(1, book));
        if let Some(last) = book.or_else(last) {
            self.output.line_unless_last(&last);
        }
        line::best_move(&verdict)
    }

    fn complain(&mut self, complaint: Option<&str>) {
        if let Some(text) = complaint {
            self.output.complain(text);
        }
    }
}

/// Whether lines say what others have said, but for the time.
fn has_been_told(lines: &[PvLine], before: &[PvLine]) -> bool {
    let untimed = |line: &PvLine| PvLine { elapsed: Duration::ZERO, ..line.clone() };
    lines.iter().map(untimed).eq(before.iter().map(untimed))
}
